/* Which points of a mesh make a tile. Points that read the same neighbours
 * belong together, and neighbours in numbering are best kept side by side, as
 * memory comes in lines: so points are taken in runs, and a tile grows by the
 * run that shares most with it. Nothing but tables is known of a mesh. */
#include "tiling.h"

#include <stdlib.h>
#include <string.h>

struct run {
    int64_t begin, end;         /* points that nobody has taken yet */
    int64_t shared;             /* neighbours that the tile has too */
};

struct qn__growth {
    const struct qn__tiling *tiling;
    const struct quern_tile_way *way;   /* what closeness is about; or NULL */
    int64_t points, neighbours;
    int64_t *start;             /* where the points of a neighbour begin */
    int32_t *of;
    int64_t period;             /* points of a row of a lattice, or 0 */
    int64_t unit;               /* points that make a fan */
    struct run *runs;
    int64_t run_count, first;   /* of the first run with points left */
    int32_t *run_of;            /* of each point */
    int64_t tile;               /* number of the present one */
    int64_t *seen;              /* of each neighbour: the last tile with it */
    int64_t *near, near_count;  /* runs that share something with it */
    int32_t *strips;            /* all points, strip by strip of a lattice */
    int64_t laid;               /* of so many rows each */
    int64_t rows;               /* that strips have; 0: tiles grow */
    int64_t taken;              /* points of strips */
};

/* The first way of the targets that leads to neighbours, or of the stage that
 * has the same points. */
static const struct quern_tile_way *
closeness(const struct quern_tile_form *form)
{
    int stage = form->stage_count - 1, same = stage;
    while (same >= 0) {
        stage = same;
        same = -1;
        for (int i = 0; i < form->way_count; i++) {
            const struct quern_tile_way *const way = &form->ways[i];
            if (way->stage == stage && way->steps > 0)
                return way;
            if (way->stage == stage && way->to_stage >= 0)
                same = way->to_stage;
        }
    }
    return NULL;
}

/* The points that each neighbour is one of. */
static void invert(struct qn__growth *growth)
{
    const int64_t entries = qn__way_entries(growth->way);
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t point = 0; point < growth->points; point++)
            for (int64_t entry = 0; entry < entries; entry++) {
                const int64_t near = qn__way_follow(growth->tiling,
                                                    growth->way, point, entry);
                if (near >= 0 && pass == 0)
                    growth->start[near + 2]++;
                else if (near >= 0)
                    growth->of[growth->start[near + 1]++] = (int32_t)point;
            }
        for (int64_t near = 0; pass == 0 && near < growth->neighbours; near++)
            growth->start[near + 2] += growth->start[near + 1];
    }
}

/* Counts how far apart points are that share a neighbour. */
static void count_distances(const struct qn__growth *growth, int32_t *times)
{
    enum { MOST = 32 };         /* of one neighbour: pairs grow with squares */
    memset(times, 0, (size_t)growth->points * sizeof *times);
    for (int64_t near = 0; near < growth->neighbours; near++) {
        const int64_t begin = growth->start[near];
        const int64_t all = growth->start[near + 1];
        const int64_t end = all < begin + MOST ? all : begin + MOST;
        for (int64_t i = begin; i < end; i++)
            for (int64_t j = i + 1; j < end; j++)
                times[llabs((long long)growth->of[j] - growth->of[i])]++;
    }
}

static bool share(const struct qn__growth *growth, int64_t left, int64_t right)
{
    const int64_t entries = qn__way_entries(growth->way);
    for (int64_t i = 0; i < entries; i++) {
        const int64_t near = qn__way_follow(growth->tiling, growth->way, left,
                                            i);
        for (int64_t j = 0; near >= 0 && j < entries; j++)
            if (qn__way_follow(growth->tiling, growth->way, right, j) == near)
                return true;
    }
    return false;
}

/* At how many ends of rows of such a length points side by side share a
 * neighbour: at none, where rows are as long. */
static int64_t count_joined(const struct qn__growth *growth, int64_t period)
{
    int64_t joined = 0;
    for (int64_t end = period; end < growth->points; end += period)
        joined += share(growth, end - 1, end);
    return joined;
}

/* Do most points share a neighbour with the one a row further? Some are
 * asked. */
static bool has_rows(const struct qn__growth *growth, int64_t period)
{
    enum { ASKED = 4096 };
    const int64_t step = growth->points / ASKED + 1;
    int64_t all = 0, shared = 0;
    for (int64_t at = 0; at + period < growth->points; at += step, all++)
        shared += share(growth, at, at + period);
    return all > 0 && 4 * shared >= 3 * all;
}

/* The length of rows: the commonest of these distances beyond what is side by
 * side; 0: there are none. Rows of triangles are as common one point further or
 * nearer: that with ends where rows have theirs. */
static int64_t find_period(const struct qn__growth *growth, int32_t *times)
{
    enum { BESIDE = 24, ABOUT = 3 };
    int64_t best = BESIDE, found = 0, least = 0;
    count_distances(growth, times);
    for (int64_t apart = BESIDE; apart < growth->points; apart++)
        if (times[apart] > times[best])
            best = apart;
    if (best >= growth->points || !has_rows(growth, best))
        return 0;
    for (int64_t apart = best - ABOUT; apart <= best + ABOUT; apart++) {
        if (apart < BESIDE || apart >= growth->points
            || times[apart] < times[best] / 2)
            continue;
        const int64_t joined = count_joined(growth, apart);
        if (found == 0 || joined < least) {
            found = apart;
            least = joined;
        }
    }
    return found;
}

static void *array(int64_t count, size_t size)
{
    return calloc((size_t)(count > 0 ? count : 1), size);
}

void qn__growth_free(struct qn__growth *growth)
{
    if (!growth)
        return;
    free(growth->start);
    free(growth->of);
    free(growth->runs);
    free(growth->run_of);
    free(growth->seen);
    free(growth->near);
    free(growth->strips);
    free(growth);
}

/* Some rows of a lattice side by side are a strip: of wide, flat pieces of it,
 * one behind the other, nothing is left over. */
static void lay_strips(struct qn__growth *growth)
{
    const int64_t period = growth->period, unit = growth->unit;
    const int64_t rows = growth->rows;
    int64_t count = 0;
    for (int64_t first = 0; first < growth->points; first += rows * period)
        for (int64_t x = 0; x < period; x += unit)
            for (int64_t row = 0; row < rows; row++)
                for (int64_t i = x; i < x + unit && i < period; i++)
                    if (first + row * period + i < growth->points)
                        growth->strips[count++] =
                            (int32_t)(first + row * period + i);
}

/* The domain that a way leads to. */
static int goal(const struct quern_tile_form *form,
                const struct quern_tile_way *way)
{
    return way->to_list < 0 ? form->stages[way->to_stage].domain
                            : form->lists[way->to_list].domain;
}

enum qn_status qn__growth_make(const struct qn__tiling *tiling,
                               struct qn__growth **growth)
{
    const struct quern_tile_form *const form = tiling->form;
    struct qn__growth *const made = calloc(1, sizeof *made);
    *growth = made;
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory to cut a mesh into tiles");
    made->tiling = tiling;
    made->way = closeness(form);
    made->unit = made->way && form->stages[made->way->stage].fan
        ? form->stages[made->way->stage].each : 1;
    made->points = tiling->points[form->stages[form->stage_count - 1].domain];
    made->neighbours = made->way ? tiling->points[goal(form, made->way)] : 0;
    const int64_t entries = made->way ? qn__way_entries(made->way) : 0;
    made->start = array(made->neighbours + 2, sizeof *made->start);
    made->of = array(made->points * entries, sizeof *made->of);
    made->runs = array(made->points, sizeof *made->runs);
    made->run_of = array(made->points, sizeof *made->run_of);
    made->seen = array(made->neighbours, sizeof *made->seen);
    made->near = array(made->points, sizeof *made->near);
    made->strips = array(made->points, sizeof *made->strips);
    if (!made->start || !made->of || !made->runs || !made->run_of
        || !made->seen || !made->near || !made->strips)
        return qn__fail(QN_NO_MEMORY, "no memory to cut a mesh into tiles");
    if (made->way) {
        invert(made);
        made->period = find_period(made, made->run_of);
    }
    return QN_OK;
}

bool qn__growth_has_strips(const struct qn__growth *growth)
{
    return growth->period > 0;
}

void qn__growth_start_strips(struct qn__growth *growth, int64_t rows)
{
    growth->rows = rows;
    growth->taken = 0;
    if (growth->laid != rows)
        lay_strips(growth);
    growth->laid = rows;
}

void qn__growth_start(struct qn__growth *growth, int64_t run)
{
    growth->rows = 0;
    const int64_t period = growth->period > run ? growth->period : 0;
    const int64_t pieces = period ? (period + run / 2) / run : 1;
    const int64_t about = period ? (period + pieces - 1) / pieces : run;
    const int64_t size = (about + growth->unit - 1) / growth->unit
                       * growth->unit;
    growth->run_count = growth->first = growth->near_count = 0;
    for (int64_t begin = 0; begin < growth->points;) {
        const int64_t row = period ? (begin / period + 1) * period
                                   : growth->points;
        int64_t end = begin + size < row ? begin + size : row;
        if (end > growth->points)
            end = growth->points;
        growth->runs[growth->run_count] = (struct run){ begin, end, 0 };
        for (; begin < end; begin++)
            growth->run_of[begin] = (int32_t)growth->run_count;
        growth->run_count++;
    }
}

static void note_shared(struct qn__growth *growth, int64_t neighbour)
{
    for (int64_t i = growth->start[neighbour];
         i < growth->start[neighbour + 1]; i++) {
        const int64_t number = growth->run_of[growth->of[i]];
        struct run *const run = &growth->runs[number];
        if (run->begin == run->end)
            continue;
        if (run->shared++ == 0)
            growth->near[growth->near_count++] = number;
    }
}

/* The run that shares most for its size, else the first. */
static struct run *next_run(struct qn__growth *growth)
{
    struct run *best = NULL;
    for (int64_t i = 0; i < growth->near_count; i++) {
        struct run *const run = &growth->runs[growth->near[i]];
        const int64_t left = run->end - run->begin;
        if (left == 0)
            continue;
        const int64_t gain = best ? run->shared * (best->end - best->begin)
                                        - best->shared * left : 1;
        if (gain > 0 || (gain == 0 && run < best))
            best = run;
    }
    while (!best && growth->first < growth->run_count) {
        struct run *const run = &growth->runs[growth->first];
        if (run->begin < run->end)
            return run;
        growth->first++;
    }
    return best;
}

/* Moves at most `most` points of a run to the tile; how many. */
static int64_t move(struct qn__growth *growth, struct run *run, int64_t most,
                    int32_t *points)
{
    const int64_t entries = growth->way ? qn__way_entries(growth->way) : 0;
    int64_t count = 0;
    for (; count < most && run->begin < run->end; run->begin++) {
        points[count++] = (int32_t)run->begin;
        for (int64_t entry = 0; entry < entries; entry++) {
            const int64_t near = qn__way_follow(growth->tiling, growth->way,
                                                run->begin, entry);
            if (near < 0 || growth->seen[near] == growth->tile)
                continue;
            growth->seen[near] = growth->tile;
            note_shared(growth, near);
        }
    }
    return count;
}

static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

int64_t qn__growth_take(struct qn__growth *growth, int64_t most,
                        int32_t *points)
{
    int64_t count = 0;
    growth->tile++;
    if (most > growth->unit)
        most -= most % growth->unit;
    for (; growth->rows > 0 && growth->taken < growth->points && count < most;
         count++)
        points[count] = growth->strips[growth->taken++];
    while (growth->rows == 0 && count < most) {
        struct run *const run = next_run(growth);
        if (!run)
            break;
        count += move(growth, run, most - count, points + count);
    }
    for (int64_t i = 0; i < growth->near_count; i++)
        growth->runs[growth->near[i]].shared = 0;
    growth->near_count = 0;
    qsort(points, (size_t)count, sizeof *points, ascending);
    return count;
}
