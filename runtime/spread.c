/* Where the points of a list lie in shared memory. Threads side by side read
 * neighbours in several rows of a mesh at once; if two of these are in one bank
 * they come one after the other. Rows keep together, as memory gives them, but
 * a row may begin some places later: each begins where, of all that begin so
 * far, fewest are in one bank. */
#include "tiling.h"

#include <stdlib.h>
#include <string.h>

enum { BANKS = 16 };            /* of 8 bytes; as many threads read at once */

/* One point that a group of threads reads at once. */
struct reading {
    int32_t point, group;       /* of the list; of threads and a neighbour */
};

struct spreading {
    const struct qn__tiling *tiling;
    const struct qn__places *stages;
    const struct qn__places *list;
    struct reading *readings;   /* by point */
    int64_t count;
    int64_t groups;
    uint8_t (*banks)[BANKS];    /* of each group: how many points so far */
};

static int by_point(const void *left, const void *right)
{
    const struct reading *const a = left, *const b = right;
    if (a->point != b->point)
        return a->point < b->point ? -1 : 1;
    return (a->group > b->group) - (a->group < b->group);
}

/* How many readings a way may give, and how many groups. */
static int64_t most_readings(const struct spreading *s,
                             const struct quern_tile_way *way)
{
    return s->stages[way->stage].count * qn__way_entries(way);
}

static int64_t most_groups(const struct spreading *s,
                           const struct quern_tile_way *way)
{
    const struct quern_tile_form *const form = s->tiling->form;
    return (form->threads + BANKS - 1) / BANKS * 2 * qn__way_words(form, way);
}

static void add_way(struct spreading *s, const struct quern_tile_way *way)
{
    const struct quern_tile_form *const form = s->tiling->form;
    const struct qn__places *const from = &s->stages[way->stage];
    const struct quern_tile_fan *fan = form->stages[way->stage].fan;
    const int64_t entries = qn__way_entries(way), half = entries + entries % 2;
    fan = fan && &form->ways[fan->way] == way ? fan : NULL;
    for (int64_t i = 0; i < from->count; i++) {
        const int64_t place = from->place[from->list[i]];
        const int64_t thread = place % form->threads, m = place / form->threads;
        for (int64_t e = 0; e < entries; e++) {
            const int64_t near = qn__way_follow(s->tiling, way,
                                                from->list[i], e);
            const int64_t n = fan ? fan->number[m * entries + e]
                                  : m * half + e;
            if (near >= 0)
                s->readings[s->count++] = (struct reading){ (int32_t)near,
                    (int32_t)(s->groups + thread / BANKS * 2
                              * qn__way_words(form, way) + n) };
        }
    }
    s->groups += most_groups(s, way);
}

/* Sorts readings by point; what a group reads twice comes once. */
static void unite(struct spreading *s)
{
    int64_t kept = 0;
    qsort(s->readings, (size_t)s->count, sizeof *s->readings, by_point);
    for (int64_t i = 0; i < s->count; i++)
        if (i == 0 || by_point(&s->readings[i], &s->readings[kept - 1]) != 0)
            s->readings[kept++] = s->readings[i];
    s->count = kept;
}

/* Readings that find their bank taken if a row begins at a place; `taken`: they
 * take it. */
static int64_t clashes(const struct spreading *s, int64_t from, int64_t to,
                       int32_t first, int64_t begin, bool taken)
{
    int64_t found = 0;
    for (int64_t i = from; i < to; i++) {
        uint8_t *const bank = &s->banks[s->readings[i].group][
            (begin + s->readings[i].point - first) % BANKS];
        found += *bank;
        *bank = (uint8_t)(*bank + taken);
    }
    return found;
}

/* Places for all rows. */
static void place_rows(const struct spreading *s, struct qn__places *list)
{
    int64_t room = list->most - list->count, begin = 0, reading = 0;
    for (int64_t i = 0; i < list->count;) {
        int64_t end = i + 1, from = reading, best = 0, least = INT64_MAX;
        while (end < list->count && list->list[end] == list->list[end - 1] + 1)
            end++;
        while (reading < s->count
               && s->readings[reading].point <= list->list[end - 1])
            reading++;
        for (int64_t gap = 0; gap < BANKS && gap <= room && least > 0; gap++) {
            const int64_t now = clashes(s, from, reading, list->list[i],
                                        begin + gap, false);
            if (now < least) {
                least = now;
                best = gap;
            }
        }
        clashes(s, from, reading, list->list[i], begin + best, true);
        begin += best;
        room -= best;
        for (; i < end; i++)
            list->place[list->list[i]] = (int32_t)begin++;
    }
}

void qn__spread(const struct qn__tiling *tiling,
                const struct qn__places *stages, int index,
                struct qn__places *list)
{
    const struct quern_tile_form *const form = tiling->form;
    struct spreading s = { .tiling = tiling, .stages = stages, .list = list };
    int64_t readings = 0, groups = 0;
    for (int w = 0; w < form->way_count; w++)
        if (form->ways[w].to_list == index) {
            readings += most_readings(&s, &form->ways[w]);
            groups += most_groups(&s, &form->ways[w]);
        }
    s.readings = malloc((size_t)(readings + 1) * sizeof *s.readings);
    s.banks = calloc((size_t)groups + 1, sizeof *s.banks);
    for (int w = 0; s.readings && s.banks && w < form->way_count; w++)
        if (form->ways[w].to_list == index)
            add_way(&s, &form->ways[w]);
    if (s.readings && s.banks) {
        unite(&s);
        place_rows(&s, list);
    }
    free(s.readings);
    free(s.banks);
}
