/* A batch of a server: its requests' lists become tables (server_tables.c), its
 * kernels are launched one after the other, on a lane of its own. */
#include "server.h"

#include <stdlib.h>

/* --- lists ---------------------------------------------------------------- */

static bool make_firsts(struct qn__listed *listed)
{
    const size_t wanted = (size_t)listed->view.requests + 1;
    if (wanted <= listed->room)
        return true;
    int32_t *const made =
        realloc(listed->firsts, 2 * wanted * 2 * sizeof *made);
    if (!made)
        return false;
    listed->firsts = made;
    listed->room = 2 * wanted;
    return true;
}

/* The items of a list, and those of each point where they are added up. */
static enum qn_status look(struct qn__flight *flight, size_t number)
{
    const struct qn__served *const list = &flight->server->lists[number];
    struct qn__listed *const listed = &flight->lists[number];
    qn__record_view(flight->record, number, &listed->view);
    if (flight->items[number]) {
        size_t count;
        const uint32_t *points, *owners;
        const enum qn_status status =
            qn_items_take(flight->items[number], &count, &points, &owners);
        if (status != QN_OK)
            return status;
        listed->view.point = (const int32_t *)points;
        listed->view.request = (const int32_t *)owners;
    }
    if (list->shared && !make_firsts(listed))
        return qn__fail(QN_NO_MEMORY, "no memory for a batch of requests");
    listed->low = listed->high = 0;
    if (list->kernel[1])
        qn__record_turn(flight->record, number, listed->view.point,
                        &listed->low, &listed->high);
    return QN_OK;
}

/* The check that can be switched on. */
static enum qn_status check_points(struct qn__flight *flight)
{
    const struct qn_server *const server = flight->server;
    enum qn_status status = QN_OK;
    for (size_t l = 0; l < server->list_count && status == QN_OK; l++)
        if (server->distinct && server->lists[l].kernel[0])
            status = qn_record_distinct(flight->record, l);
    return status;
}

/* --- launches ------------------------------------------------------------- */

static enum qn_status fire(struct qn__flight *flight,
                           const struct quern_kernel *kernel)
{
    const struct qn_module *const module = flight->server->module;
    struct qn_context *const context = module->context;
    char why[320] = "";
    if (!kernel)
        return QN_OK;
    if (kernel->check
        && kernel->check(flight->state.args, why, sizeof why) != 0)
        return qn__fail(QN_INVALID, "%s: %s", kernel->name, why);
    flight->fired = true;
    const int code = kernel->launch(flight->state.args, flight->lane.stream);
    return code == 0 ? QN_OK
         : context->backend->explain(context, &module->library, code,
                                     kernel->name);
}

/* The points of a list from low to high - 1, those that have no items too: they
 * keep what they have. */
static enum qn_status fire_range(struct qn__flight *flight, size_t number,
                                 int64_t low, int64_t high)
{
    const struct quern_module *const info = flight->server->module->info;
    const struct qn__served *const list = &flight->server->lists[number];
    int64_t *const lower = qn__args_int(&flight->state, info->lower);
    int64_t *const upper = qn__args_int(&flight->state, info->upper);
    const int64_t kept[2] = { lower[list->of], upper[list->of] };
    if (low >= high)
        return QN_OK;
    lower[list->of] = low;
    upper[list->of] = high;
    const enum qn_status status = fire(flight, list->kernel[1]);
    lower[list->of] = kept[0];
    upper[list->of] = kept[1];
    return status;
}

/* What is at home on the host shares the device with blocks of other batches,
 * which may be on their way there: its own alone are touched. */
static enum qn_status fire_sum(struct qn__flight *flight, size_t number)
{
    const struct qn__listed *const listed = &flight->lists[number];
    enum qn_status status = QN_OK;
    size_t next = 0;
    int64_t low, high;
    if (!qn__flight_home(flight, number))
        return fire_range(flight, number, listed->low, listed->high);
    while (status == QN_OK
           && qn__flight_run_of(flight, number, &next, &low, &high))
        status = fire_range(flight, number,
                            low > listed->low ? low : listed->low,
                            high < listed->high ? high : listed->high);
    return status;
}

/* Sums of a batch come after those of the one before. */
static enum qn_status follow(struct qn__flight *flight)
{
    struct qn_server *const server = flight->server;
    const struct qn__flight *const before = server->before;
    server->before = flight;
    return !before || before == flight ? QN_OK
         : server->lanes->follow(server->module->context, &flight->lane,
                                 &before->lane);
}

static enum qn_status fire_all(struct qn__flight *flight)
{
    const struct qn_server *const server = flight->server;
    enum qn_status status = server->dependent ? follow(flight) : QN_OK;
    for (size_t l = 0; l < server->list_count && status == QN_OK; l++) {
        status = fire(flight, server->lists[l].kernel[0]);
        if (status == QN_OK && server->dependent)
            status = fire_sum(flight, l);
    }
    if (server->dependent || !server->sums || status != QN_OK)
        return status;
    status = follow(flight);
    for (size_t l = 0; l < server->list_count && status == QN_OK; l++)
        status = fire_sum(flight, l);
    return status;
}

enum qn_status qn__flight_run(struct qn__flight *flight)
{
    struct qn_server *const server = flight->server;
    struct qn_context *const context = server->module->context;
    const struct qn__lanes *const lanes = server->lanes;
    enum qn_status status = context->backend->enter(context);
    if (status == QN_OK)
        status = qn__flight_arrive(flight);
    if (status == QN_OK)
        status = lanes->begin(context, &flight->lane);
    if (status == QN_OK)
        status = qn__tables_make(flight);
    if (status == QN_OK)
        status = check_points(flight);
    for (size_t l = 0; l < server->list_count && status == QN_OK; l++)
        status = look(flight, l);
    if (status == QN_OK && flight->requests > 0) {
        status = qn__flight_set(flight);
        if (status == QN_OK)
            status = fire_all(flight);
    }
    if (status == QN_OK)
        status = lanes->end(context, &flight->lane);
    if (status == QN_OK && server->sleeps)
        status = lanes->call(context, &flight->lane, qn__server_ring, server);
    if (status != QN_OK)            /* the first failure is what is told */
        lanes->wait(context, &flight->lane);
    return status;
}

/* --- made and freed ------------------------------------------------------- */

void qn__flight_close(struct qn__flight *flight)
{
    const struct qn_server *const server = flight->server;
    if (!server)
        return;
    server->lanes->wait(server->module->context, &flight->lane);
    server->lanes->close(server->module->context, &flight->lane);
    server->lanes->unpin(server->module->context, flight->host.data);
    qn__module_release(server->module, flight->device.data);
    for (size_t l = 0; flight->items && l < server->list_count; l++)
        qn_items_free(flight->items[l]);
    for (size_t l = 0; flight->lists && l < server->list_count; l++)
        free(flight->lists[l].firsts);
    qn_record_free(flight->record);
    for (size_t h = 0; flight->lodgings && h < server->home_count; h++)
        qn__lodging_close(&flight->lodgings[h]);
    qn__tables_close(flight);
    free(flight->lodgings);
    free(flight->items);
    free(flight->lists);
    free(flight->pieces);
    free(flight->state.args);
}

static void *take(void *self, size_t size)
{
    const struct qn__flight *const flight = self;
    struct qn_context *const context = flight->server->module->context;
    void *data = NULL;
    return flight->server->lanes->pin(context, size, &data) == QN_OK ? data
                                                                      : NULL;
}

static void give(void *self, void *data)
{
    const struct qn__flight *const flight = self;
    flight->server->lanes->unpin(flight->server->module->context, data);
}

static enum qn_status make_record(struct qn__flight *flight)
{
    const struct qn_server *const server = flight->server;
    const struct quern_module *const info = server->module->info;
    int64_t *const points = calloc(server->list_count + 1, sizeof *points);
    if (!points)
        return qn__fail(QN_NO_MEMORY, "no memory for a server");
    for (size_t l = 0; l < server->list_count; l++)
        points[l] = qn__args_int(&server->module->state,
                                 info->extent)[server->lists[l].of];
    const enum qn_status status =
        qn__record_create(server->list_count, points,
                          &(struct qn__memory){ flight, take, give },
                          &flight->record);
    free(points);
    if (status != QN_OK)
        return status;
    for (size_t l = 0; l < server->list_count; l++)
        if (!server->lists[l].kernel[0])
            qn__record_read(flight->record, l);
    return QN_OK;
}

enum qn_status qn__flight_open(struct qn_server *server,
                               struct qn__flight *flight)
{
    const size_t lists = server->list_count + 1;
    enum qn_status status =
        server->lanes->open(server->module->context, &flight->lane);
    if (status != QN_OK)
        return status;
    flight->server = server;
    flight->items = calloc(lists, sizeof *flight->items);
    flight->lists = calloc(lists, sizeof *flight->lists);
    flight->pieces =
        calloc(qn__server_pieces(server) + 1, sizeof *flight->pieces);
    flight->state.args = calloc(1, server->module->info->args_size);
    flight->lodgings =
        calloc(server->home_count + 1, sizeof *flight->lodgings);
    if (!flight->items || !flight->lists || !flight->pieces
        || !flight->state.args || !flight->lodgings)
        return qn__fail(QN_NO_MEMORY, "no memory for a server");
    status = make_record(flight);
    if (status == QN_OK)
        status = qn__tables_open(flight);
    for (size_t h = 0; h < server->home_count && status == QN_OK; h++)
        status = qn__lodging_open(&server->homes[h], &flight->lodgings[h]);
    for (size_t l = 0; l + 1 < lists && status == QN_OK; l++)
        if (server->order != QN_ORDER_NONE && server->lists[l].kernel[0]
            && !server->lists[l].shared)
            status = qn_items_create(server->order, &flight->items[l]);
    return status;
}
