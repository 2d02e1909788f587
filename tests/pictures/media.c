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

/* A street of vortices behind a cylinder between two walls. */

enum { LX = 180, LY = 80 };
static int is_solid(int64_t x, int64_t y)
{
    return y == 0 || hypot((double)x - 34, (double)y - 39) < 7;
}

static const double WIND = 0.09;

/* All populations at rest, or at their equilibrium in a slow wind along x. */
static void blow(void)
{
    for (int i = 0; i < 19; i++) {
        const double along = i == 0 ? 0 : (i < 3 || (i > 6 && i < 15)) ? (i % 2 ? 1 : -1) : 0;
        const double weight = i == 0 ? 1.0 / 3 : i < 7 ? 1.0 / 18 : 1.0 / 36;
        char name[16];
        snprintf(name, sizeof name, "f%d", i);
        fill(name, weight * (1 + 3 * along * WIND
                             + (4.5 * square(along) - 1.5) * square(WIND)));
    }
}

static void lbm_d3q19(const char *module, struct plane *plane)
{
    load(module, LX, LY, 1);
    set("omega", 1 / (3 * 0.008 + 0.5));
    set("force_x", 8e-6);
    set("force_y", 0);
    set("force_z", 0);
    int32_t *const solid = calloc((size_t)points, sizeof *solid);
    for (int64_t i = 0; solid && i < points; i++)
        solid[i] = is_solid(i % LX, i / LX);
    put_whole("solid", solid);
    free(solid);
    blow();
    step(9000);
    launch("moments");
    plane_begin(plane, LX, LY - 1);
    double *const jx = get("jx", 0), *const jy = get("jy", 0);
    for (int64_t i = 0; i < LX * (LY - 1); i++) {
        const int64_t x = i % LX, y = i / LX + 1, west = y * LX + (x + LX - 1) % LX;
        const int64_t east = y * LX + (x + 1) % LX, south = (y + 1) % LY * LX + x;
        const double turning = jy[east] - jy[west] - jx[south] + jx[(y - 1) * LX + x];
        plane->values[i] = is_solid(x, y) ? NAN : turning;
    }
    free(jx);
    free(jy);
    plane->map = SIGNED;
    plane->high = 0.03;
    plane->low = -plane->high;
}

const struct scene MEDIA[] = { { "tti", tti }, { "lbm_d3q19", lbm_d3q19 }, { NULL, NULL } };
