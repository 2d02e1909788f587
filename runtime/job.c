/* The runtime's own kernels (device.h): found, and launched as any other.
 *
 * A cpu context has them in this library. The others load a module from the
 * folder given by qn_context_runtime, else $QUERN_RUNTIME, else the folder of
 * the program or shared library that this code is in. */
#define _GNU_SOURCE
#include "internal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of the object that holds this function, into path. */
static void own_folder(char *path, size_t size)
{
    static const char anchor = 0;
    Dl_info info;
    ssize_t length = 0;
    if (dladdr(&anchor, &info) && info.dli_fname
        && strstr(info.dli_fname, ".so"))
        snprintf(path, size, "%s", info.dli_fname);
    else if ((length = readlink("/proc/self/exe", path, size - 1)) >= 0)
        path[length] = 0;
    else
        path[0] = 0;
    char *const slash = strrchr(path, '/');
    if (slash)
        *slash = 0;
    else
        snprintf(path, size, ".");
}

static enum qn_status load(const struct qn_context *context,
                           struct qn__library *library)
{
    char folder[4096], path[4352];
    const char *const wanted = context->folder ? context->folder
                                               : getenv("QUERN_RUNTIME");
    if (wanted && *wanted)
        snprintf(folder, sizeof folder, "%s", wanted);
    else
        own_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/%s", folder, context->backend->jobs);
    const enum qn_status status = qn__library_open(path, library);
    if (status == QN_OK
        && library->info->args_size != sizeof(struct device_args))
        return qn__fail(QN_MISMATCH,
                        "%s is of another version than this library", path);
    return status;
}

static enum qn_status find_jobs(struct qn_context *context)
{
    if (context->jobs)
        return QN_OK;
    struct qn__library *const library = calloc(1, sizeof *library);
    if (!library)
        return qn__fail(QN_NO_MEMORY, "no memory for a module");
    enum qn_status status = QN_OK;
    if (context->backend->jobs)
        status = load(context, library);
    else
        library->info = &qn__host_module;
    if (status == QN_OK)
        status = context->backend->fits(context, library->info->arch);
    if (status != QN_OK) {
        qn__library_close(library);
        free(library);
        return status;
    }
    context->jobs = library;
    return QN_OK;
}

enum qn_status qn__job_run(struct qn_context *context, const char *name,
                           struct device_args *args)
{
    enum qn_status status = context->backend->enter(context);
    if (status == QN_OK)
        status = find_jobs(context);
    if (status != QN_OK)
        return status;
    args->struct_size = sizeof *args;
    const struct quern_module *const info = context->jobs->info;
    for (int i = 0; i < info->kernel_count; i++) {
        const struct quern_kernel *const kernel = &info->kernels[i];
        if (strcmp(kernel->name, name) != 0)
            continue;
        const int code = kernel->launch(args, context->stream);
        return code == 0 ? QN_OK
            : context->backend->explain(context, context->jobs, code, name);
    }
    return qn__fail(QN_NOT_FOUND, "the runtime has no kernel '%s'", name);
}

enum qn_status qn__job_fill(struct qn_context *context,
                            const struct qn__layout *layout, void *data,
                            uint64_t bits)
{
    const size_t before = (size_t)layout->place * layout->size;
    struct device_args args = { .data = (char *)data + before,
                                .count = layout->count,
                                .step = layout->step,
                                .bits = bits,
                                .size = (int64_t)layout->size };
    return qn__job_run(context, "fill", &args);
}

enum qn_status qn__job_random(struct qn_context *context, enum quern_type type,
                              void *data, int64_t count, int64_t step,
                              uint64_t seed, double low, double high)
{
    struct device_args args = { .data = data,
                                .count = count,
                                .step = step,
                                .bits = seed,
                                .type = (int64_t)type,
                                .low = low,
                                .high = high };
    return qn__job_run(context, "random", &args);
}
