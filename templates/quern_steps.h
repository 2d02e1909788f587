/* What kernels stand on whose blocks keep in step. Tiles side by side read each other's points:
 * blocks that walk over them at the same pace find these in the cache. A block marks every few
 * planes that it has got there, and waits until all have come to the mark before; nothing else
 * depends on it. All blocks of such a launch are resident at once: it is cooperative, and a grid
 * that is larger is launched in waves. What a word counts begins with the number of the launch:
 * words are never cleared, and no launch waits for what another has counted, also not one in
 * another stream that uses the same words. (A graph launches with the numbers of its first time:
 * from the second on its blocks do not wait.) The generator copies this header beside the
 * kernels. Change QUERN_STEPS when anything below changes its meaning. */
#ifndef QUERN_STEPS_H
#define QUERN_STEPS_H

#define QUERN_STEPS 1

#include "quern_async.h"

#ifdef __CUDACC__

/* The words of a module: zeros before its first launch. */
struct quern_steps {
    static constexpr int WORDS = 64;
    unsigned long long word[WORDS];
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
    atomicMax(word, least);
    atomicAdd(word, 1ULL);
}

/* What the word is, at some time before the value is used. */
static __device__ __forceinline__ unsigned long long quern_word_now(
    const unsigned long long *word)
{
    unsigned long long now;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(now) : "l"(word) : "memory");
    return now;
}

/* Returns when the word is `least` or more. */
static __device__ __forceinline__ void quern_word_wait(const unsigned long long *word,
                                                       unsigned long long least)
{
    while (quern_word_now(word) < least)
        ;
}

#endif

/* The blocks of one launch. */
struct quern_company {
    int first;                  /* number of the first block */
    int members;                /* how many keep in step; 0: they do not */
    int walk;                   /* planes that a block goes through at most */
};

enum { QUERN_COUNT_BITS = 24 }; /* of a word: the others are the launch's number */

/* A block has come to a mark; returns what the word of the mark before says. */
static __device__ __forceinline__ unsigned long long quern_mark_step(quern_steps *steps,
                                                                     int mark)
{
    const unsigned long long launch = quern_launch_number() << QUERN_COUNT_BITS;
    quern_word_raise(&steps->word[mark % quern_steps::WORDS], launch);
    return mark > 0 ? quern_word_now(&steps->word[(mark - 1) % quern_steps::WORDS]) : 0;
}

/* Waits for the blocks that have not come to the mark before, unless the word said that all
 * `members` have. */
static __device__ __forceinline__ void quern_await_step(quern_steps *steps, int mark,
                                                        int members, unsigned long long said)
{
    const unsigned long long launch = quern_launch_number() << QUERN_COUNT_BITS;
    const unsigned long long least = launch
        + (unsigned long long)members * ((mark - 1) / quern_steps::WORDS + 1);
    if (mark > 0 && said < least)
        quern_word_wait(&steps->word[(mark - 1) % quern_steps::WORDS], least);
}

/* A block that goes no further than to `mark` of `marks` lets the others go on. */
static __device__ __forceinline__ void quern_leave_step(quern_steps *steps, int mark, int marks)
{
    const unsigned long long launch = quern_launch_number() << QUERN_COUNT_BITS;
    for (; mark < marks; mark++)
        quern_word_raise(&steps->word[mark % quern_steps::WORDS], launch);
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

/* How long walks over some planes are so that `tiles` columns of them, in waves of `resident`
 * blocks, take the least time; each wave takes as long as START planes more. */
static inline int64_t quern_walk(int64_t tiles, int64_t planes, int64_t resident)
{
    const int64_t START = 24, MOST = 64;
    int64_t best = planes, least = INT64_MAX;
    for (int64_t parts = 1; parts <= quern_least(planes, MOST); parts++) {
        const int64_t walk = (planes + parts - 1) / parts;
        const int64_t waves = (tiles * parts + resident - 1) / resident;
        if (waves * (walk + START) < least) {
            least = waves * (walk + START);
            best = walk;
        }
    }
    return best;
}

/* Cuts boxes as quern_tile_boxes does, for launches of `wave` blocks each, all resident at once.
 * `choose`: into walks that make whole waves; where those would be many and short, all blocks are
 * one launch, out of step. Else, and then, walks of tile[2] planes. */
template <int MOST>
static inline int64_t quern_tile_waves(quern_tilings<MOST> *tilings, quern_company *company,
                                       int64_t *wave, const quern_box *list, int count,
                                       const int64_t *tile, int lead, int unit,
                                       int64_t resident, bool choose)
{
    const int64_t SHORT = 64;
    int64_t own[3] = { tile[0], tile[1], tile[2] };
    if (choose) {
        own[2] = 1;
        for (int b = 0; b < count; b++)
            own[2] = quern_most(own[2], list[b].upper[2] - list[b].lower[2]);
        own[2] = quern_walk(quern_tile_boxes(tilings, list, count, own, lead, unit), own[2],
                            resident);
    }
    int64_t blocks = quern_tile_boxes(tilings, list, count, own, lead, unit);
    const int64_t waves = (blocks + resident - 1) / resident;
    *wave = waves > 0 ? (blocks + waves - 1) / waves : 1;
    company->members = 1;
    if (choose && waves > 1 && own[2] < SHORT) {
        company->members = 0;
        own[2] = tile[2];
        *wave = blocks = quern_tile_boxes(tilings, list, count, own, lead, unit);
    }
    company->walk = (int)own[2];
    return blocks;
}

#endif
