/* specs/icon.lua on waves over a torus of equal triangles: what nabla4 makes of
 * a wind is the Laplacian of its part along each edge's normal, which is turned
 * into a wind at vertices and into a number in cells. Every result comes nearer
 * to the exact one as h^2. Its argument: a module of the CPU. */
#include "lib.h"

enum { VERTEX, EDGE, CELL, ECV, LEVEL, AXES, LEVELS = 2 };

static const double pi = 3.14159265358979323846;
static const double wind[2] = { 0.8, -0.6 };

static int64_t n[AXES];
static const double *place;
static double length[2];                /* of the torus along x and y */

/* A wave that fits the torus, of another phase at each level. */
static double wave(const double *at, int64_t level)
{
    return sin(2 * pi * (at[0] / length[0] - at[1] / length[1]) + 0.4 + (double)level);
}

static double laplacian(const double *at, int64_t level)
{
    return -(pow(2 * pi / length[0], 2) + pow(2 * pi / length[1], 2)) * wave(at, level);
}

/* The middle of some vertices, as it is seen from the first: the torus ends
 * nowhere. */
static void middle(const int32_t *vertices, int count, double *at)
{
    at[0] = at[1] = 0;
    for (int i = 0; i < count; i++) {
        const double *const p = place + 3 * vertices[i], *const q = place + 3 * vertices[0];
        const double y = p[1] - q[1], turns = round(y / length[1]);
        const double x = p[0] - q[0];
        at[0] += (x - length[0] * round(x / length[0])) / count;
        at[1] += (y - length[1] * turns) / count;
    }
    at[0] += place[3 * vertices[0]];
    at[1] += place[3 * vertices[0] + 1];
}

/* Made when it is first asked for. */
static struct qn_field *field(struct qn_module *module, const char *name)
{
    for (int f = 0; f < module->info->field_count; f++)
        if (strcmp(module->info->fields[f].name, name) == 0 && module->state.fields[f])
            return module->state.fields[f];
    return field_of(module, name);
}

static double *numbers(int64_t count)
{
    return calloc((size_t)count, sizeof(double));
}

static void put(struct qn_module *module, const char *name, double *values)
{
    must(qn_field_write(field(module, name), 0, values));
    free(values);
}

/* The normal of an edge: across it, of length 1. */
static void normal(const int32_t *ends, double *of)
{
    double at[2];
    middle(ends, 2, at);
    const double x = at[0] - place[3 * ends[0]], y = at[1] - place[3 * ends[0] + 1];
    of[0] = -y / hypot(x, y);
    of[1] = x / hypot(x, y);
}

static void winds(struct qn_module *module)
{
    double *const u = numbers(n[VERTEX] * LEVELS), *const v = numbers(n[VERTEX] * LEVELS);
    for (int64_t i = 0; i < n[VERTEX] * LEVELS; i++) {
        const double value = wave(place + 3 * (i % n[VERTEX]), i / n[VERTEX]);
        u[i] = wind[0] * value;
        v[i] = wind[1] * value;
    }
    put(module, "u_vert", u);
    put(module, "v_vert", v);
}

/* Normals, lengths, and the wind along the normal in the middle of each edge. */
static void edges(struct qn_module *module, const int32_t *e2c2v)
{
    double *const z2 = numbers(n[EDGE] * LEVELS), *const across = numbers(n[EDGE]);
    double *const along = numbers(n[EDGE]), *const n1 = numbers(n[ECV]), *const n2 = numbers(n[ECV]);
    for (int64_t e = 0; e < n[EDGE]; e++) {
        double of[2], at[2];
        normal(e2c2v + 4 * e, of);
        middle(e2c2v + 4 * e, 2, at);
        for (int64_t k = 0; k < LEVELS; k++)
            z2[e + k * n[EDGE]] = (of[0] * wind[0] + of[1] * wind[1]) * wave(at, k);
        for (int s = 0; s < 4; s++) {
            n1[e + s * n[EDGE]] = of[0];
            n2[e + s * n[EDGE]] = of[1];
        }
        along[e] = 1;                           /* one over their lengths */
        across[e] = 1 / sqrt(3);
    }
    put(module, "z_nabla2_e", z2);
    put(module, "primal_normal_v1", n1);
    put(module, "primal_normal_v2", n2);
    put(module, "inv_primal_edge_length", along);
    put(module, "inv_vert_vert_length", across);
}

/* A wind from its parts along six normals, and the sum of the wind's in cells. */
static void weights(struct qn_module *module, const int32_t *v2e, const int32_t *e2c2v)
{
    double *const c1 = numbers(6 * n[VERTEX]), *const c2 = numbers(6 * n[VERTEX]);
    double *const d1 = numbers(3 * n[CELL]), *const d2 = numbers(3 * n[CELL]);
    for (int64_t i = 0; i < 6 * n[VERTEX]; i++) {
        double of[2];
        normal(e2c2v + 4 * v2e[i], of);
        c1[i / 6 + i % 6 * n[VERTEX]] = of[0] / 3;
        c2[i / 6 + i % 6 * n[VERTEX]] = of[1] / 3;
    }
    for (int64_t i = 0; i < 3 * n[CELL]; i++) {
        d1[i] = 1 / 3.0;
        d2[i] = -2 / 3.0;
    }
    put(module, "c1", c1);
    put(module, "c2", c2);
    put(module, "d1", d1);
    put(module, "d2", d2);
}

/* The largest error of a field on points whose middles these vertices have,
 * times `part` of each, over the largest value. */
static double error(struct qn_module *module, const char *name, const int32_t *vertices,
                    int count, int step, int64_t rows, double (*part)(int64_t row))
{
    double *const got = numbers(rows * LEVELS), worst = 0, largest = 0;
    must(qn_field_read(field(module, name), 0, got));
    for (int64_t i = 0; i < rows * LEVELS; i++) {
        const int32_t own = (int32_t)(i % rows);
        double at[2];
        middle(vertices ? vertices + step * own : &own, count, at);
        const double wanted = part(own) * laplacian(at, i / rows);
        worst = fmax(worst, fabs(got[i] - wanted));
        largest = fmax(largest, fabs(wanted));
    }
    free(got);
    return worst / largest;
}

static const int32_t *of_edges;
static double along_normal(int64_t edge)
{
    double of[2];
    normal(of_edges + 4 * edge, of);
    return of[0] * wind[0] + of[1] * wind[1];
}
static double first(int64_t row) { (void)row; return wind[0]; }
static double second(int64_t row) { (void)row; return wind[1]; }
static double both(int64_t row) { (void)row; return wind[0] - 2 * wind[1]; }

enum { RESULTS = 5 };
static const char *const what[RESULTS] = { "nabla4", "p_u of a chain", "p_v", "p_c of two kernels",
                                           "p_c of a chain of three" };

/* The errors of all kernels on a torus of so many points each way. */
static void errors(struct qn_module *module, int64_t size, double *error_of)
{
    struct qn_mesh *mesh;
    int64_t slots;
    must(qn_mesh_torus(size, size, &mesh));
    const char *const domains[] = { "vertex", "edge", "cell", "ecv" };
    for (int d = 0; d < 4; d++)
        n[d] = qn_mesh_extent(mesh, domains[d]);
    n[LEVEL] = LEVELS;
    place = qn_mesh_places(mesh);
    length[0] = (double)size;
    length[1] = sqrt(0.75) * (double)size;
    must(qn_module_resize(module, n));
    must(qn_mesh_connect(mesh, module));
    of_edges = qn_mesh_table(mesh, "e2c2v", &slots);
    winds(module);
    edges(module, of_edges);
    weights(module, qn_mesh_table(mesh, "v2e", &slots), of_edges);
    const int32_t *const corners = qn_mesh_table(mesh, "c2v", &slots);
    const char *const results[] = { "z_nabla4_e2", "p_u", "p_v", "p_c" };
    for (int i = 0; i < 4; i++)
        must(qn_field_fill(field(module, results[i]), 0));
    must(qn_kernel_launch(kernel_of(module, "nabla4")));
    error_of[0] = error(module, "z_nabla4_e2", of_edges, 2, 4, n[EDGE], along_normal);
    must(qn_kernel_launch(kernel_of(module, "nabla4_interpolate")));
    error_of[1] = error(module, "p_u", NULL, 1, 0, n[VERTEX], first);
    error_of[2] = error(module, "p_v", NULL, 1, 0, n[VERTEX], second);
    must(qn_kernel_launch(kernel_of(module, "verts2cells")));
    error_of[3] = error(module, "p_c", corners, 3, 3, n[CELL], both);
    must(qn_field_fill(field(module, "p_c"), 0));
    must(qn_kernel_launch(kernel_of(module, "nabla4_interpolate_verts2cells")));
    error_of[4] = error(module, "p_c", corners, 3, 3, n[CELL], both);
    qn_mesh_free(mesh);
}

int main(int count, char **arguments)
{
    struct qn_context *context;
    struct qn_module *module;
    double coarse[RESULTS], fine[RESULTS];
    if (count != 2)
        return 2;
    must(qn_context_open("cpu", &context));
    must(qn_module_load(context, arguments[1], &module));
    errors(module, 20, coarse);
    errors(module, 40, fine);
    for (int i = 0; i < RESULTS; i++)
        ok(fine[i] < 0.03 && fabs(coarse[i] / fine[i] - 4) < 0.2,
           "%s: errors %.4f and %.4f, their ratio %.3f", what[i], coarse[i], fine[i],
           coarse[i] / fine[i]);
    qn_module_unload(module);
    qn_context_close(context);
    return done();
}
