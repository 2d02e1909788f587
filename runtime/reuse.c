/* Are the blocks of a batch reused, or all moved for it? What whole leases took
 * says so: moving, kernels, and what comes back. */
#include "cache.h"

#include <math.h>

enum {
    KEEP = 16,                  /* leases that reuse, at first: in the last of
                                   them what is reused is there */
    MOVE = 8,                   /* then so many that do not */
    RUN = 4                     /* leases of a trial; so many the usual way come
                                   after it, for a trial of what is expected to
                                   take as long costs nothing */
};

static bool learn(const struct qn_cache *cache, bool *reuse)
{
    const uint64_t kept = cache->stats.reused;
    *reuse = kept < KEEP;
    return *reuse || cache->stats.leases - kept < MOVE;
}

double qn__lease_work(const struct qn_lease *lease)
{
    return (double)(lease->work > 0 ? lease->work : lease->count);
}

bool qn__lease_reuses(struct qn_cache *cache, const struct qn_lease *lease)
{
    const double work = qn__lease_work(lease);
    bool reuse;
    if (cache->settings.reuse != QN_REUSE_AUTO)
        return cache->settings.reuse == QN_REUSE_ALWAYS;
    if (learn(cache, &reuse))
        return reuse;
    const double fresh = qn__cost_of(&cache->whole[0], work);
    const double kept = qn__cost_of(&cache->whole[1], work);
    reuse = kept <= fresh;
    if (cache->trials == 0
        && qn__trial_due(&cache->owed, fmin(kept, fresh),
                         RUN * fabs(kept - fresh)))
        cache->trials = 2 * RUN;
    if (cache->trials > 0)
        cache->trials--;
    return cache->trials >= RUN ? !reuse : reuse;
}
