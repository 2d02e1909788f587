/* Even parts of a mesh whose numbering shows no rows: all points are cut into
 * two across their longest way, and both parts again, so that nothing is left
 * over as where tiles grow one after the other. What is cut is units of points
 * that lie side by side, as memory comes in lines. */
#include "tiling.h"

#include <stdlib.h>
#include <string.h>

enum { UNIT = 4 };              /* points of one */

/* A unit, and where between the ends of its piece it is. */
struct keyed {
    int32_t key, unit;
};

struct qn__halves {
    const struct qn__kin *kin;
    int64_t units;
    int64_t *first;             /* point of each unit, and where all end */
    int32_t *unit_of;           /* each point */
    int64_t *start;             /* where the units close to one begin */
    int32_t *near;
    int32_t *order;             /* all units, part by part */
    int32_t *part;              /* of each unit: the piece that is being cut,
                                   by where it begins */
    int32_t *steps, *back;      /* of each unit from either end of its piece */
    int32_t *queue;
    struct keyed *keyed;        /* while a piece is put in order */
    int64_t *ends;              /* of parts, in `order` */
    int64_t parts, count;       /* of them: wanted, and made */
    int64_t next, from;         /* to be taken: of which part, from where on */
};

/* The units that share a neighbour with one, each once, in `list` unless that
 * is NULL; how many. */
static int64_t list_near(const struct qn__halves *halves, int64_t unit,
                         int32_t *seen, int32_t *list)
{
    enum { MOST = 32 };         /* points of one neighbour */
    const struct qn__kin *const kin = halves->kin;
    int64_t count = 0;
    seen[unit] = (int32_t)unit;
    for (int64_t point = halves->first[unit]; point < halves->first[unit + 1];
         point++)
        for (int64_t entry = 0; entry < kin->entries; entry++) {
            const int64_t near = qn__kin_follow(kin, point, entry);
            const int64_t first = near < 0 ? 0 : kin->start[near];
            const int64_t all = near < 0 ? 0 : kin->start[near + 1];
            for (int64_t i = first; i < all && i < first + MOST; i++) {
                const int32_t other = halves->unit_of[kin->of[i]];
                if (seen[other] == unit)
                    continue;
                seen[other] = (int32_t)unit;
                if (list)
                    list[count] = other;
                count++;
            }
        }
    return count;
}

/* Units begin where sectors do, and where numbering jumps. */
static void find_units(struct qn__halves *halves)
{
    for (int64_t point = 0; point < halves->kin->points; point++) {
        if (point % UNIT == 0
            || !qn__kin_share(halves->kin, point - 1, point))
            halves->first[halves->units++] = point;
        halves->unit_of[point] = (int32_t)(halves->units - 1);
    }
    halves->first[halves->units] = halves->kin->points;
}

/* Finds what is close to each unit. */
static bool find_near(struct qn__halves *halves)
{
    int32_t *const seen = halves->queue;
    find_units(halves);
    for (int64_t unit = 0; unit < halves->units; unit++)
        seen[unit] = -1;
    for (int64_t unit = 0; unit < halves->units; unit++)
        halves->start[unit + 1] = halves->start[unit]
            + list_near(halves, unit, seen, NULL);
    halves->near = malloc((size_t)(halves->start[halves->units] + 1)
                          * sizeof *halves->near);
    for (int64_t unit = 0; unit < halves->units; unit++)
        seen[unit] = -1;
    for (int64_t unit = 0; halves->near && unit < halves->units; unit++)
        list_near(halves, unit, seen, halves->near + halves->start[unit]);
    return halves->near != NULL;
}

void qn__halves_free(struct qn__halves *halves)
{
    if (!halves)
        return;
    free(halves->first);
    free(halves->unit_of);
    free(halves->start);
    free(halves->near);
    free(halves->order);
    free(halves->part);
    free(halves->steps);
    free(halves->back);
    free(halves->queue);
    free(halves->keyed);
    free(halves->ends);
    free(halves);
}

enum qn_status qn__halves_make(const struct qn__kin *kin,
                               struct qn__halves **halves)
{
    struct qn__halves *const made = calloc(1, sizeof *made);
    *halves = made;
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory to cut a mesh into tiles");
    made->kin = kin;
    const size_t all = (size_t)kin->points + 1;
    made->first = malloc(all * sizeof *made->first);
    made->unit_of = malloc(all * sizeof *made->unit_of);
    made->start = calloc(all, sizeof *made->start);
    made->order = malloc(all * sizeof *made->order);
    made->part = malloc(all * sizeof *made->part);
    made->steps = malloc(all * sizeof *made->steps);
    made->back = malloc(all * sizeof *made->back);
    made->queue = malloc(all * sizeof *made->queue);
    made->keyed = malloc(all * sizeof *made->keyed);
    made->ends = malloc(all * sizeof *made->ends);
    if (!made->first || !made->unit_of || !made->start || !made->order
        || !made->part || !made->steps || !made->back || !made->queue
        || !made->keyed || !made->ends || !find_near(made))
        return qn__fail(QN_NO_MEMORY, "no memory to cut a mesh into tiles");
    return QN_OK;
}

/* How many steps each unit of a piece is from one of them; the last that is
 * met. Units to which no steps lead are as far as the search has gone. */
static int32_t count_steps(struct qn__halves *halves, int64_t begin,
                           int64_t end, int32_t from, int32_t *steps)
{
    int64_t head = 0, tail = 0, rest = begin;
    int32_t now = from;
    for (int64_t i = begin; i < end; i++)
        steps[halves->order[i]] = -1;
    steps[from] = 0;
    halves->queue[tail++] = from;
    for (;;) {
        while (head < tail) {
            now = halves->queue[head++];
            for (int64_t i = halves->start[now]; i < halves->start[now + 1];
                 i++) {
                const int32_t near = halves->near[i];
                if (halves->part[near] != begin || steps[near] >= 0)
                    continue;
                steps[near] = steps[now] + 1;
                halves->queue[tail++] = near;
            }
        }
        while (rest < end && steps[halves->order[rest]] >= 0)
            rest++;
        if (rest == end)
            return now;
        steps[halves->order[rest]] = steps[now] + 1;
        halves->queue[tail++] = halves->order[rest];
    }
}

static int ascending(const void *a, const void *b)
{
    const struct keyed *const x = a, *const y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->unit > y->unit) - (x->unit < y->unit);
}

/* Orders the units of a piece from one of its ends to the other. */
static void line_up(struct qn__halves *halves, int64_t begin, int64_t end)
{
    struct keyed *const keyed = halves->keyed;
    int32_t *const order = halves->order;
    const int32_t left = count_steps(halves, begin, end, order[begin],
                                     halves->steps);
    const int32_t right = count_steps(halves, begin, end, left, halves->steps);
    count_steps(halves, begin, end, right, halves->back);
    for (int64_t i = begin; i < end; i++)
        keyed[i] = (struct keyed){ halves->steps[order[i]]
                                       - halves->back[order[i]], order[i] };
    qsort(keyed + begin, (size_t)(end - begin), sizeof *keyed, ascending);
    for (int64_t i = begin; i < end; i++)
        order[i] = keyed[i].unit;
}

static int64_t points_of(const struct qn__halves *halves, int64_t i)
{
    const int32_t unit = halves->order[i];
    return halves->first[unit + 1] - halves->first[unit];
}

/* Where the first of so many parts of a piece have their share of its points;
 * both sides have a unit at least. */
static int64_t middle_of(const struct qn__halves *halves, int64_t begin,
                         int64_t end, int64_t parts)
{
    int64_t all = 0, some = points_of(halves, begin), middle = begin + 1;
    for (int64_t i = begin; i < end; i++)
        all += points_of(halves, i);
    for (; middle < end - 1; middle++) {
        some += points_of(halves, middle);
        if (some * parts > all * (parts / 2))
            break;
    }
    return middle;
}

static void cut(struct qn__halves *halves, int64_t begin, int64_t end,
                int64_t parts)
{
    if (parts < 2 || end - begin < 2) {
        halves->ends[halves->count++] = end;
        return;
    }
    line_up(halves, begin, end);
    const int64_t middle = middle_of(halves, begin, end, parts);
    for (int64_t i = middle; i < end; i++)
        halves->part[halves->order[i]] = (int32_t)middle;
    cut(halves, begin, middle, parts / 2);
    cut(halves, middle, end, parts - parts / 2);
}

void qn__halves_start(struct qn__halves *halves, int64_t parts)
{
    halves->next = halves->from = 0;
    if (halves->parts == parts)
        return;
    halves->parts = parts;
    halves->count = 0;
    for (int64_t i = 0; i < halves->units; i++) {
        halves->order[i] = (int32_t)i;
        halves->part[i] = 0;
    }
    if (halves->units > 0)
        cut(halves, 0, halves->units, parts);
}

int64_t qn__halves_take(struct qn__halves *halves, int64_t most,
                        int32_t *points)
{
    int64_t count = 0;
    if (halves->next == halves->count)
        return 0;
    const int64_t end = halves->ends[halves->next];
    for (; halves->from < end && count + UNIT <= most; halves->from++) {
        const int32_t unit = halves->order[halves->from];
        for (int64_t i = halves->first[unit]; i < halves->first[unit + 1]; i++)
            points[count++] = (int32_t)i;
    }
    halves->next += halves->from == end;
    qn__points_sort(points, count);
    return count;
}
