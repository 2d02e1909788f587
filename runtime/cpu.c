/* The contexts whose memory is the host's: cpu runs modules in C, simt the CUDA
 * text compiled for the host. They differ in what they load, nothing else. */
#define _DEFAULT_SOURCE                 /* madvise */
#include "lane.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { ALIGNMENT = 256, LARGE_PAGE = 1 << 21 };

/* What the processor calls itself, "" where nobody knows. */
static void read_model(char *model, size_t size)
{
    FILE *const file = fopen("/proc/cpuinfo", "r");
    char line[256];
    model[0] = 0;
    while (file && !model[0] && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':'))
            snprintf(model, size, "%s", strchr(line, ':') + 2);
    model[strcspn(model, "\n")] = 0;
    if (file)
        fclose(file);
}

static enum qn_status cpu_open(struct qn_context *context, int index)
{
    (void)index;
    const int threads = omp_get_max_threads();
    char model[80];
    read_model(model, sizeof model);
    snprintf(context->device, sizeof context->device, "%s, %s%s%d thread%s",
             context->backend->name, model, model[0] ? ", " : "", threads,
             threads == 1 ? "" : "s");
    return QN_OK;
}

static void cpu_close(struct qn_context *context)
{
    (void)context;
}

static enum qn_status cpu_ready(struct qn_context *context)
{
    (void)context;
    return QN_OK;
}

static enum qn_status cpu_fits(struct qn_context *context, const char *arch)
{
    (void)context;
    (void)arch;
    return QN_OK;
}

static enum qn_status cpu_alloc(struct qn_context *context, size_t size,
                                void **data)
{
    (void)context;
    const size_t rounded = size < ALIGNMENT ? ALIGNMENT : size;
    const bool large = size >= 2 * LARGE_PAGE;
    *data = NULL;
    if (posix_memalign(data, large ? LARGE_PAGE : ALIGNMENT, rounded) != 0)
        return qn__fail(QN_NO_MEMORY, "no memory for an array of %zu bytes",
                        size);
#ifdef MADV_HUGEPAGE
    /* A stencil reads dozens of rows at once, each on a page of its own. A
     * wish: without it all is the same, and slower. */
    if (large)
        madvise(*data, size / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
#endif
    return QN_OK;
}

static void cpu_release(struct qn_context *context, void *data)
{
    (void)context;
    free(data);
}

static enum qn_status cpu_copy(struct qn_context *context, void *to,
                               size_t to_pitch, const void *from,
                               size_t from_pitch, size_t width, size_t rows)
{
    (void)context;
    for (size_t row = 0; row < rows; row++)
        memcpy((char *)to + row * to_pitch,
               (const char *)from + row * from_pitch, width);
    return QN_OK;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static enum qn_status cpu_start(struct qn_context *context)
{
    context->started = now();
    return QN_OK;
}

static enum qn_status cpu_stop(struct qn_context *context, double *seconds)
{
    *seconds = now() - context->started;
    return QN_OK;
}

static enum qn_status cpu_explain(struct qn_context *context,
                                  const struct qn__library *library, int code,
                                  const char *what)
{
    (void)context;
    const char *const found = library->report ? library->report() : "";
    if (found[0])
        return qn__fail(QN_DEVICE, "%s: %s", what, found);
    return qn__fail(QN_DEVICE, "%s: the launch failed with code %d", what,
                    code);
}

const struct qn__backend qn__cpu_backend = {
    .name = "cpu", .accepts = { "c", "reference" },
    .open = cpu_open, .close = cpu_close, .enter = cpu_ready, .fits = cpu_fits,
    .alloc = cpu_alloc, .release = cpu_release,
    .upload = cpu_copy, .download = cpu_copy, .synchronize = cpu_ready,
    .start = cpu_start, .stop = cpu_stop, .explain = cpu_explain,
    .lanes = &qn__host_lanes, .anywhere = true
};

const struct qn__backend qn__simt_backend = {
    .name = "simt", .accepts = { "simt" }, .jobs = "quern_device_simt.so",
    .open = cpu_open, .close = cpu_close, .enter = cpu_ready, .fits = cpu_fits,
    .alloc = cpu_alloc, .release = cpu_release,
    .upload = cpu_copy, .download = cpu_copy, .synchronize = cpu_ready,
    .start = cpu_start, .stop = cpu_stop, .explain = cpu_explain,
    .lanes = &qn__host_lanes, .apart = true
};
