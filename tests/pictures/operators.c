/* Scenes of operators: what one kernel makes of a field, again and again. */
#include "picture.h"

/* The potential between electrodes, by Jacobi's method on the Laplacian. */

enum { PLATE_X = 150, PLATE_Y = 100 };

static double electrode(int64_t k)      /* its potential, or none */
{
    const double x = (double)(k % PLATE_X), y = (double)(k / PLATE_X);
    if (hypot(x - 45, y - 36) < 12)
        return 1;
    if (hypot(x - 104, y - 52) < 8)
        return -1;
    return fabs(x - 55) < 30 && fabs(y - 76) < 1.5 ? 0 : NAN;
}

static void laplace(const char *module, struct plane *plane)
{
    load(module, PLATE_X, PLATE_Y, 1);
    set_spacing(1);
    double *const u = new_values();
    for (int i = 0; i < 9000; i++) {
        put("u", 0, u);
        extend("u");
        launch("apply");
        double *const lap = get("lap_u", 0);
        for (int64_t k = 0; k < points; k++)
            u[k] = isnan(electrode(k)) ? u[k] + lap[k] / 4 : electrode(k);
        free(lap);
    }
    plane_begin(plane, PLATE_X, PLATE_Y);
    for (int64_t k = 0; k < points; k++)
        plane->values[k] = isnan(electrode(k)) ? u[k] : NAN;
    free(u);
    plane->low = -1;
    plane->high = 1;
    plane->bands = 25;
}

/* A noisy picture, smoothed more and more from left to right. */

enum { PANELS = 3, NOISY_X = 120, NOISY_Y = 80 };

static double rings(double x, double y)
{
    const double r = hypot(x - 60, y - 40);
    return 0.5 + 0.5 * cos(r * r / 100) * exp(-square(r / 63));
}

static double *noisy(void)
{
    double *const u = new_values();
    for (int64_t i = 0; i < points; i++)
        u[i] = rings((double)(i % NOISY_X), (double)(i / NOISY_X)) + 0.45 * drawn();
    return u;
}

/* A plane of u in one of the panels, three by three pixels a point. */
static void copy_panel(const double *u, int panel, struct plane *plane)
{
    for (int64_t i = 0; i < plane->columns * plane->rows; i++) {
        const int64_t x = i % plane->columns, y = i / plane->columns;
        if (x * PANELS / plane->columns == panel)
            plane->values[i] = u[x / 3 + y / 3 * NOISY_X];
    }
}

static void box27(const char *module, struct plane *plane)
{
    static const int TIMES[PANELS] = { 0, 1, 4 };
    load(module, NOISY_X, NOISY_Y, 1);
    set("centre", 8 / 64.);
    set("face", 4 / 64.);
    set("edge", 2 / 64.);
    set("corner", 1 / 64.);
    double *u = noisy();
    plane_begin(plane, 3 * NOISY_X, 3 * NOISY_Y);
    for (int i = 0; i <= TIMES[PANELS - 1]; i++) {
        for (int panel = 0; panel < PANELS; panel++)
            if (i == TIMES[panel])
                copy_panel(u, panel, plane);
        put("u", 0, u);
        free(u);
        extend("u");
        launch("apply");
        u = get("box_u", 0);
    }
    free(u);
    plane->map = VALUES;
    plane->low = -0.1;
    plane->high = 1.1;
}

/* The error of a solution, large and small waves of it, as sweeps go on: the
 * small ones are gone at once. */

static void gauss_seidel(const char *module, struct plane *plane)
{
    static const int SWEEPS[PANELS] = { 0, 1, 6 };
    enum { DEEP = 41 };
    load(module, NOISY_X, NOISY_Y, DEEP);
    set_spacing(1);
    double *const u = new_values();
    for (int64_t i = 0; i < points; i++) {
        const double x = (double)(i % NOISY_X), y = (double)(i / NOISY_X % NOISY_Y);
        u[i] = sin(x * 6 * PI / NOISY_X) * sin(y * 4 * PI / NOISY_Y) + drawn();
    }
    put("u", 0, u);
    free(u);
    plane_begin(plane, 3 * NOISY_X, 3 * NOISY_Y);
    for (int i = 0, panel = 0; panel < PANELS; i++) {
        if (i == SWEEPS[panel]) {
            double *const now = get("u", 0);
            copy_panel(now + DEEP / 2 * NOISY_X * NOISY_Y, panel++, plane);
            free(now);
        }
        launch("red_black");
    }
    plane->low = -1.3;
    plane->high = 1.3;
}

/* What 16 bits leave of diffusion: from 8 to 10 there are 32 numbers, and where
 * a step would change less than half of one nothing moves, so slopes become
 * terraces. */

enum { HILL_X = 180, HILL_Y = 120, HILL = HILL_X * HILL_Y };

/* Gives all points of a field that stores 16 bits these values. */
static void put_rounded(const char *field, double (*f)(double x, double y))
{
    int64_t *const at = malloc(2 * HILL * sizeof *at);
    double *const values = malloc(HILL * sizeof *values);
    if (!at || !values)
        exit(2);
    for (int64_t i = 0; i < HILL; i++) {
        at[2 * i] = i % HILL_X;
        at[2 * i + 1] = i / HILL_X;
        values[i] = f((double)at[2 * i], (double)at[2 * i + 1]);
    }
    fill(field, 0);
    inject(field, HILL, at, values);
    free(at);
    free(values);
}

static double even_k(double x, double y) { return x * y >= 0 ? 1 : 0.5; }

static double hills(double x, double y)
{
    return 8 + 2 * exp(-square(hypot(x - 66, y - 66) / 40))
           + 1.1 * exp(-square(hypot(x - 128, y - 46) / 30));
}

static void mixed_precision(const char *module, struct plane *plane)
{
    load(module, HILL_X, HILL_Y, 1);
    set_spacing(1);
    set("dt", 0.15);
    put_rounded("k", even_k);
    extend("k");
    put_rounded("u", hills);
    for (int i = 0; i < 400; i++) {
        extend("u");
        step(1);
    }
    plane_begin(plane, HILL_X, HILL_Y);
    plane_show(plane, "heat", 1);
    for (int64_t i = 0; i < HILL; i++)
        plane->values[i] = sqrt(2 * plane->values[i]);     /* heat is u^2/2 */
    plane->map = VALUES;
    plane->low = 7.8;
    plane->high = 10.2;
    plane->relief = 9;
}

/* Short waves on their way to the right, time downwards, by three tunings of
 * one operator: the straight line is where they should be. */

enum { WAY = 108, TIMES = 216, INSIDE = 40 };

/* One line at each time; leap-frog with INSIDE steps between lines. */
static void travel(double third, int panel, struct plane *plane)
{
    const double dt = 0.4 / INSIDE;
    double *u = new_values(), *before = new_values();
    for (int64_t x = 0; x < WAY; x++) {
        before[x] = exp(-square((double)(x - 16) / 8)) * cos(2 * PI * (double)x / 4.4);
        u[x] = exp(-square(((double)(x - 16) - dt) / 8)) * cos(2 * PI * ((double)x - dt) / 4.4);
    }
    set("third", third);
    for (int t = 0; t < TIMES * INSIDE; t++) {
        put("u", 0, u);
        launch("tune");
        double *const slope = get("tuned_u", 0);
        for (int64_t x = 0; x < WAY; x++) {
            const double next = before[x] - 2 * dt * slope[x];
            before[x] = u[x];
            u[x] = next;
        }
        free(slope);
        if (t % INSIDE == 0)
            memcpy(plane->values + panel * WAY + t / INSIDE * plane->columns, u, sizeof(double) * WAY);
    }
    free(u);
    free(before);
}

static void weights(const char *module, struct plane *plane)
{
    static const double THIRD[PANELS] = { 0.015, 1 / 60., 0.02651995 };
    static const char *const OTHERS[] = { "face", "edge", "corner" };
    load(module, WAY, 1, 1);
    set_spacing(1);
    for (int i = 0; i < 3; i++)
        set(OTHERS[i], 0);
    plane_begin(plane, PANELS * WAY, TIMES);
    for (int panel = 0; panel < PANELS; panel++)
        travel(THIRD[panel], panel, plane);
    for (int64_t i = 0; i < plane->columns * TIMES; i++) {
        const double x = (double)(i % WAY), t = 0.4 * (double)(i / plane->columns);
        plane->dark[i] = fabs(x - 16 - t) < 1 || x < 1;
    }
    plane->low = -0.7;
    plane->high = 0.7;
}

const struct scene OPERATORS[] = {
    { "laplace", laplace },
    { "box27", box27 },
    { "gauss_seidel", gauss_seidel },
    { "mixed_precision", mixed_precision },
    { "weights", weights },
    { NULL, NULL },
};
