/* Points side by side in one thread whose neighbours coincide, as those of the
 * edges around a vertex do: it reads each of them once. Which coincide is told
 * (struct quern_tile_fan); points that do not suit others have a thread for
 * themselves, so any mesh is served. */
#include "tiling.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EACH = 8, MOST_COUNT = 32, MOST_GROUP = 16, NOBODY = -2 };

struct fitting {
    const struct qn__tiling *tiling;
    const struct quern_tile_fan *fan;
    const struct quern_tile_way *way;
    int64_t entries;
    int each;
    const int32_t *group;       /* points with one centre */
    int count;
    bool taken[MOST_GROUP];     /* those that have a thread */
    int now[MOST_EACH], best[MOST_EACH];    /* of the group; -1: none */
    int found;                  /* points in best */
};

static int64_t near(const struct fitting *fit, int64_t point, int64_t entry)
{
    return qn__way_follow(fit->tiling, fit->way, point, entry);
}

/* Adds the neighbours of a point as the m-th of a thread; false, and nothing
 * is added, where another has the place. */
static bool suits(const struct fitting *fit, int32_t point, int m,
                  int64_t *seen)
{
    int64_t more[MOST_COUNT];
    memcpy(more, seen, sizeof more);
    for (int64_t e = 0; e < fit->entries; e++) {
        const int at = fit->fan->number[m * fit->entries + e];
        const int64_t point_near = near(fit, point, e);
        if (more[at] != NOBODY && more[at] != point_near)
            return false;
        more[at] = point_near;
    }
    memcpy(seen, more, sizeof more);
    return true;
}

/* Tries all points of the group as the m-th of a thread and those after it. */
static void search(struct fitting *fit, int m, int found, const int64_t *seen)
{
    if (found > fit->found) {
        fit->found = found;
        memcpy(fit->best, fit->now, sizeof fit->best);
    }
    for (int i = -1; m < fit->each && i < fit->count; i++) {
        int64_t more[MOST_COUNT];
        if (fit->found == fit->each || found + fit->each - m <= fit->found)
            return;
        if (i >= 0 && fit->taken[i])
            continue;
        memcpy(more, seen, sizeof more);
        if (i >= 0 && !suits(fit, fit->group[i], m, more))
            continue;
        fit->now[m] = i;
        if (i >= 0)
            fit->taken[i] = true;
        search(fit, m + 1, found + (i >= 0), more);
        if (i >= 0)
            fit->taken[i] = false;
        fit->now[m] = -1;
    }
}

/* Threads for the points of a group, from `thread` on; the next free one. */
static int64_t place_group(struct fitting *fit, struct qn__places *places,
                           int64_t thread)
{
    const int64_t threads = fit->tiling->form->threads;
    memset(fit->taken, 0, sizeof fit->taken);
    for (int left = fit->count; left > 0; left -= fit->found) {
        int64_t seen[MOST_COUNT];
        for (int i = 0; i < MOST_COUNT; i++)
            seen[i] = NOBODY;
        fit->found = 0;
        for (int m = 0; m < fit->each; m++)
            fit->now[m] = fit->best[m] = -1;
        search(fit, 0, 0, seen);
        for (int m = 0; m < fit->each; m++)
            if (fit->best[m] >= 0) {
                fit->taken[fit->best[m]] = true;
                places->place[fit->group[fit->best[m]]] =
                    (int32_t)(m * threads + thread);
            }
        thread++;
    }
    return thread;
}

struct centred {
    int64_t centre;
    int32_t point;
};

static int by_centre(const void *left, const void *right)
{
    const struct centred *const a = left, *const b = right;
    if (a->centre != b->centre)
        return a->centre < b->centre ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

/* The points, those with one centre side by side. */
static void sort(const struct fitting *fit, const struct qn__places *places,
                 struct centred *list)
{
    for (int64_t i = 0; i < places->count; i++)
        list[i] = (struct centred){
            near(fit, places->list[i], fit->fan->centre), places->list[i] };
    qsort(list, (size_t)places->count, sizeof *list, by_centre);
}

bool qn__fan_arrange(const struct qn__tiling *tiling,
                     const struct quern_tile_stage *stage,
                     struct qn__places *places)
{
    const struct quern_tile_way *const way =
        &tiling->form->ways[stage->fan->way];
    struct fitting fit = { .tiling = tiling, .fan = stage->fan, .way = way,
        .entries = qn__way_entries(way), .each = stage->each };
    struct centred *const list =
        malloc((size_t)(places->count + 1) * sizeof *list);
    int64_t thread = 0;
    if (!list || fit.each > MOST_EACH || fit.fan->count > MOST_COUNT) {
        free(list);
        return false;
    }
    sort(&fit, places, list);
    int64_t i = 0;
    while (i < places->count && thread < tiling->form->threads) {
        int32_t group[MOST_GROUP];
        fit.group = group;
        fit.count = 0;
        for (const int64_t centre = list[i].centre; i < places->count
             && list[i].centre == centre && fit.count < MOST_GROUP; i++)
            group[fit.count++] = list[i].point;
        thread = place_group(&fit, places, thread);
    }
    free(list);
    return i == places->count && thread <= tiling->form->threads;
}
