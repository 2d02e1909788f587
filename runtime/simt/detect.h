/* Detector builds: one core, every launch run again and again from the same
 * memory, in different orders of blocks and threads and with different contents
 * of shared memory. A right kernel leaves the same bits every time. A finding
 * ends the launch, restores memory and leaves one sentence. */
#ifndef QUERN_SIMT_DETECT_H
#define QUERN_SIMT_DETECT_H

#if !defined(__SANITIZE_ADDRESS__) && !defined(SIMT_REST)
#error "SIMT_DETECT needs -fsanitize=kernel-address --param asan-globals=1"
#endif

#include "pool.h"
#include "together.h"

namespace simt SIMT_HIDDEN {

enum order { ASCENDING, DESCENDING, SEEDED };

struct pass {
    enum order order;
    uint32_t fill;              /* of shared memory, before every block */
    bool late;                  /* copies arrive when nobody can go on */
    const char *differs;        /* what a difference from the first means */
};

#define SIMT_ORDER "depends on the order of the threads: " \
    "two of them use the same memory and no barrier is between"
#define SIMT_FILL "depends on shared memory that no thread has written"
#define SIMT_COPY "depends on when a copy arrives: shared memory is used " \
    "before it has been waited for, or overwritten while it is still read"
/* The first two fills are NaN in every floating-point type, the last is a
 * number: comparisons tell it from NaN. */
inline constexpr pass PASSES[] = {
    {ASCENDING, 0xffffffff, false, ""},
    {ASCENDING, 0xffffffff, true, SIMT_COPY},   /* if there are any */
    {DESCENDING, 0xffffffff, false, SIMT_ORDER},
    {SEEDED, 0xffffffff, true, SIMT_ORDER},
    {ASCENDING, 0x7fff7fff, false, SIMT_FILL},
    {ASCENDING, 0x3c3c3c3c, false, SIMT_FILL},
};

struct detector {
    bool inside;                /* kernel code is running, */
    const block *in;            /* in this block */
    enum order order;
    uint32_t fill;
    bool late;
    unsigned turn[MAX_THREADS]; /* the threads in the order of this round */
    uint64_t random;
    cudaError_t error;          /* of the finding */
    const char *watched;        /* address whose last writer is wanted */
    bool written;               /* the writer: */
    uint3 at_block, at_thread;
    bool host;                  /* the fault is in host code, before a launch */
};
inline detector watch;

SIMT_INLINE void attend(block *b) { watch.in = b; }
SIMT_INLINE void enter() { watch.inside = true; }
SIMT_INLINE void leave() { watch.inside = false; }

SIMT_BARE SIMT_INLINE uint64_t draw() {        /* xorshift */
    watch.random ^= watch.random << 13;
    watch.random ^= watch.random >> 7;
    watch.random ^= watch.random << 17;
    return watch.random;
}

/* The order of the threads from one barrier to the next. */
SIMT_BARE SIMT_INLINE void order_round(block *b) {
    for (unsigned i = 0; i < b->count; i++)
        watch.turn[i] = watch.order == DESCENDING ? b->count - 1 - i : i;
    if (watch.order != SEEDED) return;
    for (unsigned i = b->count; i > 1; i--) {
        unsigned j = unsigned(draw() % i), kept = watch.turn[i - 1];
        watch.turn[i - 1] = watch.turn[j];
        watch.turn[j] = kept;
    }
}

SIMT_INLINE unsigned first(block *b) {
    order_round(b);
    b->position = 0;
    return watch.turn[0];
}

SIMT_BARE SIMT_INLINE unsigned pick(block *b) {
    do {
        if (++b->position == b->count) {
            order_round(b);
            b->position = 0;
        }
    } while (b->threads[watch.turn[b->position]].is == ENDED);
    return watch.turn[b->position];
}

/* One sentence about one thread. */
SIMT_INLINE void tell(const job *work, uint3 block, uint3 thread,
                      const char *what) {
    report(cudaSuccess, "%s, block (%u, %u, %u), thread (%u, %u, %u): %s",
           work->name, block.x, block.y, block.z, thread.x, thread.y, thread.z,
           what);
}

/* Ends the launch with what the running thread did. */
__attribute__((format(printf, 2, 3)))
[[noreturn]] SIMT_INLINE void finding(cudaError_t error, const char *format,
                                      ...) {
    char what[384];
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof what, format, values);
    va_end(values);
    watch.inside = false;
    watch.error = error;
    tell(here->work, blockIdx, threadIdx, what);
    abandon(here);
}

/* How many threads share a barrier when a block starts. */
SIMT_INLINE unsigned full(const block *b, const barrier *at) {
    if (at == &b->whole) return b->count;
    unsigned left = b->count - unsigned(at - b->warp) * 32;
    return left < 32 ? left : 32;
}

SIMT_INLINE void check_arrival(block *b, barrier *at, int line) {
    const unsigned all = full(b, at);
    if (at->members < all)
        finding(cudaErrorLaunchFailure, "waits at the barrier in line %d, but "
                "%u of the %u threads have ended", line, all - at->members,
                all);
    if (at->arrived > 0 && at->line != line)
        finding(cudaErrorLaunchFailure, "waits at the barrier in line %d, "
                "others wait at the one in line %d", line, at->line);
}

[[noreturn]] SIMT_INLINE void misuse(const char *what) {
    finding(cudaErrorLaunchFailure, "%s", what);
}

SIMT_INLINE bool is_late() { return watch.late; }

SIMT_INLINE void check_end(block *b) {
    if (b->threads[b->current].oldest != 0)
        misuse("ends, and pieces that it copies ahead are on their way");
    if (b->whole.members == 1 && b->copies > 0)
        misuse("ends the block, and copies to its shared memory are on their "
               "way");
    const int others = b->whole.members == 1 ? other_marks(b) : -1;
    if (others >= 0)
        finding(cudaErrorLaunchFailure, "ends the block, which has set %d "
                "marks, others of its company %d", b->marks, others);
    const barrier *all[] = {&b->whole, &b->warp[b->current / 32]};
    for (const barrier *at : all)
        if (at->arrived > 0)
            finding(cudaErrorLaunchFailure, "ends, others wait at the barrier "
                    "in line %d", at->line);
}

SIMT_INLINE uint64_t gcd(uint64_t a, uint64_t b) {
    return b == 0 ? a : gcd(b, a % b);
}

/* Blocks in the same three orders: number i of the pass. */
SIMT_INLINE uint64_t block_number(enum order order, uint64_t i,
                                  uint64_t count) {
    if (order == ASCENDING) return i;
    if (order == DESCENDING) return count - 1 - i;
    uint64_t step = 2654435761u % count;
    while (gcd(step, count) != 1) step++;
    return uint64_t(static_cast<unsigned __int128>(i) * step % count);
}

SIMT_INLINE uint64_t turn_of(uint64_t i, uint64_t count) {
    return block_number(watch.order, i, count);
}

/* Those that wait for each other have numbers side by side: all of them are
 * there at once where they begin so. */
SIMT_INLINE uint64_t start_of(uint64_t i, uint64_t count) {
    const bool apart = watch.order == SEEDED && everyone.waited;
    return block_number(apart ? ASCENDING : watch.order, i, count);
}

SIMT_INLINE void ready(block *b) {
    fill_shared(b->work->file, watch.fill, b->dynamic, b->dynamic_bytes);
}

/* adds.h: what was added in any order, when all of it has been. */
SIMT_INLINE void begin_additions();
SIMT_INLINE bool settle_additions(const job *work);

/* The whole grid once, from memory as it is; false on a finding. */
SIMT_INLINE bool run_pass(const job *work, const pass *p) {
    begin_additions();
    watch.order = p->order;
    watch.fill = p->fill;
    watch.late = p->late;
    watch.random = 0x9e3779b97f4a7c15;
    return run_all(&everyone, work) && settle_additions(work);
}

/* Says which thread left other bits at an address of an array: runs the pass
 * again to see. */
SIMT_INLINE cudaError_t explain(const job *work, const pass *p, size_t number,
                                const char *at) {
    const pass *both[] = {p, &PASSES[0]};
    watch.watched = at;
    watch.written = false;
    for (int i = 0; i < 2 && !watch.written; i++) {
        restore();
        run_pass(work, both[i]);
    }
    watch.watched = nullptr;
    char what[256];
    const region *r = &regions.items[number];
    snprintf(what, sizeof what, "byte %td of array %zu (%zu bytes) %s",
             at - r->start, number, r->bytes, p->differs);
    tell(work, watch.at_block, watch.at_thread, what);
    return cudaErrorLaunchFailure;
}

SIMT_INLINE cudaError_t run_passes(const job *work) {
    for (const pass &p : PASSES) {
        if (&p == PASSES + 1 && !everyone.copied) continue;
        if (&p != PASSES) restore();
        if (!run_pass(work, &p)) return watch.error;
        if (&p == PASSES && !keep()) return cudaErrorMemoryAllocation;
        size_t number;
        const char *at = compare(&number);
        if (at != nullptr) return explain(work, &p, number, at);
    }
    return cudaSuccess;
}

SIMT_INLINE cudaError_t run_grid(const job *work) {
    assemble(&everyone, work);
    watch.error = cudaErrorLaunchFailure;
    cudaError_t error = cudaErrorMemoryAllocation;
    if (save_all()) error = run_passes(work);
    if (error != cudaSuccess) restore();
    drop();
    dismiss(&everyone);
    if (error == cudaErrorMemoryAllocation)
        report(error, "no memory for the detectors");
    return error;
}

/* A finding in the launcher itself, before the kernel could start, stands. */
SIMT_INLINE cudaError_t begin_launch(const job *) {
    const bool host = watch.host;
    watch.host = false;
    if (host) return cudaErrorLaunchFailure;
    sentence[0] = '\0';
    if (objects.count == 0)
        return report(cudaErrorLaunchFailure, "the module's static objects are "
                      "not known: compile it with --param asan-globals=1");
    return cudaSuccess;
}

}

#endif
