/* A torus of triangles, and the plane cut out of it.
 *
 * Vertex lon * lat_dim + lat; crossing the last latitude shifts the longitude
 * by half as many: rows of the lattice lean. Edges 3 * vertex + colour lead
 *
 *     0  to (lon + 1, lat)    1  to (lon, lat + 1)    2  to (lon - 1, lat + 1)
 *
 * and see first the vertex on their right, then the one on their left. */
#include "mesh.h"

#include <math.h>
#include <stdlib.h>

struct lattice {
    int64_t lon, lat;
    bool periodic;
};

struct step { int lon, lat; };

static const struct step along[3] = { { 1, 0 }, { 0, 1 }, { -1, 1 } };
static const struct step beside[3][2] = {
    { { 1, -1 }, { 0, 1 } }, { { 1, 0 }, { -1, 1 } }, { { 0, 1 }, { -1, 0 } }
};
/* The six edges of a vertex: of which vertex, and which of its colours. */
static const struct { struct step from; int colour; } around[6] = {
    { { 0, -1 }, 1 }, { { 0, 0 }, 1 }, { { -1, 0 }, 0 },
    { { 0, 0 }, 0 }, { { 0, 0 }, 2 }, { { 1, -1 }, 2 }
};
static const struct step corners[2][3] = {
    { { 0, 0 }, { 1, 0 }, { 0, 1 } }, { { 0, 0 }, { 0, 1 }, { -1, 1 } }
};

/* The vertex a step away; -1 beyond a rim. */
static int64_t vertex_at(const struct lattice *grid, int64_t vertex,
                         struct step step)
{
    int64_t lon = vertex / grid->lat + step.lon;
    int64_t lat = vertex % grid->lat + step.lat;
    if (!grid->periodic)
        return lon < 0 || lon >= grid->lon || lat < 0 || lat >= grid->lat
            ? -1 : lon * grid->lat + lat;
    if (lat >= grid->lat)
        lon += grid->lat / 2;
    if (lat < 0)
        lon -= grid->lat / 2;
    lat = (lat + grid->lat) % grid->lat;
    lon = ((lon % grid->lon) + grid->lon) % grid->lon;
    return lon * grid->lat + lat;
}

/* The four vertices of an edge; false if one is beyond a rim. */
static bool edge_vertices(const struct lattice *grid, int64_t edge,
                          int32_t *vertices)
{
    const int64_t vertex = edge / 3;
    const int colour = (int)(edge % 3);
    const struct step steps[4] = { { 0, 0 }, along[colour],
                                   beside[colour][0], beside[colour][1] };
    for (int slot = 0; slot < 4; slot++) {
        vertices[slot] = (int32_t)vertex_at(grid, vertex, steps[slot]);
        if (vertices[slot] < 0)
            return false;
    }
    return true;
}

static bool cell_vertices(const struct lattice *grid, int64_t cell,
                          int32_t *vertices)
{
    for (int slot = 0; slot < 3; slot++) {
        vertices[slot] = (int32_t)vertex_at(grid, cell / 2,
                                            corners[cell % 2][slot]);
        if (vertices[slot] < 0)
            return false;
    }
    return true;
}

/* number[i]: of the i-th edge among those that are there, or -1; how many. */
static int64_t number_edges(const struct lattice *grid, int32_t *number)
{
    int64_t count = 0;
    int32_t vertices[4];
    for (int64_t edge = 0; edge < 3 * grid->lon * grid->lat; edge++)
        number[edge] = edge_vertices(grid, edge, vertices)
            ? (int32_t)count++ : -1;
    return count;
}

static int64_t count_cells(const struct lattice *grid)
{
    int64_t count = 0;
    int32_t vertices[3];
    for (int64_t cell = 0; cell < 2 * grid->lon * grid->lat; cell++)
        count += cell_vertices(grid, cell, vertices);
    return count;
}

static enum qn_status fill(const struct lattice *grid, const int32_t *number,
                           struct qn_mesh *mesh)
{
    const int64_t vertices = grid->lon * grid->lat;
    int32_t *const e2c2v = qn__mesh_add(mesh, "e2c2v", EDGE, VERTEX, 4);
    int32_t *const v2e = qn__mesh_add(mesh, "v2e", VERTEX, EDGE, 6);
    int32_t *const c2v = qn__mesh_add(mesh, "c2v", CELL, VERTEX, 3);
    if (!e2c2v || !v2e || !c2v || qn__mesh_add_ecv(mesh) != QN_OK)
        return QN_NO_MEMORY;
    for (int64_t edge = 0; edge < 3 * vertices; edge++)
        if (number[edge] >= 0)
            edge_vertices(grid, edge, e2c2v + 4 * (int64_t)number[edge]);
    for (int64_t i = 0; i < 6 * vertices; i++) {
        const int64_t from = vertex_at(grid, i / 6, around[i % 6].from);
        v2e[i] = from < 0 ? -1 : number[3 * from + around[i % 6].colour];
    }
    for (int64_t cell = 0, at = 0; cell < 2 * vertices; cell++) {
        int32_t found[3];
        if (cell_vertices(grid, cell, found))
            for (int slot = 0; slot < 3; slot++)
                c2v[at++] = found[slot];
    }
    return qn__mesh_add_v2c(mesh, 6);
}

/* Longitudes lie along x, latitudes lean by half a step. */
static enum qn_status lay_out(const struct lattice *grid, struct qn_mesh *mesh)
{
    double *const places = qn__mesh_add_places(mesh);
    for (int64_t v = 0; places && v < grid->lon * grid->lat; v++) {
        places[3 * v] = (double)(v / grid->lat)
                      + 0.5 * (double)(v % grid->lat);
        places[3 * v + 1] = sqrt(0.75) * (double)(v % grid->lat);
    }
    return places ? QN_OK : QN_NO_MEMORY;
}

static enum qn_status make(const struct lattice *grid, struct qn_mesh **mesh)
{
    const int64_t vertices = grid->lon * grid->lat;
    *mesh = NULL;
    if (grid->lon < 1 || grid->lat < 1 || grid->lon > INT32_MAX / 12
        || grid->lat > INT32_MAX / 12 / grid->lon)
        return qn__fail(QN_INVALID, "a mesh of %lld by %lld vertices: each at"
                        " least 1, at most %d in all", (long long)grid->lon,
                        (long long)grid->lat, INT32_MAX / 12);
    int32_t *const number = malloc((size_t)(3 * vertices) * sizeof *number);
    if (!number)
        return qn__fail(QN_NO_MEMORY, "no memory for a mesh");
    enum qn_status status = qn__mesh_make(vertices, number_edges(grid, number),
                                          count_cells(grid), mesh);
    if (status == QN_OK)
        status = fill(grid, number, *mesh);
    if (status == QN_OK)
        status = lay_out(grid, *mesh);
    free(number);
    if (status != QN_OK) {
        qn_mesh_free(*mesh);
        *mesh = NULL;
    }
    return status;
}

enum qn_status qn_mesh_torus(int64_t lon, int64_t lat, struct qn_mesh **mesh)
{
    const struct lattice grid = { lon, lat, true };
    *mesh = NULL;
    if (lat % 2 != 0)
        return qn__fail(QN_INVALID, "a torus of %lld latitudes: they are even,"
                        " as every other row leans", (long long)lat);
    return make(&grid, mesh);
}

enum qn_status qn_mesh_plane(int64_t lon, int64_t lat, struct qn_mesh **mesh)
{
    const struct lattice grid = { lon, lat, false };
    return make(&grid, mesh);
}
