/* Shallow water: rest over a bottom, mass, waves on a turning plane, and steps
 * that stay steps. */
#include "physics.h"

static void begin(const char *module, int64_t nx, int64_t ny, double h, double dt)
{
    load(module, nx, ny, 1);
    set_spacing(h);
    set("dt", dt);
    set("g", 9);
    set("coriolis", 2);
}

static void draw(const char *field, int level, double low, double high)
{
    double *const values = new_values();
    for (int64_t i = 0; i < points; i++)
        values[i] = low + (high - low) * (drawn() + 1) / 2;
    put(field, level, values);
    free(values);
}

/* 1 if a lake over a rough bottom has not moved a bit after 50 steps. */
static int rest(const char *module)
{
    begin(module, 13, 11, 0.7, 0.01);
    fill("surface", 1.3);
    draw("bottom", 0, 0, 0.9);
    step(50);
    static const struct { const char *field; double value; } AT_REST[] = {
        { "surface", 1.3 }, { "u", 0 }, { "v", 0 } };
    int still = 1;
    for (int f = 0; f < 3; f++) {
        double *const values = get(AT_REST[f].field, 0);
        for (int64_t i = 0; i < points; i++)
            still = still && values[i] == AT_REST[f].value;
        free(values);
    }
    printf("%d\n", still);
    return 0;
}

static double total(const char *field)
{
    double *const values = get(field, 0);
    double sum = 0;
    for (int64_t i = 0; i < points; i++)
        sum += values[i];
    free(values);
    return sum;
}

/* The relative change of mass in 200 steps of a rough sea, and whether it is
 * rough still. */
static int mass(const char *module)
{
    begin(module, 13, 11, 1, 0.01);
    draw("surface", 0, 1, 1.5);
    draw("bottom", 0, 0, 0.5);
    draw("u", 0, -1, 1);
    draw("v", 0, -1, 1);
    const double before = total("surface");
    step(200);
    double *const u = get("u", 0);
    double most = 0;
    for (int64_t i = 0; i < points; i++)
        most = fmax(most, fabs(u[i]));
    printf("%.17g %d\n", fabs(total("surface") / before - 1), most > 0.01 && most < 10);
    return 0;
}

/* u^2 + f dt u v + v^2 at the first point: what a step that turns a uniform flow leaves
 * as it is, if the second velocity sees the newest of the first. */
static double turning(double by)
{
    double *const u = get("u", 0), *const v = get("v", 0);
    const double found = u[0] * u[0] + by * u[0] * v[0] + v[0] * v[0];
    free(u);
    free(v);
    return found;
}

/* Its relative change in 500 steps, in which the flow turns by 10 radians, and how far
 * its direction is from where it should be. */
static int turned(const char *module)
{
    const double dt = 0.01, by = 2 * dt;
    begin(module, 3, 4, 1, dt);
    fill("surface", 1);
    fill("bottom", 0);
    fill("u", 0.5);
    const double before = turning(by);
    step(500);
    const double off = fabs(turning(by) / before - 1);
    double *const u = get("u", 0), *const v = get("v", 0);
    const double angle = remainder(atan2(v[0], u[0]) + 500 * by, 2 * PI);
    printf("%.17g %.17g\n", isfinite(off) ? off : INFINITY, fabs(angle));
    free(u);
    free(v);
    unload();
    return 0;
}

static double variation(const double *values, int64_t stride, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += fabs(values[(i + 1) % count * stride] - values[i * stride]);
    return sum;
}

/* A step of water carried along an axis by constant speed: how far it leaves its
 * range, and by how much its variation grows; whether it moved; and the points of its two
 * sides that are neither up nor down. */
static int carried(const char *module, int along, double speed)
{
    begin(module, along == 0 ? 40 : 3, along == 0 ? 3 : 40, 1, 0.01);
    set("g", 0);
    set("coriolis", 0);
    fill(along == 0 ? "u" : "v", speed);
    double *const before = new_values();
    double over = 0;
    int between = 0;
    const int64_t stride = along == 0 ? 1 : n[0];
    for (int64_t i = 0; i < points; i++)
        before[i] = i / stride % 40 < 20 ? 2 : 1;
    put("surface", 0, before);
    step(150);
    double *const after = get("surface", 0);
    for (int64_t i = 0; i < points; i++)
        over = fmax(over, fmax(after[i] - 2, 1 - after[i]));
    const double grown = variation(after, stride, 40) - variation(before, stride, 40);
    for (int64_t i = 0; i < 40; i++)
        between += after[i * stride] > 1.05 && after[i * stride] < 1.95;
    printf("%.17g %d %d\n", fmax(over, grown), fabs(after[20 * stride] - before[20 * stride])
                                            + fabs(after[19 * stride] - before[19 * stride])
                                            > 0.5, between);
    return 0;
}

static double wave;
static int axis_of_wave;

static double crest(const double *x) { return cos(wave * x[axis_of_wave]); }
static double slope(const double *x) { return sin(wave * x[axis_of_wave]); }

static void put_crest(void)
{
    put_function("surface", 0, crest, 0, 0, 0);
    double *const values = get("surface", 0);
    for (int64_t i = 0; i < points; i++)
        values[i] = 1 + 1e-6 * values[i];
    put("surface", 0, values);
    free(values);
}

/* The relative error of the frequency of small inertia-gravity waves. */
static int frequency(const char *module, int along, int64_t size)
{
    const double h = 2 * PI / (double)size, dt = 1e-3;
    double a[3];
    begin(module, along == 0 ? size : 1, along == 0 ? 1 : size, h, dt);
    fill("bottom", 0);
    wave = h, axis_of_wave = along;
    put_crest();
    step(100);
    for (int i = 0; i < 3; i++) {
        step(40);
        a[i] = project(along == 0 ? "u" : "v", 0, slope, along == 0 ? 0.5 : 0,
                       along == 0 ? 0 : 0.5, 0);
    }
    const double found = acos((a[0] + a[2]) / (2 * a[1])) / (40 * dt);
    const double exact = sqrt(2 * 2 + 9 * 1);           /* f^2 + g H k^2, k = 1 */
    printf("%.17g\n", fabs(found / exact - 1));
    return 0;
}

int prove_water(int count, char **words)
{
    if (strcmp(words[0], "rest") == 0)
        return rest(words[1]);
    if (strcmp(words[0], "mass") == 0)
        return mass(words[1]);
    if (strcmp(words[0], "turned") == 0)
        return turned(words[1]);
    if (count > 3 && strcmp(words[0], "carried") == 0)
        return carried(words[1], atoi(words[2]), atof(words[3]));
    if (count > 3 && strcmp(words[0], "frequency") == 0)
        return frequency(words[1], atoi(words[2]), atoll(words[3]));
    return 2;
}
