/* cudaLaunchKernel: refuses what the device would, then runs the grid. */
#ifndef QUERN_SIMT_LAUNCH_H
#define QUERN_SIMT_LAUNCH_H

#include <type_traits>
#include <utility>

/* Of a block, as sm_90 has it; a smaller device by -DSIMT_MOST_SHARED=BYTES. */
#ifndef SIMT_MOST_SHARED
#define SIMT_MOST_SHARED (227 << 10)
#endif

namespace simt SIMT_HIDDEN {

constexpr size_t MOST_PARAMETER_BYTES = 32764;
constexpr size_t DEFAULT_SHARED = 48 << 10;
constexpr size_t MOST_SHARED = SIMT_MOST_SHARED;

/* Kernels that asked for more dynamic shared memory, and how much. */
struct allowance {
    void (*kernel)();
    size_t bytes;
};
inline allowance allowances[256];
inline unsigned allowance_count;

SIMT_INLINE allowance *find_allowance(void (*kernel)()) {
    for (unsigned i = 0; i < allowance_count; i++)
        if (allowances[i].kernel == kernel) return &allowances[i];
    return nullptr;
}

SIMT_INLINE cudaError_t allow(void (*kernel)(), int bytes) {
    if (bytes < 0 || size_t(bytes) > MOST_SHARED)
        return report(cudaErrorInvalidValue, "%d bytes of dynamic shared "
                      "memory, the limit is %zu", bytes, MOST_SHARED);
    allowance *a = find_allowance(kernel);
    if (a == nullptr) {
        if (allowance_count == sizeof allowances / sizeof *allowances)
            return report(cudaErrorInvalidValue, "too many kernels with "
                          "attributes");
        a = &allowances[allowance_count++];
        a->kernel = kernel;
    }
    a->bytes = size_t(bytes);
    return cudaSuccess;
}

struct limit {
    const char *what;
    uint64_t got, most;
    cudaError_t error;
};

SIMT_INLINE cudaError_t check_limits(const job *work, void (*kernel)()) {
    const dim3 &g = work->grid, &b = work->dim;
    const allowance *a = find_allowance(kernel);
    const cudaError_t shape = cudaErrorInvalidConfiguration;
    const limit limits[] = {
        {"blocks along x", g.x, 2147483647, shape},
        {"blocks along y", g.y, 65535, shape},
        {"blocks along z", g.z, 65535, shape},
        {"threads along x", b.x, 1024, shape},
        {"threads along y", b.y, 1024, shape},
        {"threads along z", b.z, 64, shape},
        {"threads in a block", uint64_t{b.x} * b.y * b.z, MAX_THREADS, shape},
        {"bytes of parameters", work->parameter_bytes, MOST_PARAMETER_BYTES,
         shape},
        {"bytes of dynamic shared memory", work->shared,
         a == nullptr ? DEFAULT_SHARED : a->bytes, cudaErrorInvalidValue},
    };
    for (const limit &l : limits)
        if (l.got > l.most)
            return report(l.error, "%s: %llu %s, the limit is %llu", work->name,
                          (unsigned long long)l.got, l.what,
                          (unsigned long long)l.most);
    if (blocks(work) == 0 || b.x == 0 || b.y == 0 || b.z == 0)
        return report(shape, "%s: an empty grid or block", work->name);
    return cudaSuccess;
}

inline unsigned long long launches;     /* so far */

/* The arguments of cudaLaunchKernel as text begin with the kernel's name. */
SIMT_INLINE void name(job *work, const char *text) {
    snprintf(work->name, sizeof work->name, "%.*s", int(strcspn(text, "<, (")),
             text);
}

SIMT_INLINE cudaError_t start(job *work, void (*kernel)()) {
    work->number = __atomic_add_fetch(&launches, 1, __ATOMIC_RELAXED);
    cudaError_t error = begin_launch(work);
    if (error == cudaSuccess) error = check_limits(work, kernel);
    if (error == cudaSuccess) error = run_grid(work);
    if (error != cudaSuccess) last_error = error;
    return error;
}

/* A kernel with its arguments, of which every thread has copies. Compiled with
 * each kernel, so as little as can be: no std::tuple, no detectors. */
template <typename, typename...> struct call;
template <size_t... I, typename... P>
struct call<std::index_sequence<I...>, P...> {
    void (*kernel)(P...);
    void **args;

    SIMT_BARE static void run(const void *self) {
        const auto *c = static_cast<const call *>(self);
        c->kernel(*static_cast<std::remove_cv_t<P> *>(c->args[I])...);
    }
};

/* Bytes of parameters, one behind the other. */
template <typename... P> constexpr size_t parameter_bytes() {
    size_t end = 0;
    ((end = (end + alignof(P) - 1) / alignof(P) * alignof(P) + sizeof(P)), ...);
    return end;
}

template <typename... P>
SIMT_BARE cudaError_t launch(const char *file, const char *text,
                             void (*kernel)(P...), dim3 grid, dim3 dim,
                             void **args, size_t shared = 0,
                             cudaStream_t = nullptr) {
    using whole = call<std::index_sequence_for<P...>, P...>;
    const whole c = {kernel, args};
    constexpr size_t bytes = parameter_bytes<P...>();
    job work = {"", file, whole::run, &c, bytes, grid, dim, shared, 0};
    name(&work, text);
    return start(&work, reinterpret_cast<void (*)()>(kernel));
}

}

/* Macros, so that reports can name the kernel. */
#define cudaLaunchKernel(...) \
    simt::launch(__BASE_FILE__, #__VA_ARGS__, __VA_ARGS__)
/* Launches side by side are one after the other here. */
#define quern_launch_beside(kernel, grid, block, arguments, shared, stream, \
                            beside) \
    ((void)(beside), \
     cudaLaunchKernel(kernel, grid, block, arguments, shared, stream))

template <typename... P>
cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute,
                                 int value) {
    return simt::allow(reinterpret_cast<void (*)()>(kernel), value);
}

#endif
