/* Reverse Cuthill-McKee: points in the order of their distance from one at the
 * rim, those that are met from one point by their number of links. Two points
 * are neighbours if both are at a point of another domain. */
#include "mesh.h"

#include <stdlib.h>

struct work {
    int64_t n;
    struct qn__links out, back;     /* to the other domain, and from it */
    int32_t *order;
    bool *taken;
};

static int64_t degree(const struct work *work, int32_t point)
{
    return work->out.start[point + 1] - work->out.start[point];
}

/* Puts order[first..end) by degree, equal ones as they are. */
static void sort(const struct work *work, int64_t first, int64_t end)
{
    for (int64_t i = first + 1; i < end; i++) {
        const int32_t point = work->order[i];
        int64_t at = i;
        for (; at > first && degree(work, work->order[at - 1])
                                 > degree(work, point); at--)
            work->order[at] = work->order[at - 1];
        work->order[at] = point;
    }
}

/* Adds the neighbours of a point that are not taken; the new end. */
static int64_t spread(struct work *work, int32_t point, int64_t end)
{
    const int64_t first = end;
    for (int64_t i = work->out.start[point]; i < work->out.start[point + 1];
         i++) {
        const int32_t middle = work->out.to[i];
        for (int64_t k = work->back.start[middle];
             k < work->back.start[middle + 1]; k++) {
            const int32_t near = work->back.to[k];
            if (work->taken[near])
                continue;
            work->taken[near] = true;
            work->order[end++] = near;
        }
    }
    sort(work, first, end);
    return end;
}

/* All that hangs together with a point, from order[first] on; the new end. */
static int64_t flood(struct work *work, int32_t point, int64_t first)
{
    int64_t end = first;
    work->taken[point] = true;
    work->order[end++] = point;
    for (int64_t i = first; i < end; i++)
        end = spread(work, work->order[i], end);
    return end;
}

/* The same from the farthest point of that, twice: about at the rim. */
static int64_t number(struct work *work, int32_t point, int64_t first)
{
    enum { TIMES = 3 };
    int64_t end = first;
    for (int i = 0; i < TIMES; i++) {
        for (int64_t k = first; k < end; k++)
            work->taken[work->order[k]] = false;
        end = flood(work, i == 0 ? point : work->order[end - 1], first);
    }
    return end;
}

static void order_all(struct work *work)
{
    int64_t end = 0;
    for (int64_t point = 0; point < work->n; point++)
        if (!work->taken[point])
            end = number(work, (int32_t)point, end);
    for (int64_t i = 0; i < end / 2; i++) {
        const int32_t kept = work->order[i];
        work->order[i] = work->order[end - 1 - i];
        work->order[end - 1 - i] = kept;
    }
}

enum qn_status qn__mesh_rcm(const struct qn_mesh *mesh, int domain,
                            int32_t *order)
{
    const int other = qn__mesh_joined(mesh, domain);
    struct work work = { .n = mesh->domains[domain].n, .order = order };
    if (other < 0)
        return qn__fail(QN_INVALID, "no table joins %s to other domains",
                        mesh->domains[domain].name);
    enum qn_status status = qn__mesh_links(mesh, domain, other, &work.out);
    if (status == QN_OK)
        status = qn__mesh_links(mesh, other, domain, &work.back);
    work.taken = calloc((size_t)work.n + 1, sizeof *work.taken);
    if (status == QN_OK && !work.taken)
        status = qn__fail(QN_NO_MEMORY, "no memory for the order of a mesh");
    if (status == QN_OK)
        order_all(&work);
    qn__links_free(&work.out);
    qn__links_free(&work.back);
    free(work.taken);
    return status;
}
