/* specs/ocean_mesh.lua on the icosahedral grid: the gradients of x * y on the
 * unit sphere, in triangles and at vertices, and its Laplacian, which is -6
 * times itself. Each comes nearer to the exact one as the grid is refined. Its
 * argument: a module of the CPU. */
#include "lib.h"

enum { NODE, ELEM, LEVEL, NEAR, AXES };
struct vector { double x, y, z; };

static int64_t n[AXES];
static const double *place;
static const int32_t *corners;

static struct vector at(int32_t node)
{
    return (struct vector){ place[3 * node], place[3 * node + 1], place[3 * node + 2] };
}

static struct vector combined(struct vector a, double factor, struct vector b)
{
    return (struct vector){ a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z };
}

static double dot(struct vector a, struct vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static struct vector cross(struct vector a, struct vector b)
{
    return (struct vector){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

/* The gradient of x * y along the sphere. */
static struct vector gradient(struct vector p)
{
    return combined((struct vector){ p.y, p.x, 0 }, -2 * p.x * p.y, p);
}

static struct qn_field *field(struct qn_module *module, const char *name)
{
    for (int f = 0; f < module->info->field_count; f++)
        if (strcmp(module->info->fields[f].name, name) == 0 && module->state.fields[f])
            return module->state.fields[f];
    return field_of(module, name);
}

static double *numbers(int64_t count) { return calloc((size_t)count + 1, sizeof(double)); }

static void put(struct qn_module *module, const char *name, double *values)
{
    must(qn_field_write(field(module, name), 0, values));
    free(values);
}

static double *take(struct qn_module *module, const char *name, int64_t count)
{
    double *const values = numbers(count);
    must(qn_field_read(field(module, name), 0, values));
    return values;
}

/* The side across from a corner, and twice the triangle as a vector. */
static struct vector side(int64_t elem, int corner, struct vector *twice)
{
    const int32_t *const c = corners + 3 * elem;
    const struct vector a = at(c[0]);
    *twice = cross(combined(at(c[1]), -1, a), combined(at(c[2]), -1, a));
    return combined(at(c[(corner + 2) % 3]), -1, at(c[(corner + 1) % 3]));
}

/* Areas, and hats' gradients: along x and y, or along z and y. */
static void triangles(struct qn_module *module, bool turned)
{
    double *const area = numbers(n[ELEM]), *const gx = numbers(3 * n[ELEM]),
        *const gy = numbers(3 * n[ELEM]);
    int32_t *const wet = calloc((size_t)n[ELEM], sizeof *wet);
    for (int64_t i = 0; i < 3 * n[ELEM]; i++) {
        const int64_t elem = i % n[ELEM];
        struct vector twice;
        const struct vector across = side(elem, (int)(i / n[ELEM]), &twice);
        const struct vector slope = cross(twice, across);
        gx[i] = (turned ? slope.z : slope.x) / dot(twice, twice);
        gy[i] = slope.y / dot(twice, twice);
        area[elem] = sqrt(dot(twice, twice)) / 2;
        wet[elem] = 1;
    }
    put(module, "gx", gx);
    put(module, "gy", gy);
    put(module, "area", area);
    must(qn_field_write(field(module, "wet"), 0, wet));
    free(wet);
}

/* The cotangent of the angle at a corner. */
static double cotangent(int64_t elem, int corner)
{
    const int32_t *const c = corners + 3 * elem;
    const struct vector p = combined(at(c[(corner + 1) % 3]), -1, at(c[corner]));
    const struct vector q = combined(at(c[(corner + 2) % 3]), -1, at(c[corner]));
    const struct vector area = cross(p, q);
    return dot(p, q) / sqrt(dot(area, area));
}

/* Of the nodes around each: fluxes across the sides of its Voronoi cell over
 * the cell's area. `start` and `around` are as the module has them. */
static void fluxes(struct qn_module *module, const int64_t *start, const int32_t *around)
{
    double *const weight = numbers(n[NEAR]), *const area = numbers(n[NODE]);
    for (int64_t i = 0; i < 3 * n[ELEM]; i++)
        for (int end = 1; end < 3; end++) {
            const int32_t *const c = corners + i / 3 * 3;
            const int32_t from = c[(i + end) % 3], to = c[(i + 3 - end) % 3];
            const struct vector edge = combined(at(to), -1, at(from));
            int64_t slot = start[from];
            while (around[slot] != to)
                slot++;
            weight[slot] += cotangent(i / 3, (int)(i % 3)) / 2;
            area[from] += cotangent(i / 3, (int)(i % 3)) * dot(edge, edge) / 8;
        }
    for (int64_t v = 0; v < n[NODE]; v++)
        for (int64_t slot = start[v]; slot < start[v + 1]; slot++)
            weight[slot] /= area[v];
    free(area);
    put(module, "weight", weight);
}

/* The root of the mean square of a field's errors. */
static double error(struct qn_module *module, const char *name, int64_t count,
                    double (*wanted)(int64_t row))
{
    double *const got = take(module, name, count), sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += pow(got[i] - wanted(i), 2);
    free(got);
    return sqrt(sum / (double)count);
}

static struct vector middle(int64_t elem)
{
    struct vector sum = { 0, 0, 0 };
    for (int c = 0; c < 3; c++)
        sum = combined(sum, 1, at(corners[3 * elem + c]));
    return combined((struct vector){ 0, 0, 0 }, 1 / sqrt(dot(sum, sum)), sum);
}
static double slope_of_elem(int64_t elem) { return gradient(middle(elem)).x; }
static double slope_of_node(int64_t node) { return gradient(at((int32_t)node)).y; }
static double rise_of_node(int64_t node) { return gradient(at((int32_t)node)).z; }
static double curvature(int64_t node) { return -6 * place[3 * node] * place[3 * node + 1]; }

enum { RESULTS = 4 };

static void errors(struct qn_module *module, int bisections, double *error_of)
{
    struct qn_mesh *mesh;
    int64_t slots;
    must(qn_mesh_icosahedron(2, bisections, &mesh));
    const char *const axes[] = { "node", "elem", "", "node_nodes" };
    for (int d = 0; d < AXES; d++)
        n[d] = d == LEVEL ? 1 : qn_mesh_extent(mesh, axes[d]);
    place = qn_mesh_places(mesh);
    corners = qn_mesh_table(mesh, "elem_nodes", &slots);
    must(qn_module_resize(module, n));
    must(qn_mesh_connect(mesh, module));
    double *const tracer = numbers(n[NODE]);
    for (int64_t v = 0; v < n[NODE]; v++)
        tracer[v] = place[3 * v] * place[3 * v + 1];
    put(module, "tracer", tracer);
    const char *const results[] = { "tx", "ty", "sx", "sy", "lap" };
    for (int i = 0; i < 5; i++)
        must(qn_field_fill(field(module, results[i]), 0));
    triangles(module, false);
    must(qn_kernel_launch(kernel_of(module, "elem_gradient")));
    error_of[0] = error(module, "tx", n[ELEM], slope_of_elem);
    must(qn_kernel_launch(kernel_of(module, "node_gradient")));
    error_of[1] = error(module, "sy", n[NODE], slope_of_node);
    triangles(module, true);
    must(qn_kernel_launch(kernel_of(module, "gradient")));
    error_of[2] = error(module, "sx", n[NODE], rise_of_node);
    fluxes(module, module->state.tables[2].start, module->state.tables[2].entries);
    must(qn_kernel_launch(kernel_of(module, "laplacian")));
    error_of[3] = error(module, "lap", n[NODE], curvature);
    qn_mesh_free(mesh);
}

int main(int count, char **arguments)
{
    static const char *const what[RESULTS] = { "slopes of triangles", "at nodes",
                                               "of a chain", "the Laplacian" };
    struct qn_context *context;
    struct qn_module *module;
    double coarse[RESULTS], fine[RESULTS];
    if (count != 2)
        return 2;
    must(qn_context_open("cpu", &context));
    must(qn_module_load(context, arguments[1], &module));
    errors(module, 3, coarse);
    errors(module, 4, fine);
    for (int i = 0; i < RESULTS; i++)
        ok(fine[i] < 0.03 && coarse[i] / fine[i] > 1.8, "%s: errors %.5f and %.5f, ratio %.2f",
           what[i], coarse[i], fine[i], coarse[i] / fine[i]);
    qn_module_unload(module);
    qn_context_close(context);
    return done();
}
