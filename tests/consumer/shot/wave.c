/* The time loop: generated kernels, a source, receivers, snapshots. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quern.h"
#include "shot.h"

struct run {
    const struct survey *survey;
    const struct model *model;      /* as given */
    struct model padded;            /* with the PML around it */
    struct qn_context *context;
    struct qn_module *module;
    struct qn_field *u, *phi, *c2dt2, *eta;
    int64_t source[3];              /* the point of the padded grid that is nearest */
    int64_t depth;                  /* the receivers', likewise */
    struct qn_places *shot, *line;  /* where they are: anywhere */
    double *samples;
    float *level;                   /* one time level, for the snapshots */
};

static int quern(enum qn_status status, struct failure *failure)
{
    return status == QN_OK ? 0 : fail(failure, "%s", qn_last_error());
}

static void fill_coefficients(const struct run *run, float *c2dt2, float *eta)
{
    const struct model *model = &run->padded;
    const double dt = run->survey->dt;
    float slowest, fastest;

    model_range(model, &slowest, &fastest);
    const int64_t points = model_points(model);
    for (int64_t p = 0; p < points; p++) {
        const double v = (double)model->velocity[p];
        int64_t rest = p;
        double sum = 0;
        for (int a = 0; a < model->axes; a++) {
            sum += survey_damping(run->survey, rest % model->n[a], model->n[a],
                                  model->h[a], (double)fastest);
            rest /= model->n[a];
        }
        c2dt2[p] = (float)(v * v * dt * dt);
        eta[p] = (float)sum;
    }
}

static int write_coefficients(struct run *run, struct failure *failure)
{
    const size_t points = (size_t)model_points(&run->padded);
    float *c2dt2 = malloc(points * sizeof *c2dt2), *eta = malloc(points * sizeof *eta);
    int status = -1;

    if (!c2dt2 || !eta) {
        fail(failure, "no memory for %zu coefficients", points);
    } else {
        fill_coefficients(run, c2dt2, eta);
        status = quern(qn_field_write(run->c2dt2, 0, c2dt2), failure)
                 || quern(qn_field_write(run->eta, 0, eta), failure)
                 || quern(qn_field_extend(run->eta, 0), failure);
    }
    free(c2dt2);
    free(eta);
    return status ? -1 : 0;
}

static int make_fields(struct run *run, struct failure *failure)
{
    static const char *const spacing[] = { "hx", "hy", "hz" };

    if (quern(qn_module_resize(run->module, run->padded.n), failure)
        || quern(qn_module_set(run->module, "width", (double)run->survey->width),
                 failure))
        return -1;
    for (int a = 0; a < run->padded.axes; a++)
        if (quern(qn_module_set(run->module, spacing[a], run->padded.h[a]), failure))
            return -1;
    return quern(qn_field_create(run->module, "u", &run->u), failure)
           || quern(qn_field_create(run->module, "phi", &run->phi), failure)
           || quern(qn_field_create(run->module, "vp2dt2", &run->c2dt2), failure)
           || quern(qn_field_create(run->module, "eta", &run->eta), failure) ? -1 : 0;
}

static int open_kernels(struct run *run, struct failure *failure)
{
    const struct survey *survey = run->survey;
    const int cuda = strncmp(survey->context, "cuda", 4) == 0;
    const char *backend = strcmp(survey->context, "cpu") == 0 ? "c" : survey->context;
    char path[1024];

    snprintf(path, sizeof path, "%s/acoustic_iso_d%d_%s.so", survey->modules,
             run->model->axes, cuda ? "cuda" : backend);
    return quern(qn_context_open(survey->context, &run->context), failure)
           || quern(qn_module_load(run->context, path, &run->module), failure) ? -1 : 0;
}

/* A place given in metres, in points of the padded grid. */
static double place(const struct run *run, int axis, double metres)
{
    return metres / run->model->h[axis] + (double)run->survey->width;
}

/* One receiver per point along x, at one depth, beneath or above the source. */
static void lay_line(const struct run *run, double *at)
{
    const int axes = run->model->axes, last = axes - 1;

    for (int64_t r = 0; r < run->model->n[0]; r++, at += axes) {
        for (int a = 0; a < axes; a++)
            at[a] = place(run, a, run->survey->source[a]);
        at[0] = (double)(r + run->survey->width);
        at[last] = place(run, last, run->survey->receiver_depth);
    }
}

static int place_instruments(struct run *run, struct record *record,
                             struct failure *failure)
{
    static const struct qn_interpolation sinc = { .half_width = 4 };
    const int axes = run->model->axes;
    const size_t count = (size_t)run->model->n[0];
    double source[3], *const line = malloc(count * (size_t)axes * sizeof *line);
    int status = -1;

    for (int a = 0; a < axes; a++) {
        source[a] = place(run, a, run->survey->source[a]);
        run->source[a] = llround(source[a]);
    }
    run->depth = llround(place(run, axes - 1, run->survey->receiver_depth));
    record->receivers = (int64_t)count;
    run->samples = malloc(count * sizeof *run->samples);
    if (!line || !run->samples) {
        fail(failure, "no memory for %zu receivers", count);
    } else {
        lay_line(run, line);
        status = quern(qn_places_create(run->u, 1, source, &sinc, &run->shot), failure)
                 || quern(qn_places_create(run->u, count, line, &sinc, &run->line), failure);
    }
    free(line);
    return status ? -1 : 0;
}

static int make_record(struct run *run, struct record *record, struct failure *failure)
{
    const struct model *model = run->model;
    const size_t plane = (size_t)(model->n[0] * model->n[model->axes - 1]);
    const size_t planes = (size_t)run->survey->snapshots;
    size_t values;

    record->dt = run->survey->dt;
    record->frequency = run->survey->frequency;
    record->steps = (int64_t)ceil(run->survey->duration / record->dt);
    if (__builtin_mul_overflow((size_t)record->steps, (size_t)record->receivers,
                               &values) || values > (size_t)1 << 32)
        return fail(failure, "%lld steps of %lld receivers are too many to keep",
                    (long long)record->steps, (long long)record->receivers);
    record->gather = calloc(values, sizeof *record->gather);
    record->times = calloc(planes + 1, sizeof *record->times);
    record->sections = calloc(planes * plane + 1, sizeof *record->sections);
    record->maps = calloc(planes * (size_t)(model->n[0] * model->n[1]) + 1,
                          sizeof *record->maps);
    run->level = malloc((size_t)model_points(&run->padded) * sizeof *run->level);
    if (!record->gather || !record->times || !record->sections || !record->maps
        || !run->level)
        return fail(failure, "no memory for the record of the shot");
    return 0;
}

/* One row along x, without the PML, of the level at model indices j and k. */
static void cut_row(const struct run *run, int64_t j, int64_t k, float *row)
{
    const int64_t *n = run->padded.n, w = run->survey->width;
    const int64_t at = run->model->axes == 2 ? k + w : j + w + n[1] * (k + w);

    memcpy(row, run->level + at * n[0] + w, (size_t)run->model->n[0] * sizeof *row);
}

/* The section through the source and, in 3-D, the map at the receivers. */
static void cut_planes(const struct run *run, float *section, float *map)
{
    const struct model *model = run->model;
    const int64_t w = run->survey->width, *n = model->n;

    for (int64_t k = 0; k < n[model->axes - 1]; k++)
        cut_row(run, run->source[1] - w, k, section + k * n[0]);
    for (int64_t j = 0; model->axes == 3 && j < n[1]; j++)
        cut_row(run, j, run->depth - w, map + j * n[0]);
}

static int take_snapshot(struct run *run, struct record *record, int64_t step,
                         struct failure *failure)
{
    const struct model *model = run->model;
    const int64_t plane = model->n[0] * model->n[model->axes - 1];

    if (quern(qn_field_read(run->u, 0, run->level), failure))
        return -1;
    record->times[record->planes] = (double)step * record->dt;
    cut_planes(run, record->sections + record->planes * plane,
               record->maps + record->planes * model->n[0] * model->n[1]);
    record->planes++;
    return 0;
}

/* One step, its source, its samples. After it, level 0 is the newest. */
static int step(struct run *run, struct record *record, int64_t it,
                struct failure *failure)
{
    const double t = (double)it * record->dt;
    const int64_t *n = run->padded.n;
    const int64_t at = run->source[0] + n[0] * (run->source[1] + n[1] * run->source[2]);
    const double v = (double)run->padded.velocity[at];
    const double value = v * v * record->dt * record->dt
                         * survey_ricker(t, record->frequency);
    float *row = record->gather + it * record->receivers;

    if (quern(qn_module_step(run->module), failure)
        || quern(qn_places_inject(run->shot, 0, &value), failure)
        || quern(qn_places_sample(run->line, 0, run->samples), failure))
        return -1;
    for (int64_t r = 0; r < record->receivers; r++)
        row[r] = (float)run->samples[r];
    if (!isfinite(row[0]))
        return fail(failure, "the wave is not finite after step %lld", (long long)it + 1);
    return 0;
}

static int march(struct run *run, struct record *record, struct failure *failure)
{
    const int64_t gap = record->steps / (run->survey->snapshots + 1);
    struct progress progress;
    int status = 0;

    progress_start(&progress);
    for (int64_t it = 0; it < record->steps && status == 0; it++) {
        status = step(run, record, it, failure);
        if (status == 0 && gap && (it + 1) % gap == 0
            && record->planes < run->survey->snapshots)
            status = take_snapshot(run, record, it + 1, failure);
        progress_show(&progress, it + 1, record->steps);
    }
    if (status == 0)
        status = quern(qn_context_synchronize(run->context), failure);
    progress_end(&progress);
    record->seconds = wall_seconds() - progress.start;
    record->points_per_second = (double)(model_points(&run->padded) * record->steps)
                                / record->seconds;
    return status;
}

int wave_shoot(const struct survey *survey, const struct model *model,
               struct record *record, struct failure *failure)
{
    struct run run = { .survey = survey, .model = model };
    int status;

    *record = (struct record) { 0 };
    status = model_pad(model, survey->width, &run.padded, failure)
             || open_kernels(&run, failure)
             || make_fields(&run, failure)
             || write_coefficients(&run, failure)
             || place_instruments(&run, record, failure)
             || make_record(&run, record, failure)
             || march(&run, record, failure);
    if (run.context)
        snprintf(record->device, sizeof record->device, "%s",
                 qn_context_device(run.context));
    if (run.module)
        qn_module_unload(run.module);
    if (run.context)
        qn_context_close(run.context);
    model_free(&run.padded);
    free(run.samples);
    free(run.level);
    return status ? -1 : 0;
}

void record_free(struct record *record)
{
    free(record->gather);
    free(record->times);
    free(record->sections);
    free(record->maps);
    *record = (struct record) { 0 };
}
