/* Files of meshes: one of ICON and one of MPAS, written byte by byte as the classic netCDF format
 * has it, and one of FESOM, read again; then what is wrong with a file is said with its place, and
 * no byte that is another, or missing, makes a reader touch what is not its. Its argument: a folder
 * to write to. */
#include "mesh.h"

#include "lib.h"

#include <ctype.h>

enum { TRIANGLES_VERTEX, TRIANGLES_EDGE, TRIANGLES_CELL, NC, NE, NV, N_VERTICES, N_EDGES, N_CELLS,
       DEGREE, TWO, MOST, DIMENSIONS };

static struct dimension { const char *name; int n; } dimensions[DIMENSIONS] = {
    { "vertex", 4 }, { "edge", 5 }, { "cell", 2 }, { "nc", 2 }, { "ne", 3 }, { "nv", 3 },
    { "nVertices", 5 }, { "nEdges", 6 }, { "nCells", 2 }, { "vertexDegree", 3 }, { "TWO", 2 },
    { "maxEdges", 4 }
};

enum { INT = 4, DOUBLE = 6, LONGEST = 20 };     /* types as netCDF numbers them */

struct variable { const char *name; int type, rank, of[2]; double values[LONGEST]; };

/* Two triangles side by side. */
static const struct variable icon[] = {
    { "edges_of_vertex", INT, 2, { NE, TRIANGLES_VERTEX }, { 1, 1, 2, 4, 3, 2, 3, 5, -1, 4, 5, -1 } },
    { "cells_of_vertex", INT, 2, { NE, TRIANGLES_VERTEX }, { 1, 1, 1, 2, 0, 2, 2, 0, 0, 0, 0, 0 } },
    { "edge_vertices", INT, 2, { NC, TRIANGLES_EDGE }, { 1, 2, 3, 2, 4, 2, 3, 1, 4, 3 } },
    { "adjacent_cell_of_edge", INT, 2, { NC, TRIANGLES_EDGE }, { 1, 1, 1, 2, 2, -1, 2, -1, -1, -1 } },
    { "vertex_of_cell", INT, 2, { NV, TRIANGLES_CELL }, { 1, 2, 2, 4, 3, 3 } },
    { "edge_of_cell", INT, 2, { NV, TRIANGLES_CELL }, { 1, 4, 2, 5, 3, 2 } },
    { "vlon", DOUBLE, 1, { TRIANGLES_VERTEX }, { 0, 0.5, 1, 1.5 } },
    { "vlat", DOUBLE, 1, { TRIANGLES_VERTEX }, { 0, 1, 0, 1 } }
};

/* A triangle and a quadrangle; 0: none; 7: nobody reads it. */
static const struct variable mpas[] = {
    { "edgesOnVertex", INT, 2, { N_VERTICES, DEGREE }, { 1, 3, 0, 1, 2, 4, 2, 3, 6, 4, 5, 0, 5, 6, 0 } },
    { "cellsOnVertex", INT, 2, { N_VERTICES, DEGREE }, { 1, 0, 0, 1, 2, 0, 1, 2, 0, 2, 0, 0, 2, 0, 0 } },
    { "verticesOnEdge", INT, 2, { N_EDGES, TWO }, { 1, 2, 2, 3, 3, 1, 2, 4, 4, 5, 5, 3 } },
    { "cellsOnEdge", INT, 2, { N_EDGES, TWO }, { 1, 0, 1, 2, 1, 0, 2, 0, 2, 0, 2, 0 } },
    { "verticesOnCell", INT, 2, { N_CELLS, MOST }, { 1, 2, 3, 7, 2, 4, 5, 3 } },
    { "edgesOnCell", INT, 2, { N_CELLS, MOST }, { 1, 2, 3, 7, 4, 5, 6, 2 } },
    { "cellsOnCell", INT, 2, { N_CELLS, MOST }, { 0, 2, 0, 7, 0, 0, 0, 1 } },
    { "nEdgesOnCell", INT, 1, { N_CELLS }, { 3, 4 } },
    { "lonVertex", DOUBLE, 1, { N_VERTICES }, { 0, 0.5, 1, 1.5, 2 } },
    { "latVertex", DOUBLE, 1, { N_VERTICES }, { 0, 1, 0, 1, 0 } }
};
enum { ICON = sizeof icon / sizeof *icon, MPAS = sizeof mpas / sizeof *mpas };

static unsigned char bytes[4096];
static size_t length;
static char path[4096];

static void put(uint64_t value, int size)
{
    for (int shift = 8 * size - 8; shift >= 0; shift -= 8)
        bytes[length++] = (unsigned char)(value >> shift & 255);
}

static void name(const char *text)
{
    const size_t letters = strlen(text), padded = (letters + 3) / 4 * 4;
    put(letters, 4);
    for (size_t i = 0; i < padded; i++)
        put(i < letters ? (uint64_t)text[i] : 0, 1);
}

static int64_t count_of(const struct variable *v)
{
    return (int64_t)dimensions[v->of[0]].n * (v->rank > 1 ? dimensions[v->of[1]].n : 1);
}

static uint64_t size_of(const struct variable *v)
{
    return (uint64_t)count_of(v) * (v->type == INT ? 4 : 8);
}

static void head(const struct variable *variables, int count, uint64_t begin)
{
    length = 0;
    put(UINT64_C(0x43444601), 4);       /* CDF 1 */
    put(0, 4), put(0x0a, 4), put(DIMENSIONS, 4);
    for (int d = 0; d < DIMENSIONS; d++)
        name(dimensions[d].name), put((uint64_t)dimensions[d].n, 4);
    put(0, 8), put(0x0b, 4), put((uint64_t)count, 4);
    for (int i = 0; i < count; i++) {
        const struct variable *const v = &variables[i];
        name(v->name), put((uint64_t)v->rank, 4);
        for (int d = 0; d < v->rank; d++)
            put((uint64_t)v->of[d], 4);
        put(0, 8), put((uint64_t)v->type, 4), put(size_of(v), 4), put(begin, 4);
        begin += size_of(v);
    }
}

/* The file, in `bytes`. */
static void encode(const struct variable *variables, int count)
{
    head(variables, count, 0);          /* the head is as long twice */
    head(variables, count, length);
    for (int i = 0; i < count; i++)
        for (int64_t k = 0; k < count_of(&variables[i]); k++) {
            uint64_t bits;
            memcpy(&bits, &variables[i].values[k], sizeof bits);
            if (variables[i].type == INT)
                put((uint32_t)(int32_t)variables[i].values[k], 4);
            else
                put(bits, 8);
        }
}

static enum qn_status read_bytes(size_t count, struct qn_mesh **mesh)
{
    FILE *const file = fopen(path, "wb");
    fwrite(bytes, 1, count, file);
    fclose(file);
    return qn_mesh_read(path, mesh);
}

static bool same(const struct qn_mesh *mesh, const char *table, int64_t slots,
                 const int32_t *wanted)
{
    int64_t count;
    const int32_t *const entries = qn_mesh_table(mesh, table, &count);
    const int64_t rows = mesh->domains[qn__mesh_find(mesh, table)->from].n;
    return count == slots
        && memcmp(entries, wanted, (size_t)(rows * count) * sizeof *entries) == 0;
}

static bool alike(const struct qn_mesh *a, const struct qn_mesh *b)
{
    for (int t = 0; t < a->table_count; t++)
        if (a->table_count != b->table_count
            || a->domains[a->tables[t].from].n != b->domains[b->tables[t].from].n
            || !same(a, b->tables[t].name, b->tables[t].count, b->tables[t].entries))
            return false;
    for (int64_t i = 0; a->places && i < 3 * a->domains[VERTEX].n; i++)
        if (!isfinite(a->places[i]))
            return false;
    return true;
}

static void well_read(void)
{
    struct qn_mesh *mesh;
    encode(mpas, MPAS);
    must(read_bytes(length, &mesh));
    ok(qn_mesh_extent(mesh, "vertex") == 5 && qn_mesh_extent(mesh, "edge") == 6
           && qn_mesh_extent(mesh, "cell") == 2 && qn_mesh_extent(mesh, "v2v") == 12,
       "a mesh of MPAS has what it has");
    ok(same(mesh, "v2e", 3, (int32_t[]){ 0, 2, -1, 0, 1, 3, 1, 2, 5, 3, 4, -1, 4, 5, -1 }),
       "entries count from 0, missing ones are -1");
    ok(same(mesh, "c2v", 4, (int32_t[]){ 0, 1, 2, -1, 1, 3, 4, 2 })
           && same(mesh, "c2c", 4, (int32_t[]){ -1, 1, -1, -1, -1, -1, -1, 0 }),
       "what is behind the edges of a cell is none");
    ok(fabs(qn_mesh_places(mesh)[5] - sin(1)) < 1e-15, "its vertices lie where it says");
    qn_mesh_free(mesh);
    encode(icon, ICON);
    must(read_bytes(length, &mesh));
    ok(same(mesh, "v2e", 3, (int32_t[]){ 0, 2, -1, 0, 1, 3, 1, 2, 4, 3, 4, -1 })
           && same(mesh, "c2v", 3, (int32_t[]){ 0, 1, 2, 1, 3, 2 }),
       "tables of ICON have the slots first");
    ok(same(mesh, "e2c2v", 4, (int32_t[]){ 0, 1, 2, -1, 1, 2, 0, 3, 2, 0, 1, -1, 1, 3, 2, -1,
                                           3, 2, 1, -1 }), "across an edge are the third corners");
    qn_mesh_free(mesh);
}

struct fault { int variable, at; double value; const char *sentence; };

static void refused(const struct variable *good, int count, const struct fault *fault)
{
    struct variable bad[MPAS];
    struct qn_mesh *mesh;
    memcpy(bad, good, (size_t)count * sizeof *bad);
    bad[fault->variable].values[fault->at] = fault->value;
    encode(bad, count);
    fails(read_bytes(length, &mesh), QN_INVALID, fault->sentence, fault->sentence);
}

static void values_refused(void)
{
    const struct fault of_icon[] = {
        { 0, 5, 6, "x.nc: 'edges_of_vertex': row 1, slot 1 is 6, wanted 1 to 5, or 0 or -1: none" },
        { 0, 5, -2, "'edges_of_vertex': row 1, slot 1 is -2, wanted 1 to 5" },
        { 0, 5, -1, "'edge_vertices': row 1, slot 0 is 2, which does not go with row 1 of "
          "'edges_of_vertex'" },
        { 0, 8, 2, "'edges_of_vertex': row 0, slot 2 is 2, which does not go with row 1 of" },
        { 0, 8, 1, "'edges_of_vertex': row 0, slot 0 is 1, which does not go with row 0 of" },
        { 4, 0, 4, "'cells_of_vertex': row 0, slot 0 is 1, which does not go with row 0 of" },
        { 3, 0, 2, "'adjacent_cell_of_edge': row 0, slot 0 is 2, which does not go with row 1 of" },
        { 6, 2, NAN, "'vlon': row 2 is nan, wanted radians, 6.283 at most" },
        { 7, 3, 57.3, "'vlat': row 3 is 57.3, wanted radians, 1.571 at most" },
    }, of_mpas[] = {
        { 2, 3, 9, "'verticesOnEdge': row 1, slot 1 is 9, wanted 1 to 5, or 0: none" },
        { 1, 0, -1, "'cellsOnVertex': row 0, slot 0 is -1, wanted 1 to 2, or 0: none" },
        { 7, 0, 5, "'nEdgesOnCell': row 0 is 5, wanted 1 to 4" },
        { 7, 1, 0, "'nEdgesOnCell': row 1 is 0, wanted 1 to 4" },
        { 7, 0, 4, "'verticesOnCell': row 0, slot 3 is 7, wanted 1 to 5, or 0: none" },
        { 7, 1, 3, "'cellsOnVertex': row 2, slot 1 is 2, which does not go with row 1 of" },
        { 6, 7, 0, "'cellsOnCell': row 0, slot 1 is 2, which does not go with row 1 of" },
        { 6, 2, 1, "'cellsOnCell': row 0, slot 2 is 1, which does not go with row 0 of" },
        { 9, 4, INFINITY, "'latVertex': row 4 is inf" },
    };
    for (size_t i = 0; i < sizeof of_icon / sizeof *of_icon; i++)
        refused(icon, ICON, &of_icon[i]);
    for (size_t i = 0; i < sizeof of_mpas / sizeof *of_mpas; i++)
        refused(mpas, MPAS, &of_mpas[i]);
}

/* Another name, type or dimension of a variable, or another size of a dimension. */
static void heads_refused(void)
{
    static const struct { int variable; struct variable changed; const char *sentence; } cases[] = {
        { 4, { "verticesOnSell", INT, 2, { N_CELLS, MOST }, { 0 } }, "'verticesOnCell': " },
        { 0, { "edgesOnSertex", INT, 2, { N_VERTICES, DEGREE }, { 0 } }, "has neither edges_of_vertex" },
        { 2, { "verticesOnEdge", INT, 1, { N_EDGES }, { 0 } }, "'verticesOnEdge' has 1 dimensions, "
          "wanted 2" },
        { 2, { "verticesOnEdge", INT, 2, { N_EDGES, DEGREE }, { 0 } }, "'verticesOnEdge' has 3 slots "
          "in a row, wanted 2" },
        { 1, { "cellsOnVertex", INT, 2, { N_EDGES, DEGREE }, { 0 } }, "'cellsOnVertex' has 6 rows, "
          "wanted 5" },
        { 7, { "nEdgesOnCell", INT, 1, { TWO }, { 3, 4 } }, NULL },
        { 7, { "nEdgesOnCell", INT, 1, { N_EDGES }, { 3, 4 } }, "'nEdgesOnCell' has 6 rows, wanted 2" },
        { 2, { "verticesOnEdge", DOUBLE, 2, { N_EDGES, TWO }, { 1, 2, 2, 3, 3, 1, 2, 4, 4, 5, 5,
          3.5 } }, "'verticesOnEdge': row 5, slot 1 is 3.5, wanted 1 to 5" },
        { 8, { "lonVertex", DOUBLE, 1, { N_EDGES }, { 0 } }, "'lonVertex' has 6 rows, wanted 5" },
    };
    struct variable bad[MPAS];
    struct qn_mesh *mesh;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy(bad, mpas, sizeof bad);
        bad[cases[i].variable] = cases[i].changed;
        encode(bad, MPAS);
        if (cases[i].sentence)
            fails(read_bytes(length, &mesh), QN_INVALID, cases[i].sentence, cases[i].sentence);
        else
            must(read_bytes(length, &mesh)), qn_mesh_free(mesh);
    }
    encode(mpas, MPAS);
    fails(read_bytes(length / 3, &mesh), QN_INVALID, "x.nc: ", "a part of its head");
    fails(read_bytes(0, &mesh), QN_INVALID, "x.nc: ", "no file to speak of");
    dimensions[N_EDGES].n = 10000000;
    head(mpas, MPAS, 0);
    head(mpas, MPAS, length);
    dimensions[N_EDGES].n = 6;
    fails(read_bytes(length + 400, &mesh), QN_INVALID, "bytes, too few for its variables: it is "
          "cut off", "more edges than bytes");
}

/* One way to change byte `at`; false where it is in no number of a table and in no name: at most
 * counts of the head libnetcdf fills gigabytes. */
static bool flip(size_t at, size_t head, size_t way)
{
    static const unsigned char flips[] = { 1, 4, 128, 255 };
    const bool letter = isalpha(bytes[at]);
    bytes[at] ^= flips[way];
    return at >= head || (letter && way == 0);
}

/* No byte that is another one, and no end that comes early, does harm: the file is refused with its
 * name, or has the same tables. */
static void disturb(const struct variable *variables, int count, const char *what)
{
    enum { WAYS = 4 };
    struct qn_mesh *good, *mesh;
    int64_t read = 0, refused = 0, nameless = 0, others = 0;
    head(variables, count, 0);
    const size_t begin = length;
    encode(variables, count);
    must(read_bytes(length, &good));
    for (size_t i = 0; i < length * (WAYS + 1); i++) {
        const size_t at = i / (WAYS + 1), way = i % (WAYS + 1);
        if (way < WAYS ? flip(at, begin, way) : at % 8 == 0) {
            if (read_bytes(way < WAYS ? length : at, &mesh) != QN_OK)
                refused++, nameless += !strstr(qn_last_error(), "x.nc");
            else
                read++, others += !alike(mesh, good);
            qn_mesh_free(mesh);
        }
        if (way < WAYS)
            flip(at, begin, way);
    }
    ok(refused > read && read > 0 && nameless == 0 && others == 0,
       "%s with a byte that is another: %lld of %lld are refused, %lld without a name, %lld are read "
       "as another mesh", what, (long long)refused, (long long)(refused + read),
       (long long)nameless, (long long)others);
    qn_mesh_free(good);
}

static void write_text(const char *at, const char *name, const char *text)
{
    char whole[4200];
    snprintf(whole, sizeof whole, "%s/%s", at, name);
    FILE *const file = fopen(whole, "w");
    fputs(text, file);
    fclose(file);
}

static const char nodes[] = "3\n1 0 0 0\n2 90 0 0\n3 0.0 90.0 1\n";

/* Three nodes, a triangle: where they are, and what may be wrong with them. */
static void fesom(const char *at)
{
    static const struct { const char *file, *text, *sentence; } cases[] = {
        { "nod2d.out", "3\n1 0 0 0\n2 90\n", "nod2d.out:1: found 3, wanted the number of nodes, 0 to "
          "1" },
        { "nod2d.out", "-1\n", "nod2d.out:1: found -1, wanted the number of nodes, 0" },
        { "nod2d.out", "", "nod2d.out:1: found the end of the file, wanted the number of nodes" },
        { "nod2d.out", "3\n1 0 0 0\n2 90 0 0\n3 0.000000001\n", "nod2d.out:5: found the end of the "
          "file, wanted a latitude in degrees, 90 at most" },
        { "nod2d.out", "3\n1 0 0 0\n3 90 0 0\n2 0 90 1\n", "nod2d.out:3: found 3, wanted the number of "
          "a node, 2" },
        { "nod2d.out", "3\n1 0 0 0\n2 90 0 0\n3 0 nan 1\n", "nod2d.out:4: found nan, wanted a "
          "latitude" },
        { "nod2d.out", "3\n1 0 0 0\n2 900 0 0\n3 0 0 1\n", "nod2d.out:3: found 900, wanted a "
          "longitude in degrees, 360 at most" },
        { "nod2d.out", "2\n1 0 0 0\n2 90 0 0\n3 0 90 1\n", "nod2d.out:4: found 3, wanted the end of "
          "the file" },
        { "elem2d.out", "1\n1 4 3\n", "elem2d.out:2: found 4, wanted a node of a triangle, 1 to 3" },
        { "elem2d.out", "1\n1 0 3\n", "elem2d.out:2: found 0, wanted a node of a triangle, 1 to 3" },
        { "elem2d.out", "1\n1 2 3.5\n", "elem2d.out:2: found 3.5, wanted a node" },
        { "elem2d.out", "1\n1 2 99999999999999999999\n", "elem2d.out:2: found 99999999999999999999" },
        { "elem2d.out", "1\n1 2 2\n", "elem2d.out: c2v: row 0 has the vertex 1 twice" },
        { "elem2d.out", "2\n1 2 3\n1 2\n", "elem2d.out:4: found the end of the file, wanted a node" },
        { "elem2d.out", "1\n1 2 3\n1 2 3\n", "elem2d.out:3: found 1, wanted the end of the file" },
        { "elem2d.out", "3\n1 2 3\n3 1 2\n2 1 3\n", "elem2d.out: c2v: row 2: the vertices 0 and 1 are "
          "those of rows 0 and 1 too" },
    };
    struct qn_mesh *mesh;
    write_text(at, "nod2d.out", nodes);
    write_text(at, "elem2d.out", "1\n1 2 3\n");
    must(qn_mesh_read(at, &mesh));
    const double *const p = qn_mesh_places(mesh);
    ok(fabs(p[0] - 1) < 1e-15 && fabs(p[4] - 1) < 1e-15 && fabs(p[8] - 1) < 1e-15
           && fabs(p[1]) + fabs(p[2]) + fabs(p[3]) + fabs(p[5]) + fabs(p[6]) < 1e-15,
       "nodes lie on the unit sphere, at degrees of longitude and latitude");
    qn_mesh_free(mesh);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text(at, "nod2d.out", nodes);
        write_text(at, "elem2d.out", "1\n1 2 3\n");
        write_text(at, cases[i].file, cases[i].text);
        fails(qn_mesh_read(at, &mesh), QN_INVALID, cases[i].sentence, cases[i].sentence);
    }
}

/* Triangles that meet in a node alone have all their edges around it. */
static void meeting(const char *at)
{
    struct qn_mesh *mesh;
    write_text(at, "nod2d.out", "5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 2 0 0\n5 2 1 0\n");
    write_text(at, "elem2d.out", "2\n1 2 3\n1 4 5\n");
    must(qn_mesh_read(at, &mesh));
    ok(same(mesh, "v2e", 4, (int32_t[]){ 0, 2, 3, 5, 0, 1, -1, -1, 1, 2, -1, -1, 3, 4, -1, -1,
                                         4, 5, -1, -1 }), "triangles that meet in a node");
    qn_mesh_free(mesh);
}

int main(int count, char **arguments)
{
    struct qn_mesh *mesh;
    if (count != 2)
        return 2;
    fesom(arguments[1]);
    meeting(arguments[1]);
    snprintf(path, sizeof path, "%s/x.nc", arguments[1]);
    encode(icon, ICON);
    if (read_bytes(length, &mesh) == QN_NOT_FOUND) {
        ok(true, "# SKIP meshes of netCDF: %s", qn_last_error());
        return done();
    }
    qn_mesh_free(mesh);
    well_read();
    values_refused();
    heads_refused();
    disturb(icon, ICON, "a grid of ICON");
    disturb(mpas, MPAS, "a mesh of MPAS");
    return done();
}
