/* qn_kernels_bench: batches of launches on random data, and between them
 * batches of the stream kernel with the same mix of reads and writes on arrays
 * of the same size. The two alternate, so that both see the same clock and the
 * same neighbours; what kernels write is drawn anew before each batch. */
#include "mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LAUNCHES = 64, SEED = 20 };

static const double batch_seconds = 0.02;   /* noise of the clock: far below */

struct bench {
    struct qn_module *module;
    struct qn_kernel *const *kernels;       /* launched one after the other */
    int count;
    const struct qn_kernel *most;           /* that moves most bytes */
    struct qn__state user;
    void *streams[2 * DEVICE_STREAMS];
    struct device_args stream;
    double stream_bytes;            /* moved by one launch of the stream */
};

static bool is_written(const struct bench *bench, int field, int buffer)
{
    bool any = false, read, written;
    for (int i = 0; i < bench->count; i++) {
        qn__kernel_use(bench->kernels[i]->info, field, buffer, &read, &written);
        any = any || written;
    }
    return any;
}

static enum qn_status draw_field(const struct bench *bench, int index,
                                 bool first)
{
    struct qn_field *const field = bench->module->state.fields[index];
    struct qn_context *const context = bench->module->context;
    for (int b = 0; b < field->info->buffers; b++) {
        if (!first && !is_written(bench, index, b))
            continue;
        const enum qn_status status = qn__job_random(
            context, field->info->type, qn__packed_start(field, b),
            field->layout.count, field->layout.step,
            qn__draw_seed(field->info, b, SEED), field->info->low,
            field->info->high);
        if (status != QN_OK)
            return status;
    }
    return QN_OK;
}

static enum qn_status draw(const struct bench *bench, bool first)
{
    enum qn_status status = QN_OK;
    for (int f = 0; status == QN_OK && f < bench->module->info->field_count;
         f++)
        status = draw_field(bench, f, first);
    return status;
}

static enum qn_status make_fields(struct bench *bench)
{
    struct qn_module *const module = bench->module;
    struct qn_field *field;
    enum qn_status status = QN_OK;
    qn__draw_scalars(bench->kernels[0], SEED);
    status = qn__tables_copy(&bench->user, module);
    if (status == QN_OK)
        status = qn__draw_tables(module, SEED);
    for (int f = 0; status == QN_OK && f < module->info->field_count; f++)
        status = qn__field_make(module, f, 0, &field);
    return status == QN_OK ? draw(bench, true) : status;
}

static double points_of(const struct qn_kernel *kernel)
{
    const struct quern_kernel *const info = kernel->info;
    const double steps = info->steps > 1 ? info->steps : 1;
    return info->points
        ? steps * (double)info->points(kernel->module->state.args) : 0;
}

static double bytes_of(const struct qn_kernel *kernel)
{
    const struct quern_kernel *const info = kernel->info;
    double read, written;
    if (info->table_count == 0)
        return info->moved ? (double)info->moved(kernel->module->state.args)
                           : points_of(kernel) * info->bytes;
    qn__mesh_bytes(kernel, &read, &written);
    return read + written;
}

static void find_most(struct bench *bench)
{
    bench->most = bench->kernels[0];
    for (int i = 1; i < bench->count; i++)
        if (bytes_of(bench->kernels[i]) > bytes_of(bench->most))
            bench->most = bench->kernels[i];
}

/* The first in_place arrays are read and written, then come those only read,
 * then those only written. */
static enum qn_status make_streams(struct bench *bench)
{
    const struct qn__mix mix = qn__mix(bench->most);
    struct qn_context *const context = bench->module->context;
    struct device_args *const args = &bench->stream;
    if (mix.reads > DEVICE_STREAMS || mix.writes > DEVICE_STREAMS)
        return qn__fail(QN_INVALID,
                        "%s reads %d and writes %d arrays: the stream kernel"
                        " has at most %d", bench->most->info->name,
                        mix.reads, mix.writes, DEVICE_STREAMS);
    args->count = (int64_t)mix.size;
    args->reads = mix.reads;
    args->writes = mix.writes;
    bench->stream_bytes = (double)mix.size * (mix.reads + mix.writes);
    const int arrays = mix.reads + mix.writes - mix.in_place;
    for (int a = 0; a < arrays; a++) {
        enum qn_status status = context->backend->alloc(context, mix.size,
                                                        &bench->streams[a]);
        if (status == QN_OK)
            status = qn__job_random(context, QUERN_INT, bench->streams[a],
                                    (int64_t)(mix.size / 4), 1, (uint64_t)a,
                                    INT32_MIN, INT32_MAX);
        if (status != QN_OK)
            return status;
        if (a < mix.reads)
            args->read[a] = bench->streams[a];
        if (a < mix.in_place)
            args->written[a] = bench->streams[a];
        else if (a >= mix.reads)
            args->written[a - mix.reads + mix.in_place] = bench->streams[a];
    }
    return QN_OK;
}

static enum qn_status launch(struct bench *bench, bool stream)
{
    enum qn_status status = QN_OK;
    if (stream)
        return qn__job_run(bench->module->context, "stream", &bench->stream);
    for (int i = 0; status == QN_OK && i < bench->count; i++)
        status = qn__kernel_fire(bench->kernels[i]);
    return status;
}

/* Seconds per launch of a batch; one launch before it is not timed. */
static enum qn_status time_batch(struct bench *bench, bool stream, int launches,
                                 double *seconds)
{
    struct qn_context *const context = bench->module->context;
    double total = 0;
    enum qn_status status = launch(bench, stream);
    if (status == QN_OK)
        status = context->backend->synchronize(context);
    if (status == QN_OK)
        status = context->backend->start(context);
    for (int i = 0; status == QN_OK && i < launches; i++)
        status = launch(bench, stream);
    if (status == QN_OK)
        status = context->backend->stop(context, &total);
    *seconds = total / launches;
    return status;
}

/* As many launches as fill a batch, found by doubling; also the warm-up. */
static enum qn_status calibrate(struct bench *bench, bool stream, int *launches)
{
    for (*launches = 1; *launches < MOST_LAUNCHES; *launches *= 2) {
        double seconds = 0;
        const enum qn_status status = time_batch(bench, stream, *launches,
                                                 &seconds);
        if (status != QN_OK || seconds * *launches >= batch_seconds)
            return status;
    }
    return QN_OK;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static double median(const double *sorted, int count)
{
    return 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
}

static void report(const struct bench *bench, double *times, double *streams,
                   int repeats, struct qn_timing *timing)
{
    double points = 0, bytes = 0;
    for (int i = 0; i < bench->count; i++) {
        points += points_of(bench->kernels[i]);
        bytes += bytes_of(bench->kernels[i]);
    }
    qsort(times, (size_t)repeats, sizeof *times, compare);
    qsort(streams, (size_t)repeats, sizeof *streams, compare);
    timing->repeats = repeats;
    timing->median = median(times, repeats);
    timing->least = times[0];
    timing->spread = (times[repeats - 1] - times[0]) / timing->median;
    timing->points_per_second = points / timing->median;
    timing->bytes_per_second = bytes / timing->median;
    timing->stream_bytes_per_second = bench->stream_bytes
                                    / median(streams, repeats);
    timing->tiles = qn__tiles_made(bench->kernels[0]);
    qn_kernel_regular(bench->kernels[0], &timing->regular);
    timing->ratio = timing->bytes_per_second / timing->stream_bytes_per_second;
}

static enum qn_status measure(struct bench *bench, int repeats, double *times,
                              double *streams)
{
    int launches, stream_launches;
    enum qn_status status = calibrate(bench, false, &launches);
    if (status == QN_OK)
        status = calibrate(bench, true, &stream_launches);
    for (int r = 0; status == QN_OK && r < repeats; r++) {
        status = draw(bench, false);
        if (status == QN_OK)
            status = time_batch(bench, false, launches, &times[r]);
        if (status == QN_OK)
            status = time_batch(bench, true, stream_launches, &streams[r]);
    }
    return status;
}

static enum qn_status run(struct bench *bench, int repeats,
                          struct qn_timing *timing)
{
    double *const times = calloc(2 * (size_t)repeats, sizeof *times);
    enum qn_status status = times ? make_fields(bench)
        : qn__fail(QN_NO_MEMORY, "no memory for %d times", repeats);
    if (status == QN_OK)
        find_most(bench);
    if (status == QN_OK && qn__mix(bench->most).size == 0)
        status = qn__fail(QN_INVALID, "%s: there is no point to time",
                          bench->most->info->name);
    /* Twice: one that makes the workspace larger takes away what those before
     * it had there. */
    for (int i = 0; status == QN_OK && i < 2 * bench->count; i++)
        status = qn__kernel_ready(bench->kernels[i % bench->count]);
    if (status == QN_OK)
        status = make_streams(bench);
    if (status == QN_OK)
        status = measure(bench, repeats, times, times + repeats);
    if (status == QN_OK)
        report(bench, times, times + repeats, repeats, timing);
    free(times);
    return status;
}

enum qn_status qn_kernel_bench(struct qn_kernel *kernel, int repeats,
                               struct qn_timing *timing)
{
    return qn_kernels_bench(1, &kernel, repeats, timing);
}

enum qn_status qn_kernels_bench(int count, struct qn_kernel *const *kernels,
                                int repeats, struct qn_timing *timing)
{
    struct qn_module *const module = kernels[0]->module;
    struct qn__state fresh;
    struct bench bench = { .module = module, .kernels = kernels, .count = count,
                           .user = module->state };
    memset(timing, 0, sizeof *timing);
    if (repeats < 1 || repeats > 10000)
        return qn__fail(QN_INVALID, "%d repeats: they are 1 to 10000", repeats);
    if (!module->state.sized)
        return qn__fail(QN_INVALID, "%s has no extents yet: qn_module_resize",
                        module->info->instance);
    enum qn_status status = qn__state_make(module, &fresh);
    if (status != QN_OK)
        return status;
    module->state = fresh;
    status = run(&bench, repeats, timing);
    for (int i = 0; i < 2 * DEVICE_STREAMS; i++)
        module->context->backend->release(module->context, bench.streams[i]);
    qn__state_free(module, &module->state);
    module->state = bench.user;
    return status;
}
