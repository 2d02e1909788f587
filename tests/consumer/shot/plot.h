/* One picture: a plane of signed values in a box with axes in real units. */
#ifndef PLOT_H
#define PLOT_H

#include "shot.h"

/* A plane of values drawn into a box with axes in real units. */
struct plot {
    const char *title, *x_label, *y_label, *note;
    const float *values;            /* [rows][columns], rows downwards */
    const float *ground;            /* velocities under the values, or NULL */
    int64_t columns, rows;
    double x_end, y_end;            /* the axes run from 0 to here */
    double clip;                    /* amplitudes beyond are drawn as this */
    double width, height;           /* of the box, pixels */
};

/* The magnitude below which `percentile` of the values that are not zero lie. */
double plot_clip(const float *values, size_t count, double percentile);
/* Written beside its name first: a picture is there whole or not at all. */
int plot_write(const struct plot *plot, const char *path, struct failure *failure);

#endif
