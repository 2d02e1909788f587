/* The tiles of a module's kernels: made before the first launch after tables
 * have been connected, and put into the memory of the context. */
#include "tiling.h"

#include <stdlib.h>
#include <string.h>

static struct quern_mesh_table *views(const struct qn_module *module)
{
    const int count = module->info->table_count;
    struct quern_mesh_table *const list =
        calloc((size_t)count + 1, sizeof *list);
    for (int i = 0; list && i < count; i++)
        list[i] = qn__table_view(module, i);
    return list;
}

/* The blocks of a kernel that the device holds at once. */
static enum qn_status at_once(const struct qn_kernel *kernel,
                              struct quern_room *room)
{
    const int code = kernel->info->resident(&room->blocks, &room->each);
    const struct qn_module *const module = kernel->module;
    return code == 0 ? QN_OK
        : module->context->backend->explain(module->context, &module->library,
                                            code, kernel->info->name);
}

static enum qn_status place(const struct qn_kernel *kernel,
                            struct qn__tiles *tiles, const int32_t *words)
{
    struct qn_module *const module = kernel->module;
    const struct quern_tile_form *const form = kernel->info->tiling;
    const int64_t count = tiles->made.count;
    const size_t size = (size_t)(count * form->words * form->threads)
                      * sizeof *words;
    enum qn_status status = qn__module_alloc(module, size + sizeof *words,
                                             &tiles->data);
    if (status == QN_OK && size > 0)
        status = qn__context_upload(module->context, tiles->data, words, size);
    if (status != QN_OK)
        return status;
    *qn__args_pointer(&module->state, kernel->info->tiles) = tiles->data;
    *qn__args_int(&module->state, kernel->info->tile_count) = count;
    return QN_OK;
}

static enum qn_status make(const struct qn_kernel *kernel,
                           struct qn__tiles *tiles)
{
    const struct qn_module *const module = kernel->module;
    struct qn__tiling tiling = { .form = kernel->info->tiling,
        .points = qn__args_int(&module->state, module->info->extent) };
    int32_t *words = NULL;
    enum qn_status status = at_once(kernel, &tiling.room);
    if (status != QN_OK)
        return status;
    struct quern_mesh_table *const tables = views(module);
    tiling.tables = tables;
    if (!tables)
        status = qn__fail(QN_NO_MEMORY, "no memory for the tiles of %s",
                          kernel->info->name);
    if (status == QN_OK)
        status = qn__tiling_make(&tiling, &words, &tiles->made);
    if (status == QN_OK)
        status = place(kernel, tiles, words);
    free(words);
    free(tables);
    return status;
}

enum qn_status qn__tiles_make(struct qn_kernel *kernel)
{
    struct qn_module *const module = kernel->module;
    struct qn__tiles *const tiles =
        &module->state.tiles[kernel - module->kernels];
    const bool shares = kernel->info->share_items > 0;
    if ((!kernel->info->tiling && !shares) || tiles->data)
        return QN_OK;
    const enum qn_status status = shares ? qn__firsts_make(kernel)
                                         : make(kernel, tiles);
    if (status != QN_OK && tiles->data) {
        qn__module_release(module, tiles->data);
        tiles->data = NULL;
    }
    return status;
}

struct qn_tiles qn__tiles_made(const struct qn_kernel *kernel)
{
    const struct qn_module *const module = kernel->module;
    const struct qn_tiles none = { 0 };
    return kernel->info->tiling
        ? module->state.tiles[kernel - module->kernels].made : none;
}

enum qn_status qn_kernel_tiles(struct qn_kernel *kernel, struct qn_tiles *tiles)
{
    const enum qn_status status = qn__kernel_ready(kernel);
    memset(tiles, 0, sizeof *tiles);
    if (status == QN_OK)
        *tiles = qn__tiles_made(kernel);
    return status;
}

void qn__tiles_drop(const struct qn_module *module, struct qn__state *state)
{
    for (int i = 0; state->tiles && i < module->info->kernel_count; i++) {
        const struct quern_kernel *const info = &module->info->kernels[i];
        qn__module_release(module, state->tiles[i].data);
        state->tiles[i].data = NULL;
        if (info->tiling && state->args) {
            *qn__args_pointer(state, info->tiles) = NULL;
            *qn__args_int(state, info->tile_count) = 0;
        }
        if (info->share_items > 0 && state->args) {
            *qn__args_pointer(state, info->firsts) = NULL;
            *qn__args_int(state, info->blocks) = 0;
        }
    }
}
