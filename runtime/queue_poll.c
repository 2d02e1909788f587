/* One turn of the poller: what has ended, what has come, what is due. */
#include "queue.h"

#include <math.h>

/* Launching for longer, the poller asks in between what has ended: else all
 * that it launched counts as in flight, and batches grow though the device has
 * nothing to do. Asking takes a few microseconds. */
static const double unasked = 1e-4;

/* Telling for longer, it launches in between what is due: looking for that
 * takes less than a microsecond, launching some ten. */
static const double untold = 2e-5;

/* The interval counts if what came first still waited when the next one came:
 * else a launch, and perhaps its results, may be what it lasted for. */
static double longer(const struct qn_queue *queue, double longest,
                     double before, double arrived)
{
    const bool counts = queue->settings.bare || queue->launched < before;
    return counts && arrived - before > longest ? arrived - before : longest;
}

/* What the poller has seen, in variables: this runs for every request. */
struct sight {
    size_t seen;
    int64_t blocks, items;
    struct qn_request *newest;
};

static void see(struct sight *sight, size_t count, struct qn_request *first,
                struct qn_request *last)
{
    if (sight->newest)
        sight->newest->next = first;
    sight->newest = last;
    sight->seen += count;
}

/* A strand that is strung, if it is no more than `most`; it begins with that
 * request. False: the strand is not to be seen yet. */
static bool see_strand(struct qn_queue *queue, struct qn_request *first,
                    int64_t most, struct sight *sight)
{
    const enum qn__stringing state = qn__strand_begin(queue, sight->seen);
    if (state != QN_STRUNG)
        return state != QN_STRINGING;
    const struct qn__strand *const strand =
        qn__queue_strand(queue, sight->seen);
    if (strand->blocks > most - sight->blocks)
        return true;
    sight->blocks += strand->blocks;
    sight->items += strand->items;
    see(sight, QN_STRAND, first, strand->last);
    qn__strand_leave(queue, sight->seen);
    return true;
}

static void see_one(struct qn_queue *queue, struct qn_request *request,
                    struct sight *sight)
{
    if (queue->settings.policy == QN_OCCUPANCY && sight->seen > 0)
        queue->longest = longer(queue, queue->longest, queue->arrived,
                                request->arrived);
    queue->arrived = request->arrived;
    sight->blocks += qn__request_blocks(request);
    sight->items += qn__request_items(request);
    see(sight, 1, request, request);
    if (sight->seen % QN_STRAND == 0)
        qn__strand_leave(queue, sight->seen);
}

/* In order of submission, until those that wait have so many blocks; one that
 * is not there yet hides those behind it. Those that wait are strung together:
 * most batches need not be looked at again before they are launched. */
static void collect(struct qn_queue *queue, int64_t most)
{
    struct sight sight = {
        atomic_load_explicit(&queue->seen, memory_order_relaxed),
        queue->blocks, queue->items, queue->newest
    };
    struct qn_request *request;
    while (sight.blocks < most
           && (request = atomic_load(qn__queue_slot(queue, sight.seen)))) {
        const size_t seen = sight.seen;
        if (seen % QN_STRAND == 0 && !see_strand(queue, request, most, &sight))
            break;
        if (sight.seen == seen)
            see_one(queue, request, &sight);
    }
    queue->blocks = sight.blocks;
    queue->items = sight.items;
    queue->newest = sight.newest;
    atomic_store(&queue->seen, sight.seen);
    atomic_store(&queue->sated, sight.blocks >= most);
}

bool qn__queue_news(struct qn_queue *queue)
{
    const size_t seen = atomic_load(&queue->seen);
    return !atomic_load(&queue->sated)
        && atomic_load(qn__queue_slot(queue, seen)) != NULL;
}

/* What there is beside the requests. */
static struct qn__view look_around(struct qn_queue *queue)
{
    const size_t seen =
        atomic_load_explicit(&queue->seen, memory_order_relaxed);
    return (struct qn__view){
        .waiting = seen - queue->head,
        .blocks = queue->blocks,
        .in_flight = queue->in_flight,
        .behind = qn__queue_behind(queue),
        .flying = (double)queue->flying_blocks,
        .launching = queue->launching
    };
}

static struct qn__view look(struct qn_queue *queue)
{
    struct qn__view view = look_around(queue);
    const struct qn_request *const oldest =
        atomic_load(qn__queue_slot(queue, queue->head));
    const ptrdiff_t flushed =
        (ptrdiff_t)(atomic_load(&queue->flushed) - queue->head);
    view.now = qn__queue_now(queue);
    view.flushed = flushed <= 0 ? 0
                 : (size_t)flushed < view.waiting ? (size_t)flushed
                 : view.waiting;
    view.oldest = oldest->arrived;
    view.newest = queue->arrived;
    view.longest = queue->longest;
    return view;
}

/* The next batch, if one is due and can be launched: false, and when the next
 * is due. */
static bool launch_next(struct qn_queue *queue, double *due)
{
    const struct qn_queue_settings *const settings = &queue->settings;
    const int64_t resident = queue->launcher.resident;
    struct qn__view view = look_around(queue);
    *due = INFINITY;
    if (!queue->spare) {
        atomic_store(&queue->sated, 1);
        return false;
    }
    collect(queue, qn__queue_most(settings, resident, &view));
    if (atomic_load(&queue->seen) == queue->head)
        return false;
    view = look(queue);
    const struct qn__decision decision =
        qn__queue_decide(settings, resident, &view);
    *due = decision.count > 0 ? view.now : decision.due;
    return decision.count > 0
        && qn__queue_launch(queue, decision.count, decision.reason);
}

/* What clients submit when they are told, and what waited for a batch to end,
 * is launched before the next batch is told, where telling takes long: else the
 * device would have nothing to do meanwhile. */
static void ask(struct qn_queue *queue)
{
    struct qn_batch **next = NULL;
    double due, told = 0;
    while (qn__queue_end(queue, &next)) {
        told += qn__queue_now(queue) - queue->ended_at;
        if (told < untold)
            continue;
        while (launch_next(queue, &due))
            continue;
        told = 0;
    }
    queue->asked = qn__queue_now(queue);
}

/* Launches until nothing is due; when the next is. */
static double launch(struct qn_queue *queue)
{
    double due;
    while (launch_next(queue, &due))
        if (qn__queue_now(queue) - queue->asked > unasked)
            ask(queue);
    return due;
}

double qn__queue_turn(struct qn_queue *queue)
{
    const uint64_t completed = queue->stats.completed;
    qn__queue_enter(queue);
    ask(queue);
    const double due = launch(queue);
    qn__queue_take(queue);
    qn__queue_leave(queue);
    if (queue->drains > 0 && queue->stats.completed != completed)
        pthread_cond_broadcast(&queue->ended);
    return qn__queue_news(queue) ? qn__queue_now(queue) : due;
}

enum qn_status qn_queue_poll(struct qn_queue *queue, double *due)
{
    double next;
    if (qn__queue_inside(queue))
        return qn__fail(QN_INVALID, "what a queue calls cannot poll it");
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
