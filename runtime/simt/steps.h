/* Words in global memory that blocks wait for, by the names of quern_steps.h,
 * and what the detectors are told of those who keep in step. */
#ifndef QUERN_SIMT_STEPS_H
#define QUERN_SIMT_STEPS_H

/* The words of a module: zeros before its first launch. */
struct quern_steps {
    static constexpr int COMPANIES = 4, MARKS = 64;
    unsigned long long word[COMPANIES][MARKS] = {};
    quern_steps() { simt::know(this, sizeof *this); }
};

/* A number that no other launch has, greater than those before. */
static inline unsigned long long quern_launch_number() {
    simt::leave();
    const unsigned long long number = simt::here->work->number;
    simt::enter();
    return number;
}

/* The word is `least` or more, and one more than it was. (Blocks of a fast
 * build run on all cores.) */
static inline void quern_word_raise(unsigned long long *word,
                                    unsigned long long least) {
    simt::leave();
    unsigned long long now = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &now,
                                        (now < least ? least : now) + 1, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    simt::has_marked(simt::here);
    simt::others_may_go_on();
    simt::enter();
}

static inline unsigned long long quern_word_now(
    const unsigned long long *word) {
    simt::leave();
    const unsigned long long now = __atomic_load_n(word, __ATOMIC_RELAXED);
    simt::enter();
    return now;
}

/* Returns whether the word is `least` or more: detectors let other blocks run
 * until it is, fast builds have no patience. */
static inline bool quern_word_wait(const unsigned long long *word,
                                   unsigned long long least) {
    simt::leave();
    bool come = false, again = true;
    while (!come && again) {
        come = __atomic_load_n(word, __ATOMIC_RELAXED) >= least;
        again = !come && simt::let_others(simt::here);
    }
    simt::enter();
    return come;
}

/* The running block is one of the `members` of a company. */
static inline void quern_tell_company(unsigned number, unsigned members) {
    simt::leave();
    simt::joins(simt::here, number, members);
    simt::enter();
}

/* It comes to a mark, of which the first is 0. */
static inline void quern_tell_mark(int mark) {
    simt::leave();
    simt::comes_to(simt::here, mark);
    simt::enter();
}

#endif
