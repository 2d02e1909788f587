/* The arguments of a batch: a copy of the module's, in which extents, tables
 * and fields of requests and items are the batch's. */
#include "server.h"

#include <stdlib.h>
#include <string.h>

/* --- memory --------------------------------------------------------------- */

/* The next of the batch's buffers, with `host` in it, if there is some. Which
 * one is which is the same in every batch. */
static enum qn_status put(struct qn_server *server, const void *host,
                          size_t size, void **data)
{
    struct qn__buffer *const buffer = &server->buffers[server->next++];
    if (size >= buffer->size) {
        qn__module_release(server->module, buffer->data);
        *buffer = (struct qn__buffer){ NULL, 0 };
        const enum qn_status status =
            qn__module_alloc(server->module, 2 * size + 64, &buffer->data);
        if (status != QN_OK)
            return status;
        buffer->size = 2 * size + 64;
    }
    *data = buffer->data;
    return host && size > 0
        ? qn__context_upload(server->module->context, buffer->data, host, size)
        : QN_OK;
}

/* --- the arguments of a batch --------------------------------------------- */

static void set_extent(struct qn_server *server, int axis, int64_t n)
{
    const struct quern_module *const info = server->module->info;
    if (axis < 0)
        return;
    qn__args_int(&server->state, info->extent)[axis] = n;
    qn__args_int(&server->state, info->lower)[axis] = 0;
    qn__args_int(&server->state, info->upper)[axis] = n;
}

/* A table, if the module has it. start: of ragged ones. */
static enum qn_status set_table(struct qn_server *server, int index,
                                const int64_t *start, int64_t rows,
                                const int32_t *entries, int64_t count)
{
    if (index < 0)
        return QN_OK;
    const struct quern_table *const info = &server->module->info->tables[index];
    enum qn_status status =
        put(server, entries, (size_t)count * sizeof *entries,
            qn__args_pointer(&server->state, info->data));
    if (start && status == QN_OK)
        return put(server, start, (size_t)(rows + 1) * sizeof *start,
                   qn__args_pointer(&server->state, info->start));
    if (!start)
        *qn__args_int(&server->state, info->stride) =
            info->by_slot ? 1 : (rows > 0 ? rows : 1);
    return status;
}

static enum qn_status set_list(struct qn_server *server, size_t number)
{
    const struct qn__served *const list = &server->lists[number];
    struct qn_record_list view;
    qn_record_list(server->record, number, &view);
    set_extent(server, list->item, view.items);
    set_extent(server, list->items, view.items);
    set_extent(server, list->own, view.items);
    enum qn_status status = set_table(server, list->point, NULL, view.items,
                                      view.point, view.items);
    if (status == QN_OK)
        status = set_table(server, list->request, NULL, view.items,
                           view.request, view.items);
    if (status == QN_OK)
        status = set_table(server, list->turned, view.items_start,
                           view.points, view.item, view.items);
    return status == QN_OK
        ? set_table(server, list->read, view.start, view.requests, view.point,
                    view.items)
        : status;
}

/* A field of one axis without halo, of so many values, that the server has. */
static enum qn_status set_field(struct qn_server *server, int index,
                                const void *values, int64_t count)
{
    const struct quern_field *const info = &server->module->info->fields[index];
    qn__args_int(&server->state, info->stride)[0] = 1;
    qn__args_int(&server->state, info->halo)[0] = 0;
    return put(server, values, (size_t)count * qn__type_size(info->type),
               qn__args_pointer(&server->state, info->data[0]));
}

static enum qn_status set_scalar(struct qn_server *server, size_t number,
                                 int64_t requests)
{
    const int field = server->scalars[number];
    const enum quern_type type = server->module->info->fields[field].type;
    const size_t size = (size_t)(requests + 1) * qn__type_size(type);
    if (size > server->image_size) {
        void *const made = realloc(server->image, 2 * size);
        if (!made)
            return qn__fail(QN_NO_MEMORY, "no memory for a batch of requests");
        server->image = made;
        server->image_size = 2 * size;
    }
    const double *value = server->values + number;
    for (int64_t r = 0; r < requests; r++, value += server->scalar_count)
        qn__value_set(type, server->image, r, *value);
    return set_field(server, field, server->image, requests);
}

/* What each item adds: a field on the items of a list. */
static enum qn_status set_parts(struct qn_server *server)
{
    const struct quern_module *const info = server->module->info;
    enum qn_status status = QN_OK;
    for (int f = 0; f < info->field_count && status == QN_OK; f++)
        for (size_t l = 0; l < server->list_count && status == QN_OK; l++) {
            const int item = server->lists[l].item;
            if (item >= 0 && info->fields[f].axis[0] == item)
                status = set_field(server, f, NULL,
                                   qn__args_int(&server->state,
                                                info->extent)[item]);
        }
    return status;
}

/* Those that do not come with a request have been set. */
static enum qn_status check_scalars(const struct qn_module *module)
{
    for (int i = 0; i < module->info->scalar_count; i++)
        if (!module->state.set[i])
            return qn__fail(QN_INVALID, "scalar '%s' of %s has no value yet",
                            module->info->scalars[i].name,
                            module->info->instance);
    return QN_OK;
}

/* Of each list four tables, two of them ragged, which have two arrays. */
size_t qn__server_buffers(const struct qn_server *server)
{
    return 6 * server->list_count + server->scalar_count
         + (size_t)server->module->info->field_count;
}

enum qn_status qn__server_set(struct qn_server *server, int64_t requests)
{
    enum qn_status status = check_scalars(server->module);
    memcpy(server->state.args, server->module->state.args,
           server->module->info->args_size);
    server->next = 0;
    set_extent(server, server->request, requests);
    for (size_t l = 0; l < server->list_count && status == QN_OK; l++)
        status = set_list(server, l);
    for (size_t s = 0; s < server->scalar_count && status == QN_OK; s++)
        status = set_scalar(server, s, requests);
    return status == QN_OK ? set_parts(server) : status;
}
