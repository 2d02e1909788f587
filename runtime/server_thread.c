/* The thread of a server whose context does all at once: it runs batches in
 * order while the queue goes on. And how a queue is told that one has ended. */
#include "server.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

void qn__server_ring(void *self)
{
    struct qn_server *const server = self;
    pthread_mutex_lock(&server->lock);
    if (server->queue)
        qn_queue_wake(server->queue);
    pthread_mutex_unlock(&server->lock);
}

/* The next, or NULL: there will be none. Under the lock. */
static struct qn__flight *next(struct qn_server *server)
{
    while (server->count == 0 && !server->stopping)
        pthread_cond_wait(&server->handed, &server->lock);
    if (server->count == 0)
        return NULL;
    struct qn__flight *const flight = server->turn[server->first];
    server->first = (server->first + 1) % server->flight_count;
    server->count--;
    return flight;
}

/* The threads that poll, and make tables for other servers, need processors: a
 * team that has to share one of its own with them takes as long as that one. */
static void leave_some(const struct qn_server *server)
{
    const int all = omp_get_num_procs();
    const int others = 1 + qn__crew_others(server->crew);
    const int team = all - others > all / 2 ? all - others : all / 2;
    if (all > 2 && omp_get_max_threads() != team)
        omp_set_num_threads(team);
}

static void *serve(void *self)
{
    struct qn_server *const server = self;
    const bool all = omp_get_max_threads() == omp_get_num_procs();
    struct qn__flight *flight;
    pthread_mutex_lock(&server->lock);
    while ((flight = next(server))) {
        pthread_mutex_unlock(&server->lock);
        if (all)                /* nobody has said how many there are to be */
            leave_some(server);
        const enum qn_status status = qn__flight_run(flight);
        pthread_mutex_lock(&server->lock);
        flight->status = status;
        if (status != QN_OK)
            snprintf(flight->why, sizeof flight->why, "%s", qn_last_error());
        flight->done = true;
        if (server->queue)
            qn_queue_wake(server->queue);
    }
    pthread_mutex_unlock(&server->lock);
    return NULL;
}

void qn__server_hand(struct qn_server *server, struct qn__flight *flight)
{
    pthread_mutex_lock(&server->lock);
    flight->done = false;
    server->turn[(server->first + server->count++) % server->flight_count] =
        flight;
    pthread_cond_signal(&server->handed);
    pthread_mutex_unlock(&server->lock);
}

bool qn__server_done(struct qn_server *server, struct qn__flight *flight)
{
    pthread_mutex_lock(&server->lock);
    const bool done = flight->done;
    pthread_mutex_unlock(&server->lock);
    return done;
}

enum qn_status qn__server_start(struct qn_server *server)
{
    server->turn = calloc((size_t)server->flight_count, sizeof *server->turn);
    if (!server->turn
        || pthread_create(&server->thread, NULL, serve, server) != 0)
        return qn__fail(QN_NO_MEMORY, "no thread for a server");
    server->threaded = true;
    return QN_OK;
}

void qn__server_stop(struct qn_server *server)
{
    if (server->threaded) {
        pthread_mutex_lock(&server->lock);
        server->stopping = true;
        pthread_cond_signal(&server->handed);
        pthread_mutex_unlock(&server->lock);
        pthread_join(server->thread, NULL);
    }
    free(server->turn);
}
