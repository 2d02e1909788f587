/* Fast builds: threads in order, blocks over OpenMP threads where there are
 * any, and no checks but that a launch ends. */
#ifndef QUERN_SIMT_FAST_H
#define QUERN_SIMT_FAST_H

#include "pool.h"
#include "together.h"

namespace simt SIMT_HIDDEN {

inline void attend(block *) {}
inline void enter() {}
inline void leave() {}
inline void check_arrival(block *, barrier *, int) {}
inline void check_end(block *) {}
inline void check_target(block *, const char *, size_t) {}
inline bool is_late() { return false; }

inline void bring(char *to, const char *from, size_t bytes) {
    memcpy(to, from, bytes);
}

[[noreturn]] inline void misuse(const char *what) {
    report(cudaErrorLaunchFailure, "%s, block (%u, %u, %u): a thread %s",
           here->work->name, blockIdx.x, blockIdx.y, blockIdx.z, what);
    abandon(here);
}

inline cudaError_t begin_launch(const job *) {
    sentence[0] = '\0';
    return cudaSuccess;
}

inline unsigned first(block *) { return 0; }

inline unsigned pick(block *b) {
    unsigned t = b->current;
    do t = t + 1 == b->count ? 0 : t + 1; while (b->threads[t].is == ENDED);
    return t;
}

inline void know(void *, size_t) {}
inline uint64_t turn_of(uint64_t i, uint64_t) { return i; }
inline void ready(block *) {}

/* All blocks at once, on one core. */
inline cudaError_t run_company(const job *work) {
    company all;
    const bool well = assemble(&all, work) && run_all(&all);
    dismiss(&all);
    return well ? cudaSuccess
                : report(cudaErrorLaunchFailure, "no memory for the blocks");
}

/* Every block once; a failed one stops its core, and the launch has failed. */
inline cudaError_t run_grid(const job *work) {
    if (work->together) return run_company(work);
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

extern "C" {
__attribute__((weak, used, visibility("default")))
void simt_register(void *, size_t) {}
__attribute__((weak, used, visibility("default")))
void simt_unregister(void *) {}
}

#endif
