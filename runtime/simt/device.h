/* What kernels call: barriers, dynamic shared memory, cached loads and stores,
 * atomics, and the arithmetic that CUDA has beyond math.h. */
#ifndef QUERN_SIMT_DEVICE_H
#define QUERN_SIMT_DEVICE_H

namespace simt SIMT_HIDDEN {

/* The compiler must not keep shared memory in registers across a barrier. */
__forceinline__ void sync_block(int line) {
    asm volatile("" ::: "memory");
    leave();
    block *b = here;
    wait(b, &b->whole, line);
    enter();
    asm volatile("" ::: "memory");
}

__forceinline__ void sync_warp(int line) {
    asm volatile("" ::: "memory");
    leave();
    block *b = here;
    wait(b, &b->warp[b->current / 32], line);
    enter();
    asm volatile("" ::: "memory");
}

}

#define __syncthreads() simt::sync_block(__LINE__)
#define __syncwarp() simt::sync_warp(__LINE__)
#define __threadfence() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define __threadfence_block() __threadfence()

/* The shared memory that the launch asked for. */
template <typename T> __forceinline__ T *dynamic_shared() {
    return reinterpret_cast<T *>(simt::here->dynamic);
}

template <typename T> __forceinline__ T __ldg(const T *p) { return *p; }
template <typename T> __forceinline__ T __ldca(const T *p) { return *p; }
template <typename T> __forceinline__ T __ldcg(const T *p) { return *p; }
template <typename T> __forceinline__ T __ldcs(const T *p) { return *p; }
template <typename T> __forceinline__ void __stcg(T *p, T value) { *p = value; }
template <typename T> __forceinline__ void __stcs(T *p, T value) { *p = value; }
template <typename T> __forceinline__ void __stwt(T *p, T value) { *p = value; }

/* Adds, and returns what was there. */
static inline int atomicAdd(int *p, int v) {
    return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
static inline unsigned atomicAdd(unsigned *p, unsigned v) {
    return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
static inline unsigned long long atomicAdd(unsigned long long *p,
                                           unsigned long long v) {
    return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}
template <typename T> static inline T simt_add(T *p, T v) {
    T old, sum;
    __atomic_load(p, &old, __ATOMIC_RELAXED);
    do sum = old + v;
    while (!__atomic_compare_exchange(p, &old, &sum, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED));
    return old;
}
/* Keeps the lesser, and returns what was there. */
static inline int atomicMin(int *p, int v) {
    int old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (v < old && !__atomic_compare_exchange_n(p, &old, v, false,
                                                   __ATOMIC_RELAXED,
                                                   __ATOMIC_RELAXED)) {}
    return old;
}
/* In another order numbers of these add up to others: what was there is for
 * nobody to know. */
#ifdef SIMT_DETECT
static inline void atomicAdd(float *p, float v) { simt::add_later(p, v); }
static inline void atomicAdd(double *p, double v) { simt::add_later(p, v); }
#else
static inline void atomicAdd(float *p, float v) { simt_add(p, v); }
static inline void atomicAdd(double *p, double v) { simt_add(p, v); }
#endif

#define SIMT_MIN_MAX(T) \
    static inline T min(T a, T b) { return b < a ? b : a; } \
    static inline T max(T a, T b) { return a < b ? b : a; }
SIMT_MIN_MAX(int)
SIMT_MIN_MAX(unsigned)
SIMT_MIN_MAX(long)
SIMT_MIN_MAX(unsigned long)
SIMT_MIN_MAX(long long)
SIMT_MIN_MAX(unsigned long long)
#undef SIMT_MIN_MAX
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }
static inline float rsqrtf(float x) { return 1 / sqrtf(x); }
static inline double rsqrt(double x) { return 1 / sqrt(x); }

#endif
