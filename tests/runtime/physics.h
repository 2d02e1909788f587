/* What the proofs by physics share: one module in double, its fields as dense
 * arrays. Whatever fails ends the program with a sentence. */
#ifndef PHYSICS_H
#define PHYSICS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

extern int64_t n[3];            /* extents; 1 beyond the module's axes */
extern int64_t points;

/* Loads a module and gives its fields these extents, all zero. */
void load(const char *path, int64_t nx, int64_t ny, int64_t nz);
void unload(void);
void set(const char *scalar, double value);
void set_spacing(double h);     /* of all axes */
/* How wide the slabs are; the fields that are stored only there exist from then on. */
void set_width(const char *scalar, int64_t width);
void launch(const char *kernel);
void step(int times);
/* A field's values, dense, to be freed; and back. */
double *get(const char *field, int level);
void put(const char *field, int level, const double *values);
void put_whole(const char *field, const int32_t *values);       /* of type int */
void fill(const char *field, double value);
int has(const char *field);
void extend(const char *field);                 /* the domain into the halo */
void inject(const char *field, size_t count, const int64_t *at, const double *values);
void sample(const char *field, size_t count, const int64_t *at, double *values);
/* Sources or receivers anywhere, freed with the module; what they add, what they read. */
struct qn_places *place(const char *field, size_t count, const double *at, int half_width);
void emit(struct qn_places *places, const double *values);
void record(struct qn_places *places, double *values);
/* The value that f gives each point, moved by half points. */
void put_function(const char *field, int level, double (*f)(const double *x), double sx,
                  double sy, double sz);
/* The points lower <= i < upper, which may lie in the halo. */
void put_box(const char *field, int level, const int64_t *lower, const int64_t *upper,
             const double *values);
/* The same to the halo alone. */
void surround(const char *field, int level, double (*f)(const double *x));
double *new_values(void);
double drawn(void);             /* from -1 to 1, the same every time */
/* The sum of a field times f, as in put_function. */
double project(const char *field, int level, double (*f)(const double *x), double sx, double sy,
               double sz);

int prove_acoustic(int count, char **words);
int prove_diffusion(int count, char **words);
int prove_elastic(int count, char **words);
int prove_energy(int count, char **words);
int prove_heat(int count, char **words);
int prove_lattice(int count, char **words);
int prove_laws(int count, char **words);
int prove_layer(int count, char **words);
int prove_maxwell(int count, char **words);
int prove_tti(int count, char **words);
int prove_water(int count, char **words);
int prove_wave(int count, char **words);
int prove_weights(int count, char **words);

#endif
