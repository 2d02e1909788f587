/* Tables of neighbours: taken from the user, looked at entry by entry, and put
 * into the memory of the context in the layout that kernels read. A host copy
 * stays, so that validation can give the reference the same. */
#include "internal.h"

#include "../templates/quern_mesh.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64, POISON = INT32_MIN + 7 };     /* nobody's neighbour */

static int64_t extent(const struct qn_module *module, int axis)
{
    return qn__args_int(&module->state, module->info->extent)[axis];
}

int64_t qn__table_rows(const struct qn_module *module, int index)
{
    return extent(module, module->info->tables[index].from);
}

int64_t qn__table_entries(const struct qn_module *module, int index)
{
    const struct quern_table *const info = &module->info->tables[index];
    return info->count ? qn__table_rows(module, index) * info->count
                       : extent(module, info->entries);
}

/* A dense host copy, all slots of a row side by side, as the checks see it. */
static struct quern_mesh_table view(const struct qn_module *module, int index,
                                    const int64_t *start,
                                    const int32_t *entries)
{
    const struct quern_module *const info = module->info;
    const struct quern_table *const table = &info->tables[index];
    const struct quern_mesh_table seen = {
        .name = table->name, .from = info->axis[table->from],
        .to = info->axis[table->to], .rows = qn__table_rows(module, index),
        .targets = extent(module, table->to),
        .count = table->count ? table->count
                              : qn__table_entries(module, index),
        .first = table->first, .skips = table->skips,
        .nonempty = table->nonempty, .by_slot = 1, .data = entries,
        .start = start, .stride = table->count };
    return seen;
}

struct quern_mesh_table qn__table_view(const struct qn_module *module,
                                       int index)
{
    const struct qn__table *const table = &module->state.tables[index];
    return view(module, index, table->start, table->entries);
}

/* Are all entries base + row * step[0] + slot * step[1]? */
static enum qn_status find_affine(const struct quern_mesh_table *seen,
                                  int64_t *base, int64_t *step)
{
    const int64_t slots = seen->count;
    const int32_t *const entries = seen->data;
    *base = seen->rows > 0 ? entries[0] : 0;
    step[0] = seen->rows > 1 ? entries[slots] - *base : 0;
    step[1] = seen->rows > 0 && slots > 1 ? entries[1] - *base : 0;
    for (int64_t i = 0; i < seen->rows * slots; i++) {
        const int64_t wanted =
            *base + i / slots * step[0] + i % slots * step[1];
        if (entries[i] != wanted)
            return qn__fail(QN_INVALID, "%s: row %lld, slot %lld is %d: the"
                            " table is affine, that would be %lld", seen->name,
                            (long long)(i / slots), (long long)(i % slots),
                            (int)entries[i], (long long)wanted);
    }
    return QN_OK;
}

/* What kernels read: rows of a slot side by side, or as the host copy is. */
static int32_t *arranged(const struct qn_module *module, int index,
                         const int32_t *entries, int64_t *stride, size_t *size)
{
    const struct quern_table *const info = &module->info->tables[index];
    const int64_t rows = qn__table_rows(module, index);
    const int64_t all = qn__table_entries(module, index), slots = info->count;
    const bool transposed = slots && !info->by_slot;
    *stride = transposed ? (rows + LINE - 1) / LINE * LINE : slots;
    const int64_t count = transposed ? *stride * slots : all;
    *size = (size_t)(count > 0 ? count : 1) * sizeof *entries;
    int32_t *const made = malloc(*size);
    for (int64_t i = 0; made && i < count; i++)
        made[i] = transposed ? POISON : entries[i];
    for (int64_t i = 0; made && transposed && i < all; i++)
        made[i / slots + i % slots * *stride] = entries[i];
    return made;
}

static enum qn_status place(struct qn_module *module, int index,
                            struct qn__table *table)
{
    const struct quern_table *const info = &module->info->tables[index];
    const size_t starts = (size_t)(qn__table_rows(module, index) + 1)
                        * sizeof *table->start;
    int64_t stride;
    size_t size;
    int32_t *const made = arranged(module, index, table->entries, &stride,
                                   &size);
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory for table '%s'", info->name);
    enum qn_status status = qn__module_send(module, made, size, &table->data);
    free(made);
    if (status == QN_OK && table->start)
        status = qn__module_send(module, table->start, starts,
                                 &table->data_start);
    if (status != QN_OK)
        return status;
    *qn__args_pointer(&module->state, info->data) = table->data;
    if (table->start)
        *qn__args_pointer(&module->state, info->start) = table->data_start;
    else
        *qn__args_int(&module->state, info->stride) = stride;
    return QN_OK;
}

static void drop(const struct qn_module *module, struct qn__table *table)
{
    qn__module_release(module, table->data);
    qn__module_release(module, table->data_start);
    qn__module_release(module, table->data_kind);
    free(table->entries);
    free(table->start);
    *table = (struct qn__table){ 0 };
}

void qn__tables_drop(const struct qn_module *module, struct qn__state *state)
{
    for (int i = 0; state->tables && i < module->info->table_count; i++)
        drop(module, &state->tables[i]);
}

static enum qn_status look(const struct qn_module *module, int index,
                           const struct quern_mesh_table *seen)
{
    char why[256] = "";
    const struct quern_table *const info = &module->info->tables[index];
    if (quern_check_entries(seen, why, sizeof why))
        return qn__fail(QN_INVALID, "%s", why);
    return info->affine
        ? find_affine(seen, qn__args_int(&module->state, info->data),
                      qn__args_int(&module->state, info->stride))
        : QN_OK;
}

static void *copy(const void *from, int64_t count, size_t size)
{
    void *const made = from ? malloc((size_t)(count > 0 ? count : 1) * size)
                            : NULL;
    if (made)
        memcpy(made, from, (size_t)count * size);
    return made;
}

/* Forgets the tables that are composed of one. */
static void drop_composed(struct qn_module *module, int part)
{
    for (int i = 0; i < module->info->table_count; i++) {
        const struct quern_table *const info = &module->info->tables[i];
        if (info->pattern
            && (info->through[0] == part || info->through[1] == part))
            drop(module, &module->state.tables[i]);
    }
}

enum qn_status qn__table_connect(struct qn_module *module, int index,
                                 const int64_t *start, const int32_t *entries)
{
    struct qn__table *const table = &module->state.tables[index];
    const struct quern_mesh_table seen = view(module, index, start, entries);
    enum qn_status status = look(module, index, &seen);
    if (status != QN_OK)
        return status;
    drop(module, table);
    drop_composed(module, index);
    qn__tiles_drop(module, &module->state);
    qn__state_forget(module);
    table->entries = copy(entries, qn__table_entries(module, index),
                          sizeof *entries);
    table->start = copy(start, qn__table_rows(module, index) + 1,
                        sizeof *start);
    if (!table->entries || (start && !table->start))
        status = qn__fail(QN_NO_MEMORY, "no memory for table '%s'",
                          module->info->tables[index].name);
    else if (!module->info->tables[index].affine)
        status = place(module, index, table);
    if (status == QN_OK && module->info->tables[index].kinds)
        status = qn__table_find_kinds(module, index);
    if (status != QN_OK)
        drop(module, table);
    return status;
}

/* The index of a table that a user may connect, with this many slots a row. */
static enum qn_status find(const struct qn_module *module, const char *name,
                           int64_t count, int *index)
{
    const struct quern_module *const info = module->info;
    for (*index = 0; *index < info->table_count; ++*index)
        if (strcmp(info->tables[*index].name, name) == 0)
            break;
    if (*index == info->table_count)
        return qn__fail(QN_NOT_FOUND, "%s has no table '%s'", info->instance,
                        name);
    if (!module->state.sized)
        return qn__fail(QN_INVALID, "%s has no extents yet: qn_module_resize",
                        info->instance);
    if (info->tables[*index].pattern)
        return qn__fail(QN_INVALID, "table '%s' is composed: connect '%s' and"
                        " '%s'", name,
                        info->tables[info->tables[*index].through[0]].name,
                        info->tables[info->tables[*index].through[1]].name);
    const int wanted = info->tables[*index].count;
    if (wanted == count)
        return QN_OK;
    if (!wanted || !count)
        return qn__fail(QN_INVALID, "table '%s' is %s: use %s", name,
                        wanted ? "not ragged" : "ragged",
                        wanted ? "qn_module_connect"
                               : "qn_module_connect_ragged");
    return qn__fail(QN_INVALID, "table '%s' has %d slots in a row, not %lld",
                    name, wanted, (long long)count);
}

enum qn_status qn_module_connect(struct qn_module *module, const char *table,
                                 int64_t count, const int32_t *entries)
{
    int index = 0;
    if (count < 1)
        return qn__fail(QN_INVALID, "table '%s' with %lld slots in a row: at"
                        " least 1", table, (long long)count);
    const enum qn_status status = find(module, table, count, &index);
    return status == QN_OK ? qn__table_connect(module, index, NULL, entries)
                           : status;
}

enum qn_status qn_module_connect_ragged(struct qn_module *module,
                                        const char *table,
                                        const int64_t *start,
                                        const int32_t *entries)
{
    int index = 0;
    const enum qn_status status = find(module, table, 0, &index);
    return status == QN_OK ? qn__table_connect(module, index, start, entries)
                           : status;
}

static enum qn_status compose(struct qn_module *module, int index)
{
    const struct quern_table *const info = &module->info->tables[index];
    const struct qn__table *const tables = module->state.tables;
    const int p = info->through[0], q = info->through[1];
    const struct quern_mesh_table first =
        view(module, p, NULL, tables[p].entries);
    const struct quern_mesh_table second =
        view(module, q, NULL, tables[q].entries);
    const int64_t count = qn__table_entries(module, index);
    int32_t *const made = malloc((size_t)(count + 1) * sizeof *made);
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory for table '%s'", info->name);
    const int64_t odd = quern_compose(&first, &second, info->pattern,
                                      info->count, made);
    const enum qn_status status = qn__table_connect(module, index, NULL, made);
    module->state.tables[index].of_pattern = first.rows - odd;
    free(made);
    return status;
}

enum qn_status qn__tables_compose(struct qn_module *module)
{
    enum qn_status status = QN_OK;
    for (int i = 0; status == QN_OK && i < module->info->table_count; i++) {
        const struct quern_table *const info = &module->info->tables[i];
        const struct qn__table *const tables = module->state.tables;
        if (info->pattern && !tables[i].entries
            && tables[info->through[0]].entries
            && tables[info->through[1]].entries)
            status = compose(module, i);
    }
    return status;
}

enum qn_status qn__tables_copy(const struct qn__state *from,
                               struct qn_module *to)
{
    enum qn_status status = QN_OK;
    for (int i = 0; status == QN_OK && i < to->info->table_count; i++)
        if (from->tables[i].entries && !to->info->tables[i].pattern)
            status = qn__table_connect(to, i, from->tables[i].start,
                                       from->tables[i].entries);
    return status;
}
