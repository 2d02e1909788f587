/* What a batch has of a home: which blocks its lists name, where they are. */
#include "home.h"

#include <stdlib.h>

enum qn_status qn__lodging_open(const struct qn__home *home,
                                struct qn__lodging *lodging)
{
    const size_t blocks = (size_t)home->blocks;
    lodging->uses = calloc(blocks, sizeof *lodging->uses);
    lodging->use_of = calloc(blocks, sizeof *lodging->use_of);
    lodging->ahead = calloc(blocks, sizeof *lodging->ahead);
    lodging->written = calloc(blocks, sizeof *lodging->written);
    lodging->lease.uses = lodging->uses;
    return lodging->uses && lodging->use_of && lodging->ahead
               && lodging->written ? QN_OK
         : qn__fail(QN_NO_MEMORY, "no memory for a server");
}

void qn__lodging_close(struct qn__lodging *lodging)
{
    free(lodging->uses);
    free(lodging->use_of);
    free(lodging->ahead);
    free(lodging->written);
}

void qn__lodging_use_block(const struct qn__home *home,
                           struct qn__lodging *lodging, int32_t block,
                           bool written)
{
    if (lodging->use_of[block] == 0) {
        lodging->uses[lodging->lease.count++] =
            (struct qn_use){ .data = home->data, .block = (size_t)block };
        lodging->use_of[block] = (int32_t)lodging->lease.count;
    }
    if (written)
        lodging->uses[lodging->use_of[block] - 1].access = QN_UPDATE;
}

/* The first that is not there, or as many as there are. */
static size_t look(const struct qn__home *home, const struct qn_points *points)
{
    size_t i = 0;
    while (i < points->count && points->point[i] >= 0
           && points->point[i] < home->points)
        i++;
    return i;
}

enum qn_status qn__lodging_use(const struct qn__home *home,
                               struct qn__lodging *lodging,
                               const struct qn_points *points, bool written)
{
    const size_t there = look(home, points);
    if (there < points->count)
        return qn__fail(QN_INVALID, "point %d: there are 0 to %lld",
                        (int)points->point[there],
                        (long long)home->points - 1);
    for (size_t i = 0; i < points->count; i++)
        qn__lodging_use_block(home, lodging, points->point[i] >> home->shift,
                              written);
    lodging->lease.work += points->count;
    return QN_OK;
}

void qn__lodging_cut(struct qn__lodging *lodging, size_t count, size_t work)
{
    for (size_t i = count; i < lodging->lease.count; i++)
        lodging->use_of[lodging->uses[i].block] = 0;
    lodging->lease.count = count;
    lodging->lease.work = work;
}

static int compare(const void *left, const void *right)
{
    const int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

/* Where the blocks are. */
static void note(const struct qn__home *home, struct qn__lodging *lodging)
{
    lodging->written_count = 0;
    for (size_t i = 0; i < lodging->lease.count; i++) {
        const struct qn_use *const use = &lodging->uses[i];
        const int32_t place = (int32_t)(use->offset / home->bytes);
        lodging->ahead[use->block] =
            (int32_t)((place - (int64_t)use->block) * home->block);
        if (use->access != QN_READ)
            lodging->written[lodging->written_count++] = place;
    }
    qsort(lodging->written, lodging->written_count, sizeof *lodging->written,
          compare);
}

enum qn_status qn__lodging_take(struct qn__home *home,
                                struct qn__lodging *lodging)
{
    const enum qn_status status =
        qn_cache_acquire(home->cache, &lodging->lease);
    lodging->held = status == QN_OK;
    if (status != QN_OK)
        qn__lodging_cut(lodging, 0, 0);
    note(home, lodging);
    return status;
}

enum qn_status qn__lodging_leave(struct qn__home *home,
                                 struct qn__lodging *lodging,
                                 enum qn_status status, double seconds)
{
    enum qn_status own = QN_OK;
    if (lodging->held)
        own = qn_cache_release(home->cache, &lodging->lease, status, seconds);
    lodging->held = false;
    qn__lodging_cut(lodging, 0, 0);
    return own;
}

void qn__lodging_place(const struct qn__home *home,
                       const struct qn__lodging *lodging,
                       const struct qn_points *points, int32_t *places)
{
    for (size_t i = 0; i < points->count; i++)
        places[i] = points->point[i]
                  + lodging->ahead[points->point[i] >> home->shift];
}
