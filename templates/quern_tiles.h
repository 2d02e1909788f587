/* What kernels stand on that go through a mesh tile by tile: a block has the points of a tile,
 * and the values that these read at other points lie in shared memory, level by level. Which
 * points those are is found once, on the host, and told in lists. The generator copies this
 * header beside the kernels; the runtime makes the lists. Change QUERN_TILES when anything below
 * changes its meaning. */
#ifndef QUERN_TILES_H
#define QUERN_TILES_H

#include "quern_launch.h"

#define QUERN_TILES 1

enum {
    QUERN_PLACES = 0x8000,      /* of a stage or a list, at most */
    QUERN_MISSING = 0x8000,     /* added to place 0: there is no neighbour */
    QUERN_TILE_STEPS = 3        /* tables of a way */
};

/* Points of a thread whose neighbours along one way coincide: entry e of the thread's m-th point
 * is number[m * entries + e] of `count` neighbours that the thread reads once. The points have
 * the same neighbour in entry `centre`. */
struct quern_tile_fan {
    int way;
    int count, centre;
    const int *number;
};

/* Points at which a tile's values are computed; the last stage's are the tile's own, those of
 * others are what later stages read. */
struct quern_tile_stage {
    int domain;                 /* the module's axis */
    int each;                   /* points of a thread, at most */
    int pitch;                  /* where results lie: of each thread side by side, so many places
                                   apart; 0: where its points are */
    const struct quern_tile_fan *fan;   /* or NULL */
};

/* Points whose values are copied to shared memory, as they are, for all stages. */
struct quern_tile_list {
    int domain;
    int each;                   /* points that a thread copies, at most */
    int bytes;                  /* that a level of a point has */
};

/* From each point of a stage to neighbours (of neighbours ..) of it: those of a list, or of a
 * stage before. */
struct quern_tile_way {
    int stage;
    int to_stage, to_list;      /* one of them is -1 */
    int steps;
    struct {
        int table;              /* the module's */
        int count;
        const int *slots;       /* count of them; NULL: from 0 */
    } step[QUERN_TILE_STEPS];
};

/* What one kernel's tiles are made of. The lists of a tile are so many words of each of its
 * threads, those of a word side by side:
 *
 *     points of each stage        `each` words; -1: none
 *     points of each list         `each` words; -1: none
 *     neighbours along each way   two to a word, for each point of its stage the words of all
 *                                 products of slots, the last step's fastest; of a fan's way
 *                                 those of the fan, once
 *
 * Point n of a stage or a list is in word n / threads of thread n % threads. A neighbour in a list
 * is said to be at n, one in a stage where its result lies. */
struct quern_tile_form {
    int threads;
    int words;                  /* of a thread */
    int stage_count, list_count, way_count;
    const struct quern_tile_stage *stages;
    const struct quern_tile_list *lists;
    const struct quern_tile_way *ways;
};

/* Levels of a block: all, or fewer where there are not enough tiles to keep a device busy that
 * holds so many blocks at once. A block begins with nothing, so it has some at least. */
static inline int64_t quern_levels(int64_t levels, int64_t tiles, int64_t resident)
{
    enum { LEAST = 8, MOST_PARTS = 65535 };
    const int64_t wanted = quern_most(resident / quern_most(tiles, 1), 1);
    const int64_t parts = quern_most(quern_least(wanted, levels / LEAST), 1);
    return (levels + parts - 1) / parts;
}

/* Tiles that have been made. */
static inline int quern_check_tiles(const int32_t *tiles, int64_t count, char *why, size_t size)
{
    if (tiles == NULL)
        return quern_refuse(why, size, "its tiles have not been made: libquern does it");
    if (count > INT32_MAX)
        return quern_refuse(why, size, "%lld tiles, the device's limit is %lld blocks",
                            (long long)count, (long long)INT32_MAX);
    return 0;
}

#ifdef __cplusplus
/* The place of the i-th of some neighbours; of one that is missing a place that can be read. */
static __device__ __forceinline__ int quern_near(const int32_t *words, int i)
{
    return (int)((uint32_t)words[i / 2] >> i % 2 * 16 & (QUERN_PLACES - 1));
}

static __device__ __forceinline__ bool quern_missing(const int32_t *words, int i)
{
    return ((uint32_t)words[i / 2] >> i % 2 * 16 & QUERN_MISSING) != 0;
}

/* A point of a launch, -1 for any other. */
template <typename index_t>
static __device__ __forceinline__ int32_t quern_within(int32_t point, index_t begin, index_t end)
{
    return point >= begin && point < end ? point : -1;
}

/* How many blocks of a kernel the present device holds at once. */
template <typename KERNEL>
static inline cudaError_t quern_fill(int64_t *blocks, KERNEL kernel, int threads, size_t shared)
{
    int device = 0, processors = 0, each = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared);
    *blocks = (int64_t)processors * each;
    return error != cudaSuccess || each > 0 ? error : cudaErrorInvalidConfiguration;
}
#endif

#endif
