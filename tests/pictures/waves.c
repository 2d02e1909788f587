/* Scenes of waves. Lengths are in points, the fastest or the only medium has
 * speed 1 unless said otherwise; y points down. */
#include "picture.h"

enum { NX = 360, NY = 240 };

/* A wave that goes on from a point, through a slow lens, out through a
 * perfectly matched layer on every face. */

enum { LAYER = 28 };
static const double SHOT_DT = 0.4;

static double lens(const double *x)
{
    return smooth_step((46 - hypot(x[0] - 215, x[1] - 120)) / 3);
}

static double speed_in_lens(const double *x)
{
    return square(SHOT_DT * (1 - 0.42 * lens(x)));
}

static double damping(double i, int64_t size)
{
    const double depth = (LAYER - 1 - fmin(i, (double)(size - 1) - i)) / LAYER;
    return depth > 0 ? 1.5 * log(1000) / LAYER * depth * depth * SHOT_DT : 0;
}

static double eta(const double *x) { return damping(x[0], n[0]) + damping(x[1], n[1]); }

static const int64_t SHOT[] = { 75, 120 };

static void shoot(const char *module, struct plane *plane, double (*speed)(const double *))
{
    load(module, NX, NY, 1);
    set_spacing(1);
    set("width", LAYER);
    put_function("vp2dt2", 0, speed, 0, 0, 0);
    put_function("eta", 0, eta, 0, 0, 0);
    extend("eta");
    for (int i = 0; i < 1100; i++) {
        const double t = i * SHOT_DT;
        step(1);
        inject("u", 1, SHOT, (double[]){ sin(2 * PI * t / 13) * (1 - exp(-t / 15)) });
    }
    plane_begin(plane, NX, NY);
    plane_show(plane, "u", 0.985);
}

static void acoustic_iso(const char *module, struct plane *plane)
{
    shoot(module, plane, speed_in_lens);
    for (int64_t i = 0; i < NX * NY; i++) {
        const double x[] = { (double)(i % NX), (double)(i / NX) };
        plane->dark[i] = fmax(0.35 * lens(x), eta(x) > 0 ? 0.3 : 0);
    }
}

/* The same source in rough ground, which goes on through the layer. */

static double boulders(const double *x)
{
    const double a = sin(x[0] / 9 + 1.7 * sin(x[1] / 23)), b = sin(x[1] / 11 + 2.1 * sin(x[0] / 17));
    return smooth_step((a * b + 0.15 * sin(x[0] / 31 - x[1] / 37) - 0.35) / 0.2);
}

static double speed_in_ground(const double *x)
{
    return square(SHOT_DT * (1 - 0.45 * boulders(x)));
}

static void acoustic_passive(const char *module, struct plane *plane)
{
    shoot(module, plane, speed_in_ground);
    for (int64_t i = 0; i < NX * NY; i++) {
        const double x[] = { (double)(i % NX), (double)(i / NX) };
        plane->dark[i] = 0.35 * boulders(x) + (eta(x) > 0 ? 0.3 : 0);
    }
}

/* A shot below the surface of the sea, over layers of rock. */

static const double SEA_DT = 0.25;

static int layer_of(const double *x)
{
    const double hill = 150 - 45 * exp(-square((x[0] - 230) / 70));
    return (x[1] > 62 + 0.06 * x[0]) + (x[1] > hill) + (x[1] > 205 - 0.08 * x[0]);
}

static const double SPEED[] = { 1, 1.25, 1.6, 1.9 }, DENSITY[] = { 1, 1.7, 2.1, 2.4 };

static double sea_kdt2(const double *x)
{
    return DENSITY[layer_of(x)] * square(SPEED[layer_of(x)] * SEA_DT);
}

static double sea_b(const double *x) { return 1 / DENSITY[layer_of(x)]; }

static void acoustic_density(const char *module, struct plane *plane)
{
    const int64_t source[] = { 180, 6 };
    load(module, NX, NY, 1);
    set_spacing(1);
    put_function("kdt2", 0, sea_kdt2, 0, 0, 0);
    put_function("b", 0, sea_b, 0, 0, 0);
    extend("b");
    for (int i = 0; i < 700; i++) {
        step(1);
        inject("p", 1, source, (double[]){ ricker(0.07, i * SEA_DT) });
    }
    plane_begin(plane, NX, NY);
    plane_show(plane, "p", 0.94);
    for (int64_t i = 0; i < NX * NY; i++) {
        const double x[] = { (double)(i % NX), (double)(i / NX) };
        plane->dark[i] = 0.2 * layer_of(x);
    }
}

/* An explosion in a sea on rock: P waves, S waves, and none of these above. */

enum { WIDE = 480, TALL = 360, LEFT = 60, TOP = 60 };   /* around the picture */

static int rock_of(const double *x)
{
    return (x[1] > TOP + 80) + (x[1] > TOP + 175);
}

static double rock_buoyancy(const double *x)
{
    static const double DENSITY_OF[] = { 1, 2, 2.4 };
    return 1 / DENSITY_OF[rock_of(x)];
}

static double rock_mu(const double *x)
{
    static const double MU[] = { 0, 2 * 1.0 * 1.0, 2.4 * 1.25 * 1.25 };
    return MU[rock_of(x)];
}

static double rock_lambda(const double *x)
{
    static const double MODULUS[] = { 1, 2 * 1.8 * 1.8, 2.4 * 2.2 * 2.2 };
    return MODULUS[rock_of(x)] - 2 * rock_mu(x);
}

static void elastic(const char *module, struct plane *plane)
{
    static const char *const STRESSES[] = { "sxx", "syy", "szz" };
    const int64_t source[] = { LEFT + 150, TOP + 36, 0 };
    const double dt = 0.2;
    load(module, WIDE, TALL, 1);
    set_spacing(1);
    set("dt", dt);
    put_function("buoyancy", 0, rock_buoyancy, 0, 0, 0);
    put_function("lambda", 0, rock_lambda, 0, 0, 0);
    put_function("mu", 0, rock_mu, 0, 0, 0);
    for (int i = 0; i < 600; i++) {
        step(1);
        for (int s = 0; s < 3; s++)
            inject(STRESSES[s], 1, source, (double[]){ ricker(0.06, i * dt) });
    }
    double *const v = get("vy", 0);
    plane_begin(plane, NX, NY);
    for (int64_t i = 0; i < NX * NY; i++) {
        const double x[] = { (double)(i % NX + LEFT), (double)(i / NX + TOP) };
        plane->values[i] = v[i % NX + LEFT + (i / NX + TOP) * WIDE];
        plane->dark[i] = 0.3 * rock_of(x);
    }
    free(v);
    plane->high = 0.013;
    plane->low = -plane->high;
}

/* A flash of light in a box of metal, with a lens of glass and a sponge. */

static double glass(const double *x)
{
    const double left = hypot(x[0] - 10, x[1] - 120), right = hypot(x[0] - 330, x[1] - 120);
    return smooth_step(190 - fmax(left, right));
}

static double sponge(const double *x) { return x[0] > 310 ? square((x[0] - 310) / 50) : 0; }
static double light_keep(const double *x) { return 1 - 0.2 * sponge(x); }
static double light_gain(const double *x) { return 0.6 / (1 + 1.4 * glass(x)); }

static void maxwell(const char *module, struct plane *plane)
{
    load(module, NX, NY, 1);
    set_spacing(1);
    set("dt_mu", 0.6);
    put_function("keep", 0, light_keep, 0, 0, 0);
    put_function("gain", 0, light_gain, 0, 0, 0);
    for (int i = 0; i < 470; i++) {
        const double t = 0.6 * i, envelope = exp(-square((t - 45) / 22));
        step(1);
        inject("ez", 1, (int64_t[]){ 50, 120, 0 }, (double[]){ sin(2 * PI * t / 16) * envelope });
    }
    plane_begin(plane, NX, NY);
    plane_show(plane, "ez", 0.97);
    for (int64_t i = 0; i < NX * NY; i++) {
        const double x[] = { (double)(i % NX), (double)(i / NX) };
        plane->dark[i] = fmax(0.4 * glass(x), 0.8 * sponge(x));
    }
}

/* A plane wave behind two slits. */

static int is_wall(double x, double y)
{
    const double off = fabs(y - (NY - 1) / 2.0);
    return x >= 100 && x < 105 && (off < 24 || off > 38);
}

static double slit_c2(const double *x) { return !is_wall(x[0], x[1]); }

static void wave2d(const char *module, struct plane *plane)
{
    const double dt = 0.5;
    load(module, NX, NY, 1);
    set_spacing(1);
    set("dt", dt);
    put_function("c2", 0, slit_c2, 0, 0, 0);
    double *const f = new_values();
    for (int i = 0; i < 690; i++) {
        const double now = sin(2 * PI * i * dt / 12) * (1 - exp(-i * dt / 12));
        for (int64_t k = 0; k < points; k++)
            f[k] = k % NX == 20 ? now : 0;
        put("f", 0, f);
        extend("u");
        step(1);
    }
    free(f);
    plane_begin(plane, NX, NY);
    plane_show(plane, "u", 0.99);
    plane->high *= 0.4;
    plane->low *= 0.4;
    for (int64_t i = 0; i < points; i++)
        if (is_wall((double)(i % NX), (double)(i / NX)))
            plane->values[i] = NAN;
}

const struct scene WAVES[] = {
    { "acoustic_iso", acoustic_iso }, { "acoustic_passive", acoustic_passive },
    { "elastic", elastic },           { "acoustic_density", acoustic_density },
    { "maxwell", maxwell },           { "wave2d", wave2d },
    { NULL, NULL },
};
