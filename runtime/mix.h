/* What the stream kernel of a benchmark reads and writes. */
#ifndef QUERN_MIX_H
#define QUERN_MIX_H

#include "internal.h"

/* So many arrays of `size` bytes; in_place ones are read and written. */
struct qn__mix {
    int reads, writes, in_place;
    size_t size;
};

/* The mix of a kernel's reads and writes; of size 0 where it has no point. */
struct qn__mix qn__mix(const struct qn_kernel *kernel);
/* What a kernel on a mesh moves: each array and each table once. */
void qn__mesh_bytes(const struct qn_kernel *kernel, double *read,
                    double *written);

#endif
