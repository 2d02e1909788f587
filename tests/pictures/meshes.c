/* Scenes on meshes: a wave of the atmosphere on a globe, fronts in an ocean. */
#include "picture.h"

#include "../../runtime/quern.h"

static struct qn_module *module;

static void must(enum qn_status status)
{
    if (status == QN_OK)
        return;
    fprintf(stderr, "%s\n", qn_last_error());
    exit(2);
}

/* A module of the CPU with so many points along its axes and the mesh's tables. */
static struct qn_context *open_on(const char *path, const struct qn_mesh *mesh,
                                  const int64_t *extents)
{
    struct qn_context *context;
    must(qn_context_open("cpu", &context));
    must(qn_module_load(context, path, &module));
    must(qn_module_resize(module, extents));
    must(qn_mesh_connect(mesh, module));
    return context;
}

static struct qn_field *field(const char *name)
{
    struct qn_field *made;
    must(qn_field_create(module, name, &made));
    return made;
}

static double *numbers(int64_t count)
{
    double *const made = calloc((size_t)count, sizeof *made);
    if (!made)
        exit(2);
    return made;
}

static void put_numbers(const char *name, double *values)
{
    must(qn_field_write(field(name), 0, values));
    free(values);
}

static void launch_kernel(const char *name)
{
    struct qn_kernel *kernel;
    must(qn_module_kernel(module, name, &kernel));
    must(qn_kernel_launch(kernel));
}

static void close_all(struct qn_context *context, struct qn_mesh *mesh)
{
    qn_module_unload(module);
    qn_mesh_free(mesh);
    qn_context_close(context);
}

/* What nabla4 makes of a wave of Rossby and Haurwitz, seen from space. */

enum { VERTEX, EDGE, CELL, ECV, HEIGHT_OF_ICON, ICON_AXES, GLOBE_X = 300, GLOBE_Y = 200 };

static const double *places;

/* The directions east and north at a place on the sphere. */
static void directions(const double *p, double *east, double *north)
{
    const double across = fmax(hypot(p[0], p[1]), 1e-9);
    east[0] = -p[1] / across;
    east[1] = p[0] / across;
    east[2] = 0;
    north[0] = -p[2] * east[1];
    north[1] = p[2] * east[0];
    north[2] = p[0] * east[1] - p[1] * east[0];
}

/* The wind to the east and to the north: four waves around the pole. */
static void wind(const double *p, double *u, double *v)
{
    const double lon = atan2(p[1], p[0]), c = hypot(p[0], p[1]), s = p[2];
    *u = c + pow(c, 3) * (4 * s * s - c * c) * cos(4 * lon);
    *v = -4 * pow(c, 3) * s * sin(4 * lon);
}

static double inner(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double distance(int32_t a, int32_t b)
{
    const double *const p = places + 3 * a, *const q = places + 3 * b;
    return sqrt(square(p[0] - q[0]) + square(p[1] - q[1]) + square(p[2] - q[2]));
}

/* The middle of an edge, and the direction across it. */
static void edge_at(const int32_t *ends, double *middle, double *across)
{
    const double *const p = places + 3 * ends[0], *const q = places + 3 * ends[1];
    double length = 0;
    for (int d = 0; d < 3; d++)
        middle[d] = p[d] + q[d];
    for (int d = 0; d < 3; d++)
        across[d] = p[(d + 1) % 3] * q[(d + 2) % 3] - p[(d + 2) % 3] * q[(d + 1) % 3];
    for (int d = 0; d < 3; d++)
        length += square(across[d]);
    const double far = sqrt(inner(middle, middle));
    for (int d = 0; d < 3; d++) {
        middle[d] /= far;
        across[d] /= sqrt(length);
    }
}

static void put_edges(const int32_t *e2c2v, int64_t edges)
{
    double *const z2 = numbers(edges), *const along = numbers(edges), *const over = numbers(edges);
    double *const n1 = numbers(4 * edges), *const n2 = numbers(4 * edges);
    for (int64_t e = 0; e < edges; e++) {
        const int32_t *const v = e2c2v + 4 * e;
        double middle[3], across[3], east[3], north[3], u, w;
        edge_at(v, middle, across);
        directions(middle, east, north);
        wind(middle, &u, &w);
        z2[e] = u * inner(across, east) + w * inner(across, north);
        along[e] = 1 / distance(v[0], v[1]);
        over[e] = 1 / distance(v[2], v[3]);
        for (int s = 0; s < 4; s++) {
            directions(places + 3 * v[s], east, north);
            n1[e + s * edges] = inner(across, east);
            n2[e + s * edges] = inner(across, north);
        }
    }
    put_numbers("z_nabla2_e", z2);
    put_numbers("inv_primal_edge_length", along);
    put_numbers("inv_vert_vert_length", over);
    put_numbers("primal_normal_v1", n1);
    put_numbers("primal_normal_v2", n2);
}

/* The wind at vertices, and its parts from those across their edges. */
static void put_vertices(const int32_t *v2e, const int32_t *e2c2v, int64_t vertices)
{
    double *const u = numbers(vertices), *const v = numbers(vertices);
    double *const c1 = numbers(6 * vertices), *const c2 = numbers(6 * vertices);
    for (int64_t i = 0; i < vertices; i++) {
        double east[3], north[3], middle[3], across[3];
        const int count = v2e[6 * i + 5] < 0 ? 5 : 6;
        directions(places + 3 * i, east, north);
        wind(places + 3 * i, &u[i], &v[i]);
        for (int s = 0; s < count; s++) {
            edge_at(e2c2v + 4 * v2e[6 * i + s], middle, across);
            c1[i + s * vertices] = 2 * inner(across, east) / count;
            c2[i + s * vertices] = 2 * inner(across, north) / count;
        }
    }
    put_numbers("u_vert", u);
    put_numbers("v_vert", v);
    put_numbers("c1", c1);
    put_numbers("c2", c2);
}

static int64_t nearest(const double *p, int64_t vertices)
{
    int64_t best = 0;
    for (int64_t i = 1; i < vertices; i++)
        if (inner(p, places + 3 * i) > inner(p, places + 3 * best))
            best = i;
    return best;
}

/* The globe from above 35 degrees north; nothing around it. */
static void draw_globe(struct plane *plane, const double *values, int64_t vertices)
{
    const double tilt = 35 * PI / 180, radius = 0.47 * GLOBE_Y;
    plane_begin(plane, GLOBE_X, GLOBE_Y);
    for (int64_t i = 0; i < GLOBE_X * GLOBE_Y; i++) {
        const double x = ((double)(i % GLOBE_X) - 0.5 * GLOBE_X) / radius;
        const double y = (0.5 * GLOBE_Y - (double)(i / GLOBE_X)) / radius;
        const double to_us = sqrt(fmax(0, 1 - x * x - y * y));
        const double p[3] = { to_us * cos(tilt) - y * sin(tilt), x,
                              to_us * sin(tilt) + y * cos(tilt) };
        plane->values[i] = x * x + y * y < 1 ? values[nearest(p, vertices)] : NAN;
        plane->dark[i] = 0.9 * (1 - to_us);
    }
}

static void icon(const char *path, struct plane *plane)
{
    struct qn_mesh *mesh;
    int64_t n[ICON_AXES] = { 0, 0, 0, 0, 1 }, slots;
    static const char *const names[] = { "vertex", "edge", "cell", "ecv" };
    must(qn_mesh_icosahedron(2, 4, &mesh));
    for (int d = 0; d <= ECV; d++)
        n[d] = qn_mesh_extent(mesh, names[d]);
    places = qn_mesh_places(mesh);
    struct qn_context *const context = open_on(path, mesh, n);
    const int32_t *const e2c2v = qn_mesh_table(mesh, "e2c2v", &slots);
    put_edges(e2c2v, n[EDGE]);
    put_vertices(qn_mesh_table(mesh, "v2e", &slots), e2c2v, n[VERTEX]);
    must(qn_field_fill(field("z_nabla4_e2"), 0));
    struct qn_field *const east = field("p_u");
    must(qn_field_fill(field("p_v"), 0));
    must(qn_field_fill(east, 0));
    launch_kernel("nabla4");
    launch_kernel("interpolate");
    double *const values = numbers(n[VERTEX]);
    must(qn_field_read(east, 0, values));
    draw_globe(plane, values, n[VERTEX]);
    free(values);
    plane->high = 40;
    plane->low = -plane->high;
    close_all(context, mesh);
}

/* How steep the water's warmth is at the nodes of a triangular ocean. */

enum { NODE, ELEM, DEPTH, NEAR, OCEAN_AXES, OCEAN_LON = 156, OCEAN_LAT = 112, OCEAN_X = 100,
       OCEAN_Y = 66 };
static const double west = 0.5 * OCEAN_LAT;     /* of the part that is drawn: the lattice leans */

/* Above 0 on land: a coast on the left, and islands. */
static double land(double x, double y)
{
    const double coast = 11 + 5 * sin(y / 8) + 3 * sin(y / 3.1 + 1) - x;
    const double island = 8 - hypot(x - 57, y - 40) + sin(3 * atan2(y - 40, x - 57) + 1)
                          + 0.5 * sin(8 * atan2(y - 40, x - 57));
    const double rock = 3 - hypot(x - 80, y - 18);
    return fmax(coast, fmax(island, rock));
}

/* Warm in the south, with a front that winds and rings that it has left. */
static double warmth(double x, double y)
{
    const double front = y - 33 - 9 * sin(x / 11) - 3 * sin(x / 4.3);
    double value = 0.5 + 0.5 * tanh(front / 4);
    value -= 0.7 * exp(-square(hypot(x - 33, y - 52) / 5));
    value += 0.7 * exp(-square(hypot(x - 84, y - 12) / 6));
    return value;
}

static void corner_places(const int32_t *corners, double (*at)[2])
{
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 2; d++)
            at[c][d] = places[3 * corners[c] + d] - (d == 0 ? west : 0);
}

static void put_triangles(const int32_t *corners, int64_t elems)
{
    double *const gx = numbers(3 * elems), *const gy = numbers(3 * elems);
    double *const area = numbers(elems);
    int32_t *const wet = calloc((size_t)elems, sizeof *wet);
    for (int64_t e = 0; wet && e < elems; e++) {
        double p[3][2];
        corner_places(corners + 3 * e, p);
        const double twice = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1])
                           - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
        area[e] = fabs(twice) / 2;
        for (int s = 0; s < 3; s++) {
            gx[e + s * elems] = (p[(s + 1) % 3][1] - p[(s + 2) % 3][1]) / twice;
            gy[e + s * elems] = (p[(s + 2) % 3][0] - p[(s + 1) % 3][0]) / twice;
        }
        wet[e] = land((p[0][0] + p[1][0] + p[2][0]) / 3, (p[0][1] + p[1][1] + p[2][1]) / 3) < 0;
    }
    put_numbers("gx", gx);
    put_numbers("gy", gy);
    put_numbers("area", area);
    must(qn_field_write(field("wet"), 0, wet));
    free(wet);
}

/* The value of a field at a place, between the corners of its triangle; none
 * where that is dry. */
static double in_triangle(const double *values, double x, double y)
{
    const double row = y / sqrt(0.75), column = x + west - row / 2;
    const int64_t i = (int64_t)floor(column), j = (int64_t)floor(row);
    const double a = column - (double)i, b = row - (double)j;
    const int second = a + b > 1;
    const int64_t first = second ? (i + 1) * OCEAN_LAT + j + 1 : i * OCEAN_LAT + j;
    const double middle = second ? 2. / 3 : 1. / 3;
    const double my = ((double)j + middle) * sqrt(0.75);
    const double mx = (double)i + middle + ((double)j + middle) / 2 - west;
    if (land(mx, my) >= 0)
        return NAN;
    const double p = second ? 1 - b : a, q = second ? 1 - a : b;
    return (1 - p - q) * values[first] + p * values[(i + 1) * OCEAN_LAT + j]
           + q * values[i * OCEAN_LAT + j + 1];
}

static void ocean_mesh(const char *path, struct plane *plane)
{
    struct qn_mesh *mesh;
    int64_t slots;
    must(qn_mesh_plane(OCEAN_LON, OCEAN_LAT, &mesh));
    const int64_t n[OCEAN_AXES] = { qn_mesh_extent(mesh, "node"), qn_mesh_extent(mesh, "elem"), 1,
                                    qn_mesh_extent(mesh, "node_nodes") };
    places = qn_mesh_places(mesh);
    struct qn_context *const context = open_on(path, mesh, n);
    put_triangles(qn_mesh_table(mesh, "elem_nodes", &slots), n[ELEM]);
    double *const tracer = numbers(n[NODE]), *const sx = numbers(n[NODE]),
        *const sy = numbers(n[NODE]);
    for (int64_t v = 0; v < n[NODE]; v++)
        tracer[v] = warmth(places[3 * v] - west, places[3 * v + 1]);
    put_numbers("tracer", tracer);
    struct qn_field *const east = field("sx"), *const north = field("sy");
    must(qn_field_fill(field("tx"), 0));
    must(qn_field_fill(field("ty"), 0));
    must(qn_field_fill(east, 0));
    must(qn_field_fill(north, 0));
    launch_kernel("elem_gradient");
    launch_kernel("node_gradient");
    must(qn_field_read(east, 0, sx));
    must(qn_field_read(north, 0, sy));
    for (int64_t v = 0; v < n[NODE]; v++)
        sx[v] = hypot(sx[v], sy[v]);
    plane_begin(plane, 3 * OCEAN_X, 3 * OCEAN_Y);
    for (int64_t i = 0; i < plane->columns * plane->rows; i++)
        plane->values[i] = in_triangle(sx, (double)(i % plane->columns) / 3 + 0.2,
                                       (double)(plane->rows - 1 - i / plane->columns) / 3 + 0.2);
    free(sx);
    free(sy);
    plane->map = WATER;
    plane->high = 0.16;
    close_all(context, mesh);
}

const struct scene MESHES[] = { { "icon", icon }, { "ocean_mesh", ocean_mesh }, { NULL, NULL } };
