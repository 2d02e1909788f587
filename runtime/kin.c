/* Which points of a mesh are kin: those that read the same neighbours, and so
 * belong into one tile. Nothing but tables is known of a mesh. */
#include "tiling.h"

#include <stdlib.h>

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
static void invert(struct qn__kin *kin)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t point = 0; point < kin->points; point++)
            for (int64_t entry = 0; entry < kin->entries; entry++) {
                const int64_t near = qn__kin_follow(kin, point, entry);
                if (near >= 0 && pass == 0)
                    kin->start[near + 2]++;
                else if (near >= 0)
                    kin->of[kin->start[near + 1]++] = (int32_t)point;
            }
        for (int64_t near = 0; pass == 0 && near < kin->neighbours; near++)
            kin->start[near + 2] += kin->start[near + 1];
    }
}

/* The domain that a way leads to. */
static int goal(const struct quern_tile_form *form,
                const struct quern_tile_way *way)
{
    return way->to_list < 0 ? form->stages[way->to_stage].domain
                            : form->lists[way->to_list].domain;
}

int64_t qn__kin_follow(const struct qn__kin *kin, int64_t point, int64_t entry)
{
    return qn__way_follow(kin->tiling, kin->way, point, entry);
}

bool qn__kin_share(const struct qn__kin *kin, int64_t left, int64_t right)
{
    for (int64_t i = 0; i < kin->entries; i++) {
        const int64_t near = qn__kin_follow(kin, left, i);
        for (int64_t j = 0; near >= 0 && j < kin->entries; j++)
            if (qn__kin_follow(kin, right, j) == near)
                return true;
    }
    return false;
}

bool qn__kin_find(const struct qn__tiling *tiling, struct qn__kin *kin)
{
    const struct quern_tile_form *const form = tiling->form;
    const struct quern_tile_way *const way = closeness(form);
    *kin = (struct qn__kin){ .tiling = tiling, .way = way,
        .points = tiling->points[form->stages[form->stage_count - 1].domain],
        .neighbours = way ? tiling->points[goal(form, way)] : 0,
        .entries = way ? qn__way_entries(way) : 0,
        .unit = way && form->stages[way->stage].fan
            ? form->stages[way->stage].each : 1 };
    kin->start = calloc((size_t)kin->neighbours + 2, sizeof *kin->start);
    kin->of = calloc((size_t)(kin->points * kin->entries) + 1,
                     sizeof *kin->of);
    if (!kin->start || !kin->of)
        return false;
    invert(kin);
    return true;
}

void qn__kin_free(struct qn__kin *kin)
{
    free(kin->start);
    free(kin->of);
}
