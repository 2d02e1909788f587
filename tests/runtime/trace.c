/* Runs one kernel of a reference module on random data and tells everything:
 *
 *     trace MODULE KERNEL SEED N..
 *
 * prints `scalar NAME VALUE`, `in FIELD LEVEL VALUE INDEX..` for every number
 * that is stored, then `refused WHY` or `out FIELD VALUE BOUND INDEX..` for
 * every point that is assigned. Around what is stored all is NaN. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runtime/abi.h"

enum { RANK = QUERN_MAX_RANK, GUARD = 4 };

static const struct quern_module *module;
static char *args;
static int64_t n[RANK] = { 1, 1, 1, 1 };
static uint64_t state;

static void fail(const char *why)
{
    fprintf(stderr, "trace: %s\n", why);
    exit(2);
}

static double between(double low, double high)
{
    state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void put(size_t offset, const void *data, size_t size)
{
    memcpy(args + offset, data, size);
}

static void print_index(const int64_t *at, int rank)
{
    for (int i = 0; i < rank; i++)
        printf(" %lld", (long long)at[i]);
    printf("\n");
}

/* Moves to the next index in low <= at < high; 0 after the last one. */
static int advance(int64_t *at, const int64_t *low, const int64_t *high, int rank)
{
    for (int i = 0; i < rank; i++) {
        if (++at[i] < high[i])
            return 1;
        at[i] = low[i];
    }
    return 0;
}

struct shape {
    int64_t stride[RANK], halo[RANK], low[RANK], high[RANK];
    int64_t size, origin, points;
};

static struct shape shape_of(const struct quern_field *field)
{
    struct shape s = { .size = 1, .points = 1 };
    for (int i = 0; i < field->rank; i++) {
        const int64_t extent = n[field->axis[i]];
        const int64_t *const need = field->need[i];
        s.halo[i] = need[0] > need[1] ? need[0] : need[1];
        s.low[i] = -s.halo[i];
        s.high[i] = extent + s.halo[i];
        s.stride[i] = s.size;
        s.origin += (s.halo[i] + GUARD) * s.size;
        s.size *= extent + 2 * (s.halo[i] + GUARD);
        s.points *= extent;
    }
    return s;
}

/* Random numbers that every type holds: 20 bits. */
static double drawn(const struct quern_field *field)
{
    const double value = between(field->low, field->high);
    return ldexp(round(ldexp(value, 20)), -20);
}

static void store(void *data, enum quern_type type, int64_t at, double value)
{
    if (type == QUERN_FLOAT)
        ((float *)data)[at] = (float)value;
    else if (type == QUERN_DOUBLE)
        ((double *)data)[at] = value;
    else
        fail("a type of field that it does not know");
}

static void set_buffer(const struct quern_field *field, const struct shape *s, int buffer)
{
    const size_t bytes = field->type == QUERN_FLOAT ? sizeof(float) : sizeof(double);
    char *const data = malloc((size_t)s->size * bytes);
    int64_t at[RANK];
    if (!data)
        fail("no memory");
    for (int64_t i = 0; i < s->size; i++)
        store(data, field->type, i, NAN);
    memcpy(at, s->low, sizeof at);
    do {
        int64_t place = s->origin;
        const double value = drawn(field);
        for (int i = 0; i < field->rank; i++)
            place += at[i] * s->stride[i];
        store(data, field->type, place, value);
        printf("in %s %d %a", field->name, field->level[buffer], value);
        print_index(at, field->rank);
    } while (advance(at, s->low, s->high, field->rank));
    const void *const first = data + (size_t)s->origin * bytes;
    put(field->data[buffer], &first, sizeof first);
}

static void set_field(const struct quern_field *field)
{
    const struct shape s = shape_of(field);
    const size_t rank = (size_t)field->rank;
    put(field->stride, s.stride, rank * sizeof *s.stride);
    put(field->halo, s.halo, rank * sizeof *s.halo);
    for (int i = 0; i < field->buffers; i++)
        set_buffer(field, &s, i);
    if (!field->value)
        return;
    const double *const value = calloc((size_t)s.points, sizeof *value);
    const double *const bound = calloc((size_t)s.points, sizeof *bound);
    put(field->value, &value, sizeof value);
    put(field->bound, &bound, sizeof bound);
}

static void set_scalar(const struct quern_scalar *s)
{
    const double value = between(s->low, s->high);
    const int64_t whole = (int64_t)value;
    if (s->integer)
        put(s->offset, &whole, sizeof whole);
    else
        put(s->offset, &value, sizeof value);
    printf("scalar %s %a\n", s->name, s->integer ? (double)whole : value);
}

static void print_results(const struct quern_field *field)
{
    const double *value, *bound;
    const int64_t zero[RANK] = { 0 };
    int64_t at[RANK] = { 0 }, extent[RANK] = { 0 }, i = 0;
    memcpy(&value, args + field->value, sizeof value);
    memcpy(&bound, args + field->bound, sizeof bound);
    for (int k = 0; k < field->rank; k++)
        extent[k] = n[field->axis[k]];
    do {
        if (bound[i] >= 0 || isnan(bound[i])) {
            printf("out %s %a %a", field->name, value[i], bound[i]);
            print_index(at, field->rank);
        }
        i++;
    } while (advance(at, zero, extent, field->rank));
}

static void launch(const struct quern_kernel *kernel)
{
    char why[300];
    if (kernel->check(args, why, sizeof why)) {
        printf("refused %s\n", why);
        return;
    }
    if (kernel->launch(args, NULL))
        fail("the launch failed");
    for (int i = 0; i < module->field_count; i++)
        if (module->fields[i].value)
            print_results(&module->fields[i]);
}

static void set_args(void)
{
    const int64_t lower[RANK] = { 0 };
    const size_t size = (size_t)module->axes * sizeof *n;
    args = calloc(1, module->args_size);
    if (!args)
        fail("no memory");
    put(0, &module->args_size, sizeof module->args_size);
    put(module->extent, n, size);
    put(module->lower, lower, size);
    put(module->upper, n, size);
    for (int i = 0; i < module->scalar_count; i++)
        set_scalar(&module->scalars[i]);
    for (int i = 0; i < module->field_count; i++)
        set_field(&module->fields[i]);
}

int main(int argc, char **argv)
{
    if (argc < 5)
        fail("usage: trace MODULE KERNEL SEED N..");
    void *const library = dlopen(argv[1], RTLD_NOW);
    module = library ? dlsym(library, "quern_module") : NULL;
    if (!module)
        fail("no module");
    state = strtoull(argv[3], NULL, 10);
    for (int i = 0; i < module->axes && 4 + i < argc; i++)
        n[i] = strtoll(argv[4 + i], NULL, 10);
    set_args();
    const int kernel = atoi(argv[2]);
    if (kernel < 0 || kernel >= module->kernel_count)
        fail("no such kernel");
    launch(&module->kernels[kernel]);
    return 0;
}
