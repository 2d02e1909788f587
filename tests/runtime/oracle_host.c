/* Runs a reference module on random data beside a loop written by hand.
 *
 *     oracle_host MODULE HAND ORDER SEED [MUTANT [MARGIN]]
 *
 * ORDER is how the hand adds up its terms: forward, backward, shuffled or
 * pairs; launches leave out MARGIN points at each face. Prints one line:
 *     points compared, those outside the bound, points that only one of the
 *     two assigns, the largest error over its bound, and over all values. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runtime/abi.h"
#include "oracle_host.h"

int64_t N[RANK] = { 21, 14, 17 };
enum mutant MUTANT;

static const struct quern_module *module;
static char *args;
static const char *order;
static uint64_t state;
static int64_t margin;

static uint64_t next(void)
{
    state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double between(double low, double high)
{
    return low + (high - low) * (double)(next() >> 11) * 0x1p-53;
}

static void fail(const char *why)
{
    fprintf(stderr, "oracle_host: %s\n", why);
    exit(2);
}

static REAL sum_pairs(const REAL *terms, int count)
{
    if (count == 1)
        return terms[0];
    return sum_pairs(terms, count / 2) + sum_pairs(terms + count / 2, count - count / 2);
}

REAL total(const REAL *terms, int count)
{
    REAL list[MOST_TERMS], sum = 0;
    memcpy(list, terms, (size_t)count * sizeof *list);
    for (int i = count - 1; i > 0 && order[0] == 's'; i--) {
        const int j = (int)(next() % (uint64_t)(i + 1));
        const REAL kept = list[i];
        list[i] = list[j], list[j] = kept;
    }
    if (order[0] == 'p')
        return sum_pairs(list, count);
    for (int i = 0; i < count; i++)
        sum += list[order[0] == 'b' ? count - 1 - i : i];
    return sum;
}

/* ---- arguments, through the descriptor alone ---- */

static const struct quern_field *field_of(const char *name)
{
    for (int i = 0; i < module->field_count; i++)
        if (strcmp(module->fields[i].name, name) == 0)
            return &module->fields[i];
    return NULL;
}

static void *pointer_at(size_t offset)
{
    void *pointer;
    memcpy(&pointer, args + offset, sizeof pointer);
    return pointer;
}

static void set_pointer(size_t offset, const void *pointer)
{
    memcpy(args + offset, &pointer, sizeof pointer);
}

struct array array_of(const char *name, int level)
{
    const struct quern_field *const field = field_of(name);
    struct array a = { NULL, { 0 } };
    if (!field)
        fail(name);
    for (int i = 0; i < field->buffers; i++)
        if (field->level[i] == level)
            a.data = pointer_at(field->data[i]);
    memcpy(a.stride, args + field->stride, (size_t)field->rank * sizeof *a.stride);
    if (!a.data)
        fail(name);
    return a;
}

double scalar_of(const char *name)
{
    for (int i = 0; i < module->scalar_count; i++) {
        const struct quern_scalar *const s = &module->scalars[i];
        double value;
        int64_t whole;
        if (strcmp(s->name, name) != 0)
            continue;
        memcpy(&value, args + s->offset, sizeof value);
        memcpy(&whole, args + s->offset, sizeof whole);
        return s->integer ? (double)whole : value;
    }
    return 0;
}

static void set_scalar(const struct quern_scalar *s)
{
    const double value = between(s->low, s->high);
    const int64_t whole = 3;
    if (s->integer)
        memcpy(args + s->offset, &whole, sizeof whole);
    else
        memcpy(args + s->offset, &value, sizeof value);
}

static STORAGE *new_array(const struct quern_field *field, const int64_t *stride, int64_t size)
{
    STORAGE *const data = malloc((size_t)size * sizeof *data);
    if (!data)
        fail("no memory");
    for (int64_t i = 0; i < size; i++)
        data[i] = (STORAGE)between(field->low, field->high);
    int64_t origin = 0;
    for (int axis = 0; axis < field->rank; axis++)
        origin += HALO * stride[axis];
    return data + origin;
}

static void set_field(const struct quern_field *field)
{
    int64_t stride[RANK] = { 1, 1, 1 }, halo[RANK] = { HALO, HALO, HALO };
    int64_t size = 1, points = 1;
    for (int axis = 0; axis < field->rank; axis++) {
        stride[axis] = size;
        size *= N[field->axis[axis]] + 2 * HALO;
        points *= N[field->axis[axis]];
    }
    memcpy(args + field->stride, stride, (size_t)field->rank * sizeof *stride);
    memcpy(args + field->halo, halo, (size_t)field->rank * sizeof *halo);
    for (int i = 0; i < field->buffers; i++)
        set_pointer(field->data[i], new_array(field, stride, size));
    if (!field->value)
        return;
    set_pointer(field->value, calloc((size_t)points, sizeof(double)));
    set_pointer(field->bound, calloc((size_t)points, sizeof(double)));
}

static void set_args(void)
{
    const int64_t lower[RANK] = { margin, margin, margin };
    int64_t upper[RANK];
    const size_t size = (size_t)module->axes * sizeof *N;
    args = calloc(1, module->args_size);
    if (!args)
        fail("no memory");
    for (int axis = module->axes; axis < RANK; axis++)
        N[axis] = 1;
    for (int axis = 0; axis < RANK; axis++)
        upper[axis] = N[axis] - margin;
    memcpy(args, &module->args_size, sizeof(size_t));
    memcpy(args + module->extent, N, size);
    memcpy(args + module->lower, lower, size);
    memcpy(args + module->upper, upper, size);
    for (int i = 0; i < module->scalar_count; i++)
        set_scalar(&module->scalars[i]);
    for (int i = 0; i < module->field_count; i++)
        set_field(&module->fields[i]);
}

/* ---- the comparison ---- */

struct outcome {
    long points, wrong, lone;
    double worst;               /* largest error over its bound */
    double error, value;        /* largest ones */
};

static void compare(struct outcome *o, const struct point *p, int which, double value,
                    double bound)
{
    const int assigned = bound >= 0;
    if (p->assigned[which] != assigned) {
        o->lone++;
        return;
    }
    if (!assigned)
        return;
    const double error = fabs((double)p->value[which] - value);
    o->points++;
    o->wrong += !(error <= bound);
    o->worst = fmax(o->worst, error / bound);
    o->error = fmax(o->error, error);
    o->value = fmax(o->value, fabs(value));
}

/* The results of all launches: a point that one of them assigns counts. */
static void merge(double *value, double *bound, const struct quern_field *field, int64_t points)
{
    const double *const v = pointer_at(field->value), *const b = pointer_at(field->bound);
    for (int64_t i = 0; i < points; i++)
        if (b[i] >= 0) {
            value[i] = v[i];
            bound[i] = b[i];
        }
}

static void launch_all(const struct quern_field *const *fields, int count, double **value,
                       double **bound)
{
    const int64_t points = N[0] * N[1] * N[2];
    for (int t = 0; t < count; t++) {
        value[t] = calloc((size_t)points, sizeof(double));
        bound[t] = calloc((size_t)points, sizeof(double));
        for (int64_t i = 0; i < points; i++)
            bound[t][i] = -1;
    }
    for (int k = 0; k < module->kernel_count; k++) {
        char why[200];
        if (module->kernels[k].check(args, why, sizeof why))
            fail(why);
        if (module->kernels[k].launch(args, NULL))
            fail("a launch failed");
        for (int t = 0; t < count; t++)
            merge(value[t], bound[t], fields[t], points);
    }
}

static int in_range(const struct point *p)
{
    const int64_t at[RANK] = { p->x, p->y, p->z };
    for (int axis = 0; axis < module->axes; axis++)
        if (at[axis] < margin || at[axis] >= N[axis] - margin)
            return 0;
    return 1;
}

static struct outcome run(const struct hand *hand)
{
    const struct quern_field *fields[TARGETS];
    double *value[TARGETS], *bound[TARGETS];
    struct outcome o = { 0 };
    int count = 0;
    for (int i = 0; i < module->field_count && count < TARGETS; i++)
        if (module->fields[i].value)
            fields[count++] = &module->fields[i];
    launch_all(fields, count, value, bound);
    hand->begin();
    for (int64_t i = 0; i < N[0] * N[1] * N[2]; i++) {
        struct point p = { i % N[0], i / N[0] % N[1], i / N[0] / N[1], { 0 }, { 0 } };
        if (in_range(&p))
            hand->point(&p);
        for (int t = 0; t < count; t++)
            compare(&o, &p, t, value[t][i], bound[t][i]);
    }
    return o;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        fail("usage: oracle_host MODULE HAND ORDER SEED [MUTANT [MARGIN]]");
    void *const library = dlopen(argv[1], RTLD_NOW);
    module = library ? dlsym(library, "quern_module") : NULL;
    if (!module)
        fail("no module");
    order = argv[3];
    state = strtoull(argv[4], NULL, 10);
    MUTANT = argc > 5 ? (enum mutant)atoi(argv[5]) : RIGHT;
    margin = argc > 6 ? atoi(argv[6]) : 0;
    set_args();
    for (int i = 0; i < HAND_COUNT; i++) {
        if (strcmp(HANDS[i].name, argv[2]) != 0)
            continue;
        const struct outcome o = run(&HANDS[i]);
        printf("%ld %ld %ld %g %g\n", o.points, o.wrong, o.lone, o.worst,
               o.error / o.value);
        return 0;
    }
    fail("no such loop");
    return 2;
}
