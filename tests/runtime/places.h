/* What the tests of places share: one field of the module places_module.c. */
#ifndef PLACES_H
#define PLACES_H

#include "lib.h"

enum { MOST = 1000, PLACES = 24, KIND_COUNT = 5 };

extern const struct qn_interpolation KINDS[KIND_COUNT];

extern struct qn_context *context;
extern struct qn_module *module;
extern struct qn_field *field;
extern int rank;
extern int64_t n[4], points;
extern double at[4];                /* the first point's coordinates */
extern double ends[4][2];           /* the least and the largest coordinates of places */

void open_module(const char *name); /* of a context */
void close_module(void);
/* Makes the module's fields anew, this one only. */
void make_field(const char *name);
struct qn_places *places_at(const double *x, size_t count, const struct qn_interpolation *how);

/* From -1 to 1, the same after the same seed. */
void sow(uint64_t seed);
double drawn(void);
void draw(double *values, int64_t count);
/* PLACES of them: corners, whole coordinates, places twice, others anywhere. */
void draw_places(double *x);

/* places_sums.c: values against sums over the grid, with weights by definition */

void test_pair(const char *name);
void test_linear(const char *name);
void test_hollow(void);
void test_waves(void);

/* places_bits.c: rounding and order */

void test_whole(const struct qn_interpolation *how);
void test_order(void);
void test_one_by_one(const char *name);
void test_same_bits(void);
void test_detectors(void);

#endif
