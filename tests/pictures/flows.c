/* Scenes of what flows: water, heat, and what both carry. Lengths are in
 * points; y points down. */
#include "picture.h"

/* A dam breaks on a turning plane: a round wave over an underwater hill. */

static double dam(const double *x)
{
    return 1 + 0.5 * smooth_step((34 - hypot(x[0] - 95, x[1] - 80)) / 4);
}

static double hill(const double *x)
{
    return 0.85 * exp(-square(hypot(x[0] - 160, x[1] - 86) / 15));
}

static void shallow_water(const char *module, struct plane *plane)
{
    load(module, 240, 160, 1);
    set_spacing(1);
    set("dt", 0.2);
    set("g", 1);
    set("coriolis", 0.01);
    put_function("surface", 0, dam, 0, 0, 0);
    put_function("bottom", 0, hill, 0, 0, 0);
    step(250);
    plane_begin(plane, 240, 160);
    plane_show(plane, "surface", 1);
    plane->map = WATER;
    plane->low = 0.9;
    plane->high = 1.14;
    plane->relief = 3;
}

/* A heating wire in a plate. */

static double wire(const double *x)
{
    const double y = 40 + 22 * sin(x[0] / 120 * 6 * PI);
    const double slope = 22 * 6 * PI / 120 * cos(x[0] / 120 * 6 * PI);
    return x[0] > 12 && x[0] < 108 ? smooth_step(1.8 - fabs(x[1] - y) / hypot(1, slope)) : 0;
}

static void heat(const char *module, struct plane *plane)
{
    load(module, 120, 80, 1);
    set_spacing(1);
    set("dt", 0.15);
    set("kappa", 1);
    set("power", 1);
    put_function("source", 0, wire, 0, 0, 0);
    for (int i = 0; i < 220; i++) {
        extend("t");
        step(1);
    }
    plane_begin(plane, 120, 80);
    plane_show(plane, "t", 0.999);
    plane->map = WARMTH;
    plane->low = 0;
}

/* A steady plate: heat flows in on the left, a cold bath on the right and a
 * cold wall above take it, nothing passes below. */

static void heat_faces(const char *module, struct plane *plane)
{
    load(module, 90, 60, 1);
    set_spacing(1);
    set("dt", 0.2);
    set("kappa", 1);
    set("power", 0);
    set("wall", 0);
    set("inflow", 1);
    step(40000);
    plane_begin(plane, 90, 60);
    plane_show(plane, "t", 1);
    plane->map = WARMTH;
    plane->low = 0;
    plane->bands = 16;
}

/* Something spreads from the left among obstacles that hardly let it in. */

static double lets_in(const double *x)
{
    double k = 1;
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 5; j++) {
            const double cx = 20 + 18 * i + (j % 2 ? 9 : 0), cy = 8 + 16 * j;
            if (hypot(x[0] - cx, x[1] - cy) < 6.2)
                k = 0.004;
        }
    return k;
}

static void diffusion_variable(const char *module, struct plane *plane)
{
    load(module, 120, 80, 1);
    set_spacing(1);
    set("dt", 0.15);
    put_function("k", 0, lets_in, 0, 0, 0);
    extend("k");
    for (int i = 0; i < 12000; i++) {
        double *const c = get("c", 0);
        for (int64_t y = 0; y < 80; y++)
            c[120 * y] = 1;
        put("c", 0, c);
        free(c);
        extend("c");
        step(1);
    }
    plane_begin(plane, 120, 80);
    plane_show(plane, "c", 1);
    plane->map = VALUES;
    plane->low = 0;
    plane->bands = 20;
    for (int64_t i = 0; i < points; i++)
        plane->dark[i] = lets_in((double[]){ (double)(i % 120), (double)(i / 120) }) < 1;
}

/* Two liquids wound up by a vortex. */

static double turning(const double *x)
{
    const double r = hypot(x[0] - 119.5, x[1] - 79.5) / 30;
    return exp(-r * r / 2);
}

static double turning_x(const double *x) { return -(x[1] - 79.5) / 30 * turning(x); }
static double turning_y(const double *x) { return (x[0] - 119.5) / 30 * turning(x); }
static double two_liquids(const double *x) { return smooth_step((x[1] - 79.5) / 3); }

static void advection_upwind(const char *module, struct plane *plane)
{
    load(module, 240, 160, 1);
    set_spacing(1);
    set("dt", 0.1);
    fill("vz", 0);
    put_function("vx", 0, turning_x, 0, 0, 0);
    put_function("vy", 0, turning_y, 0, 0, 0);
    put_function("q", 0, two_liquids, 0, 0, 0);
    for (int i = 0; i < 3600; i++) {
        extend("q");
        step(1);
    }
    plane_begin(plane, 240, 160);
    plane_show(plane, "q", 1);
    plane->map = VALUES;
    plane->low = 0;
    plane->high = 1;
}

/* Layers of air in a row of columns, where it rises and where it sinks; the
 * ground is below. */

enum { COLUMNS = 180, LAYERS = 120 };

static double rising(double x, double k)
{
    return 0.9 * sin(x * 4 * PI / COLUMNS) * sin(k * PI / LAYERS);
}

static void column(const char *module, struct plane *plane)
{
    load(module, COLUMNS, 1, LAYERS);
    set("rate", 1);
    double *const w = calloc(COLUMNS * (LAYERS + 1), sizeof *w), *const u = new_values();
    if (!w)
        exit(2);
    for (int64_t i = 0; i < COLUMNS * (LAYERS + 1); i++)        /* half a point off */
        w[i] = rising((double)(i % COLUMNS) - 0.5, (double)(i / COLUMNS));
    for (int64_t i = 0; i < points; i++)
        u[i] = smooth_step(4 * cos((double)(i / COLUMNS) * 2 * PI / 20));
    put("w", 0, w);
    extend("w");
    put("u", 0, u);
    free(w);
    free(u);
    step(34);
    double *const found = get("u", 0);
    plane_begin(plane, COLUMNS, LAYERS);
    for (int64_t i = 0; i < points; i++)
        plane->values[i] = found[i % COLUMNS + (LAYERS - 1 - i / COLUMNS) * COLUMNS];
    free(found);
    plane->map = WATER;
    plane->low = -0.05;
    plane->high = 1.05;
}

const struct scene FLOWS[] = {
    { "shallow_water", shallow_water },           { "heat", heat },
    { "heat_faces", heat_faces },                 { "diffusion_variable", diffusion_variable },
    { "advection_upwind", advection_upwind },     { "column", column },
    { NULL, NULL },
};
