/* The cuda context: the driver is opened when one is asked for, so the library
 * needs no CUDA to build, to link or to run elsewhere. Modules carry a static
 * cudart; both use the primary context of the device, and the default stream,
 * so what either starts is ordered with the other. */
#include "internal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {                              /* cuda.h */
    MEMORY_HOST = 1, MEMORY_DEVICE = 2,
    ATTRIBUTE_MAJOR = 75, ATTRIBUTE_MINOR = 76,
    ERROR_STUB = 34, ERROR_DRIVER = 35, ERROR_NO_DEVICE = 100, ERROR_MEMORY = 2
};

typedef unsigned long long address; /* CUdeviceptr */

struct copy_2d {                    /* CUDA_MEMCPY2D_v2 */
    size_t from_x, from_y;
    int from_kind;
    const void *from_host;
    address from_device;
    void *from_array;
    size_t from_pitch;
    size_t to_x, to_y;
    int to_kind;
    void *to_host;
    address to_device;
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
    X(alloc, "cuMemAlloc_v2", (address *, size_t)) \
    X(release, "cuMemFree_v2", (address)) \
    X(to_device, "cuMemcpyHtoD_v2", (address, const void *, size_t)) \
    X(to_host, "cuMemcpyDtoH_v2", (void *, address, size_t)) \
    X(copy_2d, "cuMemcpy2DUnaligned_v2", (const struct copy_2d *)) \
    X(event_create, "cuEventCreate", (void **, unsigned)) \
    X(event_destroy, "cuEventDestroy_v2", (void *)) \
    X(event_record, "cuEventRecord", (void *, void *)) \
    X(event_synchronize, "cuEventSynchronize", (void *)) \
    X(event_elapsed, "cuEventElapsedTime", (float *, void *, void *))

#define POINTER(name, symbol, parameters) int (*name) parameters;

struct qn__cuda {
    void *library;
    DRIVER(POINTER)
    int device;
    void *primary;                  /* the device's primary context, retained */
    void *begin, *end;              /* events */
    int major, minor;               /* compute capability */
};

/* What cudart alone says; the driver has words for the rest. */
static const struct { int code; const char *words; } runtime_errors[] = {
    { 3, "initialisation error" },
    { 9, "invalid configuration: a block or a grid is too large" },
    { 36, "the driver is older than the module's CUDA" },
    { 98, "invalid device function: the module was built for another architecture" }
};

static const char *words(const struct qn__cuda *cuda, int code)
{
    const char *text = NULL;
    for (size_t i = 0; i < sizeof runtime_errors / sizeof runtime_errors[0]; i++)
        if (runtime_errors[i].code == code)
            return runtime_errors[i].words;
    if (cuda->error_string && cuda->error_string(code, &text) == 0 && text)
        return text;
    return "unknown error";
}

static enum qn_status complain(const struct qn__cuda *cuda, int code, const char *what)
{
    if (code == ERROR_STUB || code == ERROR_DRIVER)
        return qn__fail(QN_NO_DEVICE, "there is no CUDA driver here, or it is older"
                        " than the CUDA of the module");
    if (code == ERROR_NO_DEVICE)
        return qn__fail(QN_NO_DEVICE, "there is no CUDA device here");
    if (code == ERROR_MEMORY)
        return qn__fail(QN_NO_MEMORY, "%s: the device is out of memory", what);
    return qn__fail(QN_DEVICE, "%s: CUDA error %d, %s", what, code, words(cuda, code));
}

static enum qn_status checked(const struct qn__cuda *cuda, int code, const char *what)
{
    return code == 0 ? QN_OK : complain(cuda, code, what);
}

/* A function pointer from an object pointer, as POSIX means dlsym to be used. */
static bool resolve(void *library, const char *symbol, void *function, size_t size)
{
    void *const found = dlsym(library, symbol);
    memcpy(function, &found, size);
    return found != NULL;
}

static enum qn_status load_driver(struct qn__cuda *cuda)
{
    cuda->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!cuda->library)
        return qn__fail(QN_NO_DEVICE, "there is no CUDA driver here"
                        " (libcuda.so.1 is not installed)");
#define RESOLVE(name, symbol, parameters) \
    if (!resolve(cuda->library, symbol, &cuda->name, sizeof cuda->name)) \
        return qn__fail(QN_NO_DEVICE, "the CUDA driver has no %s: it is too old", symbol);
    DRIVER(RESOLVE)
#undef RESOLVE
    return checked(cuda, cuda->init(0), "starting CUDA");
}

static enum qn_status find_device(struct qn__cuda *cuda, int index)
{
    int count = 0;
    const enum qn_status status =
        checked(cuda, cuda->device_count(&count), "counting devices");
    if (status != QN_OK)
        return status;
    if (index >= count)
        return qn__fail(QN_NO_DEVICE, "there is no CUDA device %d: this machine has %d",
                        index, count);
    return checked(cuda, cuda->device_get(&cuda->device, index), "finding the device");
}

static enum qn_status enter_device(struct qn__cuda *cuda, char *name, int size)
{
    int code = cuda->device_name(name, size, cuda->device);
    if (!code)
        code = cuda->device_attribute(&cuda->major, ATTRIBUTE_MAJOR, cuda->device);
    if (!code)
        code = cuda->device_attribute(&cuda->minor, ATTRIBUTE_MINOR, cuda->device);
    if (!code)
        code = cuda->retain(&cuda->primary, cuda->device);
    if (!code)
        code = cuda->set_current(cuda->primary);
    if (!code)
        code = cuda->event_create(&cuda->begin, 0);
    if (!code)
        code = cuda->event_create(&cuda->end, 0);
    return checked(cuda, code, "opening the device");
}

static void cuda_close(struct qn_context *context)
{
    struct qn__cuda *const cuda = context->cuda;
    if (cuda->begin)
        cuda->event_destroy(cuda->begin);
    if (cuda->end)
        cuda->event_destroy(cuda->end);
    if (cuda->primary)
        cuda->drop(cuda->device);
    if (cuda->library)
        dlclose(cuda->library);
    free(cuda);
    context->cuda = NULL;
}

static enum qn_status cuda_open(struct qn_context *context, int index)
{
    struct qn__cuda *const cuda = calloc(1, sizeof *cuda);
    if (!cuda)
        return qn__fail(QN_NO_MEMORY, "no memory for a context");
    context->cuda = cuda;
    enum qn_status status = load_driver(cuda);
    if (status == QN_OK)
        status = find_device(cuda, index);
    if (status == QN_OK)
        status = enter_device(cuda, context->device, sizeof context->device);
    if (status != QN_OK)
        cuda_close(context);
    return status;
}

/* The calling thread may be another than last time. */
static enum qn_status cuda_enter(struct qn_context *context)
{
    const struct qn__cuda *const cuda = context->cuda;
    return checked(cuda, cuda->set_current(cuda->primary), "entering the device");
}

/* "sm_90" runs on 9.0 and later (the module holds PTX too), "sm_90a" on 9.0. */
static enum qn_status cuda_fits(struct qn_context *context, const char *arch)
{
    const struct qn__cuda *const cuda = context->cuda;
    const int have = 10 * cuda->major + cuda->minor;
    char *end;
    if (strncmp(arch, "sm_", 3) != 0)
        return qn__fail(QN_MISMATCH, "the module's architecture '%s' is not sm_NN", arch);
    const long wanted = strtol(arch + 3, &end, 10);
    if (*end == 'a' ? wanted != have : wanted > have)
        return qn__fail(QN_MISMATCH, "the module is for %s, the device (%s) is sm_%d",
                        arch, context->device, have);
    return QN_OK;
}

static enum qn_status cuda_alloc(struct qn_context *context, size_t size, void **data)
{
    const struct qn__cuda *const cuda = context->cuda;
    address found = 0;
    char what[64];
    *data = NULL;
    enum qn_status status = cuda_enter(context);
    if (status != QN_OK)
        return status;
    snprintf(what, sizeof what, "allocating %zu bytes", size);
    status = checked(cuda, cuda->alloc(&found, size ? size : 1), what);
    *data = (void *)(uintptr_t)found;
    return status;
}

static void cuda_release(struct qn_context *context, void *data)
{
    const struct qn__cuda *const cuda = context->cuda;
    if (data && cuda->set_current(cuda->primary) == 0)
        cuda->release((address)(uintptr_t)data);
}

static enum qn_status cuda_upload(struct qn_context *context, void *to, size_t to_pitch,
                                  const void *from, size_t from_pitch, size_t width,
                                  size_t rows)
{
    const struct qn__cuda *const cuda = context->cuda;
    const address target = (address)(uintptr_t)to;
    const struct copy_2d copy = {
        .from_kind = MEMORY_HOST, .from_host = from, .from_pitch = from_pitch,
        .to_kind = MEMORY_DEVICE, .to_device = target, .to_pitch = to_pitch,
        .width = width, .height = rows
    };
    const enum qn_status status = cuda_enter(context);
    if (status != QN_OK || width == 0 || rows == 0)
        return status;
    return checked(cuda, rows == 1 ? cuda->to_device(target, from, width)
                                   : cuda->copy_2d(&copy), "copying to the device");
}

static enum qn_status cuda_download(struct qn_context *context, void *to,
                                    size_t to_pitch, const void *from,
                                    size_t from_pitch, size_t width, size_t rows)
{
    const struct qn__cuda *const cuda = context->cuda;
    const address origin = (address)(uintptr_t)from;
    const struct copy_2d copy = {
        .from_kind = MEMORY_DEVICE, .from_device = origin, .from_pitch = from_pitch,
        .to_kind = MEMORY_HOST, .to_host = to, .to_pitch = to_pitch,
        .width = width, .height = rows
    };
    const enum qn_status status = cuda_enter(context);
    if (status != QN_OK || width == 0 || rows == 0)
        return status;
    return checked(cuda, rows == 1 ? cuda->to_host(to, origin, width)
                                   : cuda->copy_2d(&copy), "copying from the device");
}

/* A fault of a kernel launched before is reported here, and by every call after. */
static enum qn_status cuda_synchronize(struct qn_context *context)
{
    const struct qn__cuda *const cuda = context->cuda;
    const enum qn_status status = cuda_enter(context);
    if (status != QN_OK)
        return status;
    return checked(cuda, cuda->synchronize(), "running kernels");
}

static enum qn_status cuda_start(struct qn_context *context)
{
    const struct qn__cuda *const cuda = context->cuda;
    const enum qn_status status = cuda_enter(context);
    if (status != QN_OK)
        return status;
    return checked(cuda, cuda->event_record(cuda->begin, context->stream), "timing");
}

static enum qn_status cuda_stop(struct qn_context *context, double *seconds)
{
    const struct qn__cuda *const cuda = context->cuda;
    float milliseconds = 0;
    int code = cuda->event_record(cuda->end, context->stream);
    if (!code)
        code = cuda->event_synchronize(cuda->end);
    if (!code)
        code = cuda->event_elapsed(&milliseconds, cuda->begin, cuda->end);
    *seconds = 1e-3 * (double)milliseconds;
    return checked(cuda, code, "timing");
}

static enum qn_status cuda_explain(struct qn_context *context,
                                   const struct qn__library *library, int code,
                                   const char *what)
{
    (void)library;
    return complain(context->cuda, code, what);
}

const struct qn__backend qn__cuda_backend = {
    .name = "cuda", .accepts = { "cuda" }, .jobs = "quern_device_cuda.so",
    .open = cuda_open, .close = cuda_close, .enter = cuda_enter, .fits = cuda_fits,
    .alloc = cuda_alloc, .release = cuda_release,
    .upload = cuda_upload, .download = cuda_download, .synchronize = cuda_synchronize,
    .start = cuda_start, .stop = cuda_stop, .explain = cuda_explain
};
