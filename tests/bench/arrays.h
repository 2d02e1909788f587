/* The arrays of one module, made and filled from its descriptor. */
#ifndef BENCH_ARRAYS_H
#define BENCH_ARRAYS_H

#include "../../runtime/abi.h"

enum { MOST_ARRAYS = 32 };

struct arrays {
    const struct quern_module *module;
    void *args;                         /* the struct that kernels are given */
    float *start[MOST_ARRAYS];          /* all that is stored, halo included */
    int64_t count;                      /* floats of each */
    int used;
};

/* All arrays have one layout: the widest halo, rows aligned to 256 bytes at point 0. Scalars
 * are 1 for spacings, `width` for whole ones, else the middle of their range. Stops the
 * program where memory ends. */
struct arrays arrays_new(const struct quern_module *module, int64_t n, int64_t width);
void arrays_fill(struct arrays *arrays, unsigned seed);
void arrays_free(struct arrays *arrays);

/* The whole of the array that a kernel's access is about. */
float *arrays_of(const struct arrays *arrays, const struct quern_access *access);

/* The largest difference between two sets of arrays of one layout, over the largest value. */
double arrays_distance(const struct arrays *left, const struct arrays *right);

#endif
