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

/* As u is, three by three pixels a point, in one of the panels. */
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

const struct scene OPERATORS[] = {
    { "laplace", laplace }, { "box27", box27 }, { NULL, NULL },
};
