/* What places add, sorted by the points that get it.
 *
 * Points are listed in ascending order, each with its shares in the caller's
 * order of the places: a point is one thread's, so its sum has one order and
 * the bits are the same everywhere. */
#include "internal.h"

#include <stdlib.h>

#include "element.h"

struct listed {
    int64_t offset;                 /* of the point */
    struct device_share share;
};

static int compare(const void *left, const void *right)
{
    const struct listed *const a = left, *const b = right;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->share.place < b->share.place ? -1
        : a->share.place > b->share.place;
}

static int64_t rows_of(const struct device_args *host, const int64_t *count)
{
    int64_t rows = 1;
    for (int64_t axis = 1; axis < host->rank; axis++)
        rows *= count[axis];
    return rows;
}

static size_t count_shares(const struct qn_places *places)
{
    const struct device_args *const host = &places->host;
    size_t shares = 0;
    for (size_t i = 0; i < places->count; i++) {
        const int64_t *const count = host->tap_count + i * (size_t)host->rank;
        shares += (size_t)(count[0] * rows_of(host, count));
    }
    return shares;
}

/* Every point of every place; the weights are those of interpolate_one. */
static void list_shares(const struct qn_places *places, struct listed *list)
{
    const struct device_args *const host = &places->host;
    for (int64_t i = 0; i < (int64_t)places->count; i++) {
        const struct device_tap *const tap =
            host->tap + i * host->rank * host->taps;
        const int64_t *const count = host->tap_count + i * host->rank;
        for (int64_t row = 0; row < rows_of(host, count); row++) {
            int64_t offset = 0;
            const double weight = row_weight(host, tap, count, row, &offset);
            for (int64_t x = 0; x < count[0]; x++)
                *list++ = (struct listed){
                    offset + tap[x].offset, { i, weight * tap[x].weight }
                };
        }
    }
}

/* What is uploaded: three arrays, of room for `shares` and one more. */
struct sorted {
    struct device_share *share;
    int64_t *offset, *first;
    int64_t points;
};

static void split(const struct listed *list, size_t shares,
                  struct sorted *sorted)
{
    int64_t points = 0;
    for (size_t s = 0; s < shares; s++) {
        sorted->share[s] = list[s].share;
        if (s > 0 && list[s].offset == list[s - 1].offset)
            continue;
        sorted->offset[points] = list[s].offset;
        sorted->first[points++] = (int64_t)s;
    }
    sorted->first[points] = (int64_t)shares;
    sorted->points = points;
}

static enum qn_status send_sorted(struct qn_places *places, size_t shares,
                                  const struct sorted *sorted)
{
    const size_t points = (size_t)sorted->points;
    void *share = NULL, *offset = NULL, *first = NULL;
    enum qn_status status =
        qn__places_send(places, sorted->share, shares * sizeof *sorted->share,
                        &share);
    if (status == QN_OK)
        status = qn__places_send(places, sorted->offset,
                                 points * sizeof *sorted->offset, &offset);
    if (status == QN_OK)
        status = qn__places_send(places, sorted->first,
                                 (points + 1) * sizeof *sorted->first, &first);
    places->inject = places->sample;
    places->inject.count = sorted->points;
    places->inject.share = share;
    places->inject.offset = offset;
    places->inject.first = first;
    return status;
}

void qn__places_unsort(struct qn_places *places)
{
    qn__places_release(places, places->inject.share);
    qn__places_release(places, places->inject.offset);
    qn__places_release(places, places->inject.first);
    places->inject = (struct device_args){ 0 };
}

static enum qn_status sort(struct qn_places *places)
{
    const size_t shares = count_shares(places), room = shares + 1;
    struct listed *const list = calloc(room, sizeof *list);
    struct sorted sorted = { calloc(room, sizeof *sorted.share),
                             calloc(room, sizeof *sorted.offset),
                             calloc(room, sizeof *sorted.first), 0 };
    enum qn_status status = QN_OK;
    if (list && sorted.share && sorted.offset && sorted.first) {
        list_shares(places, list);
        qsort(list, shares, sizeof *list, compare);
        split(list, shares, &sorted);
        status = send_sorted(places, shares, &sorted);
    } else {
        status = qn__fail(QN_NO_MEMORY, "no memory for the %zu points around"
                          " %zu places", shares, places->count);
    }
    free(list);
    free(sorted.share);
    free(sorted.offset);
    free(sorted.first);
    return status;
}

enum qn_status qn__places_sort(struct qn_places *places)
{
    if (places->inject.first)
        return QN_OK;
    const enum qn_status status = sort(places);
    if (status != QN_OK)
        qn__places_unsort(places);
    return status;
}
