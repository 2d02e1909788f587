/* The arguments of a batch: a copy of the module's, in which extents, tables
 * and fields of requests and items are the batch's. Its arrays lie in one piece
 * of memory, behind each other, and go to the device at once. */
#include "server.h"

#include "../templates/quern_requests.h"

#include <stdlib.h>
#include <string.h>

enum {
    APART = 256,                /* where arrays begin */
    DIRECT = 1 << 15            /* bytes that are worth a copy of their own */
};

/* --- pieces --------------------------------------------------------------- */

/* An array that the argument at `pointer` is to point to. */
static struct qn__piece *add(struct qn__flight *flight, const void *host,
                             size_t size, size_t pointer)
{
    struct qn__piece *const piece = &flight->pieces[flight->piece_count++];
    *piece = (struct qn__piece){ .host = host, .scalar = -1, .size = size,
                                 .pointer = pointer };
    return piece;
}

/* Those of lists: four tables, two of them ragged, which have two arrays, and
 * what blocks find their requests by. */
size_t qn__server_pieces(const struct qn_server *server)
{
    return 7 * server->list_count + server->scalar_count
         + (size_t)server->module->info->field_count;
}

static void set_extent(struct qn__flight *flight, int axis, int64_t n)
{
    const struct quern_module *const info = flight->server->module->info;
    if (axis < 0)
        return;
    qn__args_int(&flight->state, info->extent)[axis] = n;
    qn__args_int(&flight->state, info->lower)[axis] = 0;
    qn__args_int(&flight->state, info->upper)[axis] = n;
}

/* What is in the record's memory need not be copied once more. */
static void add_recorded(struct qn__flight *flight, const void *host,
                         size_t size, size_t pointer, ptrdiff_t before)
{
    struct qn__piece *const piece = add(flight, host, size, pointer);
    piece->before = before;
    piece->there = host && flight->server->module->context->backend->anywhere;
    piece->direct = !piece->there && size >= DIRECT;
}

/* A table of `rows`, if the module has it. */
static void add_table(struct qn__flight *flight, int index, int64_t rows,
                      const int32_t *entries, int64_t count, bool sorted)
{
    if (index < 0)
        return;
    const struct quern_table *const info =
        &flight->server->module->info->tables[index];
    const size_t size = (size_t)count * sizeof *entries;
    if (sorted)
        add(flight, entries, size, info->data);
    else
        add_recorded(flight, entries, size, info->data, 0);
    if (info->count > 0)
        *qn__args_int(&flight->state, info->stride) =
            info->by_slot ? 1 : (rows > 0 ? rows : 1);
}

/* Where its rows low to high - 1 begin, and the last ends; of others nothing
 * is asked. */
static void add_start(struct qn__flight *flight, int index,
                      const int64_t *start, int64_t low, int64_t high)
{
    if (index < 0)
        return;
    const struct quern_table *const info =
        &flight->server->module->info->tables[index];
    add_recorded(flight, start + low,
                 (size_t)(high - low + 1) * sizeof *start, info->start,
                 low * (ptrdiff_t)sizeof *start);
}

/* Which blocks serve which requests. */
static void share_out(struct qn__flight *flight, size_t number)
{
    const struct quern_kernel *const kernel =
        flight->server->lists[number].kernel[0];
    const struct qn__listed *const listed = &flight->lists[number];
    const int64_t requests = listed->view.requests;
    *qn__args_int(&flight->state, kernel->blocks) =
        quern_share_out(listed->view.start, requests, kernel->share_items,
                        listed->firsts);
    add(flight, listed->firsts,
        (size_t)(requests + 1) * 2 * sizeof *listed->firsts, kernel->firsts);
}

static void add_list(struct qn__flight *flight, size_t number)
{
    const struct qn__served *const list = &flight->server->lists[number];
    const struct qn__listed *const listed = &flight->lists[number];
    const struct qn_record_list *const view = &listed->view;
    const bool sorted = flight->items[number] != NULL;
    struct qn_record_list rows;
    qn__record_view(flight->record, number, &rows);
    set_extent(flight, list->item, view->items);
    set_extent(flight, list->items, view->items);
    set_extent(flight, list->own, view->items);
    add_table(flight, list->point, view->items, view->point, view->items,
              sorted);
    if (list->shared)
        share_out(flight, number);
    else
        add_table(flight, list->request, view->items, view->request,
                  view->items, sorted);
    if (list->kernel[1]) {
        add_table(flight, list->turned, view->points, view->item, view->items,
                  false);
        add_start(flight, list->turned, view->items_start, listed->low,
                  listed->high);
    }
    add_table(flight, list->read, view->requests, rows.point, view->items,
              false);
    add_start(flight, list->read, view->start, 0, view->requests);
}

/* A field of one axis without halo, of so many values. */
static struct qn__piece *add_field(struct qn__flight *flight, int index,
                                   int64_t count)
{
    const struct quern_field *const info =
        &flight->server->module->info->fields[index];
    qn__args_int(&flight->state, info->stride)[0] = 1;
    qn__args_int(&flight->state, info->halo)[0] = 0;
    return add(flight, NULL, (size_t)count * qn__type_size(info->type),
               info->data[0]);
}

/* What each item adds: fields on the items of a list. */
static void add_parts(struct qn__flight *flight)
{
    const struct qn_server *const server = flight->server;
    const struct quern_module *const info = server->module->info;
    for (int f = 0; f < info->field_count; f++)
        for (size_t l = 0; l < server->list_count; l++)
            if (server->lists[l].kernel[1] && server->lists[l].item >= 0
                && info->fields[f].axis[0] == server->lists[l].item)
                add_field(flight, f, flight->lists[l].view.items);
}

/* --- where they are ------------------------------------------------------- */

static size_t lay_out(struct qn__flight *flight, bool moved, size_t at)
{
    for (size_t i = 0; i < flight->piece_count; i++) {
        struct qn__piece *const piece = &flight->pieces[i];
        const bool staged =
            (piece->host || piece->scalar >= 0) && !piece->direct;
        if (staged != moved || piece->there)
            continue;
        piece->at = at;
        at += (piece->size / APART + 1) * APART;
    }
    return at;
}

/* Both have room for what is moved, the device's for all. */
static enum qn_status make_room(struct qn__flight *flight, size_t moved,
                                size_t all)
{
    struct qn_module *const module = flight->server->module;
    const struct qn__lanes *const lanes = flight->server->lanes;
    enum qn_status status = QN_OK;
    if (all > flight->device.size) {
        qn__module_release(module, flight->device.data);
        flight->device = (struct qn__buffer){ NULL, 0 };
        status = qn__module_alloc(module, 2 * all, &flight->device.data);
        if (status != QN_OK)
            return status;
        flight->device.size = 2 * all;
    }
    if (moved > flight->host.size) {
        lanes->unpin(module->context, flight->host.data);
        flight->host = (struct qn__buffer){ NULL, 0 };
        status = lanes->pin(module->context, 2 * moved, &flight->host.data);
        if (status == QN_OK)
            flight->host.size = 2 * moved;
    }
    return status;
}

static void write_scalar(const struct qn__flight *flight, int number, void *to)
{
    const struct qn_server *const server = flight->server;
    const enum quern_type type =
        server->module->info->fields[server->scalars[number]].type;
    const double *value = flight->values + number;
    for (int64_t r = 0; r < flight->requests;
         r++, value += server->scalar_count)
        qn__value_set(type, to, r, *value);
}

/* The piece is where it is sent from, or on its way. */
static enum qn_status put(struct qn__flight *flight,
                          const struct qn__piece *piece)
{
    const struct qn_server *const server = flight->server;
    char *const staged = (char *)flight->host.data + piece->at;
    if (piece->direct)
        return server->lanes->send(server->module->context,
                                   &flight->lane, (char *)flight->device.data
                                                      + piece->at,
                                   piece->host, piece->size);
    if (piece->scalar >= 0)
        write_scalar(flight, piece->scalar, staged);
    else if (piece->host && !piece->there && piece->size > 0)
        memcpy(staged, piece->host, piece->size);
    return QN_OK;
}

static enum qn_status fill(struct qn__flight *flight)
{
    enum qn_status status = QN_OK;
    for (size_t i = 0; i < flight->piece_count && status == QN_OK; i++) {
        const struct qn__piece *const piece = &flight->pieces[i];
        const char *const address = piece->there ? piece->host
            : (const char *)flight->device.data + piece->at;
        *qn__args_pointer(&flight->state, piece->pointer) =
            (void *)((uintptr_t)address - (uintptr_t)piece->before);
        status = put(flight, piece);
    }
    return status;
}

static size_t sent(const struct qn__flight *flight)
{
    size_t sum = 0;
    for (size_t i = 0; i < flight->piece_count; i++)
        sum += flight->pieces[i].direct ? flight->pieces[i].size : 0;
    return sum;
}

/* --- the arguments -------------------------------------------------------- */

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

enum qn_status qn__flight_set(struct qn__flight *flight)
{
    const struct qn_server *const server = flight->server;
    const struct qn_module *const module = server->module;
    enum qn_status status = check_scalars(module);
    memcpy(flight->state.args, module->state.args, module->info->args_size);
    flight->piece_count = 0;
    set_extent(flight, server->request, flight->requests);
    for (size_t l = 0; l < server->list_count; l++)
        add_list(flight, l);
    for (size_t s = 0; s < server->scalar_count; s++)
        add_field(flight, server->scalars[s], flight->requests)->scalar =
            (int)s;
    add_parts(flight);
    const size_t staged = lay_out(flight, true, 0);
    const size_t all = lay_out(flight, false, staged);
    flight->moved = staged + sent(flight);
    if (status == QN_OK)
        status = make_room(flight, staged, all);
    if (status == QN_OK)        /* what the host took before is not its time */
        status = server->lanes->begin(module->context, &flight->lane);
    if (status == QN_OK)
        status = fill(flight);
    return status != QN_OK ? status
         : server->lanes->send(module->context, &flight->lane,
                               flight->device.data, flight->host.data, staged);
}
