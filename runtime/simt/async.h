/* Copies that a kernel starts and waits for later: tiles of a tensor, as the
 * device's tensor unit copies them into shared memory, and the barriers that
 * count their bytes. The names are those of quern_async.h, which has the
 * device's instructions.
 *
 * A copy may arrive at once or as late as when nobody can go on without it:
 * fast builds do the one, detectors try both. */
#ifndef QUERN_SIMT_ASYNC_H
#define QUERN_SIMT_ASYNC_H

/* A tensor of 3 axes in global memory, and the box that one copy takes. */
struct quern_tensor {
    char *data;                 /* of the element (0, 0, 0) */
    int size;                   /* bytes of an element */
    int64_t extent[3], stride[3];       /* strides in bytes */
    int box[2];                 /* elements along the first two axes */
};

namespace simt SIMT_HIDDEN {

/* What the 64 bits of a barrier in shared memory hold. */
struct phased {
    uint16_t members;           /* arrivals that a phase takes */
    uint16_t missing : 15;      /* of this phase's */
    uint16_t phase : 1;
    int32_t bytes;              /* that this phase still waits for */
};
static_assert(sizeof(phased) == sizeof(uint64_t));

/* A phase that lacks nothing is over, and those who wait for it go on. */
SIMT_BARE SIMT_INLINE void settle(block *b, phased *at) {
    if (at->missing > 0 || at->bytes != 0) return;
    at->phase ^= 1;
    at->missing = uint16_t(at->members & 0x7fff);
    for (unsigned t = 0; t < b->count; t++) {
        if (b->threads[t].waits != at) continue;
        b->threads[t].waits = nullptr;
        b->waiting--;
    }
}

/* The part of one row of a box that the tensor has, elements [from, to). */
struct span { int64_t from, to; };

SIMT_BARE SIMT_INLINE span inside(const transfer *c, int64_t y) {
    const quern_tensor *t = c->tensor;
    const bool there = y >= 0 && y < t->extent[1] && c->at[2] >= 0
        && c->at[2] < t->extent[2];
    const int64_t low = c->at[0] < 0 ? -int64_t{c->at[0]} : 0;
    const int64_t high = t->extent[0] - c->at[0];
    const int64_t last = high < t->box[0] ? high : t->box[0];
    return there && low < last ? span{low, last} : span{0, 0};
}

/* One row: what is outside of the tensor is nought. */
SIMT_BARE SIMT_INLINE void copy_row(const transfer *c, int row) {
    const quern_tensor *t = c->tensor;
    const int64_t y = int64_t{c->at[1]} + row;
    const span s = inside(c, y);
    const size_t size = size_t(t->size), bytes = size_t(t->box[0]) * size;
    char *to = c->to + size_t(row) * bytes;
    memset(to, 0, bytes);
    if (s.from == s.to) return;
    const char *from = t->data + (c->at[0] + s.from) * t->size
        + y * t->stride[1] + c->at[2] * t->stride[2];
    bring(to + size_t(s.from) * size, from, size_t(s.to - s.from) * size);
}

/* The oldest copy on its way arrives; false when there is none. */
SIMT_BARE SIMT_INLINE bool deliver(block *b) {
    if (b->copies == 0) return false;
    const transfer c = b->on_way[b->oldest];
    b->oldest = (b->oldest + 1) % MOST_COPIES;
    b->copies--;
    for (int row = 0; row < c.tensor->box[1]; row++) copy_row(&c, row);
    c.done->bytes -= c.tensor->box[0] * c.tensor->box[1] * c.tensor->size;
    settle(b, c.done);
    return true;
}

SIMT_INLINE phased *known(uint64_t *barrier) {
    phased *at = reinterpret_cast<phased *>(barrier);
    if (at->members == 0 || at->members > MAX_THREADS)
        misuse("uses a barrier that nobody has initialised");
    return at;
}

SIMT_INLINE void arrive_at(uint64_t *barrier) {
    phased *at = known(barrier);
    if (at->missing == 0)
        misuse("arrives at a barrier more often than it was made for");
    at->missing--;
    settle(here, at);
}

SIMT_BARE SIMT_INLINE void send(const transfer &c) {
    block *b = here;
    if (reinterpret_cast<uintptr_t>(c.to) % 128 != 0)
        misuse("copies a tile to shared memory that is not aligned to 128 "
               "bytes");
    check_target(b, c.to, size_t(c.tensor->box[0]) * size_t(c.tensor->box[1])
                 * size_t(c.tensor->size));
    if (b->copies == MOST_COPIES) deliver(b);
    b->on_way[(b->oldest + b->copies) % MOST_COPIES] = c;
    b->copies++;
    b->copied = true;
    if (!is_late()) while (deliver(b)) {}
}

/* Nobody can go on, and no copy is on its way. */
[[noreturn]] SIMT_INLINE void starve(block *b, const phased *at) {
    if (at->bytes != 0)
        misuse("waits for other bytes than its copies bring");
    deadlock(b);
}

SIMT_BARE SIMT_INLINE void await(phased *at, unsigned parity) {
    block *b = here;
    if (at->phase != parity) return;
    thread *self = &b->threads[b->current];
    self->waits = at;
    b->waiting++;
    while (self->waits != nullptr) {
        if (b->waiting == b->whole.members && !deliver(b)) starve(b, at);
        if (self->waits != nullptr) yield(b);
    }
}

}

/* --- barriers: a word each, in shared memory --- */

static inline void quern_barrier_init(uint64_t *barrier, unsigned members) {
    simt::leave();
    simt::phased *at = reinterpret_cast<simt::phased *>(barrier);
    *at = {uint16_t(members), uint16_t(members & 0x7fff), 0, 0};
    simt::enter();
}

static inline void quern_barrier_publish() {}

/* The first thread of each warp: the device may send any. */
static inline bool quern_elected() { return simt::here->current % 32 == 0; }

/* In detector builds others go on before those do who have arrived: the first
 * warp goes on at once, the next after one round, .. */
static inline void quern_barrier_arrive(uint64_t *barrier) {
    asm volatile("" ::: "memory");
    simt::leave();
    simt::arrive_at(barrier);
    simt::block *b = simt::here;
    if (simt::LAST_YIELDS)
        for (unsigned i = b->current / 32 % 4; i > 0; i--) simt::yield(b);
    simt::enter();
    asm volatile("" ::: "memory");
}

static inline void quern_barrier_expect(uint64_t *barrier, unsigned bytes) {
    asm volatile("" ::: "memory");
    simt::leave();
    simt::known(barrier)->bytes += int32_t(bytes);
    simt::arrive_at(barrier);
    simt::enter();
}

static inline void quern_barrier_wait(uint64_t *barrier, unsigned parity) {
    asm volatile("" ::: "memory");
    simt::leave();
    simt::await(simt::known(barrier), parity);
    simt::enter();
    asm volatile("" ::: "memory");
}

/* --- tiles --- */

static inline void quern_tensor_load(void *to, const quern_tensor *tensor,
                                     int x, int y, int z, uint64_t *barrier) {
    asm volatile("" ::: "memory");
    simt::leave();
    simt::send({static_cast<char *>(to), tensor, {x, y, z},
                simt::known(barrier)});
    simt::enter();
    asm volatile("" ::: "memory");
}

/* --- launches beside each other, and division --- */

static inline void quern_let_next_begin() {}
static inline void quern_await_last_end() {}

static inline float quern_quotient(float a, float b) { return a / b; }

static inline float quern_inverse(float b) { return 1.0f / b; }

/* The short way ends earlier here, and is wrong beyond: so that what tests draw
 * goes the long way, too. */
static inline float quern_short_quotient(float a, float b, bool &odd) {
    const bool is_odd = std::isfinite(b) && a != 0 && std::fabs(b) > 1.5f;
    odd = odd || is_odd;
    return is_odd ? 0.0f : a / b;
}

/* The device's own rules, in its own words where it has any. */
static inline cudaError_t quern_tensor_make(quern_tensor *tensor, int size,
                                            const void *data,
                                            const int64_t *extent,
                                            const int64_t *stride,
                                            const int *box) {
    const uintptr_t start = reinterpret_cast<uintptr_t>(data);
    bool well = start % 16 == 0 && box[0] * size % 16 == 0;
    for (int axis = 0; axis < 3; axis++)
        well = well && extent[axis] > 0 && extent[axis] <= UINT32_MAX;
    for (int axis = 0; axis < 2; axis++)
        well = well && box[axis] > 0 && box[axis] <= 256
            && stride[axis] * size % 16 == 0
            && stride[axis] * size < int64_t{1} << 40;
    simt::sentence[0] = '\0';
    if (!well) return simt::report(cudaErrorInvalidValue,
                                   "a tensor that the device does not take");
    *tensor = {static_cast<char *>(const_cast<void *>(data)), size,
               {extent[0], extent[1], extent[2]},
               {size, stride[0] * size, stride[1] * size}, {box[0], box[1]}};
    return cudaSuccess;
}

#endif
