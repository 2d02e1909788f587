/* Launches whose blocks are all resident at once and may wait for each other.
 * Each block has fibres of its own, all on one core: a block that waits for
 * others passes, and those run. Static shared arrays there are one for all
 * blocks: such kernels have dynamic shared memory alone. */
#ifndef QUERN_SIMT_TOGETHER_H
#define QUERN_SIMT_TOGETHER_H

namespace simt SIMT_HIDDEN {

/* The device that simt is, as launchers ask for it: few and odd, so that small
 * grids are more than it holds at once. */
constexpr unsigned MULTIPROCESSORS = 3;
constexpr size_t SHARED_ALL = 228 << 10, SHARED_OWN = 1 << 10;
constexpr unsigned THREADS_ALL = 2048;

/* Blocks of so many threads and bytes that a multiprocessor holds. */
SIMT_INLINE unsigned resident(unsigned threads, size_t shared) {
    const unsigned warps = (threads + 31) / 32;
    const unsigned by_threads = THREADS_ALL / 32 / (warps ? warps : 1);
    const unsigned by_shared = unsigned(SHARED_ALL / (shared + SHARED_OWN));
    const unsigned least = by_threads < by_shared ? by_threads : by_shared;
    return least < 32 ? least : 32;
}

struct company {                /* the blocks of one launch */
    block **blocks;
    uint64_t count, left;       /* left: have not ended */
    uint64_t idle;              /* passes since one of them did something */
};
inline thread_local company *companions;

/* What fast.h and detect.h each define their way. */
uint64_t turn_of(uint64_t i, uint64_t count);   /* who comes i-th */
void ready(block *b);                           /* before its first turn */

/* A block for each of the grid; false when memory has run out. */
SIMT_INLINE bool assemble(company *all, const job *work) {
    *all = {nullptr, blocks(work), 0, 0};
    all->blocks = static_cast<block **>(calloc(all->count, sizeof(block *)));
    for (uint64_t i = 0; all->blocks != nullptr && i < all->count; i++)
        if ((all->blocks[i] = acquire(work)) == nullptr) return false;
    return all->blocks != nullptr;
}

SIMT_INLINE void dismiss(company *all) {
    for (uint64_t i = 0; all->blocks != nullptr && i < all->count; i++)
        if (all->blocks[i] != nullptr) give_back(all->blocks[i]);
    free(all->blocks);
}

/* One turn of a block; false when it was given up. */
SIMT_INLINE bool take_turn(company *all, block *b) {
    if (b->whole.members == 0) return true;
    resume(b);
    if (b->whole.members == 0) {
        all->left--;
        all->idle = 0;
    }
    return !b->failed;
}

/* Runs them all to their ends, in turns; false when one was given up. */
SIMT_INLINE bool run_all(company *all) {
    bool well = true;
    all->left = all->count;
    all->idle = 0;
    companions = all;
    for (uint64_t i = 0; well && i < all->count; i++) {
        block *b = all->blocks[i];
        ready(b);
        well = begin(b, locate(b->work, i));
    }
    while (well && all->left > 0)
        for (uint64_t i = 0; well && i < all->count; i++)
            well = take_turn(all, all->blocks[turn_of(i, all->count)]);
    companions = nullptr;
    for (uint64_t i = 0; !well && i < all->count; i++)
        collect(all->blocks[i]);
    return well;
}

/* The running thread waits for what other blocks do: they run, then it does
 * again. */
SIMT_BARE SIMT_INLINE void let_others(block *b) {
    company *all = companions;
    yield(b);
    if (++all->idle > 4 * all->left)
        misuse("waits for other blocks, and none can go on");
    change(&b->threads[b->current].on->at, &b->host);
}

}

#endif
