/* The tiles of a kernel: the points that each has of every stage and list,
 * found from those that it updates. */
#include "tiling.h"

#include <stdlib.h>
#include <string.h>

enum { SECTOR = 4 };            /* points whose values memory gives at once */

int64_t qn__way_entries(const struct quern_tile_way *way)
{
    int64_t entries = 1;
    for (int i = 0; i < way->steps; i++)
        entries *= way->step[i].count;
    return entries;
}

int64_t qn__way_words(const struct quern_tile_form *form,
                      const struct quern_tile_way *way)
{
    const struct quern_tile_stage *const stage = &form->stages[way->stage];
    const bool fan = stage->fan && &form->ways[stage->fan->way] == way;
    return fan ? (stage->fan->count + 1) / 2
               : stage->each * ((qn__way_entries(way) + 1) / 2);
}

int64_t qn__way_follow(const struct qn__tiling *tiling,
                       const struct quern_tile_way *way, int64_t row,
                       int64_t entry)
{
    int64_t below = qn__way_entries(way);
    for (int i = 0; row >= 0 && i < way->steps; i++) {
        below /= way->step[i].count;
        const int64_t which = entry / below % way->step[i].count;
        const int *const slots = way->step[i].slots;
        row = quern_entry(&tiling->tables[way->step[i].table], row,
                          slots ? slots[which] : which);
    }
    return row;
}

struct qn__places *qn__way_goal(const struct qn__work *work,
                                  const struct quern_tile_way *way)
{
    return way->to_list < 0 ? &work->stages[way->to_stage]
                            : &work->lists[way->to_list];
}

/* A point is one of a tile's; false where there is no room for it. */
static bool add(struct qn__places *places, int64_t tile, int64_t point)
{
    if (places->tile[point] == tile)
        return true;
    if (places->count == places->most)
        return false;
    places->tile[point] = tile;
    places->list[places->count++] = (int32_t)point;
    return true;
}

static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

void qn__points_sort(int32_t *points, int64_t count)
{
    qsort(points, (size_t)count, sizeof *points, ascending);
}

/* Gives all points of a stage or a list their places. */
static void settle(struct qn__places *places)
{
    qn__points_sort(places->list, places->count);
    for (int64_t i = 0; i < places->count; i++)
        places->place[places->list[i]] = (int32_t)i;
}

/* Adds what the points of a stage find along its ways. */
static bool add_neighbours(const struct qn__work *work, int stage)
{
    const struct quern_tile_form *const form = work->tiling->form;
    const struct qn__places *const from = &work->stages[stage];
    for (int w = 0; w < form->way_count; w++) {
        const struct quern_tile_way *const way = &form->ways[w];
        const int64_t entries = way->stage == stage ? qn__way_entries(way) : 0;
        for (int64_t i = 0; i < from->count; i++)
            for (int64_t entry = 0; entry < entries; entry++) {
                const int64_t near = qn__way_follow(work->tiling, way,
                                                    from->list[i], entry);
                if (near >= 0
                    && !add(qn__way_goal(work, way), work->tile, near))
                    return false;
            }
    }
    return true;
}

/* The last stage with fans around points of a domain; -1: none. */
static int fan_around(const struct quern_tile_form *form, int domain)
{
    int stage = form->stage_count - 1;
    while (stage >= 0) {
        const struct quern_tile_fan *const fan = form->stages[stage].fan;
        if (fan && form->lists[form->ways[fan->way].to_list].domain == domain)
            break;
        stage--;
    }
    return stage;
}

/* Gives the targets the threads that have fans around them, so that these read
 * their own results, and others those that are left. */
static void meet_fans(struct qn__work *work)
{
    const struct quern_tile_form *const form = work->tiling->form;
    const int last = form->stage_count - 1;
    const int fans = fan_around(form, form->stages[last].domain);
    struct qn__places *const own = &work->stages[last];
    int32_t free = 0;
    if (fans < 0 || fans == last || form->stages[last].each > 1)
        return;
    const int32_t *const centres = work->stages[fans].centres;
    for (int64_t i = 0; i < own->count; i++)
        own->place[own->list[i]] = -1;
    memset(own->centres, -1, (size_t)form->threads * sizeof *own->centres);
    for (int32_t t = 0; t < form->threads; t++)
        if (centres[t] >= 0 && own->tile[centres[t]] == work->tile
            && own->place[centres[t]] < 0) {
            own->place[centres[t]] = t;
            own->centres[t] = centres[t];
        }
    for (int64_t i = 0; i < own->count; i++)
        if (own->place[own->list[i]] < 0) {
            while (own->centres[free] >= 0)
                free++;
            own->place[own->list[i]] = free++;
        }
}

bool qn__tile_gather(struct qn__work *work, const int32_t *points,
                     int64_t count)
{
    const struct quern_tile_form *const form = work->tiling->form;
    work->tile++;
    for (int i = 0; i < form->stage_count; i++)
        work->stages[i].count = 0;
    for (int i = 0; i < form->list_count; i++)
        work->lists[i].count = 0;
    bool fits = true;
    for (int64_t i = 0; fits && i < count; i++)
        fits = add(&work->stages[form->stage_count - 1], work->tile,
                   points[i]);
    for (int stage = form->stage_count - 1; fits && stage >= 0; stage--) {
        settle(&work->stages[stage]);
        fits = (!form->stages[stage].fan
                || qn__fan_arrange(work->tiling, &form->stages[stage],
                                   &work->stages[stage]))
            && add_neighbours(work, stage);
    }
    if (fits)
        meet_fans(work);
    for (int i = 0; fits && i < form->list_count; i++)
        settle(&work->lists[i]);
    return fits;
}

int64_t qn__tile_cost(const struct qn__work *work)
{
    const struct quern_tile_form *const form = work->tiling->form;
    int64_t cost = 0;
    for (int i = 0; i < form->list_count; i++) {
        const struct qn__places *const places = &work->lists[i];
        int64_t sectors = 0;
        for (int64_t p = 0; p < places->count; p++)
            sectors += p == 0 || places->list[p] / SECTOR
                                     != places->list[p - 1] / SECTOR;
        cost += sectors * SECTOR * form->lists[i].bytes;
    }
    for (int i = 0; i < form->stage_count; i++)
        cost += work->stages[i].count * (int64_t)sizeof(double);
    return cost;
}

/* Counts what the present tile has. */
static void count_tile(struct qn__work *work)
{
    const struct quern_tile_form *const form = work->tiling->form;
    const int64_t own = work->stages[form->stage_count - 1].count;
    work->made.count++;
    if (own > work->made.points)
        work->made.points = own;
    for (int i = 0; i < form->stage_count; i++)
        work->made.computed += (double)work->stages[i].count;
    for (int i = 0; i < form->list_count; i++)
        work->made.copied += (double)work->lists[i].count;
}

static enum qn_status append(struct qn__work *work)
{
    const struct quern_tile_form *const form = work->tiling->form;
    for (int i = 0; i < form->list_count; i++)
        qn__spread(work->tiling, work->stages, i, &work->lists[i]);
    const int64_t size = (int64_t)form->words * form->threads;
    if (work->count == work->room) {
        const int64_t room = 2 * work->room + 16;
        int32_t *const more =
            realloc(work->words, (size_t)(room * size) * sizeof *more);
        if (!more)
            return qn__fail(QN_NO_MEMORY, "no memory for %lld tiles",
                            (long long)room);
        work->words = more;
        work->room = room;
    }
    int32_t *const words = work->words + work->count++ * size;
    memset(words, 0, (size_t)size * sizeof *words);
    count_tile(work);
    qn__tile_write(work, words);
    return QN_OK;
}

enum qn_status qn__tile_add(struct qn__work *work, const int32_t *points,
                            int64_t count)
{
    if (qn__tile_gather(work, points, count))
        return append(work);
    if (count == 1)
        return qn__fail(QN_INVALID, "point %d has more neighbours of neighbours"
                        " than a tile has room for", (int)points[0]);
    const enum qn_status status = qn__tile_add(work, points, count / 2);
    return status == QN_OK ? qn__tile_add(work, points + count / 2,
                                          count - count / 2) : status;
}

enum qn_status qn__tiling_make(const struct qn__tiling *tiling,
                               int32_t **words, struct qn_tiles *made)
{
    struct qn__work work = { .tiling = tiling };
    enum qn_status status = QN_OK;
    if (!qn__kin_find(tiling, &work.kin))
        status = qn__fail(QN_NO_MEMORY, "no memory to cut a mesh into tiles");
    if (status == QN_OK)
        status = qn__growth_make(&work.kin, &work.growth);
    if (status == QN_OK && !qn__work_make(&work))
        status = qn__fail(QN_NO_MEMORY, "no memory to cut a mesh into tiles");
    if (status == QN_OK)
        status = qn__cut(&work);
    qn__growth_free(work.growth);
    qn__halves_free(work.halves);
    qn__kin_free(&work.kin);
    qn__work_free(&work);
    if (status != QN_OK) {
        free(work.words);
        work.words = NULL;
    }
    *words = work.words;
    *made = work.made;
    return status;
}
