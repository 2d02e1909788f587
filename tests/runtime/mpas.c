/* A mesh of MPAS, written byte by byte as the classic netCDF format has it, and one of FESOM, read
 * again. Its argument: a folder to write to. */
#include "mesh.h"

#include "lib.h"

static FILE *file;

static void number(int32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        fputc((int)((uint32_t)value >> shift & 255), file);
}

static void name(const char *text)
{
    const size_t length = strlen(text), padded = (length + 3) / 4 * 4;
    number((int32_t)length);
    for (size_t i = 0; i < padded; i++)
        fputc(i < length ? text[i] : 0, file);
}

enum { VERTICES, EDGES, CELLS, DEGREE, TWO, MOST, DIMENSIONS };

static const struct { const char *name; int n; } dimensions[DIMENSIONS] = {
    { "nVertices", 2 }, { "nEdges", 3 }, { "nCells", 3 }, { "vertexDegree", 3 }, { "TWO", 2 },
    { "maxEdges", 4 }
};

/* Two vertices, three edges between them; 0: none; 7: nobody reads it. */
static struct variable { const char *name; int rows, columns; int32_t values[12]; } variables[] = {
    { "edgesOnVertex", VERTICES, DEGREE, { 1, 2, 3, 1, 3, 0 } },
    { "cellsOnVertex", VERTICES, DEGREE, { 1, 2, 3, 1, 2, 0 } },
    { "verticesOnEdge", EDGES, TWO, { 1, 2, 1, 2, 1, 2 } },
    { "cellsOnEdge", EDGES, TWO, { 1, 2, 2, 3, 3, 0 } },
    { "verticesOnCell", CELLS, MOST, { 1, 2, 7, 7, 2, 1, 7, 7, 1, 7, 7, 7 } },
    { "edgesOnCell", CELLS, MOST, { 1, 2, 7, 7, 2, 3, 7, 7, 3, 7, 7, 7 } },
    { "cellsOnCell", CELLS, MOST, { 2, 0, 7, 7, 1, 3, 7, 7, 2, 7, 7, 7 } },
    { "nEdgesOnCell", CELLS, -1, { 2, 2, 1 } }
};
enum { COUNT = sizeof variables / sizeof *variables };

static int size_of(const struct variable *v)
{
    return dimensions[v->rows].n * (v->columns < 0 ? 1 : dimensions[v->columns].n);
}

static void write_header(int32_t begin)
{
    fwrite("CDF\1", 1, 4, file);
    number(0);
    number(0x0a);
    number(DIMENSIONS);
    for (int d = 0; d < DIMENSIONS; d++) {
        name(dimensions[d].name);
        number(dimensions[d].n);
    }
    number(0), number(0);
    number(0x0b);
    number(COUNT);
    for (int i = 0; i < COUNT; i++) {
        const struct variable *const v = &variables[i];
        name(v->name);
        number(v->columns < 0 ? 1 : 2);
        number(v->rows);
        if (v->columns >= 0)
            number(v->columns);
        number(0), number(0);
        number(4);                      /* int */
        number(4 * size_of(v));
        number(begin);
        begin += 4 * size_of(v);
    }
}

static void write_mesh(const char *path)
{
    long begin = 0;
    for (int pass = 0; pass < 2; pass++) {      /* the header is as long twice */
        file = fopen(path, "wb");
        write_header((int32_t)begin);
        begin = ftell(file);
        for (int i = 0; i < COUNT; i++)
            for (int k = 0; k < size_of(&variables[i]); k++)
                number(variables[i].values[k]);
        fclose(file);
    }
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

static void write_text(const char *folder, const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

/* Three nodes, a triangle: where they are, and what may be wrong with them. */
static void fesom(const char *folder)
{
    struct qn_mesh *mesh;
    write_text(folder, "nod2d.out", "3\n1 0 0 0\n2 90 0 0\n3 0.0 90.0 1\n");
    write_text(folder, "elem2d.out", "1\n1 2 3\n");
    must(qn_mesh_read(folder, &mesh));
    const double *const p = qn_mesh_places(mesh);
    ok(fabs(p[0] - 1) < 1e-15 && fabs(p[4] - 1) < 1e-15 && fabs(p[8] - 1) < 1e-15
           && fabs(p[1]) + fabs(p[2]) + fabs(p[3]) + fabs(p[5]) + fabs(p[6]) < 1e-15,
       "nodes lie on the unit sphere, at degrees of longitude and latitude");
    qn_mesh_free(mesh);
    write_text(folder, "nod2d.out", "3\n1 0 0 0\n2 90\n");
    fails(qn_mesh_read(folder, &mesh), QN_INVALID, "nod2d.out: node 2 of 3 has no longitude and "
          "latitude", "a node without a place");
    write_text(folder, "elem2d.out", "1\n1 4 3\n");
    fails(qn_mesh_read(folder, &mesh), QN_INVALID, "c2v: row 0, slot 1 is 3, there are 3 vertices",
          "a corner beyond");
    write_text(folder, "elem2d.out", "1\n1 2 2\n");
    fails(qn_mesh_read(folder, &mesh), QN_INVALID, "c2v: row 0 has the vertex 1 twice",
          "a corner twice");
}

int main(int count, char **arguments)
{
    char path[4096];
    struct qn_mesh *mesh;
    if (count != 2)
        return 2;
    fesom(arguments[1]);
    snprintf(path, sizeof path, "%s/mpas.nc", arguments[1]);
    write_mesh(path);
    if (qn_mesh_read(path, &mesh) == QN_NOT_FOUND) {
        ok(true, "# SKIP a mesh of MPAS: %s", qn_last_error());
        return done();
    }
    ok(mesh && qn_mesh_extent(mesh, "vertex") == 2 && qn_mesh_extent(mesh, "edge") == 3
           && qn_mesh_extent(mesh, "cell") == 3, "a mesh of MPAS has what it has: %s",
       qn_last_error());
    ok(same(mesh, "v2e", 3, (int32_t[]){ 0, 1, 2, 0, 2, -1 }),
       "entries count from 0, missing ones are -1");
    ok(same(mesh, "c2v", 4, (int32_t[]){ 0, 1, -1, -1, 1, 0, -1, -1, 0, -1, -1, -1 })
           && same(mesh, "c2c", 4, (int32_t[]){ 1, -1, -1, -1, 0, 2, -1, -1, 1, -1, -1, -1 }),
       "what is behind the edges of a cell is none");
    qn_mesh_free(mesh);
    variables[2].values[3] = 9;
    write_mesh(path);
    fails(qn_mesh_read(path, &mesh), QN_INVALID, "e2v: row 1, slot 1 is 9, there are 2",
          "an entry beyond");
    variables[4].name = "verticesOnSell";
    write_mesh(path);
    fails(qn_mesh_read(path, &mesh), QN_INVALID, "'verticesOnCell': ", "a variable less");
    return done();
}
