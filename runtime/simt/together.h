/* The blocks of a launch that the device holds at once. Mostly each runs to its
 * end before the next begins. One that waits for others (quern_steps.h) stays,
 * with fibres of its own, while those begin; when no more do, or the device is
 * full, all that stay take turns, on one core. Static shared arrays are one for
 * all blocks there: such kernels have dynamic shared memory alone. */
#ifndef QUERN_SIMT_TOGETHER_H
#define QUERN_SIMT_TOGETHER_H

namespace simt SIMT_HIDDEN {

constexpr unsigned MOST_COMPANIES = 1 << 12;

struct company {                /* of blocks that keep in step */
    unsigned begun, ended;      /* members that have */
    int marks;                  /* that those have set */
};

struct crowd {
    block *stays[MOST_RESIDENT];
    unsigned count, room;       /* of those that stay; that the device has */
    block *spare;               /* for the next to begin, or null */
    uint64_t left;              /* that have not begun */
    unsigned idle;              /* waits since one of them did something */
    bool copied, waited;        /* some block has, in this launch */
    company companies[MOST_COMPANIES];  /* of this pass */
    unsigned joined;            /* numbers of those so far are below */
};
inline crowd everyone;

/* What detect.h defines. */
uint64_t turn_of(uint64_t i, uint64_t count);   /* who comes i-th */
uint64_t start_of(uint64_t i, uint64_t count);  /* who begins i-th */
void ready(block *b);                           /* before its first turn */

/* Lets a block run until it ends or waits for others; false when it was given
 * up. */
SIMT_INLINE bool take_turn(crowd *all, block *b) {
    resume(b);
    all->copied = all->copied || b->copied;
    if (b->whole.members == 0) all->idle = 0;
    return !b->failed;
}

/* The next block begins. If it waits, it stays. */
SIMT_INLINE bool begin_next(crowd *all, const job *work) {
    const uint64_t count = blocks(work), i = count - all->left--;
    block *b = all->spare != nullptr ? all->spare : acquire(work);
    all->spare = b;
    if (b == nullptr) {
        report(cudaErrorMemoryAllocation, "no memory for a block");
        return false;
    }
    ready(b);
    all->idle = 0;
    if (!begin(b, locate(work, start_of(i, count))) || !take_turn(all, b))
        return false;
    if (b->whole.members == 0) return true;
    all->stays[all->count++] = b;
    all->spare = nullptr;
    return true;
}

/* All that stay have their turns; who has ended goes. */
SIMT_INLINE bool take_turns(crowd *all) {
    const unsigned count = all->count;
    for (unsigned i = 0; i < count; i++)
        if (!take_turn(all, all->stays[turn_of(i, count)])) return false;
    all->count = 0;
    for (unsigned i = 0; i < count; i++) {
        block *b = all->stays[i];
        if (b->whole.members > 0) all->stays[all->count++] = b;
        else if (all->spare == nullptr) all->spare = b;
        else give_back(b);
    }
    return true;
}

/* Before a launch, and after it. */
SIMT_INLINE void assemble(crowd *all, const job *work) {
    const unsigned threads = work->dim.x * work->dim.y * work->dim.z;
    memset(all, 0, sizeof *all);
    all->room = MULTIPROCESSORS * resident(threads, work->shared);
}

SIMT_INLINE void dismiss(crowd *all) {
    if (all->spare != nullptr) give_back(all->spare);
}

/* Runs all blocks of a launch to their ends; false when one was given up. */
SIMT_INLINE bool run_all(crowd *all, const job *work) {
    bool well = true;
    all->left = blocks(work);
    memset(all->companies, 0, all->joined * sizeof *all->companies);
    while (well && all->left + all->count > 0)
        well = all->left > 0 && all->count < all->room
            ? begin_next(all, work) : take_turns(all);
    if (well) return true;
    if (all->spare != nullptr) collect(all->spare);
    while (all->count > 0) {
        collect(all->stays[--all->count]);
        give_back(all->stays[all->count]);
    }
    return false;
}

SIMT_INLINE void joins(block *b, unsigned number, unsigned members) {
    crowd *all = &everyone;
    if (number >= MOST_COMPANIES) return;
    b->company = number;
    b->members = members;
    all->companies[number].begun++;
    if (all->joined <= number) all->joined = number + 1;
}

SIMT_INLINE void has_marked(block *b) { b->marks++; }

/* Have all of its company set the mark before the last one of this block? (Who
 * has ended has set all, which the end checks.) */
SIMT_INLINE bool is_in_step(const crowd *all, const block *b, int mark) {
    if (mark < 2) return true;
    bool well = all->companies[b->company].begun == b->members;
    for (unsigned i = 0; well && i < all->count; i++) {
        const block *other = all->stays[i];
        well = other->members == 0 || other->company != b->company
            || other->marks >= mark - 1;
    }
    return well;
}

SIMT_INLINE void comes_to(block *b, int mark) {
    if (b->members == 0) return;
    if (mark != b->marks) misuse("comes to a mark that is not its next");
    if (!is_in_step(&everyone, b, mark))
        misuse("goes on before others of its company have come to the last "
               "mark");
}

/* The marks that others of its company had set when they ended, if this block,
 * which ends, has set more or less of them; else -1. */
SIMT_INLINE int other_marks(const block *b) {
    if (b->members == 0) return -1;
    company *own = &everyone.companies[b->company];
    if (own->ended++ == 0) own->marks = b->marks;
    return own->marks == b->marks ? -1 : own->marks;
}

SIMT_BARE SIMT_INLINE void others_may_go_on() { everyone.idle = 0; }

/* The running thread waits for what other blocks do: they run, then it does
 * again. */
SIMT_BARE SIMT_INLINE bool let_others(block *b) {
    crowd *all = &everyone;
    all->waited = true;
    yield(b);
    if (++all->idle > 4 * all->room)
        misuse(all->left > 0 ? "waits for other blocks, and none can go on: "
               "the device is full, others have not begun"
               : "waits for other blocks, and none can go on");
    change(&b->threads[b->current].on->at, &b->host);
    return true;
}

}

#endif
