/* The random data of validate and bench. Everything is drawn from the ranges of
 * the spec, each scalar and each buffer from its own stream of numbers, so that
 * a seed gives the same data on every run and every backend. */
#include "internal.h"

#include <math.h>
#include <string.h>

/* A number in [0, 1) that the name and the seed decide. */
static double draw(uint64_t seed, const char *name)
{
    uint64_t x = qn__hash(seed, name);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}

enum qn_status qn__draw_scalars(struct qn_module *module, uint64_t seed)
{
    for (int i = 0; i < module->info->scalar_count; i++) {
        const struct quern_scalar *const scalar = &module->info->scalars[i];
        const double width = scalar->high - scalar->low
                           + (scalar->integer ? 1 : 0);
        const double value = scalar->low + width * draw(seed, scalar->name);
        if (module->state.set[i])
            continue;
        const enum qn_status status = qn_module_set(
            module, scalar->name, scalar->integer ? floor(value) : value);
        if (status != QN_OK)
            return status;
    }
    return QN_OK;
}

uint64_t qn__draw_seed(const struct quern_field *field, int buffer,
                        uint64_t seed)
{
    return qn__hash(seed, field->name)
         + (uint64_t)buffer * UINT64_C(0xd1342543de82ef95);
}

static void set_row(const struct qn__layout *layout, unsigned char *array,
                    int64_t from, int64_t to, uint64_t bits)
{
    for (int64_t i = from; i < to; i++)
        memcpy(array + (size_t)i * layout->size, &bits, layout->size);
}

void qn__draw_array(const struct qn_field *field, int buffer, uint64_t seed,
                    bool poisoned, void *array)
{
    const struct qn__layout *const layout = &field->layout;
    const struct quern_field *const info = field->info;
    const uint64_t poison = qn__value_nan(info->type, 0);
    const uint64_t guard = qn__value_nan(info->type, 1);
    struct device_args args = { .data = array,
                                .count = layout->count,
                                .type = (int64_t)info->type,
                                .bits = qn__draw_seed(info, buffer, seed),
                                .low = info->low,
                                .high = info->high };
    quern_random_launch(&args, NULL);
    for (int64_t r = 0; r < layout->rows; r++) {
        struct qn__row row;
        qn__layout_row(layout, r, &row);
        const int64_t first = row.start - layout->margin;
        const int64_t low = row.start - layout->halo[0];
        const int64_t high = row.start + layout->n[0] + layout->halo[0];
        if (poisoned)
            set_row(layout, array, low, high, poison);
        set_row(layout, array, first, row.stored ? low : row.start, guard);
        set_row(layout, array, row.stored ? high : row.start,
                first + layout->full[0], guard);
    }
}
