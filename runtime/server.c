/* A launcher of a module's requests: batches in flight, each in a place of its
 * own (server_flight.c). */
#include "queue.h"
#include "server.h"

#include <omp.h>
#include <stdlib.h>

enum { MOST_THREADS = 8 };

/* --- the launcher --------------------------------------------------------- */

static struct qn__flight *free_flight(struct qn_server *server)
{
    for (int i = 0; i < server->flight_count; i++)
        if (!server->flights[i].batch)
            return &server->flights[i];
    return NULL;
}

/* The part of the batch from `first` on; QN_BUSY: not yet. */
static enum qn_status start_part(struct qn__flight *flight)
{
    struct qn_server *const server = flight->server;
    enum qn_status status = qn__flight_lodge(flight);
    if (status == QN_OK && server->threaded) {
        qn__server_hand(server, flight);
        return QN_OK;
    }
    if (status == QN_OK) {
        status = qn__flight_run(flight);
        if (status != QN_OK)
            status = qn__flight_leave(flight, status, 0);
    }
    return status;
}

static enum qn_status start(struct qn__flight *flight)
{
    const struct qn_clock *const clock = &qn__queue_clock;
    const double began = clock->now(clock->self);
    flight->runs++;
    const enum qn_status status = start_part(flight);
    flight->hosted = clock->now(clock->self) - began;
    return status;
}

static enum qn_status launch(void *self, struct qn_batch *batch)
{
    struct qn_server *const server = self;
    struct qn__flight *const flight = free_flight(server);
    if (!flight)
        return qn__fail(QN_BUSY, "%d batches are in flight, as many as can",
                        server->flight_count);
    flight->batch = batch;
    batch->data = flight;
    enum qn_status status = qn__tables_begin(flight);
    if (status == QN_OK)
        status = start(flight);
    if (status != QN_OK)
        flight->batch = NULL;
    return status;
}

/* What there is to tell of a part that has ended. */
static void count(struct qn_server *server, const struct qn__flight *flight)
{
    struct qn_server_stats *const stats = &server->stats;
    stats->batches++;
    stats->requests += (uint64_t)flight->requests;
    for (size_t l = 0; l < server->list_count; l++)
        if (server->lists[l].kernel[0])
            stats->items += (uint64_t)flight->lists[l].view.items;
        else
            stats->read += (uint64_t)flight->lists[l].view.items;
    stats->moved += flight->moved;
}

/* Of the time that a part took, what was its own: batches side by side share
 * the device. What ended last may be in flight anew: then it is as it was seen
 * from here. */
static double own_seconds(struct qn_server *server, struct qn__flight *flight,
                          double seconds)
{
    const struct qn_clock *const clock = &qn__queue_clock;
    const double now = clock->now(clock->self);
    const struct qn__flight *const ended = server->ended;
    double since = now - server->ended_at;
    if (ended && ended != flight && ended->runs == server->ended_run)
        server->lanes->between(server->module->context, &ended->lane,
                               &flight->lane, &since);
    server->ended = flight;
    server->ended_run = flight->runs;
    server->ended_at = now;
    return ended && since > 0 && since < seconds ? since : seconds;
}

/* What it took from its launch to its end: a thread begins when it has been
 * launched, a device at once. */
static double from_launch(const struct qn__flight *flight, double seconds)
{
    if (flight->server->threaded)
        return flight->hosted + seconds;
    return seconds > flight->hosted ? seconds : flight->hosted;
}

/* Has the part ended, and how? */
static bool part_ended(struct qn_server *server, struct qn__flight *flight,
                       enum qn_status *status)
{
    bool passed = true;
    double seconds = 0;
    if (server->threaded && !qn__server_done(server, flight))
        return false;
    *status = server->threaded ? flight->status : QN_OK;
    if (*status != QN_OK)
        qn__fail(*status, "%s", flight->why);
    else
        *status = server->lanes->passed(server->module->context,
                                        &flight->lane, &passed, &seconds);
    if (!passed)
        return false;
    if (*status == QN_OK)
        seconds = own_seconds(server, flight, seconds);
    flight->batch->seconds += from_launch(flight, seconds);
    server->stats.seconds += seconds;
    *status = qn__flight_leave(flight, *status, seconds);
    if (*status == QN_OK)
        count(server, flight);
    return true;
}

/* What a part came to is told of its requests alone. */
static void tell_part(struct qn__flight *flight, enum qn_status status)
{
    for (size_t r = flight->first; r < flight->end; r++)
        if (flight->all[r]->status == QN_OK)
            flight->all[r]->status = status;
}

static int finished(void *self, struct qn_batch *batch, enum qn_status *status)
{
    struct qn_server *const server = self;
    struct qn__flight *const flight = batch->data;
    if (!flight->put_off && !part_ended(server, flight, status))
        return 0;
    while (flight->put_off || flight->end < batch->count) {
        if (!flight->put_off) {
            tell_part(flight, *status);
            flight->first = flight->end;
        }
        *status = start(flight);
        flight->put_off = *status == QN_BUSY;
        if (*status == QN_OK || *status == QN_BUSY)
            return 0;
    }
    if (flight->first > 0) {
        tell_part(flight, *status);
        *status = QN_OK;
    }
    flight->batch = NULL;
    return 1;
}

/* By the queue, before its first and after its last batch. */
static void attach(void *self, struct qn_queue *queue)
{
    struct qn_server *const server = self;
    pthread_mutex_lock(&server->lock);
    server->queue = queue;
    pthread_mutex_unlock(&server->lock);
}

struct qn_launcher qn_server_launcher(struct qn_server *server)
{
    return (struct qn_launcher){
        .self = server, .resident = server->resident, .launch = launch,
        .finished = finished, .attach = attach,
        .wakes = server->threaded || server->sleeps
    };
}

void qn_server_get_stats(const struct qn_server *server,
                         struct qn_server_stats *stats)
{
    *stats = server->stats;
}

/* --- made and freed ------------------------------------------------------- */

enum qn_status qn_server_free(struct qn_server *server)
{
    enum qn_status first = QN_OK;
    if (!server)
        return QN_OK;
    qn__server_stop(server);
    for (int i = 0; server->flights && i < server->flight_count; i++)
        qn__flight_close(&server->flights[i]);
    for (size_t h = 0; server->homes && h < server->home_count; h++) {
        const enum qn_status own = qn__home_close(&server->homes[h]);
        first = first == QN_OK ? own : first;
    }
    qn__crew_close(server->crew);
    free(server->homes);
    pthread_cond_destroy(&server->handed);
    pthread_mutex_destroy(&server->lock);
    free(server->flights);
    free(server->lists);
    free(server->scalars);
    free(server);
    return first;
}

/* Threads that make tables, beside the one that asks for them: as a rule half
 * of the processors', as others have something to do, too. */
static int helpers(int threads)
{
    const int half = omp_get_num_procs() / 2;
    const int usual = half < 1 ? 1 : half < MOST_THREADS ? half : MOST_THREADS;
    return (threads > 0 ? threads : usual) - 1;
}

static void settle(struct qn_server *server,
                   const struct qn_server_settings *settings)
{
    server->distinct = settings->distinct != 0;
    server->ordered = settings->ordered != 0;
    server->order = settings->order;
    server->resident = settings->resident;
    server->list_count = settings->list_count;
    server->scalar_count = settings->scalar_count;
    server->flight_count = settings->flights > 0 ? settings->flights : 8;
    server->home_count = settings->home_count;
    server->lanes = server->module->context->backend->lanes;
    server->sleeps = settings->sleeps != 0 && !server->lanes->at_once;
}

static enum qn_status make(struct qn_server *server,
                           const struct qn_server_settings *settings)
{
    settle(server, settings);
    server->lists = calloc(settings->list_count + 1, sizeof *server->lists);
    server->scalars = calloc(settings->scalar_count + 1,
                             sizeof *server->scalars);
    server->homes = calloc(settings->home_count + 1, sizeof *server->homes);
    server->flights = calloc((size_t)server->flight_count,
                             sizeof *server->flights);
    if (!server->lists || !server->scalars || !server->homes
        || !server->flights)
        return qn__fail(QN_NO_MEMORY, "no memory for a server");
    if (!server->module->state.sized)
        return qn__fail(QN_INVALID, "%s has no extents yet: qn_module_resize",
                        server->module->info->instance);
    enum qn_status status = qn__server_find(server, settings);
    if (status == QN_OK)
        status = qn__crew_open(helpers(settings->threads), &server->crew);
    for (size_t h = 0; h < server->home_count && status == QN_OK; h++)
        status = qn__home_open(server, &settings->homes[h], &server->homes[h]);
    for (int i = 0; i < server->flight_count && status == QN_OK; i++)
        status = qn__flight_open(server, &server->flights[i]);
    if (status == QN_OK && server->lanes->at_once
        && !server->module->context->backend->apart)
        status = qn__server_start(server);
    return status;
}

enum qn_status qn_server_create(struct qn_module *module,
                                const struct qn_server_settings *settings,
                                struct qn_server **server)
{
    *server = NULL;
    if (settings->flights < 0)
        return qn__fail(QN_INVALID, "a server of %d batches in flight: at"
                        " least one, 0: 8", settings->flights);
    if (settings->threads < 0)
        return qn__fail(QN_INVALID, "a server whose tables %d threads make: at"
                        " least one, 0: as is usual", settings->threads);
    struct qn_server *const made = calloc(1, sizeof *made);
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory for a server");
    made->module = module;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->handed, NULL);
    const enum qn_status status = make(made, settings);
    if (status != QN_OK) {
        qn_server_free(made);
        return status;
    }
    *server = made;
    return QN_OK;
}
