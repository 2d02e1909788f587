/* Points along a curve of Hilbert's that fills the box around their places: who
 * are close on the curve are close in space. */
#include "mesh.h"

#include <math.h>
#include <stdlib.h>

enum { BITS = 20, DEEPEST = 3 };

struct spot {
    uint64_t along;                 /* on the curve */
    int32_t point;
};

/* How far along the curve a cell of a grid of 2^BITS along `rank` axes is: from
 * the coarsest halving on, each turns and mirrors what is within it. */
static uint64_t along(uint32_t *cell, int rank)
{
    uint64_t distance = 0;
    uint32_t turned = 0;
    for (uint32_t bit = UINT32_C(1) << (BITS - 1); bit > 1; bit >>= 1)
        for (int i = 0; i < rank; i++) {
            const uint32_t swap = (cell[0] ^ cell[i]) & (bit - 1);
            if (cell[i] & bit) {
                cell[0] ^= bit - 1;
            } else {
                cell[0] ^= swap;
                cell[i] ^= swap;
            }
        }
    for (int i = 1; i < rank; i++)
        cell[i] ^= cell[i - 1];
    for (uint32_t bit = UINT32_C(1) << (BITS - 1); bit > 1; bit >>= 1)
        if (cell[rank - 1] & bit)
            turned ^= bit - 1;
    for (int bit = BITS - 1; bit >= 0; bit--)
        for (int i = 0; i < rank; i++)
            distance = distance << 1 | ((cell[i] ^ turned) >> bit & 1);
    return distance;
}

struct box {
    double low[DEEPEST], width;     /* a cube */
    int axis[DEEPEST], rank;        /* along which places differ */
};

static struct box box_around(const double *places, int64_t n)
{
    struct box box = { .rank = 0 };
    for (int i = 0; i < DEEPEST; i++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t p = 0; p < n; p++) {
            low = fmin(low, places[DEEPEST * p + i]);
            high = fmax(high, places[DEEPEST * p + i]);
        }
        if (!(high > low))
            continue;
        box.axis[box.rank] = i;
        box.low[box.rank++] = low;
        box.width = fmax(box.width, high - low);
    }
    return box;
}

/* The mean place of what a point is linked to, 0 if nothing; of a vertex its
 * own. */
static void place_of(const struct qn_mesh *mesh, const struct qn__links *links,
                     int64_t point, double *place)
{
    const int64_t first = links->start ? links->start[point] : point;
    const int64_t end = links->start ? links->start[point + 1] : point + 1;
    for (int i = 0; i < DEEPEST; i++) {
        place[i] = 0;
        for (int64_t k = first; k < end; k++)
            place[i] += mesh->places[DEEPEST * (links->start ? links->to[k]
                                                             : point) + i]
                      / (double)(end - first);
    }
}

static int compare(const void *p, const void *q)
{
    const struct spot *const a = p, *const b = q;
    if (a->along != b->along)
        return a->along < b->along ? -1 : 1;
    return a->point < b->point ? -1 : a->point > b->point;
}

static void fill(const struct qn_mesh *mesh, const struct qn__links *links,
                 int64_t n, struct spot *spots)
{
    const struct box box = box_around(mesh->places,
                                      mesh->domains[VERTEX].n);
    const double cells = (double)((UINT32_C(1) << BITS) - 1);
    for (int64_t point = 0; point < n; point++) {
        double place[DEEPEST];
        uint32_t cell[DEEPEST] = { 0 };
        place_of(mesh, links, point, place);
        for (int i = 0; i < box.rank; i++)
            cell[i] = (uint32_t)(fmin(1, fmax(0, (place[box.axis[i]]
                                                  - box.low[i]) / box.width))
                                 * cells);
        spots[point].along = box.rank ? along(cell, box.rank) : 0;
        spots[point].point = (int32_t)point;
    }
    qsort(spots, (size_t)n, sizeof *spots, compare);
}

enum qn_status qn__mesh_curve(const struct qn_mesh *mesh, int domain,
                              int32_t *order)
{
    const int64_t n = mesh->domains[domain].n;
    struct qn__links links = { 0 };
    enum qn_status status = QN_OK;
    if (!mesh->places)
        return qn__fail(QN_INVALID, "the mesh does not say where its vertices"
                        " are, which a curve goes through");
    if (domain != VERTEX)
        status = qn__mesh_links(mesh, domain, VERTEX, &links);
    if (status != QN_OK)
        return status;
    struct spot *const spots = malloc((size_t)(n + 1) * sizeof *spots);
    if (spots)
        fill(mesh, &links, n, spots);
    else
        status = qn__fail(QN_NO_MEMORY, "no memory for the order of a mesh");
    for (int64_t i = 0; spots && i < n; i++)
        order[i] = spots[i].point;
    free(spots);
    qn__links_free(&links);
    return status;
}
