/* The arguments of a module and what they point to. A module has one state of
 * its user's; validate and bench put another in its place for a while. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum qn_status qn__module_alloc(const struct qn_module *module, size_t size,
                                void **data)
{
    struct qn_context *const context = module->context;
    const enum qn_status status = context->backend->alloc(context, size, data);
    if (status == QN_OK && module->library.enroll)
        module->library.enroll(*data, size);
    return status;
}

enum qn_status qn__module_send(const struct qn_module *module,
                               const void *host, size_t size, void **data)
{
    enum qn_status status = qn__module_alloc(module, size, data);
    if (status == QN_OK)
        status = qn__context_upload(module->context, *data, host, size);
    return status;
}

void qn__module_release(const struct qn_module *module, void *data)
{
    if (data && module->library.withdraw)
        module->library.withdraw(data);
    module->context->backend->release(module->context, data);
}

/* Forgets every pointer of the copied arguments: those arrays are not ours. */
static void detach(const struct quern_module *info, struct qn__state *state)
{
    for (int f = 0; f < info->field_count; f++) {
        const struct quern_field *const field = &info->fields[f];
        for (int b = 0; b < field->buffers; b++)
            *qn__args_pointer(state, field->data[b]) = NULL;
        if (field->value)
            *qn__args_pointer(state, field->value) = NULL;
        if (field->bound)
            *qn__args_pointer(state, field->bound) = NULL;
    }
    for (int t = 0; t < info->table_count; t++)
        if (!info->tables[t].affine) {
            *qn__args_pointer(state, info->tables[t].data) = NULL;
            if (!info->tables[t].count)
                *qn__args_pointer(state, info->tables[t].start) = NULL;
            if (info->tables[t].kinds)
                *qn__args_pointer(state, info->tables[t].kind) = NULL;
        }
    for (int k = 0; k < info->kernel_count; k++)
        if (info->kernels[k].tiling) {
            *qn__args_pointer(state, info->kernels[k].tiles) = NULL;
            *qn__args_int(state, info->kernels[k].tile_count) = 0;
        }
    if (info->workspace)
        *qn__args_pointer(state, info->workspace) = NULL;
}

static void *copy(const void *from, size_t count, size_t size)
{
    void *const made = calloc(count ? count : 1, size);
    if (made && from)
        memcpy(made, from, count * size);
    return made;
}

enum qn_status qn__state_make(const struct qn_module *module,
                              struct qn__state *state)
{
    const struct quern_module *const info = module->info;
    const struct qn__state *const from = &module->state;
    const size_t scalars = (size_t)info->scalar_count;
    const size_t fields = (size_t)info->field_count;
    const size_t tables = (size_t)info->table_count;
    const size_t kernels = (size_t)info->kernel_count;
    struct qn__state made = { .sized = from->sized,
                              .aligned = from->aligned,
                              .spread = from->spread };
    made.args = copy(from->args, 1, info->args_size);
    made.set = copy(from->set, scalars, sizeof *made.set);
    made.fields = copy(NULL, fields, sizeof *made.fields);
    made.tables = copy(NULL, tables, sizeof *made.tables);
    made.tiles = copy(NULL, kernels, sizeof *made.tiles);
    made.prepared = copy(NULL, kernels, sizeof *made.prepared);
    if (!made.args || !made.set || !made.fields || !made.tables
        || !made.tiles || !made.prepared) {
        free(made.args);
        free(made.set);
        free(made.fields);
        free(made.tables);
        free(made.tiles);
        free(made.prepared);
        return qn__fail(QN_NO_MEMORY,
                        "no memory for the arguments of a module");
    }
    memcpy(made.args, &info->args_size, sizeof(size_t));
    detach(info, &made);
    *state = made;
    return QN_OK;
}

void qn__state_forget(const struct qn_module *module)
{
    const size_t kernels = (size_t)module->info->kernel_count;
    memset(module->state.prepared, 0,
           kernels * sizeof *module->state.prepared);
}

void qn__state_drop_fields(const struct qn_module *module,
                           struct qn__state *state)
{
    for (int f = 0; f < module->info->field_count; f++) {
        struct qn_field *const field = state->fields[f];
        if (!field)
            continue;
        qn__places_drop(field);
        qn__packed_release(field, state);
        state->fields[f] = NULL;
        free(field);
    }
}

void qn__state_free(const struct qn_module *module, struct qn__state *state)
{
    if (!state->args)
        return;
    qn__state_drop_fields(module, state);
    qn__tables_drop(module, state);
    qn__tiles_drop(module, state);
    qn__module_release(module, state->workspace);
    free(state->args);
    free(state->set);
    free(state->fields);
    free(state->tables);
    free(state->tiles);
    free(state->prepared);
    *state = (struct qn__state){ 0 };
}
