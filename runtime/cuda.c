/* The cuda context: the driver is opened when one is asked for, so the library
 * needs no CUDA to build, to link or to run elsewhere. Modules carry a static
 * cudart; both use the primary context of the device, and the default stream,
 * so what either starts is ordered with the other. */
#include "driver.h"
#include "lane.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum qn_status find_device(struct qn__cuda *cuda, int index)
{
    int count = 0;
    const enum qn_status status =
        qn__driver_check(cuda, cuda->device_count(&count), "counting devices");
    if (status != QN_OK)
        return status;
    if (index >= count)
        return qn__fail(QN_NO_DEVICE,
                        "there is no CUDA device %d: this machine has %d",
                        index, count);
    return qn__driver_check(cuda, cuda->device_get(&cuda->device, index),
                            "finding the device");
}

static enum qn_status enter_device(struct qn__cuda *cuda, char *name, int size)
{
    int code = cuda->device_name(name, size, cuda->device);
    if (!code)
        code = cuda->device_attribute(&cuda->major, DRIVER_MAJOR, cuda->device);
    if (!code)
        code = cuda->device_attribute(&cuda->minor, DRIVER_MINOR, cuda->device);
    if (!code)
        code = cuda->retain(&cuda->primary, cuda->device);
    if (!code)
        code = cuda->set_current(cuda->primary);
    if (!code)
        code = cuda->event_create(&cuda->begin, 0);
    if (!code)
        code = cuda->event_create(&cuda->end, 0);
    return qn__driver_check(cuda, code, "opening the device");
}

static void cuda_close(struct qn_context *context)
{
    struct qn__cuda *const cuda = context->cuda;
    if (cuda->primary)
        cuda->set_current(cuda->primary);
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
    enum qn_status status = qn__driver_open(cuda);
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
    return qn__driver_check(cuda, cuda->set_current(cuda->primary),
                            "entering the device");
}

/* "sm_90" runs on 9.0 and later (the module holds PTX too), "sm_90a" on 9.0. */
/* Can a device of `have` run code for the first of "sm_80,sm_90a"? */
static bool runs(const char *arch, int have)
{
    char *end;
    const long wanted = strtol(arch + 3, &end, 10);
    return *end == 'a' ? wanted == have : wanted <= have;
}

static enum qn_status cuda_fits(struct qn_context *context, const char *arch)
{
    const struct qn__cuda *const cuda = context->cuda;
    const int have = 10 * cuda->major + cuda->minor;
    for (const char *at = arch; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, "sm_", 3) != 0)
            return qn__fail(QN_MISMATCH,
                            "the module's architecture '%s' is not sm_NN",
                            arch);
        if (runs(at, have))
            return QN_OK;
    }
    return qn__fail(QN_MISMATCH,
                    "the module is for %s, the device (%s) is sm_%d", arch,
                    context->device, have);
}

static enum qn_status cuda_alloc(struct qn_context *context, size_t size,
                                 void **data)
{
    const struct qn__cuda *const cuda = context->cuda;
    driver_address found = 0;
    char what[64];
    *data = NULL;
    enum qn_status status = cuda_enter(context);
    if (status != QN_OK)
        return status;
    snprintf(what, sizeof what, "allocating %zu bytes", size);
    status = qn__driver_check(cuda, cuda->alloc(&found, size ? size : 1), what);
    *data = (void *)(uintptr_t)found;
    return status;
}

static void cuda_release(struct qn_context *context, void *data)
{
    const struct qn__cuda *const cuda = context->cuda;
    if (data && cuda->set_current(cuda->primary) == 0)
        cuda->release((driver_address)(uintptr_t)data);
}

static enum qn_status cuda_upload(struct qn_context *context, void *to,
                                  size_t to_pitch, const void *from,
                                  size_t from_pitch, size_t width, size_t rows)
{
    const struct qn__cuda *const cuda = context->cuda;
    const driver_address target = (driver_address)(uintptr_t)to;
    const struct driver_copy copy = {
        .from_kind = DRIVER_HOST, .from_host = from, .from_pitch = from_pitch,
        .to_kind = DRIVER_DEVICE, .to_device = target, .to_pitch = to_pitch,
        .width = width, .height = rows
    };
    const enum qn_status status = cuda_enter(context);
    if (status != QN_OK || width == 0 || rows == 0)
        return status;
    return qn__driver_check(cuda,
                            rows == 1 ? cuda->to_device(target, from, width)
                                      : cuda->copy_2d(&copy),
                            "copying to the device");
}

static enum qn_status cuda_download(struct qn_context *context, void *to,
                                    size_t to_pitch, const void *from,
                                    size_t from_pitch, size_t width,
                                    size_t rows)
{
    const struct qn__cuda *const cuda = context->cuda;
    const driver_address origin = (driver_address)(uintptr_t)from;
    const struct driver_copy copy = { .from_kind = DRIVER_DEVICE,
                                      .from_device = origin,
                                      .from_pitch = from_pitch,
                                      .to_kind = DRIVER_HOST,
                                      .to_host = to,
                                      .to_pitch = to_pitch,
                                      .width = width,
                                      .height = rows };
    const enum qn_status status = cuda_enter(context);
    if (status != QN_OK || width == 0 || rows == 0)
        return status;
    return qn__driver_check(cuda,
                            rows == 1 ? cuda->to_host(to, origin, width)
                                      : cuda->copy_2d(&copy),
                            "copying from the device");
}

/* A fault of a kernel launched before is reported here, and ever after. */
static enum qn_status cuda_synchronize(struct qn_context *context)
{
    const struct qn__cuda *const cuda = context->cuda;
    const enum qn_status status = cuda_enter(context);
    if (status != QN_OK)
        return status;
    return qn__driver_check(cuda, cuda->synchronize(), "running kernels");
}

static enum qn_status cuda_start(struct qn_context *context)
{
    const struct qn__cuda *const cuda = context->cuda;
    const enum qn_status status = cuda_enter(context);
    if (status != QN_OK)
        return status;
    return qn__driver_check(
        cuda, cuda->event_record(cuda->begin, context->stream), "timing");
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
    return qn__driver_check(cuda, code, "timing");
}

static enum qn_status cuda_explain(struct qn_context *context,
                                   const struct qn__library *library, int code,
                                   const char *what)
{
    (void)library;
    return qn__driver_check(context->cuda, code, what);
}

const struct qn__backend qn__cuda_backend = { .name = "cuda",
                                              .accepts = { "cuda" },
                                              .jobs = "quern_device_cuda.so",
                                              .lanes = &qn__cuda_lanes,
                                              .open = cuda_open,
                                              .close = cuda_close,
                                              .enter = cuda_enter,
                                              .fits = cuda_fits,
                                              .alloc = cuda_alloc,
                                              .release = cuda_release,
                                              .upload = cuda_upload,
                                              .download = cuda_download,
                                              .synchronize = cuda_synchronize,
                                              .start = cuda_start,
                                              .stop = cuda_stop,
                                              .explain = cuda_explain };
