/* The random data of validate and bench. Everything is drawn from the ranges of
 * the spec, each scalar and each buffer from its own stream of numbers, so that
 * a seed gives the same data on every run and every backend. */
#include "element.h"
#include "internal.h"

/* A number in [0, 1) that the name and the seed decide. Steps of the golden
 * ratio: five seeds in a row leave no gap of a quarter, so that what a scalar
 * decides is seen both ways. */
static double draw(uint64_t seed, const char *name)
{
    uint64_t x = qn__hash(0, name);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    x = (x ^ x >> 31) + seed * UINT64_C(0x9e3779b97f4a7c15);
    return (double)(x >> 11) * 0x1p-53;
}

/* Whole numbers come from the lowest 1/2^attempt of their range. */
static void draw_scalar(struct qn__state *state,
                        const struct quern_scalar *scalar, uint64_t seed,
                        int attempt)
{
    const double width = scalar->high - scalar->low;
    const double whole = floor(ldexp(width, -attempt)) + 1;
    const double unit = draw(seed + (uint64_t)attempt, scalar->name);
    if (scalar->integer)
        *qn__args_int(state, scalar->offset) =
            (int64_t)(scalar->low + floor(whole * unit));
    else
        *qn__args_double(state, scalar->offset) =
            scalar->low + width * draw(seed, scalar->name);
}

static void draw_attempt(struct qn_module *module, uint64_t seed, int attempt)
{
    for (int i = 0; i < module->info->scalar_count; i++)
        if (!module->state.set[i])
            draw_scalar(&module->state, &module->info->scalars[i], seed,
                        attempt);
}

static int64_t range_points(const struct qn_module *module)
{
    const struct qn__state *const state = &module->state;
    int64_t points = 1;
    for (int axis = 0; axis < module->info->axes; axis++)
        points *= qn__args_int(state, module->info->upper)[axis]
                - qn__args_int(state, module->info->lower)[axis];
    return points;
}

/* 2: part of the range is the kernel's, or it has no region; 1: all; 0: none.
 * Of a kernel in pieces, the least of them. */
static int worth(const struct qn_kernel *kernel)
{
    const struct quern_kernel *const info = kernel->info;
    int least = 2;
    for (int i = 0; i < info->piece_count && least > 0; i++) {
        const int found = worth(&kernel->module->kernels[info->pieces[i]]);
        least = found < least ? found : least;
    }
    if (info->piece_count > 0)
        return least;
    const int64_t points = info->points
        ? info->points(kernel->module->state.args) : 0;
    if (!info->points || !info->region[0])
        return 2;
    return points <= 0 ? 0 : points >= range_points(kernel->module) ? 1 : 2;
}

void qn__draw_scalars(struct qn_kernel *kernel, uint64_t seed)
{
    enum { ATTEMPTS = 16 };
    struct qn_module *const module = kernel->module;
    int best = 0, most = -1;
    for (int attempt = 0; attempt < ATTEMPTS && most < 2; attempt++) {
        draw_attempt(module, seed, attempt);
        const int found = worth(kernel);
        if (found > most) {
            most = found;
            best = attempt;
        }
    }
    draw_attempt(module, seed, best);
    for (int i = 0; i < module->info->scalar_count; i++)
        module->state.set[i] = true;
}

uint64_t qn__draw_seed(const struct quern_field *field, int buffer,
                       uint64_t seed)
{
    return qn__hash(seed, field->name)
         + (uint64_t)buffer * UINT64_C(0xd1342543de82ef95);
}

#define FILL(width) \
    static void fill##width(uint##width##_t *array, int64_t from, int64_t to, \
                            uint64_t bits) \
    { \
        for (int64_t i = from; i < to; i++) \
            array[i] = (uint##width##_t)bits; \
    }
FILL(16)
FILL(32)
FILL(64)

static void set_row(const struct qn__layout *layout, void *array, int64_t from,
                    int64_t to, uint64_t bits)
{
    switch (layout->size) {
    case 2: fill16(array, from, to, bits); break;
    case 4: fill32(array, from, to, bits); break;
    default: fill64(array, from, to, bits); break;
    }
}

/* As the kernel `random` would, numbers of the same stream; one in 32 is what
 * formulas compare the field with, if anything. */
static void draw_row(const struct quern_field *info,
                     const struct device_args *args, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; i++) {
        const uint64_t bits = info->edges > 0 ? scramble(args->bits, i) : 0;
        if ((bits & 31) != 2)
            random_one(args, i);
        else
            element_set(args->type, args->data, i,
                        info->edge[(bits >> 5) % (uint64_t)info->edges]);
    }
}

/* The guard of one array differs from any other's, so that a NaN that a kernel
 * read outside of one and wrote outside of another is seen. */
static uint64_t guard_of(const struct qn_field *field, int buffer)
{
    const int64_t number = field->info - field->module->info->fields;
    const int64_t array = number * QUERN_MAX_BUFFERS + buffer;
    return qn__value_nan(field->info->type, 1 + (int)(array % (QN_NANS - 1)));
}

void qn__draw_array(const struct qn_field *field, int buffer, uint64_t seed,
                    bool poisoned, void *array)
{
    const struct qn__layout *const layout = &field->layout;
    const struct quern_field *const info = field->info;
    const uint64_t poison = qn__value_nan(info->type, 0);
    const uint64_t guard = guard_of(field, buffer);
    const struct device_args args = { .data = array,
                                      .step = 1,
                                      .type = (int64_t)info->type,
                                      .bits = qn__draw_seed(info, buffer, seed),
                                      .low = info->low,
                                      .high = info->high };
#pragma omp parallel for schedule(static) \
    if (layout->count > QN__FEW)
    for (int64_t r = 0; r < layout->rows; r++) {
        struct qn__row row;
        qn__layout_row(layout, r, &row);
        const int64_t first = row.start - layout->margin;
        const int64_t low = row.start - layout->halo[0];
        const int64_t high = row.start + layout->n[0] + layout->halo[0];
        if (row.stored && poisoned)
            set_row(layout, array, low, high, poison);
        else if (row.stored)
            draw_row(info, &args, low, high);
        set_row(layout, array, first, row.stored ? low : row.start, guard);
        set_row(layout, array, row.stored ? high : row.start,
                first + layout->full[0], guard);
    }
}
