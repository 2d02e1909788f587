/* Points side by side in one thread whose neighbours coincide, as those of the
 * edges around a vertex do: it reads each of them once. Which coincide is told
 * (struct quern_tile_fan); points that do not suit others have a thread for
 * themselves, so any mesh is served. */
#include "tiling.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EACH = 8, MOST_COUNT = 32, MOST_GROUP = 16, NOBODY = -2 };

/* A point that may belong to the thread of a centre. */
struct chance {
    int64_t centre;
    int32_t point;
    unsigned as;                /* bit m: as its m-th point */
};

/* The points of one thread; -1: none. */
struct thread {
    int64_t centre;
    int32_t points[MOST_EACH];
};

struct fitting {
    const struct qn__tiling *tiling;
    const struct quern_tile_fan *fan;
    const struct quern_tile_way *way;
    struct qn__places *places;  /* NOBODY: a point has no thread yet */
    int64_t entries;
    int each;
    struct chance *chances;     /* by centre */
    int64_t chance_count;
    struct thread *threads;
    int64_t thread_count;
    const struct chance *group; /* chances with one centre */
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
static bool suits(const struct fitting *fit, const struct chance *chance, int m,
                  int64_t *seen)
{
    int64_t more[MOST_COUNT];
    if (!(chance->as >> m & 1))
        return false;
    memcpy(more, seen, sizeof more);
    for (int64_t e = 0; e < fit->entries; e++) {
        const int at = fit->fan->number[m * fit->entries + e];
        const int64_t point_near = near(fit, chance->point, e);
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
        if (i >= 0 && !suits(fit, &fit->group[i], m, more))
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

/* The points of the group that one thread takes best, left in `best`; how
 * many. */
static int find_best(struct fitting *fit)
{
    int64_t seen[MOST_COUNT];
    for (int i = 0; i < MOST_COUNT; i++)
        seen[i] = NOBODY;
    for (int i = 0; i < fit->count; i++)
        fit->taken[i] = fit->places->place[fit->group[i].point] != NOBODY;
    fit->found = 0;
    for (int m = 0; m < MOST_EACH; m++)
        fit->now[m] = fit->best[m] = -1;
    search(fit, 0, 0, seen);
    return fit->found;
}

/* Gives those a thread of their own. */
static void take_best(struct fitting *fit)
{
    struct thread *const thread = &fit->threads[fit->thread_count++];
    thread->centre = fit->group[0].centre;
    for (int m = 0; m < fit->each; m++) {
        thread->points[m] = -1;
        if (fit->best[m] < 0)
            continue;
        thread->points[m] = fit->group[fit->best[m]].point;
        fit->places->place[thread->points[m]] = 0;
    }
}

/* Threads of at least so many points, as long as there are any. */
static void take_all(struct fitting *fit, int least)
{
    for (int64_t i = 0; i < fit->chance_count; i += fit->count) {
        int64_t left = 0;
        fit->group = &fit->chances[i];
        for (fit->count = 0; i + fit->count < fit->chance_count
             && fit->count < MOST_GROUP
             && fit->group[fit->count].centre == fit->group[0].centre;
             fit->count++)
            left += fit->places->place[fit->group[fit->count].point] == NOBODY;
        while (left >= least && find_best(fit) >= least) {
            take_best(fit);
            left -= fit->found;
        }
    }
}

static int by_centre(const void *left, const void *right)
{
    const struct chance *const a = left, *const b = right;
    if (a->centre != b->centre)
        return a->centre < b->centre ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

/* All chances of the points. */
static void add_chances(struct fitting *fit)
{
    for (int64_t i = 0; i < fit->places->count; i++)
        for (int m = 0; m < fit->each; m++) {
            int first = 0;
            unsigned as = 0;
            while (fit->fan->centres[first] != fit->fan->centres[m])
                first++;
            for (int other = m; first == m && other < fit->each; other++)
                if (fit->fan->centres[other] == fit->fan->centres[m])
                    as |= 1u << other;
            if (as)
                fit->chances[fit->chance_count++] = (struct chance){
                    near(fit, fit->places->list[i], fit->fan->centres[m]),
                    fit->places->list[i], as };
        }
    qsort(fit->chances, (size_t)fit->chance_count, sizeof *fit->chances,
          by_centre);
}

/* Threads with neighbouring centres side by side; of one centre those with most
 * points first. */
static int by_place(const void *left, const void *right)
{
    const struct thread *const a = left, *const b = right;
    int points = 0;
    if (a->centre != b->centre)
        return a->centre < b->centre ? -1 : 1;
    for (int m = 0; m < MOST_EACH; m++)
        points += (b->points[m] >= 0) - (a->points[m] >= 0);
    for (int m = 0; points == 0 && m < MOST_EACH; m++)
        points = (a->points[m] > b->points[m]) - (a->points[m] < b->points[m]);
    return points;
}

static bool arrange(struct fitting *fit)
{
    const int64_t most = fit->tiling->form->threads;
    for (int64_t i = 0; i < fit->places->count; i++)
        fit->places->place[fit->places->list[i]] = NOBODY;
    add_chances(fit);
    for (int least = fit->each; least > 0; least--)
        take_all(fit, least);
    qsort(fit->threads, (size_t)fit->thread_count, sizeof *fit->threads,
          by_place);
    for (int64_t t = 0; t < fit->thread_count; t++)
        for (int m = 0; m < fit->each; m++)
            if (fit->threads[t].points[m] >= 0)
                fit->places->place[fit->threads[t].points[m]] =
                    (int32_t)(m * most + t);
    for (int64_t t = 0; t < most; t++)
        fit->places->centres[t] = t < fit->thread_count
            ? (int32_t)fit->threads[t].centre : -1;
    return fit->thread_count <= most;
}

bool qn__fan_arrange(const struct qn__tiling *tiling,
                     const struct quern_tile_stage *stage,
                     struct qn__places *places)
{
    const struct quern_tile_way *const way =
        &tiling->form->ways[stage->fan->way];
    struct fitting fit = { .tiling = tiling, .fan = stage->fan, .way = way,
        .entries = qn__way_entries(way), .each = stage->each,
        .places = places };
    if (fit.each > MOST_EACH || fit.fan->count > MOST_COUNT)
        return false;
    const size_t points = (size_t)places->count + 1;
    fit.chances = malloc(points * (size_t)fit.each * sizeof *fit.chances);
    fit.threads = calloc(points, sizeof *fit.threads);
    const bool fits = fit.chances && fit.threads && arrange(&fit);
    free(fit.chances);
    free(fit.threads);
    return fits;
}
