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
    const struct qn__kin *kin;
    int64_t points;
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

/* Counts how far apart points are that share a neighbour. */
static void count_distances(const struct qn__growth *growth, int32_t *times)
{
    enum { MOST = 32 };         /* of one neighbour: pairs grow with squares */
    memset(times, 0, (size_t)growth->points * sizeof *times);
    for (int64_t near = 0; near < growth->kin->neighbours; near++) {
        const int64_t begin = growth->kin->start[near];
        const int64_t all = growth->kin->start[near + 1];
        const int64_t end = all < begin + MOST ? all : begin + MOST;
        for (int64_t i = begin; i < end; i++)
            for (int64_t j = i + 1; j < end; j++)
                times[llabs((long long)growth->kin->of[j]
                            - growth->kin->of[i])]++;
    }
}

/* At how many ends of rows of such a length points side by side share a
 * neighbour: at none, where rows are as long. */
static int64_t count_joined(const struct qn__growth *growth, int64_t period)
{
    int64_t joined = 0;
    for (int64_t end = period; end < growth->points; end += period)
        joined += qn__kin_share(growth->kin, end - 1, end);
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
        shared += qn__kin_share(growth->kin, at, at + period);
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

enum qn_status qn__growth_make(const struct qn__kin *kin,
                               struct qn__growth **growth)
{
    struct qn__growth *const made = calloc(1, sizeof *made);
    *growth = made;
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory to cut a mesh into tiles");
    made->kin = kin;
    made->unit = kin->unit;
    made->points = kin->points;
    made->runs = array(made->points, sizeof *made->runs);
    made->run_of = array(made->points, sizeof *made->run_of);
    made->seen = array(kin->neighbours, sizeof *made->seen);
    made->near = array(made->points, sizeof *made->near);
    made->strips = array(made->points, sizeof *made->strips);
    if (!made->runs || !made->run_of || !made->seen || !made->near
        || !made->strips)
        return qn__fail(QN_NO_MEMORY, "no memory to cut a mesh into tiles");
    if (kin->way)
        made->period = find_period(made, made->run_of);
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
    for (int64_t i = growth->kin->start[neighbour];
         i < growth->kin->start[neighbour + 1]; i++) {
        const int64_t number = growth->run_of[growth->kin->of[i]];
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
    const struct qn__kin *const kin = growth->kin;
    int64_t count = 0;
    for (; count < most && run->begin < run->end; run->begin++) {
        points[count++] = (int32_t)run->begin;
        for (int64_t entry = 0; entry < kin->entries; entry++) {
            const int64_t near = qn__kin_follow(kin, run->begin, entry);
            if (near < 0 || growth->seen[near] == growth->tile)
                continue;
            growth->seen[near] = growth->tile;
            note_shared(growth, near);
        }
    }
    return count;
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
    qn__points_sort(points, count);
    return count;
}
