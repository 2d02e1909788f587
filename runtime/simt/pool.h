/* The blocks, with their stacks, that launches use again. One owner: the
 * module, which gives them back when it is unloaded. */
#ifndef QUERN_SIMT_POOL_H
#define QUERN_SIMT_POOL_H

namespace simt SIMT_HIDDEN {

inline block *pool;
inline char pool_lock;

SIMT_INLINE void lock_pool() {
    while (__atomic_test_and_set(&pool_lock, __ATOMIC_ACQUIRE)) {}
}

SIMT_INLINE void unlock_pool() {
    __atomic_clear(&pool_lock, __ATOMIC_RELEASE);
}

SIMT_INLINE void destroy(block *b) {
    for (unsigned i = 0; i < b->made; i++) destroy(&b->fibres[i]);
    free(b->dynamic);
    free(b);
}

/* Gives b the shared memory and the thread indices of this launch. */
SIMT_INLINE bool fit(block *b, const job *work) {
    b->work = work;
    b->count = work->dim.x * work->dim.y * work->dim.z;
    unsigned t = 0;
    for (unsigned z = 0; z < work->dim.z; z++)
        for (unsigned y = 0; y < work->dim.y; y++)
            for (unsigned x = 0; x < work->dim.x; x++)
                b->threads[t++].index = {x, y, z};
    free(b->dynamic);
    b->dynamic = nullptr;
    b->dynamic_bytes = work->shared;
    if (work->shared == 0) return true;
    void *memory;
    if (posix_memalign(&memory, 128, work->shared) != 0) return false;
    b->dynamic = static_cast<char *>(memory);
    return true;
}

/* A block ready to run work on this core, or null when memory has run out. Its
 * fibres start afresh: they may have known another's thread-local storage. */
SIMT_INLINE block *acquire(const job *work) {
    lock_pool();
    block *b = pool;
    if (b != nullptr) pool = b->next;
    unlock_pool();
    if (b == nullptr) b = static_cast<block *>(calloc(1, sizeof *b));
    if (b == nullptr) return nullptr;
    if (!fit(b, work)) {
        destroy(b);
        return nullptr;
    }
#ifdef SIMT_ASAN
    b->host.bottom = nullptr;
#endif
    collect(b);
    here = b;
    blockDim = work->dim;
    gridDim = work->grid;
    return b;
}

SIMT_INLINE void give_back(block *b) {
    here = nullptr;
    lock_pool();
    b->next = pool;
    pool = b;
    unlock_pool();
}

}

#ifndef SIMT_KERNELS
/* Runs when the module is unloaded, once for each of its files. */
__attribute__((destructor)) SIMT_HIDDEN inline void simt_drain() {
    while (simt::pool != nullptr) {
        simt::block *b = simt::pool;
        simt::pool = b->next;
        simt::destroy(b);
    }
}
#endif

#endif
