/* The other end of the compiler's instrumentation. -fsanitize=kernel-address
 * calls a function before every access to memory and tells of every static
 * object; -fsanitize=bounds, alignment and so on call one on every fault. Ours
 * know exactly what a kernel may touch and end the launch before the access
 * happens: the process needs no sanitizer of its own, prints nothing and goes
 * on. These functions are not instrumented themselves. */
#ifndef QUERN_SIMT_SANITIZE_H
#define QUERN_SIMT_SANITIZE_H

extern "C" {                    /* by the linker: the module in memory */
extern char __ehdr_start[] SIMT_HIDDEN;
extern char __bss_start[] SIMT_HIDDEN;
extern char _end[] SIMT_HIDDEN;
}

namespace simt SIMT_HIDDEN {

inline void check_static(const char *at, size_t bytes, const char *verb) {
    const object *o = find_overrun(at, bytes);
    if (o != nullptr)
        finding(cudaErrorIllegalAddress, "%s %zu bytes at byte %td of %s, "
                "which has %zu", verb, bytes, at - o->start, o->name, o->bytes);
}

/* The registered array that is nearest to a bad address. */
inline size_t nearest(const char *at) {
    size_t best = 0;
    ptrdiff_t distance = PTRDIFF_MAX;
    for (size_t i = 0; i < regions.count; i++) {
        const region *r = &regions.items[i];
        const char *end = r->start + r->bytes;
        ptrdiff_t d = at < r->start ? r->start - at : at - end;
        if (d >= distance) continue;
        distance = d;
        best = i;
    }
    return best;
}

[[noreturn]] inline void stray(const block *b, const char *at, size_t bytes,
                               const char *verb) {
    const cudaError_t error = cudaErrorIllegalAddress;
    const size_t around = b->dynamic_bytes + PAGE;
    if (b->dynamic != nullptr && within(at, 0, b->dynamic, around))
        finding(error, "%s %zu bytes at byte %td of dynamic shared memory, "
                "which has %zu", verb, bytes, at - b->dynamic,
                b->dynamic_bytes);
    if (regions.count == 0)
        finding(error, "%s %zu bytes of global memory, and no array is "
                "registered", verb, bytes);
    const size_t i = nearest(at);
    const region *r = &regions.items[i];
    finding(error, "%s %zu bytes outside every array: at byte %td of array "
            "%zu, which has %zu", verb, bytes, at - r->start, i, r->bytes);
}

/* An access by kernel code to other memory than its stack, about to happen. */
SIMT_BARE inline void examine(const char *at, size_t bytes, bool write) {
    const char *verb = write ? "writes" : "reads";
    if (write && watch.watched >= at && watch.watched < at + bytes) {
        watch.written = true;
        watch.at_block = blockIdx;
        watch.at_thread = threadIdx;
    }
    const block *b = watch.in;
    if (within(at, bytes, b->threads[b->current].on->stack, STACK)) return;
    if (b->pieces_due > 0 && is_due(here, at, bytes))
        finding(cudaErrorLaunchFailure, "%s %zu bytes of shared memory that a "
                "piece is on its way to", verb, bytes);
    if (within(at, bytes, b->dynamic, b->dynamic_bytes)) return;
    if (within(at, bytes, b, sizeof *b)) return;
    if (region *r = registered(at, bytes)) {
        if (write && !save(r))
            finding(cudaErrorMemoryAllocation, "no memory for the detectors");
        return;
    }
    if (!within(at, bytes, __ehdr_start, size_t(_end - __ehdr_start)))
        stray(b, at, bytes, verb);
    check_static(at, bytes, verb);
}

/* Mostly of the thread's own stack: nothing else is as near. */
SIMT_BARE inline void access(uintptr_t at, size_t bytes, bool write) {
    const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    if (at - frame < NEAR || !watch.inside) return;
    watch.inside = false;
    examine(reinterpret_cast<const char *>(at), bytes, write);
    watch.inside = true;
}

/* Where a copy goes: into one shared array, or dynamic shared memory. */
inline void check_target(block *b, const char *at, size_t bytes) {
    if (within(at, bytes, b->dynamic, b->dynamic_bytes)) return;
    for (size_t i = 0; i < objects.count; i++)
        if (within(at, bytes, objects.items[i].start, objects.items[i].bytes))
            return;
    stray(b, at, bytes, "copies to shared memory");
}

inline bool same_sector(const char *p, const char *q) {
    const uintptr_t SECTOR = 32;
    return reinterpret_cast<uintptr_t>(p) / SECTOR
        == reinterpret_cast<uintptr_t>(q) / SECTOR;
}

/* The tensor unit reads pieces of 16 bytes, memory gives sectors of 32: what
 * lies before an array in its first piece, or behind it in its last sector, is
 * there and means nothing. */
inline void bring(char *to, const char *from, size_t bytes) {
    size_t before = 0, after = 0;
    if (regions.count > 0 && !registered(from, bytes)) {
        const region *r = &regions.items[nearest(from + bytes / 2)];
        const char *end = r->start + r->bytes;
        if (from < r->start) before = size_t(r->start - from);
        if (from + bytes > end && same_sector(end - 1, from + bytes - 1))
            after = size_t(from + bytes - end);
    }
    if (before >= 16 || before + after >= bytes
        || !registered(from + before, bytes - before - after))
        stray(watch.in, from, bytes, "copies");
    memset(to, 0xff, bytes);
    memcpy(to + before, from + before, bytes - before - after);
}

/* What the compiler says of a static object. */
struct global {
    uintptr_t start;
    size_t bytes, padded;
    const char *name, *file;
    uintptr_t dynamic;
    const void *where;
    uintptr_t indicator;
};

struct place {                  /* every fault's data begins with this */
    const char *file;
    uint32_t line, column;
};

struct type {                   /* how the compiler describes one */
    uint16_t kind, details;
    char name[];
};

struct index_data {             /* of an index outside its array */
    place where;
    const type *array, *index;
};

/* A fault of arithmetic or indexing; in host code it fails the next launch. */
SIMT_BARE inline void fault(const void *data, const char *what) {
    const place *p = static_cast<const place *>(data);
    if (!watch.inside) {
        if (!watch.host) sentence[0] = '\0';
        watch.host = true;
        report(cudaErrorLaunchFailure, "the launcher, line %u: %s", p->line,
               what);
        return;
    }
    watch.inside = false;
    finding(cudaErrorIllegalAddress, "line %u: %s", p->line, what);
}

}

extern "C" {

#define SIMT_HOOK SIMT_BARE __attribute__((weak, used, visibility("hidden")))

#define SIMT_ACCESS(n) \
    SIMT_HOOK void __asan_load##n##_noabort(uintptr_t at) { \
        simt::access(at, n, false); \
    } \
    SIMT_HOOK void __asan_store##n##_noabort(uintptr_t at) { \
        simt::access(at, n, true); \
    }
SIMT_ACCESS(1)
SIMT_ACCESS(2)
SIMT_ACCESS(4)
SIMT_ACCESS(8)
SIMT_ACCESS(16)
#undef SIMT_ACCESS
SIMT_HOOK void __asan_loadN_noabort(uintptr_t at, size_t n) {
    simt::access(at, n, false);
}
SIMT_HOOK void __asan_storeN_noabort(uintptr_t at, size_t n) {
    simt::access(at, n, true);
}
SIMT_HOOK void __asan_handle_no_return() {}

SIMT_HOOK void __asan_register_globals(const simt::global *g, size_t count) {
    for (; count-- > 0; g++)
        if (g->start >= reinterpret_cast<uintptr_t>(__bss_start) &&
            g->start < reinterpret_cast<uintptr_t>(_end))
            simt::objects.add({reinterpret_cast<char *>(g->start), g->bytes,
                               g->padded, g->name, g->file, nullptr});
}
SIMT_HOOK void __asan_unregister_globals(const simt::global *, size_t) {}
SIMT_HOOK void __asan_before_dynamic_init(const char *) {}
SIMT_HOOK void __asan_after_dynamic_init() {}

#define SIMT_FAULT(name, what) \
    SIMT_HOOK void __ubsan_handle_##name(void *data, uintptr_t, uintptr_t) { \
        simt::fault(data, what); \
    }
SIMT_FAULT(add_overflow, "an integer sum overflows")
SIMT_FAULT(sub_overflow, "an integer difference overflows")
SIMT_FAULT(mul_overflow, "an integer product overflows")
SIMT_FAULT(divrem_overflow, "an integer division by zero or that overflows")
#undef SIMT_FAULT
SIMT_HOOK void __ubsan_handle_negate_overflow(void *data, uintptr_t) {
    simt::fault(data, "a negated integer overflows");
}
SIMT_HOOK void __ubsan_handle_type_mismatch_v1(void *data, uintptr_t) {
    simt::fault(data, "a misaligned or null pointer is used");
}
SIMT_HOOK void __ubsan_handle_out_of_bounds(const simt::index_data *data,
                                            uintptr_t index) {
    char what[160];
    snprintf(what, sizeof what, "index %lld in an array of type %.99s",
             (long long)index, data->array->name);
    simt::fault(data, what);
}

}

#endif
