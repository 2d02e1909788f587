/* What kernels stand on whose blocks keep in step. Tiles side by side read each other's points:
 * blocks that walk over them at the same pace find these in the cache. A block marks every few
 * planes that it has got there, and waits until all of its company have come to the mark before:
 * as many blocks, by their numbers, as the device holds at once. Nothing else depends on it, and
 * nobody waits for long: where a company is not all there, as where other work has a part of the
 * device, its blocks lose patience and go on out of step. What a word counts begins with the
 * numbers of the launch and the company: words are never cleared, and no launch waits for what
 * another has counted, also not one in another stream that uses the same words. (A graph launches
 * with the numbers of its first time: from the second on its blocks do not wait.) The generator
 * copies this header beside the kernels. Change QUERN_STEPS when anything below changes its
 * meaning. */
#ifndef QUERN_STEPS_H
#define QUERN_STEPS_H

#define QUERN_STEPS 3

#include "quern_async.h"

#ifdef __CUDACC__

/* The words of a module: zeros before its first launch. */
struct quern_steps {
    static constexpr int COMPANIES = 4, MARKS = 64;     /* use them in turns */
    unsigned long long word[COMPANIES][MARKS];
};

/* A number that no other launch has, greater than those before. */
static __device__ __forceinline__ unsigned long long quern_launch_number()
{
    unsigned long long number;
    asm("mov.u64 %0, %%gridid;" : "=l"(number));
    return number;
}

/* The word is `least` or more, and one more than it was. */
static __device__ __forceinline__ void quern_word_raise(unsigned long long *word,
                                                        unsigned long long least)
{
    asm volatile("red.relaxed.gpu.global.max.u64 [%0], %1;" :: "l"(word), "l"(least) : "memory");
    asm volatile("red.relaxed.gpu.global.add.u64 [%0], 1;" :: "l"(word) : "memory");
}

/* What the word is, at some time before the value is used. */
static __device__ __forceinline__ unsigned long long quern_word_now(
    const unsigned long long *word)
{
    unsigned long long now;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(now) : "l"(word) : "memory");
    return now;
}

/* Returns true when the word is `least` or more; false if that takes longer than a walk should:
 * some milliseconds. */
static __device__ __forceinline__ bool quern_word_wait(const unsigned long long *word,
                                                       unsigned long long least)
{
    const int PATIENCE = 1 << 13;
#pragma unroll 1                /* not 32 times, as the compiler would wherever a block waits */
    for (int i = 0; i < PATIENCE; i++)
        if (quern_word_now(word) >= least)
            return true;
    return false;
}

/* What who runs blocks on something else wants to know: a device does not. */
static __device__ __forceinline__ void quern_tell_company(unsigned, unsigned) {}
static __device__ __forceinline__ void quern_tell_mark(int) {}

#endif

/* How the blocks of a launch walk. */
struct quern_company {
    int size;                   /* blocks that keep in step; 0: they do not */
    int walk;                   /* planes that a block goes through at most */
};

/* Of a word: below the number of the company, and that below the number of the launch. */
enum { QUERN_COUNT_BITS = 24, QUERN_COMPANY_BITS = 10 };

/* What a block knows of its company, in its shared memory. */
struct quern_companion {
    unsigned long long stamp;   /* what the words begin with in this launch */
    unsigned long long *word;   /* where they count who has come to a mark */
    unsigned members;           /* 0: the block has lost patience */
};

/* The running block finds its company; all that follows is for one thread of it. */
static __device__ __forceinline__ void quern_join(quern_companion *own, quern_steps *steps,
                                                  const quern_company &company)
{
    const unsigned size = (unsigned)company.size, number = blockIdx.x / size;
    const unsigned turn = number / quern_steps::COMPANIES % (1u << QUERN_COMPANY_BITS);
    own->stamp = (quern_launch_number() << QUERN_COMPANY_BITS | turn) << QUERN_COUNT_BITS;
    own->word = steps->word[number % quern_steps::COMPANIES];
    own->members = min(size, gridDim.x - number * size);
    quern_tell_company(number, own->members);
}

/* The block has come to a mark; returns what the word of the mark before says. */
static __device__ __forceinline__ unsigned long long quern_mark_step(const quern_companion *own,
                                                                     int mark)
{
    quern_tell_mark(mark);
    quern_word_raise(&own->word[mark % quern_steps::MARKS], own->stamp);
    return mark > 0 ? quern_word_now(&own->word[(mark - 1) % quern_steps::MARKS]) : 0;
}

/* Waits for the blocks that have not come to the mark before, unless the word said that all
 * have. */
static __device__ __forceinline__ void quern_await_step(quern_companion *own, int mark,
                                                        unsigned long long said)
{
    const unsigned turns = (unsigned)(mark - 1) / quern_steps::MARKS + 1;
    const unsigned long long least = own->stamp + own->members * turns;
    if (mark > 0 && said < least
        && !quern_word_wait(&own->word[(mark - 1) % quern_steps::MARKS], least))
        own->members = 0;
}

/* A block that goes no further than to `mark` of `marks` lets the others go on. */
static __device__ __forceinline__ void quern_leave_step(const quern_companion *own, int mark,
                                                        int marks)
{
    for (; mark < marks; mark++)
        quern_word_raise(&own->word[mark % quern_steps::MARKS], own->stamp);
}

/* How many blocks of a kernel the present device holds at once: no more on a multiprocessor than
 * keep it busy. */
template <typename KERNEL>
static inline cudaError_t quern_resident(int64_t *blocks, KERNEL kernel, int threads,
                                         size_t shared)
{
    const int BUSY = 512;       /* threads */
    int device, processors, each;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared);
    if (error != cudaSuccess)
        return error;
    *blocks = processors * quern_least(each, (BUSY + threads - 1) / threads);
    return each > 0 ? cudaSuccess : cudaErrorInvalidConfiguration;
}

/* How long it takes, in planes, that `tiles` columns of them in walks of some length are gone
 * through, in waves of `resident` blocks; each wave takes as long as START planes more. */
static inline int64_t quern_wave_time(int64_t tiles, int64_t planes, int64_t walk,
                                      int64_t resident)
{
    const int64_t START = 24;
    const int64_t blocks = tiles * ((planes + walk - 1) / walk);
    return (blocks + resident - 1) / resident * (walk + START);
}

/* How long walks are that take the least time. */
static inline int64_t quern_walk(int64_t tiles, int64_t planes, int64_t resident)
{
    const int64_t MOST = 64;
    int64_t best = planes;
    for (int64_t parts = 2; parts <= quern_least(planes, MOST); parts++) {
        const int64_t walk = (planes + parts - 1) / parts;
        if (quern_wave_time(tiles, planes, walk, resident)
            < quern_wave_time(tiles, planes, best, resident))
            best = walk;
    }
    return best;
}

/* The planes of the longest of some boxes. */
static inline int64_t quern_most_planes(const quern_box *list, int count)
{
    int64_t planes = 1;
    for (int b = 0; b < count; b++)
        planes = quern_most(planes, list[b].upper[2] - list[b].lower[2]);
    return planes;
}

/* Of `most` rows of points, `each` of them a thread's: the fewest that a block has. */
static inline int64_t quern_least_rows(int64_t most, int64_t each)
{
    return (most / each + 1) / 2 * each;
}

/* Of how many rows of points, at most tile[1], tiles are so that their waves take the least
 * time; a step takes as long as BESIDE rows more. */
template <int MOST>
static inline int64_t quern_fit_rows(quern_tilings<MOST> *tilings, const quern_box *list,
                                     int count, const int64_t *tile, int64_t each, int lead,
                                     int unit, int64_t resident)
{
    const int64_t BESIDE = 4, planes = quern_most_planes(list, count);
    int64_t best = tile[1], least = INT64_MAX;
    for (int64_t rows = tile[1]; rows >= quern_least_rows(tile[1], each); rows -= each) {
        const int64_t own[3] = { tile[0], rows, planes };
        const int64_t tiles = quern_tile_boxes(tilings, list, count, own, lead, unit);
        const int64_t walk = quern_walk(tiles, planes, resident);
        const int64_t time = quern_wave_time(tiles, planes, walk, resident) * (rows + BESIDE);
        if (time < least) {
            least = time;
            best = rows;
        }
    }
    return best;
}

/* Cuts boxes as quern_tile_boxes does, for blocks of which `resident` are there at once.
 * `choose`: into walks that make whole waves; where those would be many and short, blocks are out
 * of step. Else, and then, walks of tile[2] planes. */
template <int MOST>
static inline int64_t quern_tile_waves(quern_tilings<MOST> *tilings, quern_company *company,
                                       const quern_box *list, int count, const int64_t *tile,
                                       int lead, int unit, int64_t resident, bool choose)
{
    const int64_t SHORT = 64;
    int64_t own[3] = { tile[0], tile[1], tile[2] };
    if (choose) {
        const int64_t planes = quern_most_planes(list, count);
        own[2] = planes;
        own[2] = quern_walk(quern_tile_boxes(tilings, list, count, own, lead, unit), planes,
                            resident);
    }
    int64_t blocks = quern_tile_boxes(tilings, list, count, own, lead, unit);
    company->size = (int)quern_least(resident, blocks);
    if (choose && blocks > resident && own[2] < SHORT) {
        company->size = 0;
        own[2] = tile[2];
        blocks = quern_tile_boxes(tilings, list, count, own, lead, unit);
    }
    company->walk = (int)own[2];
    return blocks;
}

#endif
