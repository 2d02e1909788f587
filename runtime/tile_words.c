/* The words of a tile, as templates/quern_tiles.h says that they lie. */
#include "tiling.h"

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
static void write_place(const struct qn__work *work,
                        const struct qn__places *to, int64_t near, int64_t n,
                        int32_t *words)
{
    const uint32_t place = near < 0 ? QUERN_MISSING
        : !to->pitch ? (uint32_t)to->place[near]
        : (uint32_t)(to->place[near] % to->threads * to->pitch
                     + to->place[near] / to->threads);
    words[n / 2 * work->tiling->form->threads] |=
        (int32_t)(place << n % 2 * 16);
}

static void write_way(const struct qn__work *work,
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
            write_place(work, qn__way_goal(work, way),
                        qn__way_follow(work->tiling, way, from->list[i], e),
                        fan ? fan->number[m * entries + e] : m * half + e,
                        words + place % form->threads);
    }
}

void qn__tile_write(const struct qn__work *work, int32_t *words)
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

