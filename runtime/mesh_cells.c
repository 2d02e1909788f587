/* All tables of a mesh of triangles, from the corners of each.
 *
 * Edges are numbered as they are first met, cell by cell, corner by corner.
 * v2e and v2c go around their vertex from its first edge or cell on, c2e has
 * the edge behind each corner; e2c2v the two ends, then the corners across in
 * the first and the second cell. */
#include "mesh.h"

#include <stdlib.h>

struct side { int32_t low, high; int64_t at; };     /* at: cell * 3 + corner */

static int compare_ends(const struct side *a, const struct side *b)
{
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return a->high < b->high ? -1 : a->high > b->high;
}

static int compare(const void *left, const void *right)
{
    const struct side *const a = left, *const b = right;
    const int ends = compare_ends(a, b);
    return ends ? ends : a->at < b->at ? -1 : a->at > b->at;
}

struct work {
    int64_t vertices, cells, edges;
    const int32_t *corners;
    struct side *sides;             /* sorted: equal ones are one edge */
    int32_t *edge_of;               /* per side: its edge */
};

static int32_t corner(const struct work *work, int64_t side, int step)
{
    return work->corners[side / 3 * 3 + (side % 3 + step) % 3];
}

static enum qn_status look(const struct work *work)
{
    for (int64_t i = 0; i < 3 * work->cells; i++) {
        const int32_t v = work->corners[i];
        if (v < 0 || v >= work->vertices)
            return qn__fail(QN_INVALID, "c2v: row %lld, slot %d is %d, there"
                            " are %lld vertices", (long long)(i / 3),
                            (int)(i % 3), (int)v, (long long)work->vertices);
        if (v == corner(work, i, 1))
            return qn__fail(QN_INVALID, "c2v: row %lld has the vertex %d"
                            " twice", (long long)(i / 3), (int)v);
    }
    return QN_OK;
}

/* Numbers the edges, in the order of their first sides. */
static enum qn_status number(struct work *work)
{
    const int64_t count = 3 * work->cells;
    for (int64_t i = 0; i < count; i++) {
        const int32_t a = corner(work, i, 0), b = corner(work, i, 1);
        work->sides[i] = (struct side){ a < b ? a : b, a < b ? b : a, i };
    }
    qsort(work->sides, (size_t)count, sizeof *work->sides, compare);
    for (int64_t i = 0; i < count; i++)
        work->edge_of[i] = -1;
    for (int64_t i = 0, first = 0; i < count; i++) {
        const struct side *const side = &work->sides[i];
        if (compare_ends(side, &work->sides[first]) != 0)
            first = i;
        if (i - first > 1)
            return qn__fail(QN_INVALID, "c2v: row %lld: the vertices %d and %d"
                            " are those of rows %lld and %lld too, and two"
                            " triangles share a side", (long long)side->at / 3,
                            (int)side->low, (int)side->high,
                            (long long)work->sides[first].at / 3,
                            (long long)work->sides[first + 1].at / 3);
        /* For now, its first side. */
        work->edge_of[side->at] = (int32_t)work->sides[first].at;
    }
    work->edges = 0;
    for (int64_t i = 0; i < count; i++)
        work->edge_of[i] = work->edge_of[i] == i ? (int32_t)work->edges++
            : work->edge_of[work->edge_of[i]];
    return QN_OK;
}

/* The most cells, or edges, around a vertex. Of these there is one more where
 * it is at a rim, and another where cells meet in it alone. */
static int64_t degree(const struct work *work, bool edges, int32_t *found)
{
    int64_t most = 1;
    for (int64_t v = 0; v < work->vertices; v++)
        found[v] = 0;
    for (int64_t i = 0; i < 3 * work->cells; i++)
        if (!edges) {
            found[work->corners[i]]++;
        } else if (i == 0 || compare_ends(&work->sides[i - 1],
                                          &work->sides[i]) != 0) {
            found[work->sides[i].low]++;
            found[work->sides[i].high]++;
        }
    for (int64_t v = 0; v < work->vertices; v++)
        most = found[v] > most ? found[v] : most;
    return most;
}

/* Appends to the row of a vertex; it has room. */
static void put(int32_t *table, int64_t count, int64_t row, int32_t entry)
{
    int64_t slot = 0;
    while (slot < count && table[row * count + slot] >= 0) {
        if (table[row * count + slot] == entry)
            return;
        slot++;
    }
    if (slot < count)
        table[row * count + slot] = entry;
}

static enum qn_status fill(const struct work *work, struct qn_mesh *mesh,
                           int64_t cells, int64_t edges)
{
    int32_t *const c2v = qn__mesh_add(mesh, "c2v", CELL, VERTEX, 3);
    int32_t *const c2e = qn__mesh_add(mesh, "c2e", CELL, EDGE, 3);
    int32_t *const e2c = qn__mesh_add(mesh, "e2c", EDGE, CELL, 2);
    int32_t *const e2v = qn__mesh_add(mesh, "e2v", EDGE, VERTEX, 2);
    int32_t *const e2c2v = qn__mesh_add(mesh, "e2c2v", EDGE, VERTEX, 4);
    int32_t *const v2c = qn__mesh_add(mesh, "v2c", VERTEX, CELL, cells);
    int32_t *const v2e = qn__mesh_add(mesh, "v2e", VERTEX, EDGE, edges);
    if (!c2v || !c2e || !e2c || !e2v || !e2c2v || !v2c || !v2e)
        return QN_NO_MEMORY;
    for (int64_t i = 0; i < 3 * work->cells; i++) {
        const int32_t edge = work->edge_of[i];
        const int32_t a = corner(work, i, 0), b = corner(work, i, 1);
        c2v[i] = a;
        c2e[i] = edge;
        const bool second = e2c[2 * edge] >= 0;
        e2c[2 * edge + second] = (int32_t)(i / 3);
        e2c2v[4 * edge + 2 + second] = corner(work, i, 2);
        if (!second) {
            e2v[2 * edge] = e2c2v[4 * edge] = a;
            e2v[2 * edge + 1] = e2c2v[4 * edge + 1] = b;
        }
        put(v2c, cells, a, (int32_t)(i / 3));
        put(v2e, edges, a, edge);
        put(v2e, edges, b, edge);
    }
    return qn__mesh_add_ecv(mesh);
}

static enum qn_status make(struct work *work, int32_t *found,
                           struct qn_mesh **mesh)
{
    enum qn_status status = look(work);
    if (status == QN_OK)
        status = number(work);
    if (status == QN_OK)
        status = qn__mesh_make(work->vertices, work->edges, work->cells, mesh);
    return status == QN_OK ? fill(work, *mesh, degree(work, false, found),
                                  degree(work, true, found)) : status;
}

enum qn_status qn__mesh_from_cells(int64_t vertices, int64_t cells,
                                   const int32_t *corners,
                                   struct qn_mesh **mesh)
{
    struct work work = { .vertices = vertices, .cells = cells,
                         .corners = corners };
    *mesh = NULL;
    if (vertices < 0 || cells < 0 || cells > INT32_MAX / 12
        || vertices > INT32_MAX)
        return qn__fail(QN_INVALID, "a mesh of %lld vertices and %lld cells:"
                        " at most %d cells", (long long)vertices,
                        (long long)cells, INT32_MAX / 12);
    work.sides = calloc((size_t)(3 * cells) + 1, sizeof *work.sides);
    work.edge_of = calloc((size_t)(3 * cells) + 1, sizeof *work.edge_of);
    int32_t *const found = calloc((size_t)vertices + 1, sizeof *found);
    enum qn_status status = work.sides && work.edge_of && found
        ? make(&work, found, mesh)
        : qn__fail(QN_NO_MEMORY, "no memory for a mesh");
    free(work.sides);
    free(work.edge_of);
    free(found);
    if (status != QN_OK) {
        qn_mesh_free(*mesh);
        *mesh = NULL;
    }
    return status;
}
