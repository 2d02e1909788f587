/* Detector builds: what threads add to numbers of arrays in any order, which
 * makes another sum of each order. Every addition is made at once and noted;
 * when a run ends each sum is made anew from what the number was and from the
 * additions in an order of their own, so that runs which add the same leave the
 * same bits. A number that somebody writes in between, or that is not what the
 * additions have made of it, is a finding. */
#ifndef QUERN_SIMT_ADDS_H
#define QUERN_SIMT_ADDS_H

namespace simt SIMT_HIDDEN {

struct addition {
    char *at;
    bool wide;                  /* a double; else a float */
    double value;
    double before, after;       /* what it found, what it left */
    size_t number;              /* in the order that they were made */
    uint3 block, thread;
};

inline list<addition> additions;

SIMT_INLINE double number_at(const char *at, bool wide) {
    double value;
    float narrow;
    if (wide) memcpy(&value, at, sizeof value);
    else memcpy(&narrow, at, sizeof narrow);
    return wide ? value : double(narrow);
}

SIMT_INLINE void put_number(char *at, bool wide, double value) {
    const float narrow = float(value);
    if (wide) memcpy(at, &value, sizeof value);
    else memcpy(at, &narrow, sizeof narrow);
}

SIMT_INLINE void note_addition(char *at, bool wide, double value) {
    region *const r = registered(at, 1);
    if (r != nullptr && !save(r))
        finding(cudaErrorMemoryAllocation, "no memory for the detectors");
    const double before = number_at(at, wide);
    const double after = wide ? before + value
                              : double(float(before) + float(value));
    put_number(at, wide, after);
    if (!additions.add({at, wide, value, before, after, additions.count,
                        blockIdx, threadIdx}))
        finding(cudaErrorMemoryAllocation, "adds, and there is no memory to "
                "note it");
}

/* What a kernel calls: that the number is there is seen like of any other. */
template <typename T> static inline void add_later(T *p, T value) {
    (void)*const_cast<volatile T *>(p);
    leave();
    note_addition(reinterpret_cast<char *>(p), sizeof(T) == sizeof(double),
                  double(value));
    enter();
}

/* By address, then in the order that they were made. */
SIMT_INLINE int by_time(const void *a, const void *b) {
    const auto *x = static_cast<const addition *>(a);
    const auto *y = static_cast<const addition *>(b);
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

SIMT_INLINE int by_value(const void *a, const void *b) {
    const auto *x = static_cast<const addition *>(a);
    const auto *y = static_cast<const addition *>(b);
    return memcmp(&x->value, &y->value, sizeof x->value);
}

/* Is a number what the additions have made of it, all of them and nobody
 * else? The first that found another. */
SIMT_INLINE const addition *disturbed(const addition *first,
                                      const addition *end) {
    for (const addition *a = first; a < end; a++) {
        const double left = a + 1 < end ? a[1].before
                                        : number_at(a->at, a->wide);
        if (memcmp(&left, &a->after, sizeof left) != 0) return a;
    }
    return nullptr;
}

/* The sum of one number, whoever added first. */
SIMT_INLINE void sum_anew(addition *first, addition *end) {
    double sum = first->before;
    const bool wide = first->wide;
    qsort(first, size_t(end - first), sizeof *first, by_value);
    for (const addition *a = first; a < end; a++)
        sum = wide ? sum + a->value : double(float(sum) + float(a->value));
    put_number(first->at, wide, sum);
}

SIMT_INLINE void begin_additions() { additions.count = 0; }

/* When a run has ended: false, and a sentence, where others write too. */
SIMT_INLINE bool settle_additions(const job *work) {
    addition *const all = additions.items, *end = all + additions.count;
    bool well = true;
    if (additions.count > 0)
        qsort(all, additions.count, sizeof *all, by_time);
    for (addition *first = all, *next; first < end && well; first = next) {
        for (next = first; next < end && next->at == first->at; next++) {}
        const addition *at = disturbed(first, next);
        well = at == nullptr;
        if (well) sum_anew(first, next);
        else tell(work, at->block, at->thread, "adds to a number that another "
                  "thread writes in the same launch");
    }
    if (!well) watch.error = cudaErrorLaunchFailure;
    return well;
}

}

#endif
