/* What the hand-written loops of oracle_cases.c see of the data that a
 * reference module was given. */
#ifndef ORACLE_HOST_H
#define ORACLE_HOST_H

#include <stdint.h>

#ifndef REAL
#define REAL float              /* arithmetic of the loops written by hand */
#endif
#ifndef STORAGE
#define STORAGE float           /* of the arrays, as in the specification */
#endif

enum { RANK = 3, HALO = 8, TARGETS = 2, MOST_TERMS = 64 };

enum mutant { RIGHT, WEIGHT, SHIFT, MISSING, REGION };

struct array {
    STORAGE *data;              /* the point 0, 0, 0 */
    int64_t stride[RANK];
};

struct point {
    int64_t x, y, z;
    int assigned[TARGETS];      /* set by the loop: does it write this target? */
    REAL value[TARGETS];
};

extern int64_t N[RANK];
extern enum mutant MUTANT;

struct array array_of(const char *field, int level);
double scalar_of(const char *name);
REAL total(const REAL *terms, int count);       /* in the order of this run */

static inline REAL get(struct array a, int64_t x, int64_t y, int64_t z)
{
    return (REAL)a.data[x * a.stride[0] + y * a.stride[1] + z * a.stride[2]];
}

struct hand {
    const char *name;
    void (*begin)(void);
    void (*point)(struct point *p);
};

extern const struct hand HANDS[];
extern const int HAND_COUNT;

#endif
