/* Acoustic waves at constant density: plane waves converge at the order of the
 * operator, a matched layer swallows them, and little or nothing grows in it. */
#include "physics.h"

static double wave[3];          /* of the plane wave, per point */
static double phase;

static double travelling(const double *x)
{
    return sin(wave[0] * x[0] + wave[1] * x[1] + wave[2] * x[2] + 0.3 - phase);
}

/* The error of a plane wave that crosses a box of N points a side, whose halo is
 * exact. Its frequency is the exact one of the leap-frog, 4/dt^2 sin^2(w dt/2) = 1:
 * no error but that of the operator in space is left. */
static int order(const char *module, int64_t size)
{
    enum { STEPS = 60 };
    static const double ALONG[2][3] = { { 0.6, 0.8, 0 }, { 2 / 7., -3 / 7., 6 / 7. } };
    const double side = 9, dt = 0.1, frequency = 2 / dt * asin(dt / 2);
    load(module, size, size, size);
    for (int axis = 0; axis < 3; axis++)
        wave[axis] = ALONG[n[2] > 1][axis] * side / (double)size;
    set_spacing(side / (double)size);
    set("width", 0);
    fill("vp2dt2", dt * dt);
    phase = -frequency * dt;
    put_function("u", -1, travelling, 0, 0, 0);
    phase = 0;
    put_function("u", 0, travelling, 0, 0, 0);
    for (int i = 0; i < STEPS; i++) {
        phase = frequency * dt * i;
        surround("u", 0, travelling);
        step(1);
    }
    phase = frequency * dt * STEPS;
    double *const found = get("u", 0);
    put_function("u", 0, travelling, 0, 0, 0);
    double *const exact = get("u", 0);
    double square = 0;
    for (int64_t i = 0; i < points; i++)
        square += (found[i] - exact[i]) * (found[i] - exact[i]);
    printf("%.17g\n", sqrt(square / (double)points));
    return 0;
}

enum { WIDTH = 40, INNER = 60, MARGIN = 56, STEPS = 440, AWAY = 24 };
static const double DT = 0.4;

/* Of a layer of `wide` points, in which eta rises from 0 as the square of the depth. */
static int64_t wide = WIDTH;

static double damping(int64_t i, int64_t size)
{
    const int64_t in = i < size - 1 - i ? i : size - 1 - i;
    const double depth = (double)(wide - 1 - in) / (double)wide;
    return in < wide ? 1.5 * log(1000) / (double)wide * depth * depth * DT : 0;
}

static double both_dampings(const double *x)
{
    return damping((int64_t)x[0], n[0]) + damping((int64_t)x[1], n[1]);
}

static double one_damping(const double *x)
{
    return damping((int64_t)x[0], n[0]);
}

/* A pulse of ten points a wave, AWAY from a layer, as it passes the layer's edge
 * `aside` of the source: values[STEPS]. `margin` moves all faces out. */
static void pulse(const char *module, int64_t margin, int64_t aside, double *values)
{
    const int64_t size = INNER + 2 * WIDTH + 2 * margin;
    const int64_t source[] = { size / 2 - aside / 2, margin + WIDTH + AWAY };
    const int64_t edge[] = { source[0] + aside, margin + WIDTH };
    load(module, size, size, 1);
    set_spacing(1);
    set("width", WIDTH);
    fill("vp2dt2", DT * DT);
    put_function("eta", 0, both_dampings, 0, 0, 0);
    extend("eta");
    for (int i = 0; i < STEPS; i++) {
        const double a = PI * 0.1 * (i * DT - 12);
        step(1);
        inject("u", 1, source, (double[]){ (1 - 2 * a * a) * exp(-a * a) });
        sample("u", 1, edge, &values[i]);
    }
    unload();
}

/* The largest reflection over the largest direct wave, where waves enter the layer
 * at 0 or 45 degrees: what differs where no face is near enough to answer. */
static int reflection(const char *module, int degrees)
{
    static double near[STEPS], far[STEPS];
    double reflected = 0, direct = 0;
    const int64_t aside = degrees == 45 ? AWAY : 0;
    pulse(module, 0, aside, near);
    pulse(module, MARGIN, aside, far);
    for (int i = 0; i < STEPS; i++) {
        const double off = fabs(near[i] - far[i]);
        reflected = off >= 0 ? fmax(reflected, off) : INFINITY;
        direct = fmax(direct, fabs(far[i]));
    }
    printf("%.17g\n", reflected / direct);
    return 0;
}

static void put_drawn(const char *field, double low, double high, int (*where)(int64_t))
{
    double *const values = new_values();
    for (int64_t i = 0; i < points; i++) {
        const double value = low + (high - low) * (drawn() + 1) / 2;
        values[i] = !where || where(i) ? value : 0;
    }
    put(field, 0, values);
    free(values);
}

static int in_layer(int64_t i)
{
    const int64_t at[3] = { i % n[0], i / n[0] % n[1], i / n[0] / n[1] };
    for (int axis = 0; axis < 3; axis++)
        if (n[axis] > 1 && (at[axis] < wide || at[axis] >= n[axis] - wide))
            return 1;
    return 0;
}

/* The largest root of the sum of squares of u in some steps. */
static double most_motion(int steps)
{
    double most = 0;
    for (int s = 0; s < steps; s++) {
        step(1);
        double *const u = get("u", 0), sum = 0;
        for (int64_t i = 0; i < points; i++)
            sum += u[i] * u[i];
        free(u);
        most = sum < INFINITY ? fmax(most, sqrt(sum)) : INFINITY;
    }
    return most;
}

/* A long run from random values. Prints by how much the wave was larger, at most, after a
 * twentieth of it than after the one before, by how much after the last than after the
 * first, and how fast it grew per step in the second half, in units of eta one point
 * into the layer, the least that is not 0. */
static int growth(int steps)
{
    enum { PARTS = 20, SEEN = 20 };
    double size[PARTS + 1], worst = 0;
    put_drawn("u", -1, 1, NULL);
    for (int part = 0; part <= PARTS; part++) {
        step(part > 0 ? steps / PARTS - SEEN : 2 * SEEN);
        size[part] = most_motion(SEEN);
        worst = part > 0 ? fmax(worst, size[part] / size[part - 1]) : 0;
    }
    const double rate = log(size[PARTS] / size[PARTS / 2]) / (steps / 2);
    printf("%.17g %.17g %.17g\n", worst, size[PARTS] / size[0], rate / damping(wide - 2, n[0]));
    return 0;
}

/* The layer of the reflections before the faces across x, or before all. */
static int grows(const char *module, int64_t width, int64_t inner, int all, int steps)
{
    wide = width;
    load(module, inner + 2 * wide, inner + (all ? 2 * wide : 0), inner + 2 * wide);
    set_spacing(1);
    set("width", (double)wide);
    fill("vp2dt2", DT * DT);
    put_function("eta", 0, all ? both_dampings : one_damping, 0, 0, 0);
    extend("eta");
    return growth(steps);
}

/* Any damping in any medium, near the largest step. */
static int rough(const char *module, int64_t width, int64_t inner, int steps)
{
    wide = width;
    load(module, inner + 2 * wide, inner + 2 * wide, inner + 2 * wide);
    set_spacing(1);
    set("width", (double)wide);
    put_drawn("vp2dt2", 0.01, n[2] > 1 ? 0.2 : 0.3, NULL);
    put_drawn("eta", 0, 2, in_layer);
    return growth(steps);
}

int prove_wave(int count, char **words)
{
    if (count > 2 && strcmp(words[0], "order") == 0)
        return order(words[1], atoll(words[2]));
    if (count > 2 && strcmp(words[0], "reflection") == 0)
        return reflection(words[1], atoi(words[2]));
    if (count > 5 && strcmp(words[0], "grows") == 0)
        return grows(words[1], atoll(words[2]), atoll(words[3]), atoi(words[4]), atoi(words[5]));
    if (count > 4 && strcmp(words[0], "rough") == 0)
        return rough(words[1], atoll(words[2]), atoll(words[3]), atoi(words[4]));
    return 2;
}
