/* Fast builds: threads in order, blocks over OpenMP threads where there are
 * any, and no checks but that a launch ends. */
#ifndef QUERN_SIMT_FAST_H
#define QUERN_SIMT_FAST_H

#include "pool.h"

namespace simt SIMT_HIDDEN {

SIMT_INLINE void attend(block *) {}
SIMT_INLINE void enter() {}
SIMT_INLINE void leave() {}
SIMT_INLINE void check_arrival(block *, barrier *, int) {}
SIMT_INLINE void check_end(block *) {}
SIMT_INLINE void check_target(block *, const char *, size_t) {}
SIMT_INLINE bool is_late() { return false; }

SIMT_INLINE void bring(char *to, const char *from, size_t bytes) {
    memcpy(to, from, bytes);
}

[[noreturn]] SIMT_INLINE void misuse(const char *what) {
    report(cudaErrorLaunchFailure, "%s, block (%u, %u, %u): a thread %s",
           here->work->name, blockIdx.x, blockIdx.y, blockIdx.z, what);
    abandon(here);
}

SIMT_INLINE cudaError_t begin_launch(const job *) {
    sentence[0] = '\0';
    return cudaSuccess;
}

SIMT_INLINE unsigned first(block *) { return 0; }

SIMT_INLINE unsigned pick(block *b) {
    unsigned t = b->current;
    do t = t + 1 == b->count ? 0 : t + 1; while (b->threads[t].is == ENDED);
    return t;
}

SIMT_INLINE void know(void *, size_t) {}
SIMT_INLINE bool let_others(block *) { return false; }
SIMT_INLINE void others_may_go_on() {}
SIMT_INLINE void joins(block *, unsigned, unsigned) {}
SIMT_INLINE void comes_to(block *, int) {}
SIMT_INLINE void has_marked(block *) {}

/* Every block once; a failed one stops its core, and the launch has failed. */
SIMT_INLINE cudaError_t run_grid(const job *work) {
    const uint64_t count = blocks(work);
    bool failed = false;
    char why[sizeof sentence] = "";
#pragma omp parallel shared(failed, why) if (count > 1)
    {
        block *b = acquire(work);
        bool well = b != nullptr;
        if (!well) report(cudaErrorMemoryAllocation, "no memory for a block");
#pragma omp for schedule(guided)
        for (uint64_t i = 0; i < count; i++)
            if (well) well = run(b, locate(work, i));
        if (b != nullptr) give_back(b);
        if (!well) {
#pragma omp critical(simt_failed)
            {
                failed = true;
                memcpy(why, sentence, sizeof why);
                sentence[0] = '\0';
            }
        }
    }
    return failed ? report(cudaErrorLaunchFailure, "%s", why) : cudaSuccess;
}

}

#ifndef SIMT_KERNELS
extern "C" {
__attribute__((weak, used, visibility("default")))
void simt_register(void *, size_t) {}
__attribute__((weak, used, visibility("default")))
void simt_unregister(void *) {}
}
#endif

#endif
