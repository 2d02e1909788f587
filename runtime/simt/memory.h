/* What the detectors know of memory: the arrays that the loader registered,
 * which they save, compare and restore, and the module's own static objects,
 * among which are the shared arrays of its kernels. */
#ifndef QUERN_SIMT_MEMORY_H
#define QUERN_SIMT_MEMORY_H

namespace simt SIMT_HIDDEN {

struct region {                 /* an array of global memory */
    char *start;
    size_t bytes;
    char *before;               /* as it was, once a launch wrote there, */
    char *first;                /* and as that launch's first run left it */
    bool counts;                /* blocks count there: their order shows */
};

struct object {                 /* a static object that starts as zeros */
    char *start;
    size_t bytes, padded;       /* with the red zone behind it */
    const char *name, *file;
    char *before;               /* during a launch: as it was */
};

/* A list that grows; false when memory has run out. */
template <typename T> struct list {
    T *items;
    size_t count, room;
    bool add(const T &item) {
        if (count == room) {
            size_t more = room ? 2 * room : 16;
            void *grown = realloc(items, more * sizeof(T));
            if (grown == nullptr) return false;
            items = static_cast<T *>(grown);
            room = more;
        }
        items[count++] = item;
        return true;
    }
};

inline list<region> regions;
inline list<object> objects;

/* A static object that there always is: the compiler must tell of it. */
static __attribute__((used)) char sentinel[1];

SIMT_INLINE char *copy(const char *start, size_t bytes) {
    char *made = static_cast<char *>(malloc(bytes ? bytes : 1));
    if (made != nullptr) memcpy(made, start, bytes);
    return made;
}

/* Before an array is written to; false when there is no memory for a copy. */
SIMT_INLINE bool save(region *r) {
    if (r->before == nullptr) r->before = copy(r->start, r->bytes);
    return r->before != nullptr;
}

/* Before the first run: what is written to without the detectors' knowing. */
SIMT_INLINE bool save_all() {
    bool well = true;
    for (size_t i = 0; i < regions.count; i++)
        if (regions.items[i].counts) well = save(&regions.items[i]) && well;
    for (size_t i = 0; i < objects.count; i++) {
        object *o = &objects.items[i];
        o->before = copy(o->start, o->bytes);
        well = well && o->before != nullptr;
    }
    return well;
}

/* After the first run. */
SIMT_INLINE bool keep() {
    bool well = true;
    for (size_t i = 0; i < regions.count; i++) {
        region *r = &regions.items[i];
        if (r->before == nullptr) continue;
        r->first = copy(r->start, r->bytes);
        well = well && r->first != nullptr;
    }
    return well;
}

/* Between two runs. */
SIMT_INLINE void restore() {
    for (size_t i = 0; i < regions.count; i++) {
        const region *r = &regions.items[i];
        if (r->before != nullptr) memcpy(r->start, r->before, r->bytes);
    }
}

/* After the last run. */
SIMT_INLINE void drop() {
    for (size_t i = 0; i < regions.count; i++) {
        region *r = &regions.items[i];
        free(r->before);
        free(r->first);
        r->before = r->first = nullptr;
    }
    for (size_t i = 0; i < objects.count; i++) {
        object *o = &objects.items[i];
        if (o->before != nullptr) memcpy(o->start, o->before, o->bytes);
        free(o->before);
    }
}

/* The first byte that differs from what the first run left, or null. */
SIMT_INLINE const char *compare(size_t *number) {
    for (size_t i = 0; i < regions.count; i++) {
        const region *r = &regions.items[i];
        if (r->counts || r->before == nullptr) continue;
        const char *left = r->first != nullptr ? r->first : r->before;
        if (memcmp(r->start, left, r->bytes) == 0) continue;
        *number = i;
        const char *at = r->start;
        while (*at == left[at - r->start]) at++;
        return at;
    }
    return nullptr;
}

SIMT_BARE SIMT_INLINE bool within(const char *at, size_t bytes,
                                  const void *start, size_t size) {
    const size_t before = size_t(at - static_cast<const char *>(start));
    return before < size && bytes <= size - before;
}

/* The registered array that the access is in, or null. Looks first where the
 * last one was. */
SIMT_BARE SIMT_INLINE region *registered(const char *at, size_t bytes) {
    static size_t last;
    const size_t count = regions.count;
    for (size_t tried = 0; tried < count; tried++, last++) {
        if (last >= count) last = 0;
        region *r = &regions.items[last];
        if (within(at, bytes, r->start, r->bytes)) return r;
    }
    return nullptr;
}

/* The shared array whose red zone the access touches, or null. */
SIMT_INLINE const object *find_overrun(const char *at, size_t bytes) {
    for (size_t i = 0; i < objects.count; i++) {
        const object *o = &objects.items[i];
        if (at + bytes > o->start + o->bytes && at < o->start + o->padded)
            return o;
    }
    return nullptr;
}

/* Global memory that is the module's own, where blocks count. */
SIMT_INLINE void know(void *start, size_t bytes) {
    regions.add({static_cast<char *>(start), bytes, nullptr, nullptr, true});
}

SIMT_BARE SIMT_INLINE void fill(char *start, size_t bytes, uint32_t pattern) {
    const size_t whole = bytes / sizeof pattern * sizeof pattern;
    for (size_t b = 0; b < whole; b += sizeof pattern)
        memcpy(start + b, &pattern, sizeof pattern);
    if (whole < bytes) memcpy(start + whole, &pattern, bytes - whole);
}

/* Fills the shared memory of one source file's kernels, which is all of its
 * static objects that are not registered as global memory. */
SIMT_INLINE void fill_shared(const char *file, uint32_t pattern, char *dynamic,
                        size_t bytes) {
    for (size_t i = 0; i < objects.count; i++) {
        const object *o = &objects.items[i];
        if (strcmp(o->file, file) != 0 || registered(o->start, 1)) continue;
        fill(o->start, o->bytes, pattern);
    }
    fill(dynamic, bytes, pattern);
}

}

#ifndef SIMT_KERNELS

/* For the loader, by dlsym: an array that kernels may touch, all of it. */
extern "C" __attribute__((weak, used, visibility("default")))
void simt_register(void *start, size_t bytes) {
    simt::regions.add({static_cast<char *>(start), bytes, nullptr, nullptr,
                       false});
}

extern "C" __attribute__((weak, used, visibility("default")))
void simt_unregister(void *start) {
    auto &all = simt::regions;
    for (size_t i = 0; i < all.count; i++) {
        if (all.items[i].start != start) continue;
        memmove(&all.items[i], &all.items[i + 1],
                (--all.count - i) * sizeof *all.items);
        return;
    }
}

#endif

#endif
