/* How many rows of a mesh a kernel computes in the way that it is made for:
 * those that are alike, or have a folded form. */
#include "internal.h"

#include <stdlib.h>

/* Keeps the table that has most other rows. */
static void take(const struct qn_module *module, int index, int64_t regular,
                 struct qn_regular *found)
{
    const int64_t rows = qn__table_rows(module, index);
    if (!found->table || rows - regular > found->rows - found->regular)
        *found = (struct qn_regular){ module->info->tables[index].name, rows,
                                      regular };
}

static void look_at_tables(const struct qn_kernel *kernel,
                           struct qn_regular *regular)
{
    const struct qn_module *const module = kernel->module;
    for (int i = 0; i < kernel->info->table_count; i++) {
        const int index = kernel->info->tables[i];
        const struct quern_table *const info = &module->info->tables[index];
        const struct qn__table *const table = &module->state.tables[index];
        if (info->pattern && table->entries)
            take(module, index, table->of_pattern, regular);
        if (info->kinds && table->entries)
            take(module, index, table->of_kinds, regular);
    }
}

/* How many of the elements that begin here on the device are not below 0. */
static enum qn_status count(struct qn_context *context, const int32_t *first,
                            int64_t elements, int64_t step, int64_t *found)
{
    const size_t size = (size_t)((elements - 1) * step + 1) * sizeof *first;
    int32_t *const copy = malloc(size);
    if (!copy)
        return qn__fail(QN_NO_MEMORY, "no memory to count folded rows");
    const enum qn_status status =
        qn__context_download(context, copy, first, size);
    for (int64_t i = 0; status == QN_OK && i < elements; i++)
        *found += copy[i * step] >= 0;
    free(copy);
    return status;
}

/* Of a kernel that folds rows: they are as it has prepared them. */
static enum qn_status look_at_rows(struct qn_kernel *kernel,
                                   struct qn_regular *regular)
{
    struct qn_module *const module = kernel->module;
    const struct quern_kernel *const info = kernel->info;
    const enum qn_status status = qn__kernel_ready(kernel);
    if (status != QN_OK || info->points(module->state.args) == 0)
        return status;
    const int32_t *first;
    int64_t step;
    const int64_t elements = info->folds(module->state.args, &first, &step);
    regular->table = module->info->axis[info->rows];
    regular->rows = qn__args_int(&module->state,
                                 module->info->extent)[info->rows];
    return count(module->context, first, elements, step, &regular->regular);
}

enum qn_status qn_kernel_regular(struct qn_kernel *kernel,
                                 struct qn_regular *regular)
{
    *regular = (struct qn_regular){ 0 };
    if (kernel->info->folds)
        return look_at_rows(kernel, regular);
    const enum qn_status status = qn__tables_compose(kernel->module);
    look_at_tables(kernel, regular);
    return status;
}
