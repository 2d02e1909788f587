/* A table of what a server did: work, and what was moved for it or was not. */
#include "report.h"
#include "server.h"

static void put_home(struct qn__page *page, const struct qn__home *home)
{
    struct qn_cache_stats stats;
    qn__home_stats(home, &stats);
    qn__page_put(page, "at home: %s, %lld points, blocks of %lld\n",
                 home->module->info->axis[home->axis], (long long)home->points,
                 (long long)home->block);
    qn__page_count(page, "  blocks found", stats.hits);
    qn__page_count(page, "  blocks moved", stats.misses);
    qn__page_count(page, "  that made place", stats.evicted);
    qn__page_count(page, "  on the device", stats.resident);
    qn__page_count(page, "  bytes to the device", stats.up);
    qn__page_count(page, "  bytes back", stats.down);
    qn__page_count(page, "  bytes saved", stats.saved);
    qn__page_put(page, "%-24s %10.1f\n", "  ms for moves",
                 1e3 * stats.seconds);
    qn__page_count(page, "  batches", stats.leases);
    qn__page_count(page, "  that reused blocks", stats.reused);
}

size_t qn_server_report(const struct qn_server *server, char *text, size_t size)
{
    const struct qn_server_stats *const stats = &server->stats;
    const double batches = stats->batches > 0 ? (double)stats->batches : 1;
    struct qn__page page = qn__page_open(text, size);
    qn__page_count(&page, "batches served", stats->batches);
    qn__page_count(&page, "requests", stats->requests);
    qn__page_count(&page, "items", stats->items);
    qn__page_count(&page, "points read for them", stats->read);
    qn__page_count(&page, "bytes of tables", stats->moved);
    qn__page_put(&page, "%-24s %10.1f\n", "us a batch",
                 1e6 * stats->seconds / batches);
    for (size_t h = 0; h < server->home_count; h++)
        put_home(&page, &server->homes[h]);
    return page.length;
}
