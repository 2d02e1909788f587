/* Runs one thread block on one core. Every thread is a call of the kernel on
 * some fibre. A fibre that ends its thread takes the next one that has not
 * started, so a kernel without barriers runs as plain calls on one stack; a
 * thread that waits at a barrier keeps its fibre, and the switch goes straight
 * to the thread that runs next. Which one that is decides pick(): in order, and
 * in detector builds in three different orders. */
#ifndef QUERN_SIMT_BLOCK_H
#define QUERN_SIMT_BLOCK_H

#include "parts.h"

namespace simt SIMT_HIDDEN {

/* Gives the launch up: back to the host, never to return. */
[[noreturn]] SIMT_INLINE void abandon(block *b) {
    b->failed = true;
    context nobody;
    change(&nobody, &b->host);
    abort();                            /* not reached */
}

[[noreturn]] SIMT_INLINE void deadlock(block *b) {
    report(cudaErrorLaunchFailure, "%s, block (%u, %u, %u): "
           "threads wait at different barriers and none can go on",
           b->work->name, blockIdx.x, blockIdx.y, blockIdx.z);
    abandon(b);
}

SIMT_INLINE void fibre_main();

/* A fibre without a thread, or null when memory has run out. */
SIMT_INLINE fibre *spare(block *b) {
    if (b->idles > 0) return b->idle[--b->idles];
    fibre *f = &b->fibres[b->made];
    if (!create(f, b->made)) {
        report(cudaErrorMemoryAllocation, "no memory for a block's stacks");
        return nullptr;
    }
    b->made++;
    restart(f, fibre_main);
    return f;
}

SIMT_BARE SIMT_INLINE void show(block *b, unsigned t) {
    b->current = t;
    threadIdx = b->threads[t].index;
}

/* Makes the next thread the running one: where it is suspended or starts, or
 * null when it is the same as before. */
#ifdef SIMT_KERNELS
context *hand_over(block *b);
#else
__attribute__((noinline)) SIMT_BARE
SIMT_INLINE context *hand_over(block *b) {
    const unsigned before = b->current, t = pick(b);
    show(b, t);
    if (t == before) return nullptr;
    thread *next = &b->threads[t];
    if (next->is == NEW) next->on = spare(b);
    if (next->on == nullptr) abandon(b);
    return &next->on->at;
}
#endif

/* Suspends the running thread until its turn comes again. */
__forceinline__ void yield(block *b) {
    context *self = &b->threads[b->current].on->at;
    context *next = hand_over(b);
    if (next != nullptr) change(self, next);
}

/* The running thread has ended: on return its fibre has a new one to run. */
SIMT_INLINE void go_on(block *b, fibre *self) {
    context *to = &b->host;
    if (b->whole.members > 0) {
        unsigned t = pick(b);
        show(b, t);
        thread *other = &b->threads[t];
        if (other->is == NEW) {
            other->on = self;
            return;
        }
        to = &other->on->at;
    }
    b->idle[b->idles++] = self;
    change(&self->at, to);
}

/* When all wait, copies arrive until someone can go on. */
SIMT_BARE SIMT_INLINE void unlock(block *b) {
    while (b->waiting == b->whole.members)
        if (!deliver(b)) deadlock(b);
}

SIMT_BARE SIMT_INLINE void release(block *b, barrier *at) {
    b->waiting -= at->arrived;
    at->arrived = 0;
    at->generation++;
}

/* One member fewer: as on the device, nobody waits for those who have ended. */
SIMT_INLINE void withdraw(block *b, barrier *at) {
    at->members--;
    if (at->arrived > 0 && at->arrived == at->members) release(b, at);
}

SIMT_INLINE void end_thread(block *b) {
    b->threads[b->current].is = ENDED;
    withdraw(b, &b->warp[b->current / 32]);
    withdraw(b, &b->whole);
    if (b->waiting > 0) unlock(b);
}

/* Every fibre runs this, for as long as it exists. */
SIMT_INLINE void fibre_main() {
    block *b = here;
    fibre *self = b->threads[b->current].on;
    landed(&b->host);
    for (;;) {
        b->threads[b->current].is = STARTED;
        const job *work = b->work;
        const auto kernel = work->run;
        const void *call = work->call;
        enter();
        kernel(call);
        leave();
        check_end(b);
        end_thread(b);
        go_on(b, self);
    }
}

/* The running thread has come to a barrier; must it wait? */
#ifdef SIMT_KERNELS
bool arrive(block *b, barrier *at, int line);
#else
__attribute__((noinline)) SIMT_BARE
SIMT_INLINE bool arrive(block *b, barrier *at, int line) {
    check_arrival(b, at, line);
    if (at->arrived == 0) at->line = line;
    at->arrived++;
    b->waiting++;
    if (at->arrived == at->members) {
        release(b, at);
        return false;
    }
    unlock(b);
    return true;
}
#endif

/* Returns when all members have come. In fast builds the last to come goes on
 * at once; otherwise a new round starts, in its own order. */
__forceinline__ void wait(block *b, barrier *at, int line) {
    const unsigned generation = at->generation;
    if (!arrive(b, at, line)) {
        if (LAST_YIELDS) yield(b);
        return;
    }
    do yield(b); while (at->generation == generation);
}

SIMT_INLINE void prepare(block *b) {
    b->waiting = b->copies = 0;
    b->pieces_made = b->free_piece = 0;
    if (b->pieces_due > 0) memset(b->due, 0, sizeof b->due);
    b->pieces_due = 0;
    b->failed = b->copied = false;
    b->members = 0;
    b->marks = 0;
    b->whole = {b->count, 0, 0, 0};
    for (unsigned w = 0; w * 32 < b->count; w++) {
        unsigned left = b->count - w * 32;
        b->warp[w] = {left < 32 ? left : 32, 0, 0, 0};
    }
    for (unsigned t = 0; t < b->count; t++) {
        b->threads[t].is = NEW;
        b->threads[t].waits = nullptr;
        b->threads[t].oldest = b->threads[t].newest = 0;
        b->threads[t].closed = 0;
    }
}

/* All fibres are idle again, also those that were given up in a kernel. */
SIMT_INLINE void collect(block *b) {
    b->idles = 0;
    for (unsigned i = b->made; i-- > 0;) {
        restart(&b->fibres[i], fibre_main);
        b->idle[b->idles++] = &b->fibres[i];
    }
}

/* The block at this position of the grid. */
SIMT_INLINE uint3 locate(const job *work, uint64_t number) {
    uint64_t row = number / work->grid.x;
    return {unsigned(number % work->grid.x), unsigned(row % work->grid.y),
            unsigned(row / work->grid.y)};
}

SIMT_INLINE uint64_t blocks(const job *work) {
    return uint64_t{work->grid.x} * work->grid.y * work->grid.z;
}

/* Lets b's current thread run, until the block ends, is given up or passes. */
SIMT_INLINE void resume(block *b) {
    here = b;
    blockIdx = b->index;
    attend(b);
    show(b, b->current);
    change(&b->host, &b->threads[b->current].on->at);
}

/* Readies the block at index for its first turn; false without memory. */
SIMT_INLINE bool begin(block *b, uint3 index) {
    b->index = index;
    prepare(b);
    b->current = first(b);
    fibre *f = spare(b);
    b->threads[b->current].on = f;
    return f != nullptr;
}

/* Runs the block at index to its end; false when it was given up. */
SIMT_INLINE bool run(block *b, uint3 index) {
    if (!begin(b, index)) return false;
    resume(b);
    if (b->failed) collect(b);
    return !b->failed;
}

}

#endif
