/* The kernels that the runtime itself needs on every backend: their arguments.
 *
 * They are compiled to a module of the same ABI as any generated one: from
 * device.cu for cuda and simt, from host.c for the cpu. The runtime launches
 * them through the descriptor, like the rest. */
#ifndef QUERN_DEVICE_H
#define QUERN_DEVICE_H

#include "abi.h"

enum { DEVICE_STREAMS = 64 };       /* arrays of a stream kernel, each way */

/* One of the points around a place along one axis. */
struct device_tap {
    int64_t offset;                 /* in elements, from the point 0 */
    double weight;
};

/* What a point gets of a place's value. */
struct device_share {
    int64_t place;
    double weight;
};

struct device_args {
    size_t struct_size;
    int64_t n[QUERN_MAX_RANK];      /* extend: the domain */
    int64_t lower[QUERN_MAX_RANK], upper[QUERN_MAX_RANK];   /* not used */
    void *workspace;
    int64_t type;                   /* enum quern_type of data */
    int64_t size;                   /* bytes of an element */
    void *data;                     /* fill, random: the first element; else
                                       the point 0 */
    int64_t count;                  /* elements, listed points, places, bytes */
    int64_t step;                   /* fill, random: from one to the next */
    uint64_t bits;                  /* fill: the pattern; random: the seed */
    double low, high;               /* random: the range; whole for integers */
    const int64_t *offset;          /* of the listed points from the point 0,
                                       ascending */
    double *value;                  /* inject, spread: added; sample,
                                       interpolate: read */
    int64_t taps;                   /* interpolate: room for them, by axis */
    const struct device_tap *tap;   /* [count][rank][taps] */
    const int64_t *tap_count;       /* [count][rank] */
    const struct device_share *share;       /* spread: one point's after the
                                               other's */
    const int64_t *first;           /* of a listed point's shares [count+1] */
    int64_t rank;                   /* interpolate; extend: */
    int64_t stride[QUERN_MAX_RANK], halo[QUERN_MAX_RANK];
    int64_t reads, writes;          /* stream: */
    const void *read[DEVICE_STREAMS];
    void *written[DEVICE_STREAMS];
};

/* Hidden: a program that exports such names of its own must not take the place
 * of a module's. */
#pragma GCC visibility push(hidden)
#ifdef __cplusplus
extern "C" {
#endif
int quern_fill_launch(const void *args, void *stream);
int quern_random_launch(const void *args, void *stream);
int quern_inject_launch(const void *args, void *stream);
int quern_sample_launch(const void *args, void *stream);
int quern_spread_launch(const void *args, void *stream);
int quern_interpolate_launch(const void *args, void *stream);
int quern_extend_launch(const void *args, void *stream);
int quern_stream_launch(const void *args, void *stream);
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
