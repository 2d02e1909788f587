/* Leases whose blocks are all moved, side by side: nothing is looked up, and
 * nothing stays. What is only read is a copy that has no owner. */
#include "cache.h"

/* Of the rows of slots that no lease pins, one with the fewest owners. */
static bool find_row(const struct qn_cache *cache, size_t count, size_t *first)
{
    size_t free = 0, owned = 0, least = SIZE_MAX;
    for (size_t slot = 0; slot < cache->count && count > 0; slot++) {
        if (cache->slots[slot].pins > 0) {
            free = owned = 0;
            continue;
        }
        owned += cache->slots[slot].owner != NULL;
        if (++free > count)
            owned -= cache->slots[slot - count].owner != NULL;
        if (free >= count && owned < least) {
            least = owned;
            *first = slot + 1 - count;
        }
    }
    return count == 0 || least < SIZE_MAX;
}

/* Written back and free. */
static enum qn_status make_row(struct qn_cache *cache, size_t count,
                               size_t *first)
{
    if (!find_row(cache, count, first))
        return cache->leases > 0 && count <= cache->count
            ? qn__fail(QN_BUSY, "no %zu blocks side by side are free", count)
            : qn__fail(QN_INVALID, "a batch of %zu blocks: the cache's budget"
                       " has %zu", count, cache->count);
    for (size_t slot = *first; slot < *first + count; slot++) {
        cache->stats.evicted += cache->slots[slot].owner != NULL;
        const enum qn_status status = qn__slot_clear(cache, slot);
        if (status != QN_OK)
            return status;
    }
    return QN_OK;
}

/* The host's copy is up to date, and nobody else writes the block. */
static enum qn_status settle(struct qn_cache *cache, const struct qn_use *use,
                             size_t first, size_t end)
{
    const ptrdiff_t slot = use->data->slot[use->block];
    if (slot == QN_NO_SLOT)
        return QN_OK;
    const struct qn__slot *const at = &cache->slots[slot];
    if ((size_t)slot >= first && (size_t)slot < end)
        return qn__fail(QN_INVALID, "block %zu is used twice by a batch that"
                        " writes it", use->block);
    if (at->writers > 0 || (use->access != QN_READ && at->pins > 0))
        return qn__fail(QN_BUSY, "block %zu is in use by another batch",
                        use->block);
    return qn__slot_modified(cache, slot)
        ? qn__slot_download(cache, (size_t)slot) : QN_OK;
}

static enum qn_status bring(struct qn_cache *cache, struct qn_lease *lease,
                            struct qn_use *use, size_t slot)
{
    enum qn_status status = QN_OK;
    if (use->access != QN_WRITE) {
        status = qn__slot_upload(cache, slot, use->data, use->block);
        if (status != QN_OK)
            return status;
        cache->stats.misses++;
        lease->moved += qn__block_size(use->data, use->block);
    }
    if (use->access != QN_READ) {
        const ptrdiff_t old = use->data->slot[use->block];
        if (old != QN_NO_SLOT)
            qn__slot_drop(cache, (size_t)old);
        qn__slot_give(cache, slot, use->data, use->block);
        cache->slots[slot].alone = true;
        if (use->access == QN_UPDATE)
            cache->slots[slot].state = QN_SHARED;
    }
    qn__slot_pin(cache, slot);
    use->offset = slot * cache->settings.block;
    return QN_OK;
}

/* Back to where it was: what was to be written is as the host has it. */
static void undo(struct qn_cache *cache, size_t first, size_t end)
{
    for (size_t slot = first; slot < end; slot++)
        qn__slot_unpin(cache, slot);
}

enum qn_status qn__lease_fresh(struct qn_cache *cache, struct qn_lease *lease)
{
    size_t first = 0;
    enum qn_status status = make_row(cache, lease->count, &first);
    for (size_t i = 0; i < lease->count && status == QN_OK; i++) {
        struct qn_use *const use = &lease->uses[i];
        status = qn__lease_readable(use);
        if (status == QN_OK)
            status = settle(cache, use, first, first + i);
        if (status == QN_OK)
            status = bring(cache, lease, use, first + i);
        if (status != QN_OK)
            undo(cache, first, first + i);
    }
    if (status == QN_OK)
        qn__lease_mark(cache, lease);
    return status;
}

/* What was written goes back; where it cannot, both copies are no good. */
static enum qn_status end_write(struct qn_cache *cache, size_t slot,
                                enum qn_status status)
{
    struct qn__slot *const at = &cache->slots[slot];
    at->writers--;
    if (status != QN_OK) {
        qn__lease_spoil(cache, slot);
        return QN_OK;
    }
    status = qn__slot_download(cache, slot);
    if (status != QN_OK) {
        at->owner->lost[at->block] = true;
        at->state = QN_EMPTY;
    }
    return status;
}

enum qn_status qn__lease_end_fresh(struct qn_cache *cache,
                                   const struct qn_lease *lease,
                                   enum qn_status status)
{
    enum qn_status first = QN_OK;
    for (size_t i = 0; i < lease->count; i++) {
        const size_t slot = lease->uses[i].offset / cache->settings.block;
        if (lease->uses[i].access != QN_READ) {
            const enum qn_status own = end_write(cache, slot, status);
            first = first == QN_OK ? own : first;
        }
        qn__slot_unpin(cache, slot);
        if (cache->slots[slot].owner)
            qn__slot_drop(cache, slot);
    }
    return first;
}
