/* Arrays in the order in which a mesh was made, and in the one that it has;
 * where its vertices are. */
#include "mesh.h"

#include <math.h>
#include <string.h>

static const struct qn__mesh_domain *find(const struct qn_mesh *mesh,
                                          const char *name)
{
    for (int d = 0; d < mesh->domain_count; d++)
        if (strcmp(mesh->domains[d].name, name) == 0)
            return &mesh->domains[d];
    return NULL;
}

const int32_t *qn_mesh_order(const struct qn_mesh *mesh, const char *domain)
{
    const struct qn__mesh_domain *const found = find(mesh, domain);
    return found ? found->old : NULL;
}

/* Point i of one order is point old[i] of the other. */
static enum qn_status move(const struct qn_mesh *mesh, const char *domain,
                           size_t size, int64_t arrays, const char *from,
                           char *to, bool back)
{
    const struct qn__mesh_domain *const found = find(mesh, domain);
    if (!found)
        return qn__fail(QN_NOT_FOUND, "a mesh has no domain '%s'", domain);
    for (int64_t a = 0; a < arrays; a++)
        for (int64_t i = 0; i < found->n; i++) {
            const int64_t old = found->old ? found->old[i] : i;
            const size_t here = (size_t)(a * found->n + (back ? old : i));
            const size_t there = (size_t)(a * found->n + (back ? i : old));
            memcpy(to + here * size, from + there * size, size);
        }
    return QN_OK;
}

enum qn_status qn_mesh_permute(const struct qn_mesh *mesh, const char *domain,
                               size_t size, int64_t arrays, const void *from,
                               void *to)
{
    return move(mesh, domain, size, arrays, from, to, false);
}

enum qn_status qn_mesh_restore(const struct qn_mesh *mesh, const char *domain,
                               size_t size, int64_t arrays, const void *from,
                               void *to)
{
    return move(mesh, domain, size, arrays, from, to, true);
}

void qn__mesh_put(double *places, int64_t vertex, double lon, double lat)
{
    places[3 * vertex] = cos(lat) * cos(lon);
    places[3 * vertex + 1] = cos(lat) * sin(lon);
    places[3 * vertex + 2] = sin(lat);
}

enum qn_status qn_mesh_place(struct qn_mesh *mesh, const double *places)
{
    const int64_t n = mesh->domains[VERTEX].n;
    for (int64_t i = 0; i < 3 * n; i++)
        if (!isfinite(places[i]))
            return qn__fail(QN_INVALID, "coordinate %d of vertex %lld is no"
                            " number", (int)(i % 3), (long long)(i / 3));
    if (!mesh->places && !qn__mesh_add_places(mesh))
        return QN_NO_MEMORY;
    memcpy(mesh->places, places, (size_t)(3 * n) * sizeof *places);
    return QN_OK;
}
