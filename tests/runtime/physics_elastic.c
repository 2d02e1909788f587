/* Elastic waves: speeds of P and S waves along axes and diagonals, through layers;
 * no shear in a fluid. */
#include "physics.h"

static const char *const V[3] = { "vx", "vy", "vz" };
static const double BUOYANCY = 0.5;

static double k[3];

static double mode(const double *x)
{
    return cos(k[0] * x[0] + k[1] * x[1] + k[2] * x[2] + 0.4);
}

static void shift(int axis, double *s)
{
    s[0] = s[1] = s[2] = 0;
    s[axis] = 0.5;
}

static void start(const double *polar)
{
    double s[3];
    for (int axis = 0; axis < 3; axis++) {
        shift(axis, s);
        put_function(V[axis], 0, mode, s[0], s[1], s[2]);
        double *const v = get(V[axis], 0);
        for (int64_t i = 0; i < points; i++)
            v[i] *= polar[axis];
        put(V[axis], 0, v);
        free(v);
    }
}

static double amplitude(const double *polar)
{
    double s[3], sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        shift(axis, s);
        sum += polar[axis] * project(V[axis], 0, mode, s[0], s[1], s[2]);
    }
    return sum;
}

/* The frequency of a standing wave, from three amplitudes a step apart; what
 * leap-frog adds is left out. */
static double frequency(const double *polar, double dt)
{
    start(polar);
    double a[3];
    step(2);
    for (int i = 0; i < 3; i++) {
        step(1);
        a[i] = amplitude(polar);
    }
    const double square = (2 * a[1] - a[0] - a[2]) / a[1];
    return sqrt(square) / dt;
}

static const struct { double along[3], polar[3]; int shear; } WAVES[] = {
    { { 1, 0, 0 }, { 1, 0, 0 }, 0 }, { { 0, 1, 0 }, { 0, 1, 0 }, 0 },
    { { 0, 0, 1 }, { 0, 0, 1 }, 0 }, { { 1, 1, 0 }, { 1, 1, 0 }, 0 },
    { { 1, 1, 1 }, { 1, 1, 1 }, 0 }, { { 1, -1, 1 }, { 1, -1, 1 }, 0 },
    { { 1, 0, 0 }, { 0, 1, 0 }, 1 }, { { 1, 0, 0 }, { 0, 0, 1 }, 1 },
    { { 0, 1, 0 }, { 1, 0, 0 }, 1 }, { { 0, 1, 0 }, { 0, 0, 1 }, 1 },
    { { 0, 0, 1 }, { 1, 0, 0 }, 1 }, { { 0, 0, 1 }, { 0, 1, 0 }, 1 },
    { { 1, 1, 0 }, { 1, -1, 0 }, 1 }, { { 1, 1, 1 }, { 1, 1, -2 }, 1 },
};

static double length(const double *v) { return sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2]); }

static void rest(void)
{
    static const char *const STRESS[] = { "sxx", "syy", "szz", "sxy", "sxz", "syz" };
    for (int i = 0; i < 6; i++)
        fill(STRESS[i], 0);
}

static const double DT = 0.005;

static void begin(const char *module, int64_t size, double lambda, double mu)
{
    load(module, size, size, size);
    set_spacing(2 * PI / (double)size);
    set("dt", DT);
    fill("lambda", lambda);
    fill("mu", mu);
    fill("buoyancy", BUOYANCY);
}

/* The relative error of a wave's speed, which is sqrt(modulus * BUOYANCY). */
static double speed_off(const double *along, const double *polar, double modulus)
{
    rest();
    for (int axis = 0; axis < 3; axis++)
        k[axis] = along[axis] * 2 * PI / (double)n[0];
    const double found = frequency(polar, DT) / length(along);
    return isfinite(found) ? fabs(found / sqrt(modulus * BUOYANCY) - 1) : INFINITY;
}

/* The largest relative error of the speeds: in a solid, in Poisson's, in a fluid. */
static int speeds(const char *module, int64_t size)
{
    static const double MEDIA[][2] = { { 1.3, 0.8 }, { 1, 1 }, { 1.3, 0 } };
    double worst = 0;
    for (size_t m = 0; m < sizeof MEDIA / sizeof MEDIA[0]; m++) {
        const double lambda = MEDIA[m][0], mu = MEDIA[m][1];
        begin(module, size, lambda, mu);
        for (size_t w = 0; w < sizeof WAVES / sizeof WAVES[0]; w++)
            if (mu > 0 || !WAVES[w].shear)
                worst = fmax(worst, speed_off(WAVES[w].along, WAVES[w].polar,
                                              WAVES[w].shear ? mu : lambda + 2 * mu));
        unload();
    }
    printf("%.17g\n", worst);
    return 0;
}

/* The error of S waves across layers as thin as a point, whose modulus is 1/2 and 2:
 * what carries them is the harmonic mean. */
static int layers(const char *module)
{
    enum { SIZE = 8 };
    double worst = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t stride = axis == 0 ? 1 : axis == 1 ? SIZE : SIZE * SIZE;
        double along[3] = { 0 }, polar[3] = { 0 };
        begin(module, SIZE, 1, 1);
        double *const mu = new_values();
        for (int64_t i = 0; i < points; i++)
            mu[i] = i / stride % 2 ? 2 : 0.5;
        put("mu", 0, mu);
        free(mu);
        along[axis] = polar[(axis + 1) % 3] = 1;
        worst = fmax(worst, speed_off(along, polar, 0.8));
        unload();
    }
    printf("%.17g\n", worst);
    return 0;
}

static void roughen(const char *field, double low, double high)
{
    double *const values = new_values();
    for (int64_t i = 0; i < points; i++)
        values[i] = low + (high - low) * (drawn() + 1) / 2;
    put(field, 0, values);
    free(values);
}

static double largest(const char *field)
{
    double *const values = get(field, 0);
    double most = 0;
    for (int64_t i = 0; i < points; i++)
        most = values[i] >= -INFINITY ? fmax(most, fabs(values[i])) : INFINITY;
    free(values);
    return most;
}

/* The largest shear stress at edges that touch a fluid, and 1 if any elsewhere. */
static int fluid(const char *module)
{
    load(module, 8, 6, 8);
    set_spacing(1);
    set("dt", 0.2);
    fill("lambda", 1);
    fill("buoyancy", 1);
    double *const mu = new_values();
    for (int64_t i = 0; i < points; i++)
        mu[i] = i / n[0] / n[1] < 4 ? 0 : 1;            /* below z = 4 */
    put("mu", 0, mu);
    for (int axis = 0; axis < 3; axis++)
        roughen(V[axis], -1, 1);
    step(20);
    double *const sxz = get("sxz", 0), *const sxy = get("sxy", 0);
    double wet = 0, dry = 0;
    for (int64_t i = 0; i < points; i++) {
        const int64_t z = i / n[0] / n[1];
        const double size = fmax(z < 4 ? fabs(sxy[i]) : 0,
                                 z < 4 || z == 7 ? fabs(sxz[i]) : 0);
        wet = size >= 0 ? fmax(wet, size) : INFINITY;
        dry = fmax(dry, z > 4 && z < 7 ? fabs(sxz[i]) : 0);
    }
    printf("%.17g %d\n", wet + (largest("vx") < 1e3 ? 0 : INFINITY), dry > 0.01);
    return 0;
}

static double slope(const double *x)
{
    return 1 + 2 * x[0] - 3 * x[1] + 0.5 * x[2];
}

/* A place has the same coordinates in every field, wherever its points lie: how far
 * a slope is from what receivers hear of it. */
static int places(const char *module)
{
    static const struct { const char *name; double x, y, z; } FIELDS[] = {
        { "vx", 0.5, 0, 0 }, { "vy", 0, 0.5, 0 }, { "vz", 0, 0, 0.5 }, { "sxx", 0, 0, 0 },
        { "sxy", 0.5, 0.5, 0 }, { "sxz", 0.5, 0, 0.5 }, { "syz", 0, 0.5, 0.5 },
    };
    static const double at[] = { 0.5, 0.5, 0.5, 3.1, 4.7, 2.2, 6.9, 4.9, 6.5 };
    double worst = 0;
    load(module, 8, 6, 8);
    for (size_t f = 0; f < sizeof FIELDS / sizeof FIELDS[0]; f++) {
        double heard[3];
        put_function(FIELDS[f].name, 0, slope, FIELDS[f].x, FIELDS[f].y, FIELDS[f].z);
        record(place(FIELDS[f].name, 3, at, 0), heard);
        for (int i = 0; i < 3; i++)
            worst = fmax(worst, fabs(heard[i] - slope(at + 3 * i)));
    }
    printf("%.17g\n", worst);
    return 0;
}

int prove_elastic(int count, char **words)
{
    if (strcmp(words[0], "places") == 0)
        return places(words[1]);
    if (strcmp(words[0], "speeds") == 0)
        return speeds(words[1], count > 2 ? atoi(words[2]) : 8);
    if (strcmp(words[0], "layers") == 0)
        return layers(words[1]);
    if (strcmp(words[0], "fluid") == 0)
        return fluid(words[1]);
    return 2;
}
