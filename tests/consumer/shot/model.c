/* Velocity models: read, check, pad; or layers made here. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shot.h"

int fail(struct failure *failure, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(failure->why, sizeof failure->why, format, arguments);
    va_end(arguments);
    return -1;
}

int64_t model_points(const struct model *model)
{
    return model->n[0] * model->n[1] * model->n[2];
}

void model_free(struct model *model)
{
    free(model->velocity);
    model->velocity = NULL;
}

static int model_allocate(struct model *model, struct failure *failure)
{
    size_t points = 1;

    for (int a = 0; a < 3; a++) {
        if (model->n[a] < 1
            || __builtin_mul_overflow(points, (size_t)model->n[a], &points))
            return fail(failure, "a model of %lld x %lld x %lld points cannot be",
                        (long long)model->n[0], (long long)model->n[1],
                        (long long)model->n[2]);
    }
    model->velocity = calloc(points, sizeof *model->velocity);
    if (!model->velocity)
        return fail(failure, "no memory for %zu velocities", points);
    return 0;
}

static int model_check(const struct model *model, const char *path,
                       struct failure *failure)
{
    const int64_t points = model_points(model);

    for (int64_t i = 0; i < points; i++) {
        const float v = model->velocity[i];
        if (!isfinite(v) || v <= 0) {
            const int64_t x = i % model->n[0], rest = i / model->n[0];
            return fail(failure, "%s: the velocity at (%lld, %lld, %lld) is %g m/s;"
                        " wanted a positive number", path, (long long)x,
                        (long long)(rest % model->n[1]),
                        (long long)(rest / model->n[1]), (double)v);
        }
    }
    return 0;
}

static int values_read(FILE *in, const struct model_file *file, float *values,
                       size_t points, struct failure *failure)
{
    const size_t got = fread(values, sizeof *values, points, in);

    if (got != points)
        return fail(failure, "%s: holds %zu values, wanted %zu", file->path, got,
                    points);
    if (fgetc(in) != EOF)
        return fail(failure, "%s: holds more than the %zu values wanted", file->path,
                    points);
    return 0;
}

/* Which axis of the model the file's axis `a` is. Depth is the last. */
static int axis_of(const struct model_file *file, int a)
{
    const char letter = file->order[a];
    return letter == 'z' ? file->axes - 1 : letter - 'x';
}

static int order_check(const struct model_file *file, struct failure *failure)
{
    int seen[3] = { 0, 0, 0 };

    if (strlen(file->order) != (size_t)file->axes)
        return fail(failure, "the axes '%s' are not the %d of the model", file->order,
                    file->axes);
    for (int a = 0; a < file->axes; a++) {
        const char letter = file->order[a];
        const int known = letter == 'x' || letter == 'z'
                          || (letter == 'y' && file->axes == 3);
        if (!known || seen[axis_of(file, a)]++)
            return fail(failure, "the axes '%s' are not an order of '%s'", file->order,
                        file->axes == 2 ? "xz" : "xyz");
    }
    for (int a = 0; a < file->axes; a++)
        if (!(file->spacing[a] > 0) || !isfinite(file->spacing[a]))
            return fail(failure, "a spacing of %g m cannot be", file->spacing[a]);
    for (int a = 0; a < file->axes; a++)
        if (file->size[a] < 2)
            return fail(failure, "%s: a model of %lld point along %c has no wavefield to"
                        " draw: wanted at least 2", file->path, (long long)file->size[a],
                        file->order[a]);
    if (file->spacings && file->spacings != file->axes)
        return fail(failure, "%d spacings were given for %d axes", file->spacings,
                    file->axes);
    return 0;
}

/* The values in the model's order: x contiguous, depth last. */
static int reorder(const struct model_file *file, const float *values,
                   struct model *model, struct failure *failure)
{
    int64_t stride[3] = { 0, 0, 0 }, step = 1;

    *model = (struct model) { .axes = file->axes, .n = { 1, 1, 1 } };
    for (int a = 0; a < file->axes; a++) {
        const int to = axis_of(file, a);
        model->n[to] = file->size[a];
        model->h[to] = file->spacing[a];
        stride[to] = step;
        step *= file->size[a];
    }
    if (model_allocate(model, failure))
        return -1;
    float *out = model->velocity;
    for (int64_t k = 0; k < model->n[2]; k++)
        for (int64_t j = 0; j < model->n[1]; j++)
            for (int64_t i = 0; i < model->n[0]; i++)
                *out++ = values[i * stride[0] + j * stride[1] + k * stride[2]];
    return 0;
}

static int model_load(FILE *in, struct model_file *file, struct model *model,
                      struct failure *failure)
{
    size_t points = 1;
    int status;

    if (npy_is(file->path) && npy_header(in, file, failure))
        return -1;
    if (order_check(file, failure))
        return -1;
    for (int a = 0; a < file->axes; a++)
        if (file->size[a] < 1
            || __builtin_mul_overflow(points, (size_t)file->size[a], &points)
            || points > SIZE_MAX / sizeof(float))
            return fail(failure, "%s: an extent of %lld cannot be", file->path,
                        (long long)file->size[a]);
    float *values = malloc(points * sizeof *values);
    if (!values)
        return fail(failure, "no memory for %zu velocities", points);
    status = values_read(in, file, values, points, failure);
    if (status == 0)
        status = reorder(file, values, model, failure);
    free(values);
    return status;
}

int model_read(const struct model_file *asked, struct model *model,
               struct failure *failure)
{
    struct model_file file = *asked;
    FILE *in = fopen(file.path, "rb");

    *model = (struct model) { 0 };
    if (!in)
        return fail(failure, "%s: %s", file.path, strerror(errno));
    int status = model_load(in, &file, model, failure);
    fclose(in);
    if (status == 0)
        status = model_check(model, file.path, failure);
    if (status)
        model_free(model);
    return status;
}

/* Five layers over a half space, dipping along x, with a slow lens: enough
 * structure for reflections that the eye can follow. */
static float layer_velocity(double x, double depth)
{
    static const float velocity[] = { 1500, 1900, 2300, 2100, 2900, 3600 };
    static const double top[] = { 0.12, 0.28, 0.42, 0.58, 0.78 };
    const double lens = hypot((x - 0.62) / 0.16, (depth - 0.5) / 0.06);
    int layer = 0;

    while (layer < 5 && depth > top[layer] + 0.05 * (layer > 0) * sin(3.0 * x + layer))
        layer++;
    return lens < 1 ? 1700 : velocity[layer];
}

int model_layers(int axes, struct model *model, struct failure *failure)
{
    *model = (struct model) { .axes = axes };
    const int64_t n2[3] = { 401, 151, 1 }, n3[3] = { 101, 91, 61 };
    for (int a = 0; a < 3; a++) {
        model->n[a] = axes == 2 ? n2[a] : n3[a];
        model->h[a] = axes == 2 ? 20 : (const double[]) { 40, 50, 30 }[a];
    }
    if (model_allocate(model, failure))
        return -1;
    const int last = axes - 1;
    const int64_t points = model_points(model);
    for (int64_t i = 0; i < points; i++) {
        const int64_t rest = i / model->n[0];
        const int64_t depth = last == 1 ? rest % model->n[1] : rest / model->n[1];
        model->velocity[i] = layer_velocity(
            (double)(i % model->n[0]) / (double)model->n[0],
            (double)depth / (double)model->n[last]);
    }
    return 0;
}

static int64_t clamp(int64_t i, int64_t n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

int model_pad(const struct model *model, int64_t width, struct model *padded,
              struct failure *failure)
{
    const int64_t *n = model->n;
    int64_t w[3] = { width, width, width };

    *padded = *model;
    padded->velocity = NULL;
    if (model->axes == 2)
        w[2] = 0;
    for (int a = 0; a < model->axes; a++)
        padded->n[a] = n[a] + 2 * width;
    if (model_allocate(padded, failure))
        return -1;
    float *out = padded->velocity;
    for (int64_t k = 0; k < padded->n[2]; k++)
        for (int64_t j = 0; j < padded->n[1]; j++)
            for (int64_t i = 0; i < padded->n[0]; i++)
                *out++ = model->velocity[clamp(i - w[0], n[0])
                    + n[0] * (clamp(j - w[1], n[1]) + n[1] * clamp(k - w[2], n[2]))];
    return 0;
}

void model_range(const struct model *model, float *least, float *largest)
{
    const int64_t points = model_points(model);

    *least = *largest = model->velocity[0];
    for (int64_t i = 1; i < points; i++) {
        *least = fminf(*least, model->velocity[i]);
        *largest = fmaxf(*largest, model->velocity[i]);
    }
}
