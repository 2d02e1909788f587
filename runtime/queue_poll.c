/* One turn of the poller: what has ended, what has come, what is due. */
#include "queue.h"

#include <math.h>

/* The interval counts if what came first still waited when the next one came:
 * else a launch, and perhaps its results, may be what it lasted for. */
static void see(struct qn_queue *queue, const struct qn_request *request,
                bool first)
{
    const double interval = request->arrived - queue->arrived;
    const bool counts = queue->settings.bare
        || queue->launched < queue->arrived;
    if (!first && counts)
        queue->longest = fmax(queue->longest, interval);
    queue->arrived = request->arrived;
    queue->blocks += qn__request_blocks(request);
}

/* In order of submission: one that is not there yet hides those behind it. */
static void collect(struct qn_queue *queue)
{
    size_t seen = atomic_load_explicit(&queue->seen, memory_order_relaxed);
    struct qn_request *request;
    while ((request = atomic_load(&queue->ring[seen & queue->mask]))) {
        see(queue, request, seen == 0);
        seen++;
    }
    atomic_store(&queue->seen, seen);
}

bool qn__queue_news(struct qn_queue *queue)
{
    const size_t seen = atomic_load(&queue->seen);
    return atomic_load(&queue->ring[seen & queue->mask]) != NULL;
}

static struct qn__view look(struct qn_queue *queue, size_t waiting)
{
    const struct qn_request *const oldest =
        atomic_load(&queue->ring[queue->head & queue->mask]);
    const ptrdiff_t flushed =
        (ptrdiff_t)(atomic_load(&queue->flushed) - queue->head);
    return (struct qn__view){
        .now = qn__queue_now(queue),
        .waiting = waiting,
        .flushed = flushed <= 0 ? 0
                 : (size_t)flushed < waiting ? (size_t)flushed : waiting,
        .blocks = queue->blocks,
        .oldest = oldest->arrived,
        .newest = queue->arrived,
        .longest = queue->longest,
        .in_flight = queue->in_flight
    };
}

/* Launches until nothing is due; when the next is. */
static double launch(struct qn_queue *queue)
{
    while (queue->spare) {
        const size_t seen = atomic_load(&queue->seen);
        if (seen == queue->head)
            return INFINITY;
        const struct qn__view view = look(queue, seen - queue->head);
        const struct qn__decision decision = qn__queue_decide(
            &queue->settings, queue->launcher.resident, &view);
        if (decision.count == 0)
            return decision.due;
        if (!qn__queue_launch(queue, decision.count, decision.reason))
            return view.now;
    }
    return INFINITY;
}

double qn__queue_turn(struct qn_queue *queue)
{
    qn__queue_end(queue);
    collect(queue);
    const double due = launch(queue);
    return qn__queue_news(queue) ? qn__queue_now(queue) : due;
}

enum qn_status qn_queue_poll(struct qn_queue *queue, double *due)
{
    double next;
    if (qn__queue_inside(queue))
        return qn__fail(QN_INVALID, "a callback of a queue cannot poll it");
    if (pthread_mutex_trylock(&queue->lock) == 0) {
        next = qn__queue_turn(queue);
        const bool flying = queue->in_flight > 0;
        pthread_mutex_unlock(&queue->lock);
        if (flying && queue->settings.thread)
            qn_queue_wake(queue);
    } else {
        next = qn__queue_now(queue);
    }
    if (due)
        *due = next;
    return QN_OK;
}
