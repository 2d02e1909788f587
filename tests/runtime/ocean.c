/* specs/ocean_mesh.lua on a sheet of equal triangles, of which some are dry:
 * the gradient of a plane is its slope on every triangle and at every node with
 * water, however the triangles lie; the Laplacian of a plane is 0 inside, that
 * of a paraboloid is what it is. Its arguments: a module of the CPU. */
#include "lib.h"

enum { NODE, ELEM, LEVEL, NEAR, AXES, LON = 9, LAT = 11, LEVELS = 3, MOST = 10 };

static const double slope_x = 0.75, slope_y = -1.25;
static int64_t n[AXES];
static double x[LON * LAT], y[LON * LAT];

static void lay_out(void)
{
    for (int v = 0; v < LON * LAT; v++) {
        x[v] = v / LAT + 0.5 * (v % LAT);
        y[v] = sqrt(0.75) * (v % LAT);
    }
}

static void put(struct qn_module *module, const char *name, const void *values)
{
    must(qn_field_write(field_of(module, name), 0, values));
}

/* Hat functions, areas, and which triangles are dry at which level. */
static void triangles(struct qn_module *module, const int32_t *corners, int32_t *wet)
{
    double *const area = calloc((size_t)n[ELEM], sizeof *area);
    double *const hx = calloc((size_t)(3 * n[ELEM]), sizeof *hx);
    double *const hy = calloc((size_t)(3 * n[ELEM]), sizeof *hy);
    for (int64_t e = 0; e < n[ELEM]; e++) {
        const int32_t *const c = corners + 3 * e;
        const double twice = (x[c[1]] - x[c[0]]) * (y[c[2]] - y[c[0]])
            - (x[c[2]] - x[c[0]]) * (y[c[1]] - y[c[0]]);
        area[e] = fabs(twice) / 2;
        for (int s = 0; s < 3; s++) {
            hx[e + s * n[ELEM]] = (y[c[(s + 1) % 3]] - y[c[(s + 2) % 3]]) / twice;
            hy[e + s * n[ELEM]] = (x[c[(s + 2) % 3]] - x[c[(s + 1) % 3]]) / twice;
        }
        for (int k = 0; k < LEVELS; k++)
            wet[e + k * n[ELEM]] = k == 0 || (e * 7 + k) % 3 != 0;
    }
    put(module, "gx", hx);
    put(module, "gy", hy);
    put(module, "area", area);
    put(module, "wet", wet);
    free(area);
    free(hx);
    free(hy);
}

/* The triangles of each node, the nodes around it, and their weights. */
static void connect(struct qn_module *module, const int32_t *corners, const int32_t *edges,
                    int64_t *start, int32_t *around)
{
    int32_t elems[LON * LAT * MOST];
    for (int i = 0; i < LON * LAT * MOST; i++)
        elems[i] = -1;
    for (int64_t i = 0; i < 3 * n[ELEM]; i++) {
        int slot = 0;
        while (elems[corners[i] * MOST + slot] >= 0)
            slot++;
        elems[corners[i] * MOST + slot] = (int32_t)(i / 3);
    }
    for (int64_t v = 0, at = 0; v <= LON * LAT; v++) {
        start[v] = at;
        for (int s = 0; v < LON * LAT && s < 6; s++)
            if (edges[6 * v + s] >= 0)
                around[at++] = edges[6 * v + s];
    }
    must(qn_module_connect(module, "elem_nodes", 3, corners));
    must(qn_module_connect(module, "node_elems", MOST, elems));
    must(qn_module_connect_ragged(module, "node_nodes", start, around));
}

/* The other end of each edge of each vertex, of which the plane has six. */
static int64_t neighbours(const struct qn_mesh *mesh, int32_t *ends)
{
    int64_t six, four, count = 0;
    const int32_t *const v2e = qn_mesh_table(mesh, "v2e", &six);
    const int32_t *const e2c2v = qn_mesh_table(mesh, "e2c2v", &four);
    for (int64_t i = 0; i < 6 * LON * LAT; i++) {
        const int32_t e = v2e[i];
        ends[i] = e < 0 ? -1 : e2c2v[4 * e] == i / 6 ? e2c2v[4 * e + 1] : e2c2v[4 * e];
        count += e >= 0;
    }
    return count;
}

static void fill(struct qn_field *field, double (*of)(double, double))
{
    double values[LON * LAT * LEVELS];
    for (int i = 0; i < LON * LAT * LEVELS; i++)
        values[i] = of(x[i % (LON * LAT)], y[i % (LON * LAT)]) + i / (LON * LAT);
    must(qn_field_write(field, 0, values));
}

static double plane(double px, double py) { return slope_x * px + slope_y * py; }
static double bowl(double px, double py) { return px * px + py * py; }

/* The largest difference from `wanted` where `counts` is not 0. */
static double error(struct qn_field *field, int64_t points, double wanted, const int32_t *counts)
{
    double *const got = calloc((size_t)(points * LEVELS), sizeof *got), worst = 0;
    must(qn_field_read(field, 0, got));
    for (int64_t i = 0; i < points * LEVELS; i++)
        if (counts == NULL || counts[i])
            worst = fmax(worst, fabs(got[i] - wanted));
    free(got);
    return worst;
}

/* The nodes around each, of edges that one entry makes another: three nodes, three edges. */
static void around_edges(struct qn_module *module)
{
    static const int32_t good[6] = { 0, 2, 0, 1, 1, 2 }, ends[6] = { 0, 1, 1, 2, 2, 0 };
    static const struct { int at, entry; const char *sentence; } cases[] = {
        { 0, 0, "" },
        { 1, 1, "v2v: in row 0, slot 1 of v2e is edge 1, which leads from 1 to 2" },
        { 1, -1, "v2v: v2e has 5 edges in all rows, and each of 3 has two ends" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct qn_mesh *mesh;
        int32_t v2e[9] = { -1, -1, -1, -1, -1, -1, -1, -1, -1 };
        for (int k = 0; k < 6; k++)
            v2e[k / 2 * 3 + k % 2] = good[k];
        v2e[cases[i].at] = cases[i].entry;
        must(qn_module_resize(module, (int64_t[]){ 3, 1, 1, 6 }));
        must(qn_mesh_create(3, 3, 1, &mesh));
        must(qn_mesh_add(mesh, "v2e", "vertex", "edge", 3, v2e));
        must(qn_mesh_add(mesh, "e2v", "edge", "vertex", 2, ends));
        if (i > 0)
            fails(qn_mesh_connect(mesh, module), QN_INVALID, cases[i].sentence, cases[i].sentence);
        else
            ok(qn_mesh_extent(mesh, "node_nodes") == 6 && qn_mesh_connect(mesh, module) == QN_OK,
               "nodes around a node are found by the edges' ends alone");
        qn_mesh_free(mesh);
    }
}

/* A row that has an edge more than it can: as many as there are would not do. */
static void too_many(struct qn_module *module)
{
    struct qn_mesh *mesh;
    must(qn_mesh_create(2, 1, 1, &mesh));
    must(qn_mesh_add(mesh, "v2e", "vertex", "edge", 2, (int32_t[]){ 0, 0, 0, 0 }));
    must(qn_mesh_add(mesh, "e2v", "edge", "vertex", 2, (int32_t[]){ 0, 1 }));
    must(qn_module_resize(module, (int64_t[]){ 2, 1, 1, 2 }));
    fails(qn_mesh_connect(mesh, module), QN_INVALID, "v2v: v2e has 4 edges in all rows, and each of 1",
          "an edge twice in its rows");
    qn_mesh_free(mesh);
}

int main(int count, char **arguments)
{
    struct qn_context *context;
    struct qn_module *module;
    struct qn_mesh *mesh;
    int64_t three, start[LON * LAT + 1];
    int32_t ends[6 * LON * LAT], around[6 * LON * LAT], inside[LON * LAT * LEVELS];
    double weight[6 * LON * LAT];
    if (count != 2)
        return 2;
    lay_out();
    must(qn_mesh_plane(LON, LAT, &mesh));
    const int32_t *const corners = qn_mesh_table(mesh, "c2v", &three);
    n[NODE] = LON * LAT;
    n[ELEM] = qn_mesh_extent(mesh, "cell");
    n[LEVEL] = LEVELS;
    n[NEAR] = neighbours(mesh, ends);
    must(qn_context_open("cpu", &context));
    must(qn_module_load(context, arguments[1], &module));
    must(qn_module_resize(module, n));
    int32_t *const wet = calloc((size_t)(n[ELEM] * LEVELS), sizeof *wet);
    triangles(module, corners, wet);
    connect(module, corners, ends, start, around);
    for (int64_t i = 0; i < n[NEAR]; i++)
        weight[i] = 2.0 / 3.0;
    put(module, "weight", weight);
    for (int i = 0; i < LON * LAT * LEVELS; i++)
        inside[i] = start[i % (LON * LAT) + 1] - start[i % (LON * LAT)] == 6;
    struct qn_field *const tracer = field_of(module, "tracer");
    struct qn_field *const tx = field_of(module, "tx"), *const ty = field_of(module, "ty");
    struct qn_field *const sx = field_of(module, "sx"), *const sy = field_of(module, "sy");
    struct qn_field *const lap = field_of(module, "lap");
    fill(tracer, plane);
    must(qn_kernel_launch(kernel_of(module, "elem_gradient")));
    ok(fmax(error(tx, n[ELEM], slope_x, NULL), error(ty, n[ELEM], slope_y, NULL)) < 1e-13,
       "the gradient of a plane is its slope on every triangle");
    must(qn_field_fill(tx, 0));
    must(qn_field_fill(ty, 0));
    must(qn_kernel_launch(kernel_of(module, "gradient")));
    ok(fmax(error(sx, n[NODE], slope_x, inside), error(sy, n[NODE], slope_y, inside)) < 1e-13,
       "and at every node inside, whichever triangles are dry");
    must(qn_kernel_launch(kernel_of(module, "laplacian")));
    ok(error(lap, n[NODE], 0, inside) < 1e-13, "the Laplacian of a plane is 0");
    fill(tracer, bowl);
    must(qn_kernel_launch(kernel_of(module, "laplacian")));
    ok(error(lap, n[NODE], 4, inside) < 1e-12, "that of x^2 + y^2 is 4");
    around_edges(module);
    too_many(module);
    free(wet);
    qn_module_unload(module);
    qn_mesh_free(mesh);
    qn_context_close(context);
    return done();
}
