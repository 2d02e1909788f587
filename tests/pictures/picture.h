/* A picture of a specification at work: a scene runs its kernels on a problem
 * and leaves a plane of values to be drawn. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdint.h>

#include "../runtime/physics.h"

enum map { SIGNED, VALUES, WARMTH, WATER };

/* Rows downwards. What is no number is drawn as solid. */
struct plane {
    double *values;             /* [rows][columns] */
    int64_t columns, rows;
    enum map map;
    double low, high;           /* the ends of the map */
    int bands;                  /* so many colours, with lines between; 0: all */
    double relief;              /* how much slopes catch the light; 0: flat */
    double *dark;               /* from 0 to 1: the medium behind, or NULL */
};

/* A scene of a specification; `module` holds its kernels, in double. */
struct scene {
    const char *name;
    void (*run)(const char *module, struct plane *plane);
};
/* end: no name */
extern const struct scene WAVES[], FLOWS[], OPERATORS[], MEDIA[], MESHES[], PARTICLES[];

/* Lays a plane's values and darkness out, all 0. */
void plane_begin(struct plane *plane, int64_t columns, int64_t rows);
/* The plane shows the field, with ends so that this part of it lies between. */
void plane_show(struct plane *plane, const char *field, double part);

static inline double square(double x) { return x * x; }
static inline double smooth_step(double x)      /* from 0 at -1 to 1 at 1 */
{
    return x <= -1 ? 0 : x >= 1 ? 1 : 0.5 + 0.75 * x - 0.25 * x * x * x;
}
/* A pulse of this frequency that starts at 0: Ricker's. */
static inline double ricker(double frequency, double t)
{
    const double a = square(PI * (frequency * t - 1.1));
    return (1 - 2 * a) * exp(-a);
}

#endif
