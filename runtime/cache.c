/* The cache's slots: which block is where, and which one makes place. */
#include "cache.h"

#include <stdlib.h>

/* --- the list of what no lease pins -------------------------------------- */

static void unlink_slot(struct qn_cache *cache, size_t slot)
{
    struct qn__slot *const at = &cache->slots[slot];
    cache->slots[at->before].after = at->after;
    cache->slots[at->after].before = at->before;
}

static void link_behind(struct qn_cache *cache, size_t before, size_t slot)
{
    struct qn__slot *const at = &cache->slots[slot];
    at->before = before;
    at->after = cache->slots[before].after;
    cache->slots[at->after].before = slot;
    cache->slots[before].after = slot;
}

static void link_first(struct qn_cache *cache, size_t slot)
{
    link_behind(cache, cache->count, slot);
}

static void link_last(struct qn_cache *cache, size_t slot)
{
    link_behind(cache, cache->slots[cache->count].before, slot);
}

/* --- slots --------------------------------------------------------------- */

size_t qn__block_size(const struct qn_data *data, size_t block)
{
    const size_t whole = data->cache->settings.block;
    const size_t rest = data->size - block * whole;
    return rest < whole ? rest : whole;
}

bool qn__slot_modified(const struct qn_cache *cache, ptrdiff_t slot)
{
    return slot != QN_NO_SLOT && cache->slots[slot].state == QN_MODIFIED;
}

enum qn_status qn__slot_upload(struct qn_cache *cache, size_t slot,
                               const struct qn_data *data, size_t block)
{
    const struct qn_mover *const mover = &cache->mover;
    const size_t whole = cache->settings.block;
    const size_t size = qn__block_size(data, block);
    const enum qn_status status = mover->upload(
        mover->self, slot * whole, data->host + block * whole, size);
    if (status != QN_OK)
        return status;
    cache->stats.up += size;
    return QN_OK;
}

enum qn_status qn__slot_download(struct qn_cache *cache, size_t slot)
{
    const struct qn_mover *const mover = &cache->mover;
    struct qn__slot *const at = &cache->slots[slot];
    const size_t whole = cache->settings.block;
    const size_t size = qn__block_size(at->owner, at->block);
    const enum qn_status status =
        mover->download(mover->self, at->owner->host + at->block * whole,
                        slot * whole, size);
    if (status != QN_OK)
        return status;
    cache->stats.down += size;
    at->state = QN_SHARED;
    return QN_OK;
}

void qn__slot_give(struct qn_cache *cache, size_t slot, struct qn_data *data,
                   size_t block)
{
    struct qn__slot *const at = &cache->slots[slot];
    at->owner = data;
    at->block = block;
    at->state = QN_EMPTY;
    if (data) {
        data->slot[block] = (ptrdiff_t)slot;
        cache->stats.resident++;
    }
}

void qn__slot_drop(struct qn_cache *cache, size_t slot)
{
    struct qn__slot *const at = &cache->slots[slot];
    if (at->owner) {
        at->owner->slot[at->block] = QN_NO_SLOT;
        cache->stats.resident--;
    }
    at->owner = NULL;
    at->state = QN_EMPTY;
    if (at->pins == 0) {
        unlink_slot(cache, slot);
        link_first(cache, slot);
    }
}

enum qn_status qn__slot_clear(struct qn_cache *cache, size_t slot)
{
    if (cache->slots[slot].state == QN_MODIFIED) {
        const enum qn_status status = qn__slot_download(cache, slot);
        if (status != QN_OK)
            return status;
    }
    qn__slot_drop(cache, slot);
    return QN_OK;
}

enum qn_status qn__slot_take(struct qn_cache *cache, size_t *slot)
{
    *slot = cache->slots[cache->count].after;
    if (*slot != cache->count) {
        cache->stats.evicted += cache->slots[*slot].owner != NULL;
        return qn__slot_clear(cache, *slot);
    }
    if (cache->leases > 0)
        return qn__fail(QN_BUSY, "all of the cache's %zu blocks are in use",
                        cache->count);
    return qn__fail(QN_INVALID, "a batch that uses more blocks than the cache's"
                    " budget has: %zu", cache->count);
}

void qn__slot_pin(struct qn_cache *cache, size_t slot)
{
    if (cache->slots[slot].pins++ == 0) {
        unlink_slot(cache, slot);
        cache->stats.pinned++;
    }
}

void qn__slot_unpin(struct qn_cache *cache, size_t slot)
{
    struct qn__slot *const at = &cache->slots[slot];
    if (--at->pins > 0)
        return;
    cache->stats.pinned--;
    at->alone = false;
    link_last(cache, slot);
    if (!at->owner || at->state == QN_EMPTY)
        qn__slot_drop(cache, slot);
}

/* --- made and freed ------------------------------------------------------ */

static enum qn_status check(const struct qn_cache_settings *settings,
                            const struct qn_mover *mover)
{
    if (settings->block == 0 || settings->budget < settings->block)
        return qn__fail(QN_INVALID, "a cache of %zu bytes in blocks of %zu: one"
                        " block at least", settings->budget, settings->block);
    if (settings->reuse < QN_REUSE_AUTO || settings->reuse > QN_REUSE_NEVER)
        return qn__fail(QN_INVALID, "reuse %d: there are 0 to %d",
                        (int)settings->reuse, (int)QN_REUSE_NEVER);
    if (!mover->upload || !mover->download)
        return qn__fail(QN_INVALID, "a cache needs a mover that moves");
    if (settings->reuse == QN_REUSE_AUTO && !mover->now)
        return qn__fail(QN_INVALID, "reuse AUTO needs a mover with a clock");
    return QN_OK;
}

enum qn_status qn_cache_create(const struct qn_cache_settings *settings,
                               const struct qn_mover *mover,
                               struct qn_cache **cache)
{
    *cache = NULL;
    const enum qn_status status = check(settings, mover);
    if (status != QN_OK)
        return status;
    struct qn_cache *const made = calloc(1, sizeof *made);
    const size_t count = settings->budget / settings->block;
    struct qn__slot *const slots = calloc(count + 1, sizeof *slots);
    if (!made || !slots) {
        free(made);
        free(slots);
        return qn__fail(QN_NO_MEMORY, "no memory for %zu blocks", count);
    }
    made->settings = *settings;
    made->mover = *mover;
    made->count = count;
    made->slots = slots;
    slots[count].before = slots[count].after = count;
    for (size_t slot = 0; slot < count; slot++)
        link_last(made, slot);
    *cache = made;
    return QN_OK;
}

enum qn_status qn_cache_destroy(struct qn_cache *cache)
{
    enum qn_status first = QN_OK;
    if (!cache)
        return QN_OK;
    if (cache->leases > 0)
        return qn__fail(QN_BUSY, "%zu leases of the cache are not released",
                        cache->leases);
    while (cache->data && first == QN_OK)
        first = qn_data_free(cache->data);
    if (first != QN_OK)
        return first;
    free(cache->slots);
    free(cache);
    return QN_OK;
}

void qn__cache_give_up(struct qn_cache *cache)
{
    for (size_t slot = 0; slot < cache->count; slot++)
        cache->slots[slot].state = QN_EMPTY;
    qn_cache_destroy(cache);
}

void qn_cache_get_stats(const struct qn_cache *cache,
                        struct qn_cache_stats *stats)
{
    *stats = cache->stats;
}
