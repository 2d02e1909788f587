/* What the host does with a server's homes: reads and writes its own arrays. */
#include "cache.h"
#include "server.h"

#include <string.h>

static enum qn_status find_home(struct qn_server *server, const char *domain,
                                struct qn__home **home)
{
    for (size_t h = 0; h < server->home_count; h++) {
        *home = &server->homes[h];
        if (strcmp(server->module->info->axis[(*home)->axis], domain) == 0)
            return QN_OK;
    }
    return qn__fail(QN_NOT_FOUND, "a server without a home for '%s'", domain);
}

/* Does `what` with the bytes of these points. */
static enum qn_status
with_points(struct qn_server *server, const char *domain, int64_t first,
            int64_t count,
            enum qn_status (*what)(struct qn_data *, size_t, size_t))
{
    struct qn__home *home;
    const enum qn_status status = find_home(server, domain, &home);
    if (status != QN_OK)
        return status;
    if (first < 0 || count < 0 || count > home->points - first)
        return qn__fail(QN_INVALID, "%lld points of '%s' from %lld on: there"
                        " are %lld", (long long)count, domain,
                        (long long)first, (long long)home->points);
    const size_t point = home->bytes / (size_t)home->block;
    return what(home->data, (size_t)first * point, (size_t)count * point);
}

enum qn_status qn_server_read(struct qn_server *server, const char *domain,
                              int64_t first, int64_t count)
{
    return with_points(server, domain, first, count, qn_data_read);
}

enum qn_status qn_server_written(struct qn_server *server, const char *domain,
                                 int64_t first, int64_t count)
{
    return with_points(server, domain, first, count, qn_data_written);
}

void qn__home_stats(const struct qn__home *home, struct qn_cache_stats *stats)
{
    qn_cache_get_stats(home->cache, stats);
    stats->down = home->fetched;
}

enum qn_status qn_server_cache_stats(struct qn_server *server,
                                     const char *domain,
                                     struct qn_cache_stats *stats)
{
    struct qn__home *home;
    const enum qn_status status = find_home(server, domain, &home);
    if (status == QN_OK)
        qn__home_stats(home, stats);
    return status;
}
