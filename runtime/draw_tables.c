/* Random tables for validate and bench, of what users may connect: neighbours
 * anywhere, not twice in a row where that can be, some missing where they
 * may. */
#include "internal.h"

#include <stdlib.h>

struct drawing {
    const struct quern_table *info;
    int64_t rows, targets, all;
    uint64_t state;
    int64_t *start;                 /* of ragged tables */
    int32_t *entries;
};

static uint64_t next(struct drawing *drawing)
{
    uint64_t x = drawing->state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* From 0 to limit - 1. */
static int64_t below(struct drawing *drawing, int64_t limit)
{
    return (int64_t)(next(drawing) % (uint64_t)limit);
}

static bool contains(const int32_t *row, int64_t count, int32_t entry)
{
    for (int64_t i = 0; i < count; i++)
        if (row[i] == entry)
            return true;
    return false;
}

/* One row in four lacks neighbours, where it may; one needs none, or one. */
static void draw_row(struct drawing *drawing, int32_t *row, int64_t count)
{
    enum { ATTEMPTS = 8 };
    const struct quern_table *const info = drawing->info;
    const bool sparse = info->skips && below(drawing, 4) == 0;
    const int64_t kept = info->nonempty && count > 0 ? below(drawing, count)
                                                     : -1;
    for (int64_t slot = 0; slot < count; slot++) {
        if (drawing->targets == 0
            || (sparse && slot != kept && below(drawing, 2) == 0)) {
            row[slot] = info->first - 1;
            continue;
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            row[slot] = info->first
                      + (int32_t)below(drawing, drawing->targets);
            if (!contains(row, slot, row[slot]))
                break;
        }
    }
}

/* Rows of all lengths; of one at least where some reduction needs that. */
static void draw_starts(struct drawing *drawing)
{
    const int64_t least = drawing->info->nonempty ? 1 : 0;
    const int64_t spare = drawing->all - least * drawing->rows;
    double total = 0, sum = 0;
    const uint64_t state = drawing->state;
    for (int64_t row = 0; row < drawing->rows; row++)
        total += (double)below(drawing, 8);
    drawing->state = state;
    for (int64_t row = 0; row < drawing->rows; row++) {
        drawing->start[row] = least * row
            + (total > 0 ? (int64_t)((double)spare * (sum / total)) : 0);
        sum += (double)below(drawing, 8);
    }
    drawing->start[drawing->rows] = drawing->all;
}

/* One slot after the other, or one row after the other, as the seed says; all
 * at one point where the domain is too small for either. */
static void draw_affine(struct drawing *drawing)
{
    const int64_t slots = drawing->info->count, rows = drawing->rows;
    const bool fits = rows * slots <= drawing->targets;
    const bool turned = next(drawing) & 1;
    const int64_t step = !fits ? 0 : turned ? slots : 1;
    const int64_t across = !fits ? 0 : turned ? 1 : rows;
    for (int64_t i = 0; i < rows * slots; i++)
        drawing->entries[i] = (int32_t)(i / slots * step + i % slots * across);
}

static void draw_entries(struct drawing *drawing)
{
    const int64_t slots = drawing->info->count;
    if (drawing->info->affine) {
        draw_affine(drawing);
        return;
    }
    if (!slots)
        draw_starts(drawing);
    for (int64_t row = 0; row < drawing->rows; row++) {
        const int64_t at = slots ? row * slots : drawing->start[row];
        draw_row(drawing, drawing->entries + at,
                 slots ? slots : drawing->start[row + 1] - at);
    }
}

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static enum qn_status draw_table(struct qn_module *module, int index,
                                 uint64_t seed)
{
    const struct quern_table *const info = &module->info->tables[index];
    const int64_t *const n = qn__args_int(&module->state,
                                          module->info->extent);
    struct drawing drawing = { .info = info, .targets = n[info->to],
        .rows = qn__table_rows(module, index),
        .all = qn__table_entries(module, index),
        .state = qn__hash(seed, info->name) };
    drawing.entries = calloc((size_t)drawing.all + 1, sizeof *drawing.entries);
    drawing.start = info->count ? NULL
        : calloc((size_t)drawing.rows + 1, sizeof *drawing.start);
    enum qn_status status = QN_OK;
    if (!drawing.entries || (!info->count && !drawing.start))
        status = qn__fail(QN_NO_MEMORY, "no memory for table '%s'", info->name);
    if (status == QN_OK) {
        draw_entries(&drawing);
        if (qn__wants_order(module->info, index))
            qsort(drawing.entries, (size_t)drawing.all, sizeof(int32_t),
                  by_number);
        status = qn__table_connect(module, index, drawing.start,
                                   drawing.entries);
    }
    free(drawing.entries);
    free(drawing.start);
    return status;
}

enum qn_status qn__draw_tables(struct qn_module *module, uint64_t seed)
{
    enum qn_status status = QN_OK;
    for (int i = 0; status == QN_OK && i < module->info->table_count; i++)
        if (!module->state.tables[i].entries
            && !module->info->tables[i].pattern)
            status = draw_table(module, i, seed);
    return status;
}
