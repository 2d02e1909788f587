/* Runs one thread block on one core. Every thread is a call of the kernel on
 * some fibre. A fibre that ends its thread takes the next one that has not
 * started, so a kernel without barriers runs as plain calls on one stack; a
 * thread that waits at a barrier keeps its fibre, and the switch goes straight
 * to the thread that runs next. Which one that is decides pick(): in order, and
 * in detector builds in three different orders. */
#ifndef QUERN_SIMT_BLOCK_H
#define QUERN_SIMT_BLOCK_H

inline SIMT_CORE uint3 threadIdx SIMT_HIDDEN;
inline SIMT_CORE uint3 blockIdx SIMT_HIDDEN;
inline SIMT_CORE dim3 blockDim SIMT_HIDDEN;
inline SIMT_CORE dim3 gridDim SIMT_HIDDEN;
constexpr int warpSize = 32;

namespace simt SIMT_HIDDEN {

constexpr unsigned MAX_THREADS = 1024;

/* The device that simt is, as launchers ask for it: few multiprocessors, so
 * that small grids are more than it holds at once. */
constexpr unsigned MULTIPROCESSORS = 3, MOST_EACH = 32;
constexpr unsigned MOST_RESIDENT = MULTIPROCESSORS * MOST_EACH;
constexpr size_t SHARED_ALL = 228 << 10, SHARED_OWN = 1 << 10;
constexpr unsigned THREADS_ALL = 2048;

/* Blocks of so many threads and bytes that a multiprocessor holds. */
SIMT_INLINE unsigned resident(unsigned threads, size_t shared) {
    const unsigned warps = (threads + 31) / 32;
    const unsigned by_threads = THREADS_ALL / 32 / (warps ? warps : 1);
    const unsigned by_shared = unsigned(SHARED_ALL / (shared + SHARED_OWN));
    const unsigned least = by_threads < by_shared ? by_threads : by_shared;
    return least < MOST_EACH ? least : MOST_EACH;
}

constexpr unsigned MOST_COPIES = 64;
constexpr unsigned MOST_PIECES = 1 << 15;

#ifdef SIMT_DETECT
constexpr bool LAST_YIELDS = true;
#else
constexpr bool LAST_YIELDS = false;
#endif

struct job {                    /* one launch */
    char name[128];             /* of the kernel, for reports */
    const char *file;           /* the source file that is being compiled */
    void (*run)(const void *call);      /* calls the kernel once */
    const void *call;           /* the kernel with its arguments */
    size_t parameter_bytes;
    dim3 grid, dim;
    size_t shared;              /* bytes of dynamic shared memory */
    unsigned long long number;  /* of the launch, from 1 */
};

struct barrier {
    unsigned members;           /* threads that have not ended */
    unsigned arrived;
    unsigned generation;        /* counts releases */
    int line;                   /* where the first to arrive waits */
};

struct phased;

struct transfer {               /* of a tile, on its way to shared memory */
    char *to;
    const quern_tensor *tensor;
    int at[3];                  /* the tensor's element that comes first */
    phased *done;               /* counts its bytes */
};

struct piece {                  /* of a thread, on its way to shared memory */
    char *to;
    const char *from;
    unsigned bytes;
    unsigned group;             /* of its thread, from 0 */
    unsigned next;              /* the number of the next of its thread, or 0 */
};

enum state { NEW, STARTED, ENDED };

struct thread {
    fibre *on;
    uint3 index;
    state is;
    const phased *waits;        /* for this barrier's phase, or null */
    unsigned oldest, newest;    /* numbers of its pieces on their way, or 0 */
    unsigned closed;            /* its groups that are complete */
};

struct block {
    const job *work;
    unsigned count;             /* threads */
    unsigned current;           /* the running thread */
    unsigned position;          /* of the running thread in the order */
    unsigned waiting;           /* threads at a barrier that is not released */
    bool failed;                /* given up: a finding, or nobody can go on */
    barrier whole;
    barrier warp[MAX_THREADS / 32];
    thread threads[MAX_THREADS];
    fibre fibres[MAX_THREADS];  /* of which the first made exist */
    unsigned made;
    fibre *idle[MAX_THREADS];   /* a stack of those that hold no thread */
    unsigned idles;
    transfer on_way[MOST_COPIES];       /* a ring of copies */
    unsigned oldest, copies;
    piece pieces[MOST_PIECES];  /* the n-th is number n, from 1 */
    unsigned pieces_made;       /* of which so many were ever in use */
    unsigned free_piece;        /* of those that are not any more, or 0 */
    bool copied;                /* it has sent some copy */
    context host;
    char *dynamic;              /* shared memory asked for at launch */
    size_t dynamic_bytes;
    uint3 index;                /* in the grid */
    block *next;                /* in the list of blocks not in use */
};

inline SIMT_CORE block *here;        /* the block that this core runs */

/* What fast.h and detect.h each define their way. */
unsigned first(block *b);               /* the thread that starts a block */
unsigned pick(block *b);                /* the next to run that has not ended */
void attend(block *b);                  /* this block runs from here */
void enter();                           /* kernel code runs from here */
void leave();                           /* to here */
void check_arrival(block *b, barrier *at, int line);
void check_end(block *b);
void check_target(block *b, const char *at, size_t bytes);  /* of a copy */
void bring(char *to, const char *from, size_t bytes);       /* a part of it */
bool is_late();                         /* does a copy wait to be needed? */
bool let_others(block *b);              /* run; false: they do not */
void others_may_go_on();                /* a word that they wait for changes */
[[noreturn]] void misuse(const char *what);     /* by the running thread */

/* async.h: the oldest copy on its way arrives; false when there is none. */
bool deliver(block *b);

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
    b->failed = b->copied = false;
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
