/* Meshes: how many points they have, what leads where; and the kernels of
 * specs/icon.lua on the torus whose results another implementation gave, bit
 * for bit. Its arguments: the folder of the device modules, a context, a module
 * of icon without multiply-adds for it, the folder of data ("" where there is
 * none). */
#include "../../templates/quern_mesh.h"
#include "lib.h"

static const char *data;

static int64_t extent(const struct qn_mesh *mesh, const char *domain)
{
    return qn_mesh_extent(mesh, domain);
}

static bool has(const int32_t *row, int64_t count, int32_t entry)
{
    for (int64_t i = 0; i < count; i++)
        if (row[i] == entry)
            return true;
    return false;
}

static int64_t count_of(const struct qn_mesh *mesh, const char *table, const char *from,
                        int32_t entry)
{
    int64_t count, found = 0;
    const int32_t *const entries = qn_mesh_table(mesh, table, &count);
    for (int64_t i = 0; i < count * extent(mesh, from); i++)
        found += entries[i] == entry;
    return found;
}

/* The edges of a vertex are those that it is an end of, and each has two ends. */
static int64_t strays(const struct qn_mesh *mesh)
{
    int64_t slots, four, strangers = 0, met = 0;
    const int32_t *const v2e = qn_mesh_table(mesh, "v2e", &slots);
    const int32_t *const e2c2v = qn_mesh_table(mesh, "e2c2v", &four);
    for (int64_t v = 0; v < extent(mesh, "vertex"); v++)
        for (int64_t s = 0; s < slots; s++) {
            const int32_t edge = v2e[v * slots + s];
            strangers += edge >= 0 && !has(e2c2v + 4 * edge, 2, (int32_t)v);
            met += edge >= 0;
        }
    return strangers + llabs(met - 2 * extent(mesh, "edge"));
}

/* The vertices of a cell's edges, and across them, are joined to each other. */
static int64_t gaps(const struct qn_mesh *mesh)
{
    int64_t three, four, gaps = 0;
    const int32_t *const c2v = qn_mesh_table(mesh, "c2v", &three);
    const int32_t *const e2c2v = qn_mesh_table(mesh, "e2c2v", &four);
    for (int64_t c = 0; c < extent(mesh, "cell"); c++) {
        int64_t sides = 0;
        for (int64_t e = 0; e < extent(mesh, "edge"); e++) {
            const int32_t *const edge = e2c2v + 4 * e, *const cell = c2v + 3 * c;
            sides += has(cell, 3, edge[0]) && has(cell, 3, edge[1])
                && (has(cell, 3, edge[2]) || has(cell, 3, edge[3]));
        }
        gaps += sides != 3;
    }
    return gaps;
}

static void closed(enum qn_status made, struct qn_mesh **held, const char *what, int64_t vertices,
                   int64_t euler, int64_t pentagons)
{
    must(made);
    struct qn_mesh *const mesh = *held;
    const int64_t v = extent(mesh, "vertex"), e = extent(mesh, "edge"),
        c = extent(mesh, "cell");
    ok(v == vertices && v - e + c == euler && extent(mesh, "ecv") == 4 * e,
       "%s: %lld vertices, %lld edges, %lld cells", what, (long long)v, (long long)e,
       (long long)c);
    ok(strays(mesh) == 0 && gaps(mesh) == 0, "%s: edges, vertices and cells agree", what);
    ok(count_of(mesh, "v2e", "vertex", -1) == pentagons
           && count_of(mesh, "e2c2v", "edge", -1) == 0,
       "%s: %lld missing neighbours", what, (long long)pentagons);
    qn_mesh_free(mesh);
}

static void generators(void)
{
    struct qn_mesh *mesh;
    closed(qn_mesh_torus(9, 8, &mesh), &mesh, "torus 9x8", 72, 0, 0);
    closed(qn_mesh_torus(5, 14, &mesh), &mesh, "torus 5x14", 70, 0, 0);
    closed(qn_mesh_icosahedron(2, 0, &mesh), &mesh, "R2B0", 42, 2, 12);
    closed(qn_mesh_icosahedron(3, 1, &mesh), &mesh, "R3B1", 362, 2, 12);
    must(qn_mesh_plane(6, 5, &mesh));
    /* All but those along the rim: each colour lacks its rows. */
    ok(extent(mesh, "vertex") == 30 && extent(mesh, "cell") == 40
           && extent(mesh, "edge") == 5 * 3 + 4 * 4 + 5 * 4,
       "plane 6x5: %lld edges", (long long)extent(mesh, "edge"));
    ok(strays(mesh) == 0 && count_of(mesh, "e2c2v", "edge", -1) == 0,
       "plane 6x5: edges and vertices agree");
    qn_mesh_free(mesh);
    fails(qn_mesh_torus(8, 7, &mesh), QN_INVALID, "a torus of 7 latitudes: they are even",
          "an odd torus");
    fails(qn_mesh_torus(0, 8, &mesh), QN_INVALID, "a mesh of 0 by 8 vertices", "no torus");
    fails(qn_mesh_plane(1 << 20, 1 << 20, &mesh), QN_INVALID, "at most 178956970 in all",
          "too large a plane");
    fails(qn_mesh_icosahedron(5000, 0, &mesh), QN_INVALID, "edges in at most 2048 parts",
          "too fine an icosahedron");
    fails(qn_mesh_read("no/such/mesh", &mesh), QN_NOT_FOUND, "there is no mesh no/such/mesh",
          "no file");
}

/* How many rows do not follow the pattern of specs/icon.lua. */
static int64_t odd_rows(const struct qn_mesh *mesh)
{
    static const int pattern[] = { 0, 1, 2, 3, 1, 4, 5, 6, 3, 1, 0, 6,
                                   1, 5, 2, 4, 1, 6, 4, 3, 2, 1, 5, 0 };
    int64_t six, four;
    const struct quern_mesh_table v2e = {
        .rows = extent(mesh, "vertex"), .targets = extent(mesh, "edge"), .skips = 1,
        .by_slot = 1, .data = qn_mesh_table(mesh, "v2e", &six), .stride = 6, .count = 6 };
    const struct quern_mesh_table e2c2v = {
        .rows = v2e.targets, .targets = v2e.rows, .by_slot = 1,
        .data = qn_mesh_table(mesh, "e2c2v", &four), .stride = 4, .count = 4 };
    int32_t *const entries = malloc((size_t)(7 * v2e.rows) * sizeof *entries);
    const int64_t odd = quern_compose(&v2e, &e2c2v, pattern, 7, entries);
    for (int64_t v = 0; v < v2e.rows; v++)      /* its second target is itself */
        if (entries[7 * v] >= 0 && entries[7 * v + 1] != v)
            must(QN_WRONG);
    free(entries);
    return odd;
}

static void patterns(void)
{
    struct qn_mesh *mesh;
    must(qn_mesh_torus(9, 8, &mesh));
    ok(odd_rows(mesh) == 0, "every row of a torus follows the pattern");
    qn_mesh_free(mesh);
    must(qn_mesh_plane(9, 8, &mesh));
    const int64_t odd = odd_rows(mesh);
    ok(odd == 72 - 7 * 6, "of a plane those do that are not at a rim: %lld do not",
       (long long)odd);
    qn_mesh_free(mesh);
}

/* More points behind levels than a device launches blocks along y. */
static void grids(void)
{
    const int64_t tile[] = { 64, 4 };
    const struct quern_domain domain = { 2, { "k", "edge" }, { 80, 3000000 }, { { 0 }, { 0 } } };
    const struct quern_box many = { { 0, 0 }, { 80, 3000000 } };
    const struct quern_box high = { { 0, 0 }, { 64 * 65536, 1 } };
    char why[160] = "";
    ok(quern_check_turned_grid(&domain, &many, 1, tile, why, sizeof why) == 0,
       "3,000,000 edges with contiguous levels");
    ok(quern_check_turned_grid(&domain, &high, 1, tile, why, sizeof why) == 1
           && strcmp(why, "65536 blocks along k, the device's limit is 65535") == 0,
       "too many levels: %s", why);
}

static double *load(const char *name, size_t count)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/grids/torus_24576/%s.dat", data, name);
    double *const values = calloc(count + 1, sizeof *values);
    FILE *const file = fopen(path, "rb");
    if (!file || fread(values, sizeof *values, count + 1, file) != count)
        must(qn_module_load(NULL, path, NULL));
    fclose(file);
    return values;
}

static void put(struct qn_module *module, const char *name, const char *from, size_t count)
{
    double *const values = load(from, count);
    must(qn_field_write(field_of(module, name), 0, values));
    free(values);
}

static void same(struct qn_module *module, const char *name, const char *from, size_t count)
{
    double *const wanted = load(from, count), *const got = calloc(count, sizeof *got);
    for (int f = 0; f < module->info->field_count; f++)
        if (strcmp(module->info->fields[f].name, name) == 0)
            must(qn_field_read(module->state.fields[f], 0, got));
    int64_t other = 0;
    for (size_t i = 0; i < count; i++)
        other += memcmp(&got[i], &wanted[i], sizeof *got) != 0;
    ok(other == 0, "%s is that of another implementation: %lld of %zu other bits", name,
       (long long)other, count);
    free(wanted);
    free(got);
}

/* Their rows of edges are in the order of the grid's file, those of nabla4 in
 * the order of the lattice. */
static void references(const char *path)
{
    char grid[4096];
    struct qn_context *context;
    struct qn_module *module;
    struct qn_mesh *mesh;
    must(qn_context_open(where, &context));
    must(qn_context_runtime(context, folder));
    must(qn_module_load(context, path, &module));
    must(qn_module_resize(module, (int64_t[]){ 12, 36, 24, 144, 65 }));
    must(qn_mesh_torus(3, 4, &mesh));
    must(qn_mesh_connect(mesh, module));
    qn_mesh_free(mesh);
    put(module, "u_vert", "nabla4_fields_u_vert", 12 * 65);
    put(module, "v_vert", "nabla4_fields_v_vert", 12 * 65);
    put(module, "z_nabla2_e", "nabla4_fields_z_nabla2_e", 36 * 65);
    put(module, "primal_normal_v1", "nabla4_fields_primal_normal_vert_v1", 144);
    put(module, "primal_normal_v2", "nabla4_fields_primal_normal_vert_v2", 144);
    put(module, "inv_vert_vert_length", "nabla4_fields_inv_vert_vert_length", 36);
    put(module, "inv_primal_edge_length", "nabla4_fields_inv_primal_edge_length", 36);
    struct qn_field *const nabla4 = field_of(module, "z_nabla4_e2");
    must(qn_kernel_launch(kernel_of(module, "nabla4")));
    same(module, "z_nabla4_e2", "nabla4_output_z_nabla4_e2", 36 * 65);
    snprintf(grid, sizeof grid, "%s/grids/torus_24576/torus_100000_100000_24576.nc", data);
    if (qn_mesh_read(grid, &mesh) == QN_NOT_FOUND) {
        ok(true, "# SKIP interpolate: %s", qn_last_error());
    } else {
        must(qn_mesh_connect(mesh, module));
        qn_mesh_free(mesh);
        double *const p = load("MoIntpRbfRbfVecInterpolVertex_fields_p_e_in", 36 * 65);
        must(qn_field_write(nabla4, 0, p));
        free(p);
        put(module, "c1", "MoIntpRbfRbfVecInterpolVertex_fields_ptr_coeff_1", 72);
        put(module, "c2", "MoIntpRbfRbfVecInterpolVertex_fields_ptr_coeff_2", 72);
        field_of(module, "p_u");
        field_of(module, "p_v");
        must(qn_kernel_launch(kernel_of(module, "interpolate")));
        same(module, "p_u", "MoIntpRbfRbfVecInterpolVertex_output_p_u_out", 12 * 65);
        same(module, "p_v", "MoIntpRbfRbfVecInterpolVertex_output_p_v_out", 12 * 65);
    }
    qn_module_unload(module);
    qn_context_close(context);
}

static void readers(void)
{
    char path[4096];
    struct qn_mesh *mesh;
    int64_t slots;
    snprintf(path, sizeof path, "%s/meshes/fesom_pi", data);
    must(qn_mesh_read(path, &mesh));
    ok(extent(mesh, "vertex") == 3140 && extent(mesh, "cell") == 5839
           && extent(mesh, "edge") == 8986 && count_of(mesh, "e2c", "edge", -1) == 455,
       "fesom_pi: 3140 nodes, 5839 triangles, 8986 edges, 455 of them at coasts");
    qn_mesh_table(mesh, "v2e", &slots);
    ok(slots == 8 && strays(mesh) == 0, "fesom_pi: 8 edges around a node at most, here %lld",
       (long long)slots);
    qn_mesh_free(mesh);
    snprintf(path, sizeof path,
             "%s/grids/icon_grid_0001_R19B08_lon_0.152-0.154_lat_0.8745-0.8755.nc", data);
    if (qn_mesh_read(path, &mesh) == QN_NOT_FOUND) {
        ok(true, "# SKIP an ICON grid: %s", qn_last_error());
        return;
    }
    ok(extent(mesh, "vertex") == 35 && extent(mesh, "edge") == 79 && extent(mesh, "cell") == 45
           && strays(mesh) == 0, "a limited area of ICON: 35 vertices, 79 edges, 45 cells");
    ok(count_of(mesh, "e2c2v", "edge", -1) == count_of(mesh, "e2c", "edge", -1)
           && count_of(mesh, "e2c", "edge", -1) > 0, "it has a rim");
    qn_mesh_free(mesh);
    snprintf(path, sizeof path, "%s/meshes/fesom_pi/nod2d.out", data);
    fails(qn_mesh_read(path, &mesh), QN_INVALID, "nod2d.out: ", "a file of another kind");
}

int main(int count, char **arguments)
{
    if (count != 5)
        return 2;
    folder = arguments[1];
    where = arguments[2];
    data = arguments[4];
    generators();
    patterns();
    grids();
    if (data[0]) {
        references(arguments[3]);
        readers();
    }
    return done();
}
