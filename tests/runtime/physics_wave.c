/* Acoustic waves at constant density: plane waves converge at the order of the
 * operator, and a matched layer swallows them. */
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

static double damping(int64_t i, int64_t size)
{
    const int64_t in = i < size - 1 - i ? i : size - 1 - i;
    const double depth = (double)(WIDTH - 1 - in) / WIDTH;
    return in < WIDTH ? 1.5 * log(1000) / WIDTH * depth * depth * DT : 0;
}

static double both_dampings(const double *x)
{
    return damping((int64_t)x[0], n[0]) + damping((int64_t)x[1], n[1]);
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

int prove_wave(int count, char **words)
{
    if (count > 2 && strcmp(words[0], "order") == 0)
        return order(words[1], atoll(words[2]));
    if (count > 2 && strcmp(words[0], "reflection") == 0)
        return reflection(words[1], atoi(words[2]));
    return 2;
}
