/* A seismic shot: one source, one line of receivers, a velocity model.
 *
 * This program stands for any project that uses Quern at build time: its
 * Makefile generates the acoustic kernels, this code loads and steps them.
 * Fallible functions return 0, or -1 with one sentence in the failure. */
#ifndef SHOT_H
#define SHOT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct failure {
    char why[256];
};
int fail(struct failure *failure, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Velocities in m/s on a grid; x is contiguous, the last axis is depth. */
struct model {
    int axes;                   /* 2: x, depth; 3: x, y, depth */
    int64_t n[3];
    double h[3];                /* metres */
    float *velocity;
};

struct model_file {
    const char *path;           /* raw little-endian float32, or .npy; NULL: layers */
    int axes;
    int64_t size[3];            /* in file order, fastest first; 0: from the .npy */
    double spacing[3];          /* metres, in file order */
    int spacings;               /* how many of them were given */
    char order[4];              /* "zx": depth is fastest; "xz", "xyz" .. */
};

int model_read(const struct model_file *file, struct model *model,
               struct failure *failure);
int model_layers(int axes, struct model *model, struct failure *failure);
/* The model with `width` more points on every face, edge values repeated. */
int model_pad(const struct model *model, int64_t width, struct model *padded,
              struct failure *failure);
void model_range(const struct model *model, float *least, float *largest);
int64_t model_points(const struct model *model);
void model_free(struct model *model);

int npy_is(const char *path);
/* On return the stream stands at the first value; file->size is fastest first. */
int npy_header(FILE *in, struct model_file *file, struct failure *failure);
int npy_write(const char *path, const float *values, int64_t rows, int64_t columns,
              struct failure *failure);

struct survey {
    double duration;            /* seconds */
    double frequency;           /* peak of the Ricker wavelet, Hz; 0: from the grid */
    double dt;                  /* seconds; 0: from the stability limit */
    double source[3];           /* metres from the model's corner, last is depth */
    int has_source;
    double receiver_depth;      /* metres */
    int snapshots;
    int64_t width;              /* of the PML, points */
    const char *context;        /* "cpu", "simt", "cuda" */
    const char *modules;        /* folder of the generated modules */
};

struct record {                 /* what a shot leaves behind */
    double dt, frequency;
    int64_t steps, receivers;   /* receivers lie along x, one per point */
    float *gather;              /* [steps][receivers] */
    int64_t planes;             /* snapshots taken, each n[0] x n[axes-1] */
    double *times;              /* of the snapshots, seconds */
    float *sections;            /* [planes][depth][x], through the source */
    float *maps;                /* [planes][y][x], at the receivers' depth; NULL in 2-D */
    double seconds;             /* wall clock of the time loop */
    double points_per_second;
    char device[96];
};

enum { SHOT_RADIUS = 4 };       /* the radius that the Makefile generates for */

/* Fills what the survey leaves open and refuses what cannot be simulated. */
int survey_settle(struct survey *survey, const struct model *model,
                  struct failure *failure);
/* Ricker wavelet of peak frequency f, starting smoothly at t = 0. */
double survey_ricker(double t, double f);
/* Damping at index i of n points, as eta = sigma dt: quadratic over the width,
 * so strong that theory leaves 1/1000 of a wave at normal incidence. */
double survey_damping(const struct survey *survey, int64_t i, int64_t n, double h,
                      double fastest);
int wave_shoot(const struct survey *survey, const struct model *model,
               struct record *record, struct failure *failure);
void record_free(struct record *record);

/* Progress on stderr, with the time left, only where it is a terminal. */
struct progress {
    int shown;
    double start, last;
};
void progress_start(struct progress *progress);
void progress_show(struct progress *progress, int64_t done, int64_t all);
void progress_end(struct progress *progress);
double wall_seconds(void);

/* gather.png and per snapshot section_<k>.png and, in 3-D, map_<k>.png, in the
 * folder `out`. */
int pictures_write(const char *out, const struct survey *survey,
                   const struct model *model, const struct record *record,
                   struct failure *failure);

#endif
