/* What a queue did and why, counted. */
#include "queue.h"

static struct qn_spread spread_of(const struct qn__tally *tally)
{
    const double count = tally->count ? (double)tally->count : 1;
    return (struct qn_spread){ tally->least, tally->sum / count, tally->most };
}

static void fill(struct qn_queue *queue, struct qn_queue_stats *stats)
{
    *stats = queue->stats;
    stats->submitted = atomic_load(&queue->tail);
    stats->refused = atomic_load(&queue->refused);
    stats->waiting = (size_t)stats->submitted - queue->head;
    stats->in_flight = queue->in_flight;
    stats->size = spread_of(&queue->size);
    stats->blocks = spread_of(&queue->weight);
    stats->wait = spread_of(&queue->wait);
    stats->service = spread_of(&queue->service);
    stats->latency = spread_of(&queue->latency);
}

void qn_queue_get_stats(struct qn_queue *queue, struct qn_queue_stats *stats)
{
    const bool inside = qn__queue_inside(queue);
    if (!inside)
        pthread_mutex_lock(&queue->lock);
    fill(queue, stats);
    if (!inside)
        pthread_mutex_unlock(&queue->lock);
}
