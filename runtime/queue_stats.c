/* What a queue did and why: counted, and as a table. */
#include "queue.h"

#include <stdarg.h>
#include <stdio.h>

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

/* --- the table ----------------------------------------------------------- */

struct page {
    char *text;
    size_t size, length;
};

static void put(struct page *page, const char *format, ...) QN_PRINTF(2, 3);

static void put(struct page *page, const char *format, ...)
{
    const size_t at = page->length < page->size ? page->length : page->size;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(page->text ? page->text + at : NULL,
                                 page->size - at, format, arguments);
    va_end(arguments);
    page->length += length > 0 ? (size_t)length : 0;
}

static void put_count(struct page *page, const char *what, uint64_t count)
{
    put(page, "%-24s %10llu\n", what, (unsigned long long)count);
}

static void put_spread(struct page *page, const char *what, double unit,
                       const struct qn_spread *spread)
{
    put(page, "%-24s %10.1f %10.1f %10.1f\n", what, spread->least / unit,
        spread->mean / unit, spread->most / unit);
}

size_t qn_queue_report(const struct qn_queue_stats *stats, char *text,
                       size_t size)
{
    static const char *const why[QN_REASONS] = {
        "  for their number", "  for a pause", "  for the oldest's age",
        "  for few in flight", "  flushed"
    };
    struct page page = { size ? text : NULL, size, 0 };
    put_count(&page, "requests submitted", stats->submitted);
    put_count(&page, "  refused, queue full", stats->refused);
    put_count(&page, "  waiting", stats->waiting);
    put_count(&page, "  done", stats->completed);
    put_count(&page, "  of these failed", stats->failed);
    put_count(&page, "batches launched", stats->batches);
    for (int i = 0; i < QN_REASONS; i++)
        put_count(&page, why[i], stats->by[i]);
    put_count(&page, "  failed", stats->failed_batches);
    put_count(&page, "  in flight", (uint64_t)stats->in_flight);
    put_count(&page, "launches put off", stats->postponed);
    put(&page, "%-24s %10s %10s %10s\n", "", "least", "mean", "most");
    put_spread(&page, "requests a batch", 1, &stats->size);
    put_spread(&page, "blocks a batch", 1, &stats->blocks);
    put_spread(&page, "us from submit to launch", 1e-6, &stats->wait);
    put_spread(&page, "us from launch to end", 1e-6, &stats->service);
    put_spread(&page, "us from submit to end", 1e-6, &stats->latency);
    return page.length;
}
