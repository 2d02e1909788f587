/* The CUDA driver as far as libquern calls it: what cuda.h declares, so that no
 * CUDA header is needed to build. tests/runtime/cuda.t compares the two. */
#ifndef QUERN_DRIVER_H
#define QUERN_DRIVER_H

#include "internal.h"

enum {
    DRIVER_HOST = 1,
    DRIVER_DEVICE = 2,              /* kinds of memory */
    DRIVER_MAJOR = 75,
    DRIVER_MINOR = 76,              /* attributes: compute capability */
    DRIVER_NO_MEMORY = 2,
    DRIVER_STUB = 34,
    DRIVER_TOO_OLD = 35,
    DRIVER_NO_DEVICE = 100,
    DRIVER_NOT_READY = 600          /* errors */
};

typedef unsigned long long driver_address;  /* CUdeviceptr */

struct driver_copy {                    /* CUDA_MEMCPY2D_v2 */
    size_t from_x, from_y;
    int from_kind;
    const void *from_host;
    driver_address from_device;
    void *from_array;
    size_t from_pitch;
    size_t to_x, to_y;
    int to_kind;
    void *to_host;
    driver_address to_device;
    void *to_array;
    size_t to_pitch;
    size_t width, height;
};

/* X(name of the function pointer, symbol in libcuda, parameters) */
#define DRIVER(X) \
    X(init, "cuInit", (unsigned)) \
    X(error_string, "cuGetErrorString", (int, const char **)) \
    X(device_count, "cuDeviceGetCount", (int *)) \
    X(device_get, "cuDeviceGet", (int *, int)) \
    X(device_name, "cuDeviceGetName", (char *, int, int)) \
    X(device_attribute, "cuDeviceGetAttribute", (int *, int, int)) \
    X(retain, "cuDevicePrimaryCtxRetain", (void **, int)) \
    X(drop, "cuDevicePrimaryCtxRelease_v2", (int)) \
    X(set_current, "cuCtxSetCurrent", (void *)) \
    X(synchronize, "cuCtxSynchronize", (void)) \
    X(alloc, "cuMemAlloc_v2", (driver_address *, size_t)) \
    X(release, "cuMemFree_v2", (driver_address)) \
    X(to_device, "cuMemcpyHtoD_v2", (driver_address, const void *, size_t)) \
    X(to_host, "cuMemcpyDtoH_v2", (void *, driver_address, size_t)) \
    X(copy_2d, "cuMemcpy2DUnaligned_v2", (const struct driver_copy *)) \
    X(event_create, "cuEventCreate", (void **, unsigned)) \
    X(event_destroy, "cuEventDestroy_v2", (void *)) \
    X(event_record, "cuEventRecord", (void *, void *)) \
    X(event_synchronize, "cuEventSynchronize", (void *)) \
    X(event_elapsed, "cuEventElapsedTime", (float *, void *, void *)) \
    X(event_query, "cuEventQuery", (void *)) \
    X(stream_create, "cuStreamCreate", (void **, unsigned)) \
    X(stream_destroy, "cuStreamDestroy_v2", (void *)) \
    X(stream_synchronize, "cuStreamSynchronize", (void *)) \
    X(stream_wait, "cuStreamWaitEvent", (void *, void *, unsigned)) \
    X(call_host, "cuLaunchHostFunc", (void *, void (*)(void *), void *)) \
    X(alloc_host, "cuMemAllocHost_v2", (void **, size_t)) \
    X(release_host, "cuMemFreeHost", (void *)) \
    X(to_device_async, "cuMemcpyHtoDAsync_v2", \
      (driver_address, const void *, size_t, void *)) \
    X(to_host_async, "cuMemcpyDtoHAsync_v2", \
      (void *, driver_address, size_t, void *))

#define DRIVER_POINTER(name, symbol, parameters) int (*name) parameters;

struct qn__cuda {
    void *library;
    DRIVER(DRIVER_POINTER)
    int device;
    void *primary;                  /* the device's primary context, retained */
    void *begin, *end;              /* events */
    int major, minor;               /* compute capability */
};

/* QN_OK for 0, else the sentence about what was being done. */
enum qn_status qn__driver_check(const struct qn__cuda *cuda, int code,
                                const char *what);
enum qn_status qn__driver_open(struct qn__cuda *cuda);

#endif
