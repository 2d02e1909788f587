/* One launch for all regions of a kernel: which box a block of threads works on. Needs
 * quern_launch.h. Change QUERN_TOGETHER when anything below changes its meaning. */
#ifndef QUERN_TOGETHER_H
#define QUERN_TOGETHER_H

#include <string.h>

#include "quern_boxes.h"

#define QUERN_TOGETHER 2

/* A number that others below 2^31 are divided by: n / by is n * times >> shift. */
struct quern_divisor {
    unsigned by, times, shift;
};

static inline quern_divisor quern_divide_by(unsigned by)
{
    quern_divisor divisor = { by, 0, 31 };
    while ((uint64_t)1 << (divisor.shift - 31) < by)
        divisor.shift++;
    divisor.times = (unsigned)((((uint64_t)1 << divisor.shift) - 1) / by + 1);
    return divisor;
}

static __device__ __forceinline__ unsigned quern_divided(unsigned n, const quern_divisor &divisor)
{
    return (unsigned)((uint64_t)n * divisor.times >> divisor.shift);
}

/* A box of a region, and the blocks that work on it: as many along x and y, and from `first`
 * on. Arrays that leave points out have `skipped` less in front of it. */
struct quern_region_box {
    int64_t lower[QUERN_AXES], upper[QUERN_AXES], skipped;
    quern_divisor across[2];
    unsigned first;
    int region;
};

template <int MOST> struct quern_regions {
    int64_t blocks;             /* of all boxes */
    int count;
    quern_region_box box[MOST];
};

/* Adds a box with its blocks along each axis of a grid. Beyond INT32_MAX blocks the boxes are of
 * no use. */
template <int MOST>
static inline quern_region_box *quern_add_box(
    quern_regions<MOST> *regions, const quern_box *box, int region, int64_t x, int64_t y,
    int64_t z)
{
    const int64_t most = INT64_MAX / 128;
    quern_region_box *const own = &regions->box[regions->count++];
    memcpy(own->lower, box->lower, sizeof own->lower);
    memcpy(own->upper, box->upper, sizeof own->upper);
    own->first = (unsigned)regions->blocks;
    own->across[0] = quern_divide_by((unsigned)x);
    own->across[1] = quern_divide_by((unsigned)y);
    own->region = region;
    own->skipped = 0;
    regions->blocks = quern_least(regions->blocks + quern_times(quern_times(x, y), z), most);
    return own;
}

/* The place of a block in the grid of its box. */
static __device__ __forceinline__ dim3 quern_place(const quern_region_box &box, unsigned block)
{
    const unsigned number = block - box.first, row = quern_divided(number, box.across[0]);
    const unsigned plane = quern_divided(row, box.across[1]);
    return dim3(number - row * box.across[0].by, row - plane * box.across[1].by, plane);
}

#endif
