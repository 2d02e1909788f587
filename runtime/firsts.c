/* The blocks of kernels that each serve a request: counted before the first
 * launch after tables have been connected, and put into the memory of the
 * context with the tiles of others. */
#include "internal.h"

#include "../templates/quern_requests.h"

#include <stdlib.h>

/* Where the items of each request begin, as a table says whose they are. */
static enum qn_status find_starts(const struct qn_module *module, int index,
                                  int64_t items, int64_t *start)
{
    const char *const name = module->info->tables[index].name;
    const int32_t *const request = module->state.tables[index].entries;
    int64_t next = 0;
    if (!request)
        return qn__fail(QN_INVALID, "table '%s' is not connected", name);
    for (int64_t i = 0; i < items; i++) {
        if (i > 0 && request[i] < request[i - 1])
            return qn__fail(QN_INVALID, "%s: item %lld is of request %d, the"
                            " one before of %d: wanted in order", name,
                            (long long)i, (int)request[i],
                            (int)request[i - 1]);
        while (next <= request[i])
            start[next++] = i;
    }
    return QN_OK;
}

static enum qn_status place(const struct qn_kernel *kernel,
                            const int32_t *firsts, int64_t requests,
                            int64_t blocks)
{
    struct qn_module *const module = kernel->module;
    struct qn__tiles *const tiles =
        &module->state.tiles[kernel - module->kernels];
    const enum qn_status status = qn__module_send(
        module, firsts, (size_t)(requests + 1) * 2 * sizeof *firsts,
        &tiles->data);
    if (status != QN_OK)
        return status;
    *qn__args_pointer(&module->state, kernel->info->firsts) = tiles->data;
    *qn__args_int(&module->state, kernel->info->blocks) = blocks;
    return QN_OK;
}

enum qn_status qn__firsts_make(const struct qn_kernel *kernel)
{
    const struct qn_module *const module = kernel->module;
    const struct quern_table *const of =
        &module->info->tables[kernel->info->share_table];
    const int64_t *const n = qn__args_int(&module->state, module->info->extent);
    const int64_t requests = n[of->to], items = n[of->from];
    int64_t *const start = malloc((size_t)(requests + 1) * sizeof *start);
    int32_t *const firsts =
        malloc((size_t)(requests + 1) * 2 * sizeof *firsts);
    enum qn_status status = start && firsts ? QN_OK
        : qn__fail(QN_NO_MEMORY, "no memory for the requests of %s",
                   kernel->info->name);
    for (int64_t r = 0; status == QN_OK && r <= requests; r++)
        start[r] = items;
    if (status == QN_OK)
        status = find_starts(module, kernel->info->share_table, items, start);
    if (status == QN_OK)
        status = place(kernel, firsts, requests,
                       quern_share_out(start, requests,
                                       kernel->info->share_items, firsts));
    free(start);
    free(firsts);
    return status;
}

bool qn__wants_order(const struct quern_module *info, int table)
{
    for (int i = 0; i < info->kernel_count; i++)
        if (info->kernels[i].share_items > 0
            && info->kernels[i].share_table == table)
            return true;
    return false;
}
