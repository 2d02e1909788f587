/* Rows of one kind: what kernels that find neighbours by strides are given
 * beside the entries of a table. */
#include "internal.h"

#include "../templates/quern_mesh.h"

#include <stdlib.h>
#include <string.h>

static int64_t count_kinds(const int8_t *kind, int64_t rows)
{
    int64_t count = 0;
    for (int64_t row = 0; row < rows; row++)
        count += kind[row] >= 0;
    return count;
}

/* Tells rows apart with this memory, and hands the module what it found. */
static enum qn_status find(struct qn_module *module, int index,
                           struct quern_kind_key *keys, int8_t *kind)
{
    const struct quern_table *const info = &module->info->tables[index];
    struct qn__table *const table = &module->state.tables[index];
    const struct quern_mesh_table seen = qn__table_view(module, index);
    int64_t *const pace = qn__args_int(&module->state, info->pace);
    int32_t *const ahead = (void *)(module->state.args + info->ahead);
    memset(ahead, 0, (size_t)info->kinds * (size_t)info->count
                         * sizeof *ahead);
    quern_find_kinds(&seen, info->kinds, keys, pace, ahead, kind);
    table->of_kinds = count_kinds(kind, seen.rows);
    const enum qn_status status = qn__module_send(module, kind,
        (size_t)(seen.rows > 0 ? seen.rows : 1), &table->data_kind);
    if (status == QN_OK)
        *qn__args_pointer(&module->state, info->kind) = table->data_kind;
    return status;
}

enum qn_status qn__table_find_kinds(struct qn_module *module, int index)
{
    const size_t rows = (size_t)qn__table_rows(module, index);
    struct quern_kind_key *const keys = malloc((rows + 1) * sizeof *keys);
    int8_t *const kind = calloc(rows + 1, sizeof *kind);
    enum qn_status status = QN_OK;
    if (!keys || !kind)
        status = qn__fail(QN_NO_MEMORY, "no memory for the kinds of rows of"
                          " table '%s'", module->info->tables[index].name);
    if (status == QN_OK)
        status = find(module, index, keys, kind);
    free(keys);
    free(kind);
    return status;
}
