/* The memory that it takes to make tiles. */
#include "tiling.h"

#include <stdlib.h>

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
    places->centres = malloc((size_t)threads * sizeof *places->centres);
    return places->list && places->tile && places->place && places->centres;
}

bool qn__work_make(struct qn__work *work)
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
        free(places[i].centres);
    }
    free(places);
}

void qn__work_free(struct qn__work *work)
{
    const struct quern_tile_form *const form = work->tiling->form;
    free_places(work->stages, form->stage_count);
    free_places(work->lists, form->list_count);
    free(work->points);
}
