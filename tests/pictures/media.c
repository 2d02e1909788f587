/* Scenes in media that a law of its own makes: tilted layers, a gas on a
 * lattice. Lengths are in points; y points down. */
#include "picture.h"

/* A wave from a point in folded layers: it is fastest along them. */

enum { NX = 240, NY = 160 };
static const double DT = 0.35;

/* Where in the pile of layers a place is. */
static double depth(const double *x) { return x[1] + 22 * cos(2 * PI * x[0] / NX); }

static double azimuth(const double *x)
{
    return atan2(1, -22 * 2 * PI / NX * sin(2 * PI * x[0] / NX));
}

static void tti(const char *module, struct plane *plane)
{
    const int64_t source[] = { 90, 78, 0 };
    load(module, NX, NY, 1);
    set_spacing(1);
    fill("vpx2", 2 * DT * DT);
    fill("vpz2", DT * DT);
    fill("vpn2", 1.3 * DT * DT);
    fill("vsz2", 0.3 * DT * DT);
    fill("tilt", PI / 2);
    put_function("azimuth", 0, azimuth, 0, 0, 0);
    launch("axis");
    for (int i = 0; i < 190; i++) {
        const double pulse = ricker(0.07, i * DT);
        step(1);
        inject("p", 1, source, &pulse);
        inject("q", 1, source, &pulse);
    }
    plane_begin(plane, NX, NY);
    plane_show(plane, "p", 0.995);
    for (int64_t i = 0; i < points; i++)
        plane->dark[i] = 0.2 * smooth_step(4 * cos(2 * PI / 16 * depth(
            (double[]){ (double)(i % NX), (double)(i / NX) })));
}

/* Vortices behind a cylinder, in a gas on a lattice. The wind is what the
 * owner of the halo says comes in on the left; elsewhere things go out. */

enum { WIND_X = 162, WIND_Y = 108, VELOCITIES = 19, CYLINDER_X = 32, CYLINDER_Y = 52 };
static const double WIND = 0.14, ROUND = 7.6;

/* The x of each velocity's direction and its square, in the order of f0, f1 .. */
static void direction_of(int i, double *x, double *square_of)
{
    static const int ALONG_X[] = { 1, 0, 0, 1, 1, 1, 1, 0, 0 };
    *x = i == 0 ? 0 : ALONG_X[(i - 1) / 2] * (i % 2 ? 1 : -1);
    *square_of = i == 0 ? 0 : i < 7 ? 1 : 2;
}

/* In equilibrium with wind along x. */
static double population(int i, double wind)
{
    static const double WEIGHT[] = { 1 / 3., 1 / 18., 1 / 36. };
    double x, squared;
    direction_of(i, &x, &squared);
    return WEIGHT[(int)squared] * (1 + 3 * x * wind + 4.5 * square(x * wind) - 1.5 * square(wind));
}

static double off_cylinder(int64_t x, int64_t y)
{
    return hypot((double)(x - CYLINDER_X), (double)(y - CYLINDER_Y)) - ROUND;
}

static void put_cylinder(void)
{
    int32_t *const solid = calloc((size_t)points, sizeof *solid);
    if (!solid)
        exit(2);
    for (int64_t i = 0; i < points; i++)
        solid[i] = off_cylinder(i % WIND_X, i / WIND_X) < 0;
    put_whole("solid", solid);
    free(solid);
}

static void blow(int times, const char (*names)[8])
{
    static const int64_t LOWER[] = { -1, 0, 0 }, UPPER[] = { 0, WIND_Y, 1 };
    static double inflow[WIND_Y];
    for (int t = 0; t < times; t++) {
        for (int i = 1; i < VELOCITIES; i++) {
            double x, squared;
            direction_of(i, &x, &squared);
            extend(names[i]);
            for (int k = 0; k < WIND_Y; k++)
                inflow[k] = population(i, WIND);
            if (x > 0)
                put_box(names[i], 0, LOWER, UPPER, inflow);
        }
        step(1);
    }
}

static void lbm_d3q19(const char *module, struct plane *plane)
{
    char names[VELOCITIES][8];
    load(module, WIND_X, WIND_Y, 1);
    set("omega", 1 / (3 * WIND * 2 * ROUND / 110 + 0.5));         /* Reynolds' number: 110 */
    for (int axis = 0; axis < 3; axis++)
        set((const char *[]){ "force_x", "force_y", "force_z" }[axis], 0);
    put_cylinder();
    extend("solid");
    for (int i = 0; i < VELOCITIES; i++) {
        snprintf(names[i], sizeof names[i], "f%d", i);
        fill(names[i], population(i, WIND));
    }
    blow(5000, names);
    launch("moments");
    double *const jx = get("jx", 0), *const jy = get("jy", 0);
    plane_begin(plane, WIND_X - 2, WIND_Y - 2);
    for (int64_t i = 0; i < plane->columns * plane->rows; i++) {
        const int64_t x = i % plane->columns + 1, y = i / plane->columns + 1;
        const int64_t at = x + WIND_X * y;
        plane->values[i] = off_cylinder(x, y) < 0 ? NAN
            : jy[at + 1] - jy[at - 1] - jx[at + WIND_X] + jx[at - WIND_X];
    }
    free(jx);
    free(jy);
    plane->low = -0.03;
    plane->high = 0.03;
}

const struct scene MEDIA[] = { { "tti", tti }, { "lbm_d3q19", lbm_d3q19 }, { NULL, NULL } };
