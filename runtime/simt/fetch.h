/* Copies that a thread starts by itself, a few bytes each, in groups that it
 * waits for later (cp.async on the device). The names are those of
 * quern_async.h.
 *
 * A piece may arrive at once or as late as when its thread waits for it: fast
 * builds do the one, detectors try both. */
#ifndef QUERN_SIMT_FETCH_H
#define QUERN_SIMT_FETCH_H

namespace simt SIMT_HIDDEN {

/* Where it is known that a word is due, and by what. */
SIMT_BARE SIMT_INLINE uint32_t *due_at(block *b, const char *word) {
    return &b->due[reinterpret_cast<uintptr_t>(word) / 4 % WORDS];
}

SIMT_BARE SIMT_INLINE uint32_t due_sign(const char *word) {
    return uint32_t(reinterpret_cast<uintptr_t>(word) / 4 / WORDS + 1);
}

SIMT_BARE SIMT_INLINE void set_due(block *b, const piece *p, bool due) {
    for (const char *word = p->to; word < p->to + p->bytes; word += 4)
        *due_at(b, word) = due ? due_sign(word) : 0;
    b->pieces_due += due ? 1 : -1u;
}

/* Is a piece on its way to some of these bytes? */
SIMT_BARE SIMT_INLINE bool is_due(block *b, const char *at, size_t bytes) {
    for (const char *word = at - reinterpret_cast<uintptr_t>(at) % 4;
         word < at + bytes; word += 4)
        if (*due_at(b, word) == due_sign(word)) return true;
    return false;
}

/* The oldest piece of a thread arrives. */
SIMT_BARE SIMT_INLINE void land(block *b, thread *t) {
    const unsigned number = t->oldest;
    piece *p = &b->pieces[number - 1];
    bring(p->to, p->from, p->bytes);
    set_due(b, p, false);
    t->oldest = p->next;
    if (t->oldest == 0) t->newest = 0;
    p->next = b->free_piece;
    b->free_piece = number;
}

/* The number of a piece that is not in use, 0 if there is none. */
SIMT_BARE SIMT_INLINE unsigned take_piece(block *b) {
    const unsigned number = b->free_piece;
    if (number != 0) {
        b->free_piece = b->pieces[number - 1].next;
        return number;
    }
    return b->pieces_made < MOST_PIECES ? ++b->pieces_made : 0;
}

/* Where there is no room for one more piece it arrives at once. */
SIMT_BARE SIMT_INLINE void delay(block *b, thread *t, const piece &p) {
    const unsigned number = take_piece(b);
    if (number == 0) {
        bring(p.to, p.from, p.bytes);
        return;
    }
    b->pieces[number - 1] = p;
    set_due(b, &p, true);
    if (t->newest == 0) t->oldest = number;
    else b->pieces[t->newest - 1].next = number;
    t->newest = number;
}

SIMT_BARE SIMT_INLINE void start_piece(void *to, const void *from,
                                       unsigned bytes) {
    block *b = here;
    thread *t = &b->threads[b->current];
    if (reinterpret_cast<uintptr_t>(to) % bytes != 0
        || reinterpret_cast<uintptr_t>(from) % bytes != 0)
        misuse("copies ahead to or from a place that is not a multiple of its "
               "size");
    check_target(b, static_cast<char *>(to), bytes);
    b->copied = true;
    const piece p = {static_cast<char *>(to), static_cast<const char *>(from),
                     bytes, t->closed, 0};
    if (is_late()) delay(b, t, p);
    else bring(p.to, p.from, p.bytes);
}

/* All groups of the running thread have come but its latest `most`. */
SIMT_BARE SIMT_INLINE void await_pieces(unsigned most) {
    block *b = here;
    thread *t = &b->threads[b->current];
    while (t->oldest != 0
           && b->pieces[t->oldest - 1].group + most < t->closed)
        land(b, t);
}

}

template <typename T>
static inline void quern_fetch(T *to, const T *from) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
    asm volatile("" ::: "memory");
    simt::leave();
    simt::start_piece(to, from, sizeof(T));
    simt::enter();
    asm volatile("" ::: "memory");
}

template <typename T>
static inline void quern_fetch_if(bool wanted, T *to, const T *from) {
    if (wanted) quern_fetch(to, from);
}

static inline void quern_fetch_close() {
    simt::leave();
    simt::here->threads[simt::here->current].closed++;
    simt::enter();
}

template <int MOST> static inline void quern_fetch_wait() {
    asm volatile("" ::: "memory");
    simt::leave();
    simt::await_pieces(MOST);
    simt::enter();
    asm volatile("" ::: "memory");
}

#endif
