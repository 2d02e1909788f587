/* The tiles of a kernel: points that grow.c puts together, all others that
 * these need, and where each finds its neighbours among them. */
#include "tiling.h"

#include <stdlib.h>
#include <string.h>

enum {
    SECTOR = 4,                 /* points whose values memory gives at once */
    SAMPLE = 24                 /* tiles by which a way to cut is judged */
};

/* Lengths of runs that are tried. */
static const int64_t RUNS[] = { 16, 24, 32, 48, 64, 96, 128 };

struct work {
    const struct qn__tiling *tiling;
    struct qn__growth *growth;
    struct qn__places *stages, *lists;
    int64_t tile;               /* number of the present one */
    int32_t *points;            /* of a tile, before it has its place */
    int32_t *words;             /* of all tiles */
    int64_t count, room;
};

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

static struct qn__places *goal_of(const struct work *work,
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

/* Gives all points of a stage or a list their places. */
static void settle(struct qn__places *places)
{
    qsort(places->list, (size_t)places->count, sizeof *places->list,
          ascending);
    for (int64_t i = 0; i < places->count; i++)
        places->place[places->list[i]] = (int32_t)i;
}

/* Adds what the points of a stage find along its ways. */
static bool add_neighbours(const struct work *work, int stage)
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
                if (near >= 0 && !add(goal_of(work, way), work->tile, near))
                    return false;
            }
    }
    return true;
}

/* Gives a tile these points and all that they need; false where it has no room
 * for them. */
static bool gather(struct work *work, const int32_t *points, int64_t count)
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
    for (int i = 0; fits && i < form->list_count; i++)
        settle(&work->lists[i]);
    return fits;
}

/* Bytes that a level of the present tile moves, in whole sectors. */
static int64_t cost_of(const struct work *work)
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

/* ---- how a mesh is cut ---- */

/* The largest size of tiles, at most `most`, of which those of a sample have
 * room; and what one costs. */
static int64_t try_run(struct work *work, int64_t run, int64_t most,
                       int64_t *cost)
{
    for (int64_t size = most; size > 0; size -= (size + 63) / 64) {
        int64_t count = 0, tiles = 0;
        bool fits = true;
        *cost = 0;
        qn__growth_start(work->growth, run);
        while (fits && tiles < SAMPLE
               && (count = qn__growth_take(work->growth, size,
                                           work->points)) > 0) {
            fits = gather(work, work->points, count);
            *cost += cost_of(work);
            tiles++;
        }
        if (fits && tiles > 0) {
            *cost /= tiles;
            return size;
        }
    }
    return 0;
}

/* As many points as make whole waves of blocks, and a few more: some tiles may
 * have to be halved. */
static int64_t even_out(const struct work *work, int64_t points, int64_t size)
{
    const int64_t tiles = (points + size - 1) / size;
    const int64_t at_once = work->tiling->resident;
    const int64_t waves = (tiles + at_once - 1) / at_once;
    const int64_t even = (points + waves * at_once - 1) / (waves * at_once);
    const int64_t least = work->tiling->form->threads / 4;
    const int64_t wanted = even + even / 64 + 1;
    return wanted > size ? size : wanted > least ? wanted
        : size < least ? size : least;
}

/* The run and the size of tiles that cost least. */
static void choose(struct work *work, int64_t points, int64_t *run,
                   int64_t *size)
{
    const struct quern_tile_form *const form = work->tiling->form;
    const int64_t most = work->stages[form->stage_count - 1].most;
    double best = 0;
    *run = 0;
    *size = 0;
    if (qn__growth_has_strips(work->growth)) {
        int64_t cost;
        *size = even_out(work, points, try_run(work, 0, most, &cost));
        return;
    }
    for (size_t i = 0; i < sizeof RUNS / sizeof RUNS[0]; i++) {
        int64_t cost;
        const int64_t fits = try_run(work, RUNS[i], most, &cost);
        const double each = fits ? (double)cost / (double)fits : 0;
        if (fits && (*size == 0 || each < best)) {
            best = each;
            *run = RUNS[i];
            *size = even_out(work, points, fits);
        }
    }
}

/* ---- the words of a tile ---- */

static void write_points(const struct quern_tile_form *form,
                         const struct qn__places *places, int each,
                         int32_t *words)
{
    for (int64_t i = 0; i < (int64_t)each * form->threads; i++)
        words[i] = -1;
    for (int64_t i = 0; i < places->count; i++)
        words[places->place[places->list[i]]] = places->list[i];
}

/* The place of a neighbour is the n-th half of the words of a thread that begin
 * at `words`. */
static void write_place(const struct work *work, const struct qn__places *to,
                        int64_t near, int64_t n, int32_t *words)
{
    const uint32_t place = near < 0 ? QUERN_MISSING
        : !to->pitch ? (uint32_t)to->place[near]
        : (uint32_t)(to->place[near] % to->threads * to->pitch
                     + to->place[near] / to->threads);
    words[n / 2 * work->tiling->form->threads] |=
        (int32_t)(place << n % 2 * 16);
}

static void write_way(const struct work *work,
                      const struct quern_tile_way *way, int32_t *words)
{
    const struct quern_tile_form *const form = work->tiling->form;
    const struct quern_tile_fan *fan = form->stages[way->stage].fan;
    const int64_t entries = qn__way_entries(way), half = entries + entries % 2;
    const struct qn__places *const from = &work->stages[way->stage];
    fan = fan && &form->ways[fan->way] == way ? fan : NULL;
    for (int64_t i = 0; i < from->count; i++) {
        const int64_t place = from->place[from->list[i]];
        const int64_t m = place / form->threads;
        for (int64_t e = 0; e < entries; e++)
            write_place(work, goal_of(work, way),
                        qn__way_follow(work->tiling, way, from->list[i], e),
                        fan ? fan->number[m * entries + e] : m * half + e,
                        words + place % form->threads);
    }
}

static void write_tile(const struct work *work, int32_t *words)
{
    const struct quern_tile_form *const form = work->tiling->form;
    const int64_t threads = form->threads;
    for (int i = 0; i < form->stage_count; i++) {
        write_points(form, &work->stages[i], form->stages[i].each, words);
        words += form->stages[i].each * threads;
    }
    for (int i = 0; i < form->list_count; i++) {
        write_points(form, &work->lists[i], form->lists[i].each, words);
        words += form->lists[i].each * threads;
    }
    for (int i = 0; i < form->way_count; i++) {
        const struct quern_tile_way *const way = &form->ways[i];
        write_way(work, way, words);
        words += qn__way_words(form, way) * threads;
    }
}

static enum qn_status append(struct work *work)
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
    write_tile(work, words);
    return QN_OK;
}

/* A tile of these points, or two of half of them, where there is no room. */
static enum qn_status add_tile(struct work *work, const int32_t *points,
                               int64_t count)
{
    if (gather(work, points, count))
        return append(work);
    if (count == 1)
        return qn__fail(QN_INVALID, "point %d has more neighbours of neighbours"
                        " than a tile has room for", (int)points[0]);
    const enum qn_status status = add_tile(work, points, count / 2);
    return status == QN_OK ? add_tile(work, points + count / 2,
                                      count - count / 2) : status;
}

static enum qn_status cut(struct work *work)
{
    const struct quern_tile_form *const form = work->tiling->form;
    const int64_t points =
        work->tiling->points[form->stages[form->stage_count - 1].domain];
    int64_t run, size, count;
    enum qn_status status = QN_OK;
    choose(work, points, &run, &size);
    qn__growth_start(work->growth, run);
    while (status == QN_OK
           && (count = qn__growth_take(work->growth, size > 0 ? size : 1,
                                       work->points)) > 0)
        status = add_tile(work, work->points, count);
    return status;
}

/* ---- memory ---- */

static bool make_places(struct qn__places *places, int64_t each, int threads,
                        int pitch, int64_t points)
{
    const size_t all = (size_t)points + 1;
    const int64_t most = QUERN_PLACES / (pitch > each ? pitch : each) * each;
    places->most = each * threads < most ? each * threads : most;
    places->threads = threads;
    places->pitch = pitch;
    places->list = malloc((size_t)places->most * sizeof *places->list);
    places->tile = calloc(all, sizeof *places->tile);
    places->place = malloc(all * sizeof *places->place);
    return places->list && places->tile && places->place;
}

static bool make_work(struct work *work)
{
    const struct quern_tile_form *const form = work->tiling->form;
    const int64_t *const points = work->tiling->points;
    const int64_t most = (int64_t)form->threads
                       * form->stages[form->stage_count - 1].each;
    work->points = malloc((size_t)most * sizeof *work->points);
    work->stages = calloc((size_t)form->stage_count, sizeof *work->stages);
    work->lists = calloc((size_t)form->list_count + 1, sizeof *work->lists);
    bool made = work->points && work->stages && work->lists;
    for (int i = 0; made && i < form->stage_count; i++)
        made = make_places(&work->stages[i], form->stages[i].each,
                           form->threads, form->stages[i].pitch,
                           points[form->stages[i].domain]);
    for (int i = 0; made && i < form->list_count; i++)
        made = make_places(&work->lists[i], form->lists[i].each,
                           form->threads, 0,
                           points[form->lists[i].domain]);
    return made;
}

static void free_places(struct qn__places *places, int count)
{
    for (int i = 0; places && i < count; i++) {
        free(places[i].list);
        free(places[i].tile);
        free(places[i].place);
    }
    free(places);
}

enum qn_status qn__tiling_make(const struct qn__tiling *tiling,
                               int32_t **words, int64_t *count)
{
    struct work work = { .tiling = tiling };
    enum qn_status status = qn__growth_make(tiling, &work.growth);
    if (status == QN_OK && !make_work(&work))
        status = qn__fail(QN_NO_MEMORY, "no memory to cut a mesh into tiles");
    if (status == QN_OK)
        status = cut(&work);
    qn__growth_free(work.growth);
    free_places(work.stages, tiling->form->stage_count);
    free_places(work.lists, tiling->form->list_count);
    free(work.points);
    if (status != QN_OK) {
        free(work.words);
        work.words = NULL;
    }
    *words = work.words;
    *count = work.count;
    return status;
}
