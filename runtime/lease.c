/* What a batch uses, on the device while it runs: where it is, or all moved,
 * side by side. */
#include "cache.h"

/* --- blocks where they are ----------------------------------------------- */

enum qn_status qn__lease_readable(const struct qn_use *use)
{
    if (use->access == QN_WRITE || !use->data->lost[use->block])
        return QN_OK;
    return qn__fail(QN_DEVICE, "block %zu was lost when a batch that wrote it"
                    " failed", use->block);
}

/* found: one more, if it is there. */
static enum qn_status hold(struct qn_cache *cache, struct qn_lease *lease,
                           struct qn_use *use, uint64_t *found)
{
    struct qn_data *const data = use->data;
    const bool there = data->slot[use->block] != QN_NO_SLOT;
    size_t slot = (size_t)data->slot[use->block];
    enum qn_status status = qn__lease_readable(use);
    if (status == QN_OK && there && cache->slots[slot].alone)
        status = qn__fail(QN_BUSY, "block %zu is in use by another batch",
                          use->block);
    if (status == QN_OK && !there)
        status = qn__slot_take(cache, &slot);
    if (status != QN_OK)
        return status;
    if (!there)
        qn__slot_give(cache, slot, data, use->block);
    qn__slot_pin(cache, slot);
    use->offset = slot * cache->settings.block;
    if (use->access == QN_WRITE)
        return QN_OK;
    if (cache->slots[slot].state != QN_EMPTY) {
        ++*found;
        lease->saved += qn__block_size(use->data, use->block);
        return QN_OK;
    }
    status = qn__slot_upload(cache, slot, data, use->block);
    if (status != QN_OK) {
        qn__slot_unpin(cache, slot);
        return status;
    }
    cache->stats.misses++;
    cache->slots[slot].state = QN_SHARED;
    lease->moved += qn__block_size(use->data, use->block);
    return QN_OK;
}

static enum qn_status hold_all(struct qn_cache *cache, struct qn_lease *lease)
{
    const size_t block = cache->settings.block;
    uint64_t found = 0;
    for (size_t i = 0; i < lease->count; i++) {
        const enum qn_status status =
            hold(cache, lease, &lease->uses[i], &found);
        if (status == QN_OK)
            continue;
        while (i-- > 0)
            qn__slot_unpin(cache, lease->uses[i].offset / block);
        return status;
    }
    cache->stats.hits += found; /* not of a lease that is put off */
    qn__lease_mark(cache, lease);
    return QN_OK;
}

void qn__lease_mark(struct qn_cache *cache, const struct qn_lease *lease)
{
    for (size_t i = 0; i < lease->count; i++) {
        const struct qn_use *const use = &lease->uses[i];
        if (use->access == QN_READ)
            continue;
        struct qn__slot *const slot =
            &cache->slots[use->offset / cache->settings.block];
        if (slot->writers++ == 0)
            slot->older = slot->state == QN_MODIFIED
                       || use->data->lost[use->block];
        slot->state = QN_MODIFIED;
        use->data->lost[use->block] = false;
    }
}

/* What others wrote beside it, or will, cannot be told from what it wrote. */
void qn__lease_spoil(struct qn_cache *cache, size_t slot)
{
    struct qn__slot *const at = &cache->slots[slot];
    if (at->older || at->writers > 0)
        at->owner->lost[at->block] = true;
    at->state = QN_EMPTY;
}

static void end_write(struct qn_cache *cache, size_t slot,
                      enum qn_status status)
{
    cache->slots[slot].writers--;
    if (status != QN_OK)
        qn__lease_spoil(cache, slot);
    else
        cache->slots[slot].older = true;
}

static void let_go(struct qn_cache *cache, const struct qn_lease *lease,
                   enum qn_status status)
{
    for (size_t i = 0; i < lease->count; i++) {
        const struct qn_use *const use = &lease->uses[i];
        const size_t slot = use->offset / cache->settings.block;
        if (use->access != QN_READ)
            end_write(cache, slot, status);
        qn__slot_unpin(cache, slot);
    }
}

/* --- leases -------------------------------------------------------------- */

static enum qn_status check(const struct qn_cache *cache,
                            const struct qn_lease *lease)
{
    for (size_t i = 0; i < lease->count; i++) {
        const struct qn_use *const use = &lease->uses[i];
        if (use->data->cache != cache)
            return qn__fail(QN_INVALID, "use %zu is of another cache", i);
        if (use->block >= use->data->blocks)
            return qn__fail(QN_INVALID, "use %zu is of block %zu: the data has"
                            " %zu", i, use->block, use->data->blocks);
    }
    return QN_OK;
}

/* 0 without a clock. */
static double now(const struct qn_cache *cache)
{
    const struct qn_mover *const mover = &cache->mover;
    return mover->now ? mover->now(mover->self) : 0;
}

enum qn_status qn_cache_acquire(struct qn_cache *cache, struct qn_lease *lease)
{
    const double began = now(cache);
    enum qn_status status = check(cache, lease);
    if (status != QN_OK)
        return status;
    lease->moved = lease->saved = 0;
    lease->reused = qn__lease_reuses(cache, lease);
    status = lease->reused ? hold_all(cache, lease)
                           : qn__lease_fresh(cache, lease);
    if (status != QN_OK)
        return status;
    for (size_t i = 0; i < lease->count; i++)
        lease->uses[i].data->uses++;
    cache->leases++;
    cache->stats.leases++;
    cache->stats.reused += lease->reused != 0;
    cache->stats.saved += lease->saved;
    lease->seconds = now(cache) - began;
    cache->stats.seconds += lease->seconds;
    return QN_OK;
}

enum qn_status qn_cache_release(struct qn_cache *cache, struct qn_lease *lease,
                                enum qn_status status, double seconds)
{
    const double began = now(cache);
    enum qn_status first = QN_OK;
    if (lease->reused)
        let_go(cache, lease, status);
    else
        first = qn__lease_end_fresh(cache, lease, status);
    const double back = now(cache) - began;
    cache->stats.seconds += back;
    if (status == QN_OK && seconds > 0)
        qn__cost_add(&cache->whole[lease->reused != 0], qn__lease_work(lease),
                     lease->seconds + seconds + back);
    for (size_t i = 0; i < lease->count; i++)
        lease->uses[i].data->uses--;
    cache->leases--;
    return first;
}
