/* What the launchers of kernels on meshes share beside quern_launch.h: arrays on the points of
 * any domain, and tables of neighbours. Host code that allocates nothing and keeps nothing,
 * C11 and C++17 alike. The generator copies this header beside kernels that need it; the
 * runtime includes it too. Change QUERN_MESH when anything below changes its meaning. */
#ifndef QUERN_MESH_H
#define QUERN_MESH_H

#include "quern_launch.h"

#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define QUERN_MESH 2

/* A function whose loops are compiled anew where it is called, for what is known there. */
#ifdef __GNUC__
#define QUERN_INLINE static inline __attribute__((always_inline))
#else
#define QUERN_INLINE static inline
#endif

/* The size of the tiles along an axis where threads share them, whole lines of 8 points, no larger
 * than `tile` says: where it can be, every thread has as many as each other. */
static inline int64_t quern_even_shares(const struct quern_box *box, const int64_t *tile, int axis)
{
#ifdef _OPENMP
    const int64_t threads = omp_get_num_threads();
#else
    const int64_t threads = 1;
#endif
    const int64_t tiles = (quern_tiles(box, tile, axis) + threads - 1) / threads * threads;
    const int64_t even = (box->upper[axis] - box->lower[axis] + tiles - 1) / tiles;
    return quern_least((even + 7) / 8 * 8, tile[axis]);
}

/* One array of a kernel: its axes, contiguous first, may be others than the kernel's. */
struct quern_mesh_array {
    const char *name;
    const void *data;           /* the element (0, ..) */
    int64_t size;               /* bytes of an element */
    int written, rank;
    const char *axis[QUERN_AXES];
    int64_t n[QUERN_AXES];
    const int64_t *stride;      /* in elements */
};

/* A table of neighbours. Entries count from `first`; first - 1 marks a missing neighbour where
 * there may be one. An entry is at row + slot * stride, by_slot at slot + row * stride; ragged,
 * where start is not NULL, row r has the entries start[r] <= i < start[r + 1]. An affine table
 * has none: the neighbour is base + row * step[0] + slot * step[1]. */
struct quern_mesh_table {
    const char *name, *from, *to;       /* from: the domain of the rows */
    int64_t rows, targets;      /* points of the two domains */
    int64_t count;              /* slots of a row; ragged: entries of all */
    int first, skips, nonempty, by_slot, affine;
    const int32_t *data;
    const int64_t *start;
    int64_t stride, base, step[2];
};

/* Elements from the first to one past the last; -1 if 64 bits cannot count them. */
QUERN_PRIVATE int64_t quern_mesh_span(const struct quern_mesh_array *array)
{
    int64_t elements = 1;
    for (int i = 0; i < array->rank; i++) {
        if (array->stride[i] > INT64_MAX / 64 / (array->n[i] + 1))
            return -1;
        elements += (quern_most(array->n[i], 1) - 1) * array->stride[i];
    }
    return elements;
}

/* Do all indices fit into 32 bits, also those of the points `margin` beyond the domain along
 * each axis, where idle threads are? */
QUERN_PRIVATE int quern_mesh_fits_32_bits(const struct quern_domain *domain,
                                          const struct quern_mesh_array *arrays,
                                          int array_count,
                                          const struct quern_mesh_table *tables,
                                          int table_count, const int64_t *margin)
{
    for (int axis = 0; axis < domain->rank; axis++)
        if (domain->n[axis] + margin[axis] > INT32_MAX)
            return 0;
    for (int i = 0; i < array_count; i++)
        if (quern_mesh_span(&arrays[i]) > INT32_MAX)
            return 0;
    for (int i = 0; i < table_count; i++) {
        const struct quern_mesh_table *t = &tables[i];
        const int64_t lines = t->start ? 1 : t->by_slot ? t->rows : t->count;
        const int64_t line = t->start ? t->count : quern_most(t->stride, 1);
        if (!t->affine && (quern_times(line, lines) > INT32_MAX || t->rows >= INT32_MAX))
            return 0;
    }
    return 1;
}

/* --- checks: 0, or 1 and a sentence in `why` where it is not NULL --- */

/* An array by itself. */
QUERN_PRIVATE int quern_check_mesh_array(const struct quern_mesh_array *array, char *why,
                                         size_t size)
{
    int64_t least = 1;
    if (array->data == NULL)
        return quern_refuse(why, size, "%s: the pointer is null", array->name);
    if ((uintptr_t)array->data % (uintptr_t)array->size != 0)
        return quern_refuse(why, size, "%s: the pointer is not aligned to %d bytes",
                            array->name, (int)array->size);
    for (int i = 0; i < array->rank; i++) {
        const int64_t n = array->n[i], stride = array->stride[i];
        if (n < 0 || n > QUERN_LARGEST)
            return quern_refuse(why, size, "the extent along %s is %lld", array->axis[i],
                                (long long)n);
        if (stride < least || (i == 0 && stride != 1))
            return quern_refuse(why, size, "%s: the stride along %s is %lld, wanted %s%lld",
                                array->name, array->axis[i], (long long)stride,
                                i == 0 ? "" : "at least ", (long long)least);
        if (stride > INT64_MAX / 64 / (n + 1))
            return quern_refuse(why, size, "%s: more elements than 64 bits can count",
                                array->name);
        least = quern_most(stride * n, 1);
    }
    return 0;
}

/* All arrays of a kernel; none that is written shares memory with another. */
QUERN_PRIVATE int quern_check_mesh_arrays(const struct quern_mesh_array *list, int count,
                                          char *why, size_t size)
{
    for (int i = 0; i < count; i++)
        if (quern_check_mesh_array(&list[i], why, size))
            return 1;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            const struct quern_mesh_array *p = &list[j], *q = &list[i];
            const uintptr_t p_from = (uintptr_t)p->data, q_from = (uintptr_t)q->data;
            if ((p->written || q->written)
                && p_from < q_from + (uintptr_t)(quern_mesh_span(q) * q->size)
                && q_from < p_from + (uintptr_t)(quern_mesh_span(p) * p->size))
                return quern_refuse(why, size, "%s and %s overlap", p->name, q->name);
        }
    return 0;
}

/* The numbers of an affine table lead to points: it is least and largest at its corners. */
QUERN_PRIVATE int quern_check_affine(const struct quern_mesh_table *table, char *why,
                                     size_t size)
{
    for (int corner = 0; table->rows > 0 && corner < 4; corner++) {
        const int64_t row = corner & 1 ? table->rows - 1 : 0;
        const int64_t slot = corner & 2 ? table->count - 1 : 0;
        const int64_t at = table->base + row * table->step[0] + slot * table->step[1];
        if (at < 0 || at >= table->targets)
            return quern_refuse(why, size, "%s: row %lld, slot %lld leads to %lld, %s has %lld "
                                "points", table->name, (long long)row, (long long)slot,
                                (long long)at, table->to, (long long)table->targets);
    }
    return 0;
}

/* Everything about a table but its entries, which a device may have. */
QUERN_PRIVATE int quern_check_table(const struct quern_mesh_table *table, char *why,
                                    size_t size)
{
    const int64_t limit = INT32_MAX - table->first;
    if (table->targets < 0 || table->rows < 0 || table->count < 0)
        return quern_refuse(why, size, "%s: an extent is negative", table->name);
    if (table->targets > limit)
        return quern_refuse(why, size, "%s: %s has %lld points, entries of 32 bits count %lld",
                            table->name, table->to, (long long)table->targets,
                            (long long)limit);
    if (table->affine)
        return quern_check_affine(table, why, size);
    if (table->data == NULL)
        return quern_refuse(why, size, "%s: the pointer is null", table->name);
    if (table->start != NULL)
        return 0;
    const int64_t least = table->by_slot ? table->count : table->rows;
    if (table->stride < least || table->stride > QUERN_LARGEST)
        return quern_refuse(why, size, "%s: the stride is %lld, wanted at least %lld",
                            table->name, (long long)table->stride, (long long)least);
    return 0;
}

QUERN_PRIVATE int quern_check_tables(const struct quern_mesh_table *list, int count, char *why,
                                     size_t size)
{
    for (int i = 0; i < count; i++)
        if (quern_check_table(&list[i], why, size))
            return 1;
    return 0;
}

/* A grid in which the second axis, of points, takes the place of the first, of which a device
 * launches more blocks than of others. */
QUERN_PRIVATE int quern_check_turned_grid(const struct quern_domain *domain,
                                          const struct quern_box *boxes, int count,
                                          const int64_t *tile, char *why, size_t size)
{
    for (int b = 0; b < count; b++)
        for (int axis = 0; axis < 2; axis++) {
            const int64_t blocks = quern_tiles(&boxes[b], tile, axis);
            const int64_t limit = axis == 1 ? INT32_MAX : 65535;
            if (blocks > limit)
                return quern_refuse(why, size,
                                    "%lld blocks along %s, the device's limit is %lld",
                                    (long long)blocks, domain->axis[axis], (long long)limit);
        }
    return 0;
}

/* --- the entries of tables in the host's memory --- */

/* One entry; counts it in `*found` if it is a neighbour. */
QUERN_PRIVATE int quern_check_entry(const struct quern_mesh_table *table, int64_t row,
                                    int64_t slot, int32_t entry, int64_t *found, char *why,
                                    size_t size)
{
    const int64_t at = (int64_t)entry - table->first;
    if (at >= 0 && at < table->targets) {
        ++*found;
        return 0;
    }
    if (at == -1 && table->skips)
        return 0;
    if (at == -1)
        return quern_refuse(why, size, "%s: row %lld, slot %lld is %d, a missing neighbour: the "
                            "table declares no skip", table->name, (long long)row,
                            (long long)slot, (int)entry);
    return quern_refuse(why, size, "%s: row %lld, slot %lld is %d, wanted %d to %lld: %s has "
                        "%lld points", table->name, (long long)row, (long long)slot, (int)entry,
                        table->first, (long long)(table->targets + table->first - 1), table->to,
                        (long long)table->targets);
}

/* The entries of a row: where the first is, how far they are apart, how many there are. */
QUERN_PRIVATE void quern_entries_of(const struct quern_mesh_table *table, int64_t row, int64_t *at,
                             int64_t *step, int64_t *slots)
{
    *at = table->start ? table->start[row] : table->by_slot ? row * table->stride : row;
    *step = table->start || table->by_slot ? 1 : table->stride;
    *slots = table->start ? table->start[row + 1] - *at : table->count;
}

/* The neighbour in a slot of a row, from 0; -1: none. Not of ragged tables. */
QUERN_PRIVATE int64_t quern_entry(const struct quern_mesh_table *table, int64_t row,
                                  int64_t slot)
{
    if (table->affine)
        return table->base + row * table->step[0] + slot * table->step[1];
    return table->data[table->by_slot ? row * table->stride + slot : row + slot * table->stride]
        - table->first;
}

/* Rows that begin where the last one ended, and hold all entries. */
QUERN_PRIVATE int quern_check_starts(const struct quern_mesh_table *table, char *why,
                                     size_t size)
{
    for (int64_t row = 0; row <= table->rows; row++) {
        const int64_t least = row == 0 ? 0 : table->start[row - 1];
        const int64_t most = row == 0 ? 0 : table->count;
        const int64_t wanted = row == table->rows ? table->count : table->start[row];
        if (table->start[row] < least || table->start[row] > most
            || table->start[row] != wanted)
            return quern_refuse(why, size, "%s: row %lld starts at entry %lld, wanted %lld to "
                                "%lld", table->name, (long long)row,
                                (long long)table->start[row],
                                (long long)(row == table->rows ? table->count : least),
                                (long long)most);
    }
    return 0;
}

/* Have all rows from `lower` to before `upper` all neighbours? Of the entries that kernels read:
 * that of a slot is at row * row_step + slot * slot_step. */
QUERN_PRIVATE int quern_has_all(const int32_t *entries, int64_t row_step, int64_t slot_step,
                                int count, int first, int64_t lower, int64_t upper)
{
    int missing = 0;
    for (int slot = 0; slot < count; slot++)
        for (int64_t row = lower; row < upper; row++)
            missing |= entries[row * row_step + slot * slot_step] < first;
    return !missing;
}

/* The entries of a table composed of two others, `count` slots of a row side by side; -1 in
 * rows that do not follow the pattern: where a neighbour is missing, or is another. Returns
 * how many such rows there are. The tables are in the host's memory. */
QUERN_PRIVATE int64_t quern_compose(const struct quern_mesh_table *first,
                                    const struct quern_mesh_table *second, const int *pattern,
                                    int64_t count, int32_t *entries)
{
    int64_t odd = 0;
    for (int64_t row = 0; row < first->rows; row++) {
        int32_t *found = entries + row * count;
        int follows = 1;
        for (int64_t slot = 0; slot < count; slot++)
            found[slot] = -1;
        for (int64_t i = 0; follows && i < first->count * second->count; i++) {
            const int64_t p = i / second->count, q = i % second->count;
            const int64_t middle = quern_entry(first, row, p);
            const int64_t at = middle < 0 ? -1 : quern_entry(second, middle, q);
            int32_t *target = &found[pattern[i]];
            follows = at >= 0 && (*target < 0 || *target == at);
            *target = (int32_t)at;
        }
        for (int64_t slot = 0; !follows && slot < count; slot++)
            found[slot] = -1;
        odd += !follows;
    }
    return odd;
}

/* --- rows of one kind --- */

/* What a kernel that finds neighbours by strides is given of a table. */
struct quern_mesh_kinds {
    const char *name;
    const int8_t *kind;
    int64_t every;              /* pace[0] */
};

QUERN_PRIVATE int quern_check_kinds(const struct quern_mesh_kinds *list, int count, char *why,
                                    size_t size)
{
    for (int i = 0; i < count; i++) {
        if (list[i].kind == NULL)
            return quern_refuse(why, size, "%s_kind: the pointer is null", list[i].name);
        if (list[i].every < 1)
            return quern_refuse(why, size, "%s_pace: the first number is %lld, wanted at least 1",
                                list[i].name, (long long)list[i].every);
    }
    return 0;
}

/* A row, and a number that rows of one kind share. */
struct quern_kind_key {
    uint64_t number;
    int64_t row;
};

enum { QUERN_PACES = 6, QUERN_STEPS = 16 };    /* numberings that are tried */

/* How far ahead of its place a slot of a row leads; what no 32 bits hold is no distance. */
QUERN_PRIVATE int64_t quern_ahead(const struct quern_mesh_table *table, int64_t row, int64_t slot,
                                  const int64_t *pace)
{
    const int64_t entry = quern_entry(table, row, slot), from = row / pace[0] * pace[1];
    return entry < 0 || from > INT32_MAX ? INT64_MAX : entry - from;
}

/* Do all slots of the row `every` rows further lead to points so many further? -1: not the same
 * number. */
QUERN_PRIVATE int64_t quern_step_to(const struct quern_mesh_table *table, int64_t row,
                                    int64_t every)
{
    const int64_t step = quern_entry(table, row + every, 0) - quern_entry(table, row, 0);
    for (int64_t slot = 0; slot < table->count; slot++) {
        const int64_t near = quern_entry(table, row, slot);
        const int64_t next = quern_entry(table, row + every, slot);
        if (near < 0 || next < 0 || next - near != step)
            return -1;
    }
    return step;
}

/* Most rows lead pace[1] points further than the rows pace[0] before them: the least pace[0] of
 * those that as many rows keep. */
QUERN_PRIVATE void quern_find_pace(const struct quern_mesh_table *table, int64_t *pace)
{
    int64_t most = 0;
    pace[0] = pace[1] = 1;
    for (int64_t every = 1; every <= QUERN_PACES; every++) {
        int64_t found[QUERN_STEPS] = { 0 };
        for (int64_t row = 0; row + every < table->rows; row++) {
            const int64_t step = quern_step_to(table, row, every);
            if (step >= 0 && step < QUERN_STEPS)
                found[step]++;
        }
        for (int64_t step = 0; step < QUERN_STEPS; step++)
            if (found[step] > most) {
                most = found[step];
                pace[0] = every;
                pace[1] = step;
            }
    }
}

QUERN_PRIVATE int quern_compare_keys(const void *p, const void *q)
{
    const struct quern_kind_key *a = (const struct quern_kind_key *)p;
    const struct quern_kind_key *b = (const struct quern_kind_key *)q;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

/* Keys of the rows that have all neighbours, sorted; how many. */
QUERN_PRIVATE int64_t quern_sort_rows(const struct quern_mesh_table *table, const int64_t *pace,
                                      struct quern_kind_key *keys)
{
    int64_t count = 0;
    for (int64_t row = 0; row < table->rows; row++) {
        uint64_t number = UINT64_C(0xcbf29ce484222325);
        int whole = 1;
        for (int64_t slot = 0; whole && slot < table->count; slot++) {
            const int64_t ahead = quern_ahead(table, row, slot, pace);
            whole = ahead != INT64_MAX;
            number = (number ^ (uint64_t)ahead) * UINT64_C(0x100000001b3);
            number ^= number >> 29;
        }
        keys[count].number = number;
        keys[count].row = row;
        count += whole;
    }
    qsort(keys, (size_t)count, sizeof *keys, quern_compare_keys);
    return count;
}

/* Is the row as far ahead as the kind says? */
QUERN_PRIVATE int quern_is_of_kind(const struct quern_mesh_table *table, int64_t row,
                                   const int64_t *pace, const int32_t *ahead)
{
    for (int64_t slot = 0; slot < table->count; slot++)
        if (quern_ahead(table, row, slot, pace) != ahead[slot])
            return 0;
    return 1;
}

/* The first rows of the `most` kinds that most rows are of, two rows at least, most rows first:
 * keys[i].row of i < the number returned, keys[i].number = how many rows may be so. */
QUERN_PRIVATE int quern_first_rows(struct quern_kind_key *keys, int64_t count, int most)
{
    int found = 0;
    for (int64_t i = 0, next; i < count; i = next) {
        struct quern_kind_key kind = { 0, keys[i].row };
        for (next = i; next < count && keys[next].number == keys[i].number; next++)
            kind.number++;
        int at = found < most ? found : most;
        while (at > 0 && (keys[at - 1].number < kind.number
                          || (keys[at - 1].number == kind.number && keys[at - 1].row > kind.row)))
            at--;
        if (kind.number < 2 || at >= most)
            continue;
        found += found < most;
        memmove(&keys[at + 1], &keys[at], (size_t)(found - 1 - at) * sizeof *keys);
        keys[at] = kind;
    }
    return found;
}

/* Tells the rows of a table apart, whose entries are in the host's memory: `pace`, at most `most`
 * kinds in `ahead` (`count` numbers each), the most frequent first, and the kind of each row, -1
 * where it is of none. `keys` has room for all rows. Returns how many kinds there are. */
QUERN_PRIVATE int quern_find_kinds(const struct quern_mesh_table *table, int most,
                                   struct quern_kind_key *keys, int64_t *pace, int32_t *ahead,
                                   int8_t *kind)
{
    quern_find_pace(table, pace);
    const int count = quern_first_rows(keys, quern_sort_rows(table, pace, keys), most);
    for (int q = 0; q < count; q++)
        for (int64_t slot = 0; slot < table->count; slot++)
            ahead[q * table->count + slot] =
                (int32_t)quern_ahead(table, keys[q].row, slot, pace);
    for (int64_t row = 0; row < table->rows; row++) {
        kind[row] = -1;
        for (int q = 0; kind[row] < 0 && q < count; q++)
            if (quern_is_of_kind(table, row, pace, ahead + q * table->count))
                kind[row] = (int8_t)q;
    }
    return count;
}

/* All entries: neighbours in their domain, none missing but where the table says so. */
QUERN_PRIVATE int quern_check_entries(const struct quern_mesh_table *table, char *why,
                                      size_t size)
{
    if (quern_check_table(table, why, size))
        return 1;
    if (table->affine)
        return 0;
    if (table->start != NULL && quern_check_starts(table, why, size))
        return 1;
    for (int64_t row = 0; row < table->rows; row++) {
        int64_t at, step, slots, found = 0;
        quern_entries_of(table, row, &at, &step, &slots);
        for (int64_t slot = 0; slot < slots; slot++)
            if (quern_check_entry(table, row, slot, table->data[at + slot * step], &found, why,
                                  size))
                return 1;
        if (found == 0 && table->nonempty)
            return quern_refuse(why, size, "%s: row %lld has no neighbour, and its least or "
                                "largest is wanted", table->name, (long long)row);
    }
    return 0;
}

#endif
