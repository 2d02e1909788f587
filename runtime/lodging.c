/* What a batch has of a home: which blocks its lists name, where they are. */
#include "home.h"

#include <stdlib.h>

enum qn_status qn__lodging_open(const struct qn__home *home,
                                struct qn__lodging *lodging)
{
    const size_t blocks = (size_t)home->blocks;
    lodging->uses = calloc(blocks, sizeof *lodging->uses);
    lodging->use_of = calloc(blocks, sizeof *lodging->use_of);
    lodging->lease.uses = lodging->uses;
    return lodging->uses && lodging->use_of ? QN_OK
         : qn__fail(QN_NO_MEMORY, "no memory for a server");
}

void qn__lodging_close(struct qn__lodging *lodging)
{
    free(lodging->uses);
    free(lodging->use_of);
}

enum qn_status qn__lodging_use(const struct qn__home *home,
                               struct qn__lodging *lodging, int32_t point,
                               bool written)
{
    if (point < 0 || point >= home->points)
        return qn__fail(QN_INVALID, "point %d: there are 0 to %lld", (int)point,
                        (long long)home->points - 1);
    int32_t *const use_of = &lodging->use_of[point / home->block];
    if (*use_of == 0) {
        lodging->uses[lodging->lease.count++] = (struct qn_use){
            .data = home->data, .block = (size_t)(point / home->block)
        };
        *use_of = (int32_t)lodging->lease.count;
    }
    if (written)
        lodging->uses[*use_of - 1].access = QN_UPDATE;
    return QN_OK;
}

void qn__lodging_cut(struct qn__lodging *lodging, size_t count)
{
    for (size_t i = count; i < lodging->lease.count; i++)
        lodging->use_of[lodging->uses[i].block] = 0;
    lodging->lease.count = count;
}

enum qn_status qn__lodging_take(struct qn__home *home,
                                struct qn__lodging *lodging)
{
    const enum qn_status status =
        qn_cache_acquire(home->cache, &lodging->lease);
    lodging->held = status == QN_OK;
    if (status != QN_OK)
        qn__lodging_cut(lodging, 0);
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
    qn__lodging_cut(lodging, 0);
    return own;
}

int32_t qn__lodging_place(const struct qn__home *home,
                          const struct qn__lodging *lodging, int32_t point)
{
    const int32_t block = point / (int32_t)home->block;
    const struct qn_use *const use =
        &lodging->uses[lodging->use_of[block] - 1];
    return (int32_t)(use->offset / home->bytes) * (int32_t)home->block
         + point - block * (int32_t)home->block;
}
