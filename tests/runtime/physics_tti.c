/* Waves in tilted media: the speed of plane waves at angles to the axis of
 * symmetry, and the limit of a medium without one. */
#include "physics.h"

/* Squares of speeds: P along layers, across them and of normal moveout; S. */
enum { VPX, VPZ, VPN, VSZ };
static const char *const NAMES[] = { "vpx2", "vpz2", "vpn2", "vsz2" };
static const double MEDIUM[] = { 1.5, 1, 1.2, 0.3 };
static const double DT = 0.02;

static double k[3], spacing;

static double mode(const double *x)
{
    return cos(spacing * (k[0] * x[0] + k[1] * x[1] + k[2] * x[2]) + 0.4);
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A unit vector at an angle to k, in a plane with nothing special. */
static void tilted(double degrees, double *axis)
{
    static const double G[3] = { 0.3, -0.5, 0.8 };
    const double size = sqrt(dot(k, k)), along = dot(G, k) / size, angle = degrees * PI / 180;
    double across[3];
    for (int i = 0; i < 3; i++)
        across[i] = G[i] - along * k[i] / size;
    const double rest = sqrt(dot(across, across));
    for (int i = 0; i < 3; i++)
        axis[i] = cos(angle) * k[i] / size + sin(angle) * across[i] / rest;
}

/* What a plane wave is: w^2 (p, q) = matrix (p, q). */
struct wave {
    double square;              /* w^2 */
    double right[2], left[2];   /* eigenvectors */
};

static void longer(double *out, double a0, double a1, double b0, double b1)
{
    const int first = hypot(a0, a1) > hypot(b0, b1);
    out[0] = first ? a0 : b0;
    out[1] = first ? a1 : b1;
}

/* The P or S wave at an angle to the axis. */
static struct wave wave_at(double degrees, int shear)
{
    const double angle = degrees * PI / 180, all = dot(k, k);
    const double z = all * cos(angle) * cos(angle), r = all * sin(angle) * sin(angle);
    const double a = MEDIUM[VPX] * r + MEDIUM[VSZ] * z, b = (MEDIUM[VPZ] - MEDIUM[VSZ]) * z;
    const double c = (MEDIUM[VPN] - MEDIUM[VSZ]) * r, d = MEDIUM[VPZ] * z + MEDIUM[VSZ] * r;
    const double root = sqrt((a - d) * (a - d) / 4 + b * c);
    struct wave w = { .square = (a + d) / 2 + (shear ? -root : root) };
    longer(w.right, b, w.square - a, w.square - d, c);
    longer(w.left, c, w.square - a, w.square - d, b);
    return w;
}

static void put_wave(const char *field, double amplitude)
{
    put_function(field, 0, mode, 0, 0, 0);
    double *const values = get(field, 0);
    for (int64_t i = 0; i < points; i++)
        values[i] *= amplitude;
    put(field, 0, values);
    put(field, -1, values);
    free(values);
}

static void begin(const char *module, int64_t size)
{
    load(module, size, size, size);
    spacing = 2 * PI / (double)size;
    set_spacing(spacing);
    for (int i = 0; i < 4; i++)
        fill(NAMES[i], MEDIUM[i] * DT * DT);
}

static void turn(const double *axis)
{
    fill("tilt", acos(axis[2]));
    fill("azimuth", atan2(axis[1], axis[0]));
    launch("axis");
}

/* The relative error of one wave's speed, from three amplitudes a step apart. What
 * leap-frog adds is left out: it multiplies by w^2 dt^2 exactly. */
static double speed_off(double degrees, int shear)
{
    const struct wave w = wave_at(degrees, shear);
    double axis[3], a[3];
    tilted(degrees, axis);
    turn(axis);
    put_wave("p", w.right[0]);
    put_wave("q", w.right[1]);
    step(1);
    for (int i = 0; i < 3; i++) {
        step(1);
        a[i] = w.left[0] * project("p", 0, mode, 0, 0, 0)
             + w.left[1] * project("q", 0, mode, 0, 0, 0);
    }
    const double found = sqrt((2 * a[1] - a[0] - a[2]) / a[1]) / DT;
    return isfinite(found) ? fabs(found / sqrt(w.square) - 1) : INFINITY;
}

/* The largest relative error of the speeds of P and of S, at 0, 30, 60 and 90
 * degrees to the axis, in three directions of the grid. */
static int speeds(const char *module, int64_t size)
{
    static const double WAVES[][3] = { { 1, 1, 1 }, { 1, -1, 0 }, { 0, 1, -1 } };
    double worst[2] = { 0 };
    begin(module, size);
    for (int shear = 0; shear < 2; shear++)
        for (int w = 0; w < 3; w++)
            for (int degrees = 0; degrees <= 90; degrees += 30) {
                memcpy(k, WAVES[w], sizeof k);
                worst[shear] = fmax(worst[shear], speed_off(degrees, shear));
            }
    unload();
    printf("%.17g %.17g\n", worst[0], worst[1]);
    return 0;
}

static double rough(const double *x)
{
    return 0.05 + 0.02 * sin(x[0] + 2 * x[1]) * cos(3 * x[2]);
}

static double bump(const double *x)
{
    const double d[3] = { x[0] - 8, x[1] - 7, x[2] - 8 };
    return exp(-dot(d, d) / 6);
}

static const int STEPS = 12;

/* A bump in a rough medium without direction, whatever the axis is said to be. */
static double *without_axis(const char *module)
{
    load(module, 17, 16, 15);
    set_spacing(0.9);
    for (int i = 0; i < 3; i++)
        put_function(NAMES[i], 0, rough, 0, 0, 0);
    fill("vsz2", 0.02);
    turn((const double[3]) { 0.48, -0.6, 0.64 });
    for (int level = -1; level <= 0; level++) {
        put_function("p", level, bump, 0, 0, 0);
        put_function("q", level, bump, 0, 0, 0);
    }
    step(STEPS);
    double *const p = get("p", 0);
    unload();
    return p;
}

static double *plain(const char *module)
{
    load(module, 17, 16, 15);
    set_spacing(0.9);
    set("width", 0);
    put_function("vp2dt2", 0, rough, 0, 0, 0);
    for (int level = -1; level <= 0; level++)
        put_function("u", level, bump, 0, 0, 0);
    step(STEPS);
    double *const u = get("u", 0);
    unload();
    return u;
}

/* How far it is from acoustic_iso, of the largest value; and how much it moved. */
static int isotropic(const char *module, const char *other)
{
    double *const p = without_axis(module), *const u = plain(other);
    double off = 0, most = 0;
    for (int64_t i = 0; i < points; i++) {
        off = p[i] - u[i] < INFINITY ? fmax(off, fabs(p[i] - u[i])) : INFINITY;
        most = fmax(most, fabs(u[i]));
    }
    printf("%.17g %.17g\n", off / most, most);
    free(p);
    free(u);
    return 0;
}

int prove_tti(int count, char **words)
{
    if (count > 2 && strcmp(words[0], "speeds") == 0)
        return speeds(words[1], atoi(words[2]));
    if (count > 2 && strcmp(words[0], "isotropic") == 0)
        return isotropic(words[1], words[2]);
    return 2;
}
