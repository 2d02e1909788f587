/* Meshes whose points have other numbers: every domain is permuted, every table with it, and the
 * kernels of specs/icon.lua give the same bits, put back. What is odd about tables is found. Its
 * arguments: a module of icon for the CPU, the folder of data ("" where there is none). */
#include "lib.h"

static const char *const domains[] = { "vertex", "edge", "cell", "ecv" };

static int64_t extent(const struct qn_mesh *mesh, const char *domain)
{
    return qn_mesh_extent(mesh, domain);
}

/* Points that are not exactly once in the order. */
static int64_t lost(const struct qn_mesh *mesh, const char *domain)
{
    const int64_t n = extent(mesh, domain);
    const int32_t *const old = qn_mesh_order(mesh, domain);
    int64_t count = 0;
    bool *const met = calloc((size_t)n + 1, sizeof *met);
    for (int64_t i = 0; i < n; i++) {
        count += old[i] < 0 || old[i] >= n || met[old[i]];
        if (old[i] >= 0 && old[i] < n)
            met[old[i]] = true;
    }
    free(met);
    return count;
}

/* Entries that lead elsewhere than they did. */
static int64_t astray(const struct qn_mesh *first, const struct qn_mesh *mesh, const char *table,
                      const char *from, const char *to)
{
    int64_t slots, count = 0;
    const int32_t *const before = qn_mesh_table(first, table, &slots);
    const int32_t *const after = qn_mesh_table(mesh, table, &slots);
    const int32_t *const rows = qn_mesh_order(mesh, from), *const old = qn_mesh_order(mesh, to);
    for (int64_t i = 0; i < extent(mesh, from) * slots; i++) {
        const int32_t wanted = before[rows[i / slots] * slots + i % slots];
        count += wanted != (after[i] < 0 ? after[i] : old[after[i]]);
    }
    return count;
}

static double values[1 << 16];

static double value(int64_t i, int seed)
{
    const uint64_t x = ((uint64_t)i * 2654435761u + (uint64_t)seed) * UINT64_C(0x9e3779b97f4a7c15);
    return (double)(x >> 11) * 0x1p-53 - 0.5;
}

enum { LEVELS = 3 };

static const struct { const char *name; int domain, arrays; } fields[] = {
    { "u_vert", 0, LEVELS }, { "v_vert", 0, LEVELS }, { "z_nabla2_e", 1, LEVELS },
    { "primal_normal_v1", 3, 1 }, { "primal_normal_v2", 3, 1 },
    { "inv_vert_vert_length", 1, 1 }, { "inv_primal_edge_length", 1, 1 }, { "c1", 0, 6 },
    { "c2", 0, 6 }, { "d1", 2, 3 }, { "d2", 2, 3 }
};

/* What a field has in the order in which the mesh was made. */
static void put(struct qn_module *module, const struct qn_mesh *mesh, int f)
{
    const int64_t n = extent(mesh, domains[fields[f].domain]);
    double *const moved = malloc((size_t)(n * fields[f].arrays) * sizeof *moved);
    for (int64_t i = 0; i < n * fields[f].arrays; i++)
        values[i] = value(i, f);
    must(qn_mesh_permute(mesh, domains[fields[f].domain], sizeof *values, fields[f].arrays, values,
                         moved));
    must(qn_field_write(field_of(module, fields[f].name), 0, moved));
    free(moved);
}

/* The cells' sums and the edges' values of the kernels, in the first order. */
static double *results(struct qn_module *module, const struct qn_mesh *mesh)
{
    const int64_t edges = extent(mesh, "edge"), cells = extent(mesh, "cell");
    double *const got = malloc((size_t)((edges + cells) * LEVELS) * sizeof *got);
    must(qn_module_resize(module, (int64_t[]){ extent(mesh, "vertex"), edges, cells, 4 * edges,
                                               LEVELS }));
    must(qn_mesh_connect(mesh, module));
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        put(module, mesh, (int)f);
    struct qn_field *const z = field_of(module, "z_nabla4_e2"), *const p = field_of(module, "p_c");
    field_of(module, "p_u");
    field_of(module, "p_v");
    must(qn_kernel_launch(kernel_of(module, "nabla4")));
    must(qn_kernel_launch(kernel_of(module, "interpolate")));
    must(qn_kernel_launch(kernel_of(module, "verts2cells")));
    must(qn_field_read(z, 0, values));
    must(qn_mesh_restore(mesh, "edge", sizeof *values, LEVELS, values, got));
    must(qn_field_read(p, 0, values));
    must(qn_mesh_restore(mesh, "cell", sizeof *values, LEVELS, values, got + edges * LEVELS));
    return got;
}

static double sectors(const struct qn_mesh *mesh, const char *table)
{
    struct qn_mesh_look look;
    must(qn_mesh_look(mesh, table, &look));
    return look.sectors;
}

static void renumbered(enum qn_status (*make)(struct qn_mesh **), struct qn_module *module,
                       const char *what, const char *how, const char *domain)
{
    struct qn_mesh *first, *mesh;
    must(make(&first));
    must(make(&mesh));
    must(qn_mesh_reorder(mesh, "random", "vertex"));
    const double apart = sectors(mesh, "e2c2v");
    must(qn_mesh_reorder(mesh, how, domain));
    int64_t wrong = 0;
    for (int d = 0; d < 4; d++)
        wrong += lost(mesh, domains[d]);
    wrong += astray(first, mesh, "v2e", "vertex", "edge");
    wrong += astray(first, mesh, "e2c2v", "edge", "vertex");
    wrong += astray(first, mesh, "c2v", "cell", "vertex");
    wrong += astray(first, mesh, "e2ecv", "edge", "ecv");
    ok(wrong == 0, "%s, %s by %s: %lld points or entries are lost", what, how, domain,
       (long long)wrong);
    if (strcmp(how, "random") != 0)
        ok(sectors(mesh, "e2c2v") < 0.6 * apart, "%s, %s by %s: %.1f sectors where there were %.1f",
           what, how, domain, sectors(mesh, "e2c2v"), apart);
    if (module) {
        double *const wanted = results(module, first), *const got = results(module, mesh);
        const size_t size = (size_t)((extent(mesh, "edge") + extent(mesh, "cell")) * LEVELS)
                          * sizeof *got;
        ok(memcmp(wanted, got, size) == 0, "%s, %s by %s: the same bits, put back", what, how,
           domain);
        free(wanted);
        free(got);
    }
    qn_mesh_free(first);
    qn_mesh_free(mesh);
}

static enum qn_status torus(struct qn_mesh **mesh) { return qn_mesh_torus(24, 30, mesh); }
static enum qn_status plane(struct qn_mesh **mesh) { return qn_mesh_plane(31, 23, mesh); }
static enum qn_status sphere(struct qn_mesh **mesh) { return qn_mesh_icosahedron(2, 3, mesh); }

static const char *data;

static enum qn_status ocean(struct qn_mesh **mesh)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/meshes/fesom_pi", data);
    return qn_mesh_read(path, mesh);
}

/* Places of vertices say nothing of cells that no table joins to them, nor tables of edges. */
static void unjoined(void)
{
    struct qn_mesh *mesh;
    must(qn_mesh_create(2, 1, 1, &mesh));
    must(qn_mesh_add(mesh, "c2e", "cell", "edge", 1, (int32_t[]){ 0 }));
    must(qn_mesh_place(mesh, (double[]){ 0, 0, 0, 1, 0, 0 }));
    fails(qn_mesh_reorder(mesh, "curve", "cell"), QN_INVALID, "no table joins cell to vertex",
          "a curve through cells alone");
    fails(qn_mesh_reorder(mesh, "rcm", "vertex"), QN_INVALID, "no table joins vertex to other domains",
          "vertices alone");
    must(qn_mesh_reorder(mesh, "curve", "vertex"));
    qn_mesh_free(mesh);
}

/* A torus, table by table; under names of one's own it is renumbered alike. */
static void own(void)
{
    struct qn_mesh *first, *mesh;
    int64_t slots;
    must(torus(&first));
    must(qn_mesh_create(extent(first, "vertex"), extent(first, "edge"), extent(first, "cell"),
                        &mesh));
    const int32_t *const corners = qn_mesh_table(first, "c2v", &slots);
    must(qn_mesh_add(mesh, "corners", "cell", "vertex", slots, corners));
    const int32_t *const ends = qn_mesh_table(first, "e2c2v", &slots);
    must(qn_mesh_add(mesh, "ends", "edge", "vertex", slots, ends));
    must(qn_mesh_reorder(mesh, "near", "cell"));
    must(qn_mesh_reorder(first, "rcm", "cell"));
    int64_t wrong = 0;
    for (int64_t i = 0; i < extent(mesh, "cell"); i++)
        wrong += qn_mesh_order(mesh, "cell")[i] != qn_mesh_order(first, "cell")[i];
    ok(wrong == 0, "a mesh of one's own: %lld cells have other numbers", (long long)wrong);
    fails(qn_mesh_reorder(mesh, "curve", "cell"), QN_INVALID, "the mesh does not say where its "
          "vertices are", "a curve through no places");
    int32_t *const beyond = malloc((size_t)(extent(mesh, "edge") * 4) * sizeof *beyond);
    memcpy(beyond, ends, (size_t)(extent(mesh, "edge") * 4) * sizeof *beyond);
    beyond[4 * 7 + 2] = 720;
    fails(qn_mesh_add(mesh, "e2c2v", "edge", "vertex", 4, beyond), QN_INVALID,
          "e2c2v: row 7, slot 2 is 720, wanted 0 to 719, or -1: vertex has 720 points", "beyond");
    fails(qn_mesh_add(mesh, "ends", "edge", "vertex", 4, ends), QN_INVALID,
          "the mesh has a table 'ends'", "a second table of a name");
    fails(qn_mesh_add(mesh, "others", "edge", "node", 4, ends), QN_NOT_FOUND,
          "a mesh has no domain 'node'", "a table to nowhere");
    fails(qn_mesh_add(mesh, "others", "edge", "vertex", 0, ends), QN_INVALID,
          "table 'others' with 0 slots in a row: wanted 1 to 1073741823", "a table without slots");
    fails(qn_mesh_add(mesh, "sixteen_letters_", "edge", "vertex", 4, ends), QN_INVALID,
          "names of tables have at most 15 letters", "a long name");
    free(beyond);
    unjoined();
    qn_mesh_free(mesh);
    qn_mesh_free(first);
    fails(qn_mesh_create(-1, 0, 0, &mesh), QN_INVALID, "a mesh of -1 vertices, 0 edges and 0 cells",
          "fewer points than none");
}

static void looks(void)
{
    struct qn_mesh *mesh;
    struct qn_mesh_look look;
    must(qn_mesh_torus(2, 2, &mesh));
    must(qn_mesh_look(mesh, "e2c2v", &look));
    ok(look.twice == 4 && look.twice_row == 0 && look.twice_slot == 3 && look.twice_first == 2
           && look.missing == 0, "a torus of four vertices: %lld neighbours stand in their rows "
       "before", (long long)look.twice);
    qn_mesh_free(mesh);
    must(qn_mesh_plane(3, 3, &mesh));
    must(qn_mesh_look(mesh, "v2e", &look));
    ok(look.missing > 0 && look.missing_row == 0 && look.missing_slot == 0 && look.twice == 0,
       "a plane: %lld neighbours are missing, the first in row %lld, slot %lld",
       (long long)look.missing, (long long)look.missing_row, (long long)look.missing_slot);
    must(qn_mesh_look(mesh, "e2ecv", &look));
    ok(look.widest == 3 * extent(mesh, "edge") && look.width == (double)look.widest,
       "from the least to the largest neighbour");
    qn_mesh_free(mesh);
    must(qn_mesh_torus(4, 64, &mesh));
    must(qn_mesh_look(mesh, "e2ecv", &look));
    ok(look.sectors == 8, "32 rows side by side read %.1f sectors", look.sectors);
    fails(qn_mesh_look(mesh, "v2x", &look), QN_NOT_FOUND, "the mesh has no table 'v2x'",
          "no such table");
    fails(qn_mesh_reorder(mesh, "rcn", "vertex"), QN_INVALID, "no order 'rcn': near, rcm, curve or random",
          "no such order");
    fails(qn_mesh_reorder(mesh, "rcm", "ecv"), QN_INVALID,
          "a mesh is ordered by vertex, edge or cell, not by 'ecv'", "no such domain");
    double places[4 * 64 * 3] = { 0 };
    places[7] = NAN;
    fails(qn_mesh_place(mesh, places), QN_INVALID, "coordinate 1 of vertex 2 is no number",
          "a place that is none");
    fails(qn_mesh_permute(mesh, "node", 8, 1, values, values), QN_NOT_FOUND,
          "a mesh has no domain 'node'", "an array of no domain");
    ok(qn_mesh_order(mesh, "vertex") == NULL, "as it was made nothing has another number");
    places[7] = 0;
    for (int i = 0; i < 4 * 64; i++)
        places[3 * i] = 1000 - i;       /* a line, the last one first */
    must(qn_mesh_place(mesh, places));
    must(qn_mesh_reorder(mesh, "curve", "vertex"));
    ok(qn_mesh_order(mesh, "vertex")[0] == 255 && qn_mesh_order(mesh, "vertex")[200] == 55,
       "places are taken as they are given");
    qn_mesh_free(mesh);
}

int main(int count, char **arguments)
{
    static const char *const hows[] = { "random", "rcm", "curve" };
    struct qn_context *context = NULL;
    struct qn_module *module = NULL;
    if (count != 3)
        return 2;
    data = arguments[2];
    must(qn_context_open("cpu", &context));
    must(qn_module_load(context, arguments[1], &module));
    for (int h = 0; h < 3; h++)
        for (int d = 0; d < 3; d++) {
            renumbered(torus, module, "torus 24x30", hows[h], domains[d]);
            renumbered(plane, d == 0 ? module : NULL, "plane 31x23", hows[h], domains[d]);
            renumbered(sphere, d == 0 ? module : NULL, "R2B3", hows[h], domains[d]);
            if (data[0])
                renumbered(ocean, NULL, "fesom_pi", hows[h], domains[d]);
        }
    own();
    looks();
    qn_module_unload(module);
    qn_context_close(context);
    return done();
}
