/* The icosahedral grid RnBk: each of the 20 faces in (n * 2^k)^2 triangles.
 * First come the 12 corners (the pentagons), then the vertices along the 30
 * edges, then those within the faces, row by row. */
#include "mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int faces[20][3] = {
    { 0, 1, 2 }, { 0, 2, 3 }, { 0, 3, 4 }, { 0, 4, 5 }, { 0, 5, 1 },
    { 1, 6, 2 }, { 2, 7, 3 }, { 3, 8, 4 }, { 4, 9, 5 }, { 5, 10, 1 },
    { 6, 7, 2 }, { 7, 8, 3 }, { 8, 9, 4 }, { 9, 10, 5 }, { 10, 6, 1 },
    { 11, 7, 6 }, { 11, 8, 7 }, { 11, 9, 8 }, { 11, 10, 9 }, { 11, 6, 10 }
};

/* The number of the edge between two corners, as they are first met. */
static int edge_between(int a, int b)
{
    int met[30][2], count = 0;
    for (int i = 0; i < 60; i++) {
        const int p = faces[i / 3][i % 3], q = faces[i / 3][(i % 3 + 1) % 3];
        const int low = p < q ? p : q, high = p < q ? q : p;
        int e = 0;
        while (e < count && (met[e][0] != low || met[e][1] != high))
            e++;
        if (low == (a < b ? a : b) && high == (a < b ? b : a))
            return e;
        if (e == count) {
            met[count][0] = low;
            met[count++][1] = high;
        }
    }
    return -1;
}

/* The vertex i of f steps from corner a to corner b. */
static int64_t on_edge(int a, int b, int64_t i, int64_t f)
{
    if (i == 0)
        return a;
    if (i == f)
        return b;
    return 12 + edge_between(a, b) * (f - 1) + (a < b ? i : f - i) - 1;
}

/* The vertex of a face that is i steps along its first side, j along its
 * second, i + j <= f. */
static int64_t in_face(int face, int64_t i, int64_t j, int64_t f)
{
    const int a = faces[face][0], b = faces[face][1], c = faces[face][2];
    if (j == 0)
        return on_edge(a, b, i, f);
    if (i == 0)
        return on_edge(a, c, j, f);
    if (i + j == f)
        return on_edge(b, c, j, f);
    const int64_t row = (j - 1) * (f - 1) - j * (j - 1) / 2;
    return 12 + 30 * (f - 1) + face * ((f - 1) * (f - 2) / 2) + row + i - 1;
}

static void fill(int64_t f, int32_t *corners)
{
    int64_t at = 0;
    for (int face = 0; face < 20; face++)
        for (int64_t j = 0; j < f; j++)
            for (int64_t i = 0; i + j < f; i++) {
                corners[at++] = (int32_t)in_face(face, i, j, f);
                corners[at++] = (int32_t)in_face(face, i + 1, j, f);
                corners[at++] = (int32_t)in_face(face, i, j + 1, f);
                if (i + j + 1 >= f)
                    continue;
                corners[at++] = (int32_t)in_face(face, i + 1, j, f);
                corners[at++] = (int32_t)in_face(face, i + 1, j + 1, f);
                corners[at++] = (int32_t)in_face(face, i, j + 1, f);
            }
}

/* Two poles, and five corners on a ring below and above each. */
static void corner_place(int corner, double *place)
{
    const double turn = acos(-1) / 5 * (corner < 6 ? 2 * corner
                                                   : 2 * corner + 1);
    const double height = corner == 0 || corner == 11 ? 1 : sqrt(0.2);
    const double radius = sqrt(1 - height * height);
    place[0] = radius * cos(turn);
    place[1] = radius * sin(turn);
    place[2] = corner < 6 ? height : -height;
}

/* The points of flat faces, on the sphere. */
static enum qn_status lay_out(int64_t f, struct qn_mesh *mesh)
{
    double *const places = qn__mesh_add_places(mesh);
    for (int face = 0; places && face < 20; face++) {
        double corners[3][3];
        for (int c = 0; c < 3; c++)
            corner_place(faces[face][c], corners[c]);
        for (int64_t j = 0; j <= f; j++)
            for (int64_t i = 0; i + j <= f; i++) {
                double *const p = places + 3 * in_face(face, i, j, f);
                for (int d = 0; d < 3; d++)
                    p[d] = (double)(f - i - j) * corners[0][d]
                         + (double)i * corners[1][d]
                         + (double)j * corners[2][d];
                const double length =
                    sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
                for (int d = 0; d < 3; d++)
                    p[d] /= length;
            }
    }
    return places ? QN_OK : QN_NO_MEMORY;
}

/* Puts the six edges around a vertex into the order that they have on a torus:
 * within a face all rows are as there, and what is declared of one mesh, as the
 * pattern of v2e2c2v in specs/icon.lua, holds on the other. */
static void turn_rows(struct qn_mesh *mesh)
{
    enum { COUNT = 6 };
    static const int met[COUNT] = { 2, 4, 3, 1, 5, 0 };
    const struct qn__mesh_table *const v2e = qn__mesh_find(mesh, "v2e");
    const int64_t rows = v2e->count == COUNT ? mesh->domains[VERTEX].n : 0;
    for (int64_t row = 0; row < rows; row++) {
        int32_t *const edges = v2e->entries + row * COUNT, before[COUNT];
        memcpy(before, edges, sizeof before);
        for (int i = 0; before[COUNT - 1] >= 0 && i < COUNT; i++)
            edges[i] = before[met[i]];
    }
}

enum qn_status qn_mesh_icosahedron(int root, int bisections,
                                   struct qn_mesh **mesh)
{
    enum { MOST = 2048 };
    const int64_t f = root > 0 && root <= MOST && bisections >= 0
        && bisections < 12 ? (int64_t)root << bisections : MOST + 1;
    *mesh = NULL;
    if (f > MOST)
        return qn__fail(QN_INVALID, "an icosahedron R%dB%d: root 1 or more,"
                        " bisections 0 or more, edges in at most %d parts",
                        root, bisections, MOST);
    int32_t *const corners = malloc((size_t)(60 * f * f) * sizeof *corners);
    if (!corners)
        return qn__fail(QN_NO_MEMORY, "no memory for a mesh");
    fill(f, corners);
    enum qn_status status =
        qn__mesh_from_cells(10 * f * f + 2, 20 * f * f, corners, mesh);
    free(corners);
    if (status == QN_OK) {
        turn_rows(*mesh);
        status = lay_out(f, *mesh);
    }
    if (status != QN_OK) {
        qn_mesh_free(*mesh);
        *mesh = NULL;
    }
    return status;
}
