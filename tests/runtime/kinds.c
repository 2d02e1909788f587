/* What quern_find_kinds says of random tables, some of whose rows are in step: every row of a kind
 * leads where the kind says, no other row does, and no rows that are left out are more alike. It
 * needs nothing but the header that is emitted beside kernels. */
#include "../../templates/quern_mesh.h"

#include <stdbool.h>
#include <stdio.h>

enum { MOST_ROWS = 200, MOST_SLOTS = 5, MOST_KINDS = 7 };

static uint64_t state = 88172645463325252u;

static int64_t below(int64_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)(state % (uint64_t)limit);
}

static int32_t entries[MOST_ROWS * MOST_SLOTS];

/* Rows in step at some pace, for a while each, others anyhow, some with nobody in a slot. */
static struct quern_mesh_table draw(void)
{
    struct quern_mesh_table table = { .name = "t", .from = "a", .to = "b", .skips = 1,
        .by_slot = (int)below(2), .first = (int)below(2), .data = entries };
    table.rows = below(MOST_ROWS);
    table.count = 1 + below(MOST_SLOTS);
    table.stride = table.by_slot ? table.count : table.rows;
    table.targets = 4000;
    const int64_t every = 1 + below(4), step = below(5), wild = 2 + below(30);
    int64_t shift[4][MOST_SLOTS];
    for (int64_t row = 0; row < table.rows; row++) {
        if (row == 0 || below(25) == 0)
            for (int64_t i = 0; i < 4 * MOST_SLOTS; i++)
                shift[i / MOST_SLOTS][i % MOST_SLOTS] = below(3) * 40;
        for (int64_t slot = 0; slot < table.count; slot++) {
            int64_t entry = row / every * step + shift[row % every][slot];
            if (below(wild) == 0)
                entry = below(8) == 0 ? -1 : below(table.targets);
            entries[table.by_slot ? row * table.stride + slot : row + slot * table.stride] =
                (int32_t)entry + table.first;
        }
    }
    return table;
}

static bool alike(const struct quern_mesh_table *table, int64_t a, int64_t b, const int64_t *pace)
{
    for (int64_t slot = 0; slot < table->count; slot++) {
        const int64_t near = quern_entry(table, a, slot), other = quern_entry(table, b, slot);
        if (near < 0 || other < 0
            || near - a / pace[0] * pace[1] != other - b / pace[0] * pace[1])
            return false;
    }
    return true;
}

static int64_t rows_like(const struct quern_mesh_table *table, int64_t row, const int64_t *pace)
{
    int64_t count = 0;
    for (int64_t other = 0; other < table->rows; other++)
        count += alike(table, row, other, pace);
    return count;
}

/* Faults in what is said of a table. */
static int64_t faults(const struct quern_mesh_table *table, int most, const int64_t *pace, int found,
                      const int32_t *ahead, const int8_t *kind)
{
    int64_t wrong = 0, of[MOST_KINDS] = { 0 };
    for (int64_t row = 0; row < table->rows; row++) {
        const int q = kind[row];
        if (q >= 0)
            of[q]++;
        for (int64_t slot = 0; q >= 0 && slot < table->count; slot++)
            wrong += quern_entry(table, row, slot)
                != row / pace[0] * pace[1] + ahead[q * table->count + slot];
        wrong += q >= found;
    }
    for (int q = 0; q < found; q++)
        wrong += of[q] < 2 || (q > 0 && of[q] > of[q - 1]);
    const int64_t least = found == most ? of[most - 1] : 1;
    for (int64_t row = 0; row < table->rows; row++)
        wrong += kind[row] < 0 && rows_like(table, row, pace) > least;
    return wrong;
}

int main(void)
{
    int64_t wrong = 0, rows = 0, of_kinds = 0;
    for (int trial = 0; trial < 3000; trial++) {
        struct quern_kind_key keys[MOST_ROWS + 1];
        int32_t ahead[MOST_KINDS * MOST_SLOTS];
        int8_t kind[MOST_ROWS + 1];
        int64_t pace[2];
        const struct quern_mesh_table table = draw();
        const int most = 1 + (int)below(MOST_KINDS);
        const int found = quern_find_kinds(&table, most, keys, pace, ahead, kind);
        wrong += faults(&table, most, pace, found, ahead, kind);
        rows += table.rows;
        for (int64_t row = 0; row < table.rows; row++)
            of_kinds += kind[row] >= 0;
    }
    printf("%lld faults; %lld of %lld rows are of some kind\n", (long long)wrong,
           (long long)of_kinds, (long long)rows);
    return wrong != 0 || of_kinds < rows / 4 || of_kinds > rows * 3 / 4;
}
