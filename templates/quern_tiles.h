/* What kernels stand on that go through a mesh tile by tile: a block has the points of a tile,
 * and the values that these read at other points lie in shared memory, level by level. Which
 * points those are is found once, on the host, and told in lists. The generator copies this
 * header beside the kernels; the runtime makes the lists. Change QUERN_TILES when anything below
 * changes its meaning. */
#ifndef QUERN_TILES_H
#define QUERN_TILES_H

#include "quern_launch.h"

#define QUERN_TILES 5

enum {
    QUERN_PLACES = 0x8000,      /* of a stage or a list, at most */
    QUERN_MISSING = 0x8000,     /* added to place 0: there is no neighbour */
    QUERN_TILE_STEPS = 3        /* tables of a way */
};

/* Points of a thread whose neighbours along one way coincide: entry e of the thread's m-th point
 * is number[m * entries + e] of `count` neighbours that the thread reads once. All have one
 * neighbour, the m-th point in entry centres[m]. */
struct quern_tile_fan {
    int way;
    int count;
    const int *centres;
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
 * Point n of a stage or a list is in word n / threads of thread n % threads; targets, one to a
 * thread, are in the threads that have the fans around them, where there are such. A neighbour in
 * a list is said to be at n, one in a stage where its result lies. */
struct quern_tile_form {
    int threads;
    int words;                  /* of a thread */
    int strips;                 /* where points lie in rows: tiles are pieces of so many; 0: of
                                   as many as cost least */
    int stage_count, list_count, way_count;
    const struct quern_tile_stage *stages;
    const struct quern_tile_list *lists;
    const struct quern_tile_way *ways;
};

/* How many blocks a device holds at once, and how many of them a multiprocessor does. */
struct quern_room {
    int64_t blocks, each;
};

/* How often a device has to be filled for so many blocks. What is left at the end fills it in
 * part: where a multiprocessor has one block it is done earlier, but not as early as they are
 * fewer; and they do not quite spread evenly. After some waves blocks begin at any time, and
 * this matters less. */
static inline double quern_waves(int64_t blocks, struct quern_room room)
{
    const int64_t full = quern_most(room.blocks, 1), each = quern_most(room.each, 1);
    const int64_t whole = blocks / full, left = blocks % full;
    const int64_t crowd = (11 * left * each + 10 * full - 1) / (10 * full);
    const double smooth = (double)blocks / (double)full;
    const double last = left == 0 ? 0
        : (double)(1 + quern_least(crowd, each)) / (double)(1 + each);
    return smooth + ((double)whole + last - smooth) / (double)quern_most(whole, 1);
}

/* What blocks go through. Rows of them, a wave each, have a tile and all its levels; tiles that are
 * left, fewer than fill a wave, are one row more for each part of their levels. */
struct quern_turns {
    int64_t levels;             /* of such a part */
    int32_t tiles, side;        /* all of them; blocks of a row */
    int32_t waves, parts;
};

/* How often a device has to be filled by the turns, in levels, where a block takes `begin` levels
 * more, as it begins with nothing. */
static inline double quern_turns_take(const struct quern_turns *turns, int64_t levels,
                                      struct quern_room room, int64_t begin)
{
    const int64_t left = turns->tiles - (int64_t)turns->waves * turns->side;
    return turns->waves * (double)(levels + begin)
         + quern_waves(left * turns->parts, room) * (double)(turns->levels + begin);
}

/* The turns that take least time. A part has at least 8 levels; where there are many waves, blocks
 * begin at any time, and rows of them are of no use. */
static inline struct quern_turns quern_deal(int64_t levels, int64_t tiles, struct quern_room room,
                                            int64_t begin)
{
    enum { LEAST = 8, MOST_PARTS = 1024, MOST_WAVES = 64 };
    const int64_t full = quern_most(room.blocks, 1), whole = tiles / full;
    const int64_t most = quern_most(quern_least(levels / LEAST, MOST_PARTS), 1);
    struct quern_turns best = { levels, (int32_t)tiles, (int32_t)tiles, 0, 1 };
    double least = quern_turns_take(&best, levels, room, begin);
    for (int rows = 0; rows < 2 && (rows == 0 || (whole > 0 && whole <= MOST_WAVES)); rows++)
        for (int64_t part = 1; part <= most; part++) {
            const int64_t each = quern_most((levels + part - 1) / part, 1);
            const struct quern_turns turns = { each, (int32_t)tiles,
                (int32_t)(rows ? full : tiles), (int32_t)(rows ? whole : 0),
                (int32_t)((levels + each - 1) / each) };
            const double time = quern_turns_take(&turns, levels, room, begin);
            if (time < least) {
                least = time;
                best = turns;
            }
        }
    return best;
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
/* The number of a thread and its block's shared memory, found once: in a loop over levels the
 * compiler would ask for them in every turn, and wait for the answer. */
static __device__ __forceinline__ int quern_thread()
{
#ifdef __CUDACC__
    int thread;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
    return thread;
#else
    return (int)threadIdx.x;
#endif
}

template <typename T> static __device__ __forceinline__ T *quern_tile_shared()
{
#ifdef __CUDACC__
    unsigned at;
    asm volatile("mov.u32 %0, %1;" : "=r"(at) : "r"(quern_shared(dynamic_shared<T>())));
    return reinterpret_cast<T *>(__cvta_shared_to_generic(at));
#else
    return dynamic_shared<T>();
#endif
}

/* Starts to copy the value of a point; -1: there is none. */
template <typename T>
static __device__ __forceinline__ void quern_fetch_point(int32_t point, T *to, const T *from)
{
#ifdef __CUDACC__
    asm volatile("{\n"
                 ".reg .pred there;\n"
                 "setp.ge.s32 there, %3, 0;\n"
                 "@there cp.async.ca.shared.global [%0], [%1], %2;\n"
                 "}"
                 :: "r"(quern_shared(to)), "l"(from), "n"(sizeof(T)), "r"(point) : "memory");
#else
    quern_fetch_if(point >= 0, to, from);
#endif
}

/* A half of a word. Where it is not known what this does, all halves are not kept in registers
 * of their own from one level to the next. */
static __device__ __forceinline__ uint32_t quern_half(int32_t word, int high)
{
#ifdef __CUDACC__
    uint32_t half;
    if (high)
        asm volatile("shr.u32 %0, %1, 16;" : "=r"(half) : "r"(word));
    else
        asm volatile("and.b32 %0, %1, 0xffff;" : "=r"(half) : "r"(word));
    return half;
#else
    return (uint32_t)word >> (high ? 16 : 0) & 0xffff;
#endif
}

/* The place of the i-th of some neighbours, none of which is missing. */
static __device__ __forceinline__ int quern_place(const int32_t *words, int i)
{
    return (int)quern_half(words[i / 2], i % 2);
}

/* The same; of one that is missing a place that can be read. */
static __device__ __forceinline__ int quern_near(const int32_t *words, int i)
{
    return quern_place(words, i) & (QUERN_PLACES - 1);
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
static inline cudaError_t quern_fill(struct quern_room *room, KERNEL kernel, int threads,
                                     size_t shared)
{
    int device = 0, processors = 0, each = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared);
    room->blocks = (int64_t)processors * each;
    room->each = each;
    return error != cudaSuccess || each > 0 ? error : cudaErrorInvalidConfiguration;
}
#endif

#endif
