/* The reference as kernels: linked with the files of a reference module whose
 * descriptor was renamed oracle_module, makes a module that a loader can run a
 * simulation on. A launch writes the reference's values to the fields; a step
 * launches in order and moves the time levels on. */
#include <stdlib.h>
#include <string.h>

#include "abi.h"

enum { MOST = 64, MOST_KERNELS = 8 };

extern const struct quern_module oracle_module;
extern struct quern_module quern_module;
struct quern_module quern_module;

static struct quern_field fields[MOST];
static struct quern_kernel kernels[MOST_KERNELS];

/* The points that a field stores along its axes. */
static void extents_of(const struct quern_field *field, const void *args, int64_t *points)
{
    int64_t n[QUERN_MAX_RANK], limits[2] = { 0, 0 };
    memcpy(n, (const char *)args + oracle_module.extent,
           (size_t)oracle_module.axes * sizeof *n);
    for (int i = 0; i < field->rank; i++)
        points[i] = n[field->axis[i]];
    if (field->hollow)
        field->hollow(args, limits);
    points[field->hollow_axis] -= limits[1] - limits[0];
}

static int64_t points_of(const struct quern_field *field, const void *args)
{
    int64_t n[QUERN_MAX_RANK], points = 1;
    extents_of(field, args, n);
    for (int i = 0; i < field->rank; i++)
        points *= n[i];
    return points;
}

/* The arguments with places for the results of the reference. */
static char *with_results(const void *args)
{
    char *const copy = malloc(oracle_module.args_size);
    memcpy(copy, args, oracle_module.args_size);
    for (int i = 0; i < oracle_module.field_count; i++) {
        const struct quern_field *const field = &oracle_module.fields[i];
        if (!field->value)
            continue;
        const size_t points = (size_t)points_of(field, args) + 1;
        double *const value = calloc(points, sizeof *value);
        double *const bound = calloc(points, sizeof *bound);
        memcpy(copy + field->value, &value, sizeof value);
        memcpy(copy + field->bound, &bound, sizeof bound);
    }
    return copy;
}

static void free_results(char *copy)
{
    for (int i = 0; i < oracle_module.field_count; i++) {
        const struct quern_field *const field = &oracle_module.fields[i];
        double *value, *bound;
        if (!field->value)
            continue;
        memcpy(&value, copy + field->value, sizeof value);
        memcpy(&bound, copy + field->bound, sizeof bound);
        free(value);
        free(bound);
    }
    free(copy);
}

static void store(const struct quern_field *field, int buffer, const char *args)
{
    const double *value, *bound;
    void *data;
    int64_t stride[QUERN_MAX_RANK], n[QUERN_MAX_RANK];
    const int64_t points = points_of(field, args);
    memcpy(&value, args + field->value, sizeof value);
    memcpy(&bound, args + field->bound, sizeof bound);
    memcpy(&data, args + field->data[buffer], sizeof data);
    memcpy(stride, args + field->stride, (size_t)field->rank * sizeof *stride);
    extents_of(field, args, n);
    for (int64_t i = 0; i < points; i++) {
        int64_t rest = i, at = 0;
        for (int k = 0; k < field->rank; k++) {
            at += rest % n[k] * stride[k];
            rest /= n[k];
        }
        if (bound[i] < 0)
            continue;
        if (field->type == QUERN_FLOAT)
            ((float *)data)[at] = (float)value[i];
        else
            ((double *)data)[at] = value[i];
    }
}

static int check(int k, const void *args, char *why, size_t size)
{
    char *const copy = with_results(args);
    const int refused = oracle_module.kernels[k].check(copy, why, size);
    free_results(copy);
    return refused;
}

static int launch(int k, const void *args)
{
    const struct quern_kernel *const kernel = &oracle_module.kernels[k];
    char *const copy = with_results(args);
    const int error = kernel->launch(copy, NULL);
    for (int i = 0; !error && i < kernel->access_count; i++) {
        const struct quern_access *const access = &kernel->accesses[i];
        if (access->written)
            store(&oracle_module.fields[access->field], access->buffer, copy);
    }
    free_results(copy);
    return error;
}

/* A loader calls without saying which. */
#define KERNEL(k) \
    static int launch_##k(const void *args, void *stream) \
    { \
        (void)stream; \
        return launch(k, args); \
    } \
    static int check_##k(const void *args, char *why, size_t size) \
    { \
        return check(k, args, why, size); \
    }
KERNEL(0)
KERNEL(1)
KERNEL(2)
KERNEL(3)
KERNEL(4)
KERNEL(5)
KERNEL(6)
KERNEL(7)

static int (*const LAUNCH[MOST_KERNELS])(const void *, void *)
    = { launch_0, launch_1, launch_2, launch_3, launch_4, launch_5, launch_6, launch_7 };
static int (*const CHECK[MOST_KERNELS])(const void *, char *, size_t)
    = { check_0, check_1, check_2, check_3, check_4, check_5, check_6, check_7 };

/* The oldest buffer becomes the newest. */
static void turn(const struct quern_field *field, char *args)
{
    void *oldest, *next;
    memcpy(&oldest, args + field->data[0], sizeof oldest);
    for (int i = 1; i < field->buffers; i++) {
        memcpy(&next, args + field->data[i], sizeof next);
        memcpy(args + field->data[i - 1], &next, sizeof next);
    }
    memcpy(args + field->data[field->buffers - 1], &oldest, sizeof oldest);
}

static int step(void *args, void *stream)
{
    (void)stream;
    for (int position = 0; position < oracle_module.kernel_count; position++)
        for (int k = 0; k < oracle_module.kernel_count; k++)
            if (oracle_module.kernels[k].step == position && launch(k, args))
                return 1;
    for (int i = 0; i < oracle_module.field_count; i++)
        if (oracle_module.fields[i].newest == 1)
            turn(&oracle_module.fields[i], args);
    return 0;
}

__attribute__((constructor)) static void begin(void)
{
    quern_module = oracle_module;
    if (oracle_module.field_count > MOST || oracle_module.kernel_count > MOST_KERNELS)
        abort();
    for (int i = 0; i < oracle_module.field_count; i++) {
        fields[i] = oracle_module.fields[i];
        fields[i].value = fields[i].bound = 0;
    }
    for (int k = 0; k < oracle_module.kernel_count; k++) {
        kernels[k] = oracle_module.kernels[k];
        kernels[k].launch = LAUNCH[k];
        kernels[k].check = CHECK[k];
    }
    quern_module.backend = "c";
    quern_module.fields = fields;
    quern_module.kernels = kernels;
    quern_module.step = step;
}
