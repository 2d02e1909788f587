/* Tables of what a queue, and the two devices of a split, did and why. */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>

/* --- a page --------------------------------------------------------------- */

struct qn__page qn__page_open(char *text, size_t size)
{
    return (struct qn__page){ size ? text : NULL, size, 0 };
}

void qn__page_put(struct qn__page *page, const char *format, ...)
{
    const size_t at = page->length < page->size ? page->length : page->size;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(page->text ? page->text + at : NULL,
                                 page->size - at, format, arguments);
    va_end(arguments);
    page->length += length > 0 ? (size_t)length : 0;
}

void qn__page_count(struct qn__page *page, const char *what, uint64_t count)
{
    qn__page_put(page, "%-24s %10llu\n", what, (unsigned long long)count);
}

void qn__page_spread(struct qn__page *page, const char *what, double unit,
                     const struct qn_spread *spread)
{
    qn__page_put(page, "%-24s %10.1f %10.1f %10.1f\n", what,
                 spread->least / unit, spread->mean / unit,
                 spread->most / unit);
}

void qn__page_two(struct qn__page *page, const char *what, double left,
                  double right)
{
    qn__page_put(page, "%-24s %10.6g %10.6g\n", what, left, right);
}

/* --- a queue -------------------------------------------------------------- */

size_t qn_queue_report(const struct qn_queue_stats *stats, char *text,
                       size_t size)
{
    static const char *const why[QN_REASONS] = {
        "  for their number", "  for a pause", "  for the oldest's age",
        "  for few in flight", "  flushed"
    };
    struct qn__page page = qn__page_open(text, size);
    qn__page_count(&page, "requests submitted", stats->submitted);
    qn__page_count(&page, "  refused, queue full", stats->refused);
    qn__page_count(&page, "  waiting", stats->waiting);
    qn__page_count(&page, "  done", stats->completed);
    qn__page_count(&page, "  of these failed", stats->failed);
    qn__page_count(&page, "batches launched", stats->batches);
    for (int i = 0; i < QN_REASONS; i++)
        qn__page_count(&page, why[i], stats->by[i]);
    qn__page_count(&page, "  failed", stats->failed_batches);
    qn__page_count(&page, "  in flight", (uint64_t)stats->in_flight);
    qn__page_count(&page, "launches put off", stats->postponed);
    qn__page_put(&page, "%-24s %10s %10s %10s\n", "", "least", "mean", "most");
    qn__page_spread(&page, "requests a batch", 1, &stats->size);
    qn__page_spread(&page, "blocks a batch", 1, &stats->blocks);
    qn__page_spread(&page, "us from submit to launch", 1e-6, &stats->wait);
    qn__page_spread(&page, "us from launch to end", 1e-6, &stats->service);
    qn__page_spread(&page, "us from submit to end", 1e-6, &stats->latency);
    return page.length;
}

/* --- two devices ---------------------------------------------------------- */

size_t qn_split_report(const struct qn_split_stats *stats, char *text,
                       size_t size)
{
    struct qn__page page = qn__page_open(text, size);
    qn__page_put(&page, "%-24s %10s %10s\n", "", "device", "CPU");
    qn__page_two(&page, "parts of batches", (double)stats->batches[0],
                 (double)stats->batches[1]);
    qn__page_two(&page, "requests", (double)stats->requests[0],
                 (double)stats->requests[1]);
    qn__page_two(&page, "items", (double)stats->items[0],
                 (double)stats->items[1]);
    qn__page_two(&page, "ms in all", 1e3 * stats->seconds[0],
                 1e3 * stats->seconds[1]);
    qn__page_two(&page, "us for a launch", 1e6 * stats->fixed[0],
                 1e6 * stats->fixed[1]);
    qn__page_two(&page, "ns more for an item", 1e9 * stats->item[0],
                 1e9 * stats->item[1]);
    return page.length;
}
