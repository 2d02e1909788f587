/* What is said about the last launch: one sentence, kept for the loader. */
#ifndef QUERN_SIMT_REPORT_H
#define QUERN_SIMT_REPORT_H

#include <stdarg.h>
#include <stddef.h>

namespace simt SIMT_HIDDEN {

inline thread_local char sentence[512];
inline thread_local cudaError_t last_error = cudaSuccess;

/* Keeps the first sentence of a launch; gives error back, to be passed on. */
__attribute__((format(printf, 2, 3)))
SIMT_INLINE cudaError_t report(cudaError_t error, const char *format, ...) {
    if (sentence[0] != '\0') return error;
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    return error;
}

}

#ifndef SIMT_KERNELS
/* For the loader, by dlsym: the sentence about this thread's last launch, ""
 * when it was clean. */
extern "C" __attribute__((weak, used, visibility("default")))
const char *simt_report(void) {
    return simt::sentence;
}
#endif

#endif
