/* Arrays of the host, and what the host may do with them. */
#include "cache.h"

#include <stdlib.h>

static void release(struct qn_data *data)
{
    free(data->slot);
    free(data->lost);
    free(data);
}

enum qn_status qn_data_create(struct qn_cache *cache, void *host, size_t size,
                              struct qn_data **data)
{
    const size_t block = cache->settings.block;
    const size_t blocks = size / block + (size % block != 0);
    *data = NULL;
    struct qn_data *const made = calloc(1, sizeof *made);
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory for data of a cache");
    made->slot = malloc((blocks + 1) * sizeof *made->slot);
    made->lost = calloc(blocks + 1, sizeof *made->lost);
    if (!made->slot || !made->lost) {
        release(made);
        return qn__fail(QN_NO_MEMORY, "no memory for %zu blocks of data",
                        blocks);
    }
    for (size_t i = 0; i < blocks; i++)
        made->slot[i] = QN_NO_SLOT;
    made->cache = cache;
    made->host = host;
    made->size = size;
    made->blocks = blocks;
    made->next = cache->data;
    cache->data = made;
    *data = made;
    return QN_OK;
}

enum qn_status qn_data_free(struct qn_data *data)
{
    if (!data)
        return QN_OK;
    struct qn_cache *const cache = data->cache;
    enum qn_status status = QN_OK;
    if (data->uses > 0)
        return qn__fail(QN_BUSY, "data that batches use (%zu blocks) cannot be"
                        " freed", data->uses);
    for (size_t i = 0; i < data->blocks && status == QN_OK; i++)
        if (data->slot[i] != QN_NO_SLOT)
            status = qn__slot_clear(cache, (size_t)data->slot[i]);
    if (status != QN_OK)
        return status;
    struct qn_data **link = &cache->data;
    while (*link != data)
        link = &(*link)->next;
    *link = data->next;
    release(data);
    return QN_OK;
}

/* The blocks begin <= i < end that hold some of the bytes. */
static enum qn_status range(const struct qn_data *data, size_t first,
                            size_t size, size_t *begin, size_t *end)
{
    const size_t block = data->cache->settings.block;
    if (first > data->size || size > data->size - first)
        return qn__fail(QN_INVALID, "%zu bytes from byte %zu of data of %zu",
                        size, first, data->size);
    *begin = first / block;
    *end = size > 0 ? (first + size - 1) / block + 1 : *begin;
    return QN_OK;
}

static enum qn_status fetch(struct qn_data *data, size_t block)
{
    struct qn_cache *const cache = data->cache;
    const ptrdiff_t slot = data->slot[block];
    if (slot != QN_NO_SLOT && cache->slots[slot].writers > 0)
        return qn__fail(QN_BUSY, "block %zu is being written by a batch: it"
                        " cannot be read", block);
    if (data->lost[block])
        return qn__fail(QN_DEVICE, "block %zu was lost when a batch that wrote"
                        " it failed", block);
    return qn__slot_modified(cache, slot)
        ? qn__slot_download(cache, (size_t)slot) : QN_OK;
}

enum qn_status qn_data_read(struct qn_data *data, size_t first, size_t size)
{
    size_t begin = 0, end = 0;
    enum qn_status status = range(data, first, size, &begin, &end);
    for (size_t i = begin; i < end && status == QN_OK; i++)
        status = fetch(data, i);
    return status;
}

/* A block that is lost is good again only when all of it is written. */
static enum qn_status overwritten(const struct qn_data *data, size_t block,
                                  size_t first, size_t size)
{
    const size_t whole = data->cache->settings.block;
    const size_t begin = block * whole;
    const size_t end = begin + whole < data->size ? begin + whole : data->size;
    if (qn__slot_modified(data->cache, data->slot[block]))
        return qn__fail(QN_INVALID, "block %zu was written on the device and by"
                        " the host: qn_data_read comes between them", block);
    if (data->lost[block] && (first > begin || first + size < end))
        return qn__fail(QN_DEVICE, "block %zu was lost when a batch that wrote"
                        " it failed: all of it is to be written", block);
    const ptrdiff_t slot = data->slot[block];
    if (slot != QN_NO_SLOT && data->cache->slots[slot].pins > 0)
        return qn__fail(QN_BUSY, "block %zu is in use by a batch: it cannot be"
                        " written", block);
    return QN_OK;
}

enum qn_status qn_data_written(struct qn_data *data, size_t first, size_t size)
{
    size_t begin = 0, end = 0;
    enum qn_status status = range(data, first, size, &begin, &end);
    for (size_t i = begin; i < end && status == QN_OK; i++)
        status = overwritten(data, i, first, size);
    for (size_t i = begin; i < end && status == QN_OK; i++) {
        data->lost[i] = false;
        if (data->slot[i] != QN_NO_SLOT)
            qn__slot_drop(data->cache, (size_t)data->slot[i]);
    }
    return status;
}
