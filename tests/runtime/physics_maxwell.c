/* A box of metal rings at its own frequencies, filled with what conducts too, and B has no
 * sources. */
#include "physics.h"

static double wave[3];          /* half waves between the walls, per point */
static double kept = 1;         /* what losses leave of e in a step */

static double mode_xy(const double *x) { return sin(wave[0] * x[0]) * sin(wave[1] * x[1]); }
static double mode_yz(const double *x) { return sin(wave[1] * x[1]) * sin(wave[2] * x[2]); }
static double mode_zx(const double *x) { return sin(wave[2] * x[2]) * sin(wave[0] * x[0]); }

static const struct {
    const char *field;
    double (*mode)(const double *);
    int axis[2];
    double shift[3];
} MODES[] = {
    { "ez", mode_xy, { 0, 1 }, { 0, 0, 0.5 } }, { "ex", mode_yz, { 1, 2 }, { 0.5, 0, 0 } },
    { "ey", mode_zx, { 2, 0 }, { 0, 0.5, 0 } },
};

static void begin(const char *module, int64_t nx, int64_t ny, int64_t nz, double dt)
{
    load(module, nx, ny, nz);
    if (has("psi_eyx"))
        set_width("width", 0);
    set_spacing(1);
    set("dt_mu", dt);
    fill("keep", kept);
    fill("gain", dt);
    for (int axis = 0; axis < 3; axis++)
        wave[axis] = PI / (double)n[axis];
}

/* Without losses, which are left out: e changes by -(w dt)^2 e more than by what is kept of
 * its last change. */
static double frequency(int m, double dt)
{
    double a[3];
    const double *const s = MODES[m].shift;
    put_function(MODES[m].field, 0, MODES[m].mode, s[0], s[1], s[2]);
    step(2);
    for (int i = 0; i < 3; i++) {
        step(1);
        a[i] = project(MODES[m].field, 0, MODES[m].mode, s[0], s[1], s[2]);
    }
    return 2 / dt * asin(sqrt((a[1] - a[2] + kept * (a[1] - a[0])) / a[1]) / 2);
}

/* The largest relative error of three eigenfrequencies of a box, c = 1. */
static int order(const char *module, int64_t size)
{
    double worst = 0;
    for (int m = 0; m < 3; m++) {
        const double dt = 0.3;
        begin(module, size, size + size / 2, size * 2, dt);
        const double exact = hypot(wave[MODES[m].axis[0]], wave[MODES[m].axis[1]]);
        const double off = fabs(frequency(m, dt) / exact - 1);
        worst = off >= 0 ? fmax(worst, off) : INFINITY;
        unload();
    }
    printf("%.17g\n", worst);
    return 0;
}

static int along_wall(int component, int64_t i)
{
    const int64_t at[3] = { i % n[0], i / n[0] % n[1], i / n[0] / n[1] };
    for (int axis = 0; axis < 3; axis++)
        if (axis != component && at[axis] == 0)
            return 1;
    return 0;
}

static void scatter(void)
{
    static const char *const E[] = { "ex", "ey", "ez" };
    for (int component = 0; component < 3; component++) {
        double *const values = new_values();
        for (int64_t i = 0; i < points; i++)
            values[i] = along_wall(component, i) ? 0 : drawn();
        put(E[component], 0, values);
        free(values);
    }
}

/* The largest divergence of B, of values about 1, and whether there is any B. */
static int divergence(const char *module)
{
    begin(module, 7, 6, 8, 0.5);
    scatter();
    step(100);
    double *const hx = get("hx", 0), *const hy = get("hy", 0), *const hz = get("hz", 0);
    double worst = 0, most = 0;
    for (int64_t z = 0; z + 1 < n[2]; z++)
        for (int64_t y = 0; y + 1 < n[1]; y++)
            for (int64_t x = 0; x + 1 < n[0]; x++) {
                const int64_t i = x + n[0] * (y + n[1] * z);
                worst = fmax(worst, fabs(hx[i + 1] - hx[i] + hy[i + n[0]] - hy[i]
                                         + hz[i + n[0] * n[1]] - hz[i]));
                most = fmax(most, fabs(hx[i]));
            }
    printf("%.17g %d\n", worst, most > 0.1 && most < 10);
    return 0;
}

int prove_maxwell(int count, char **words)
{
    if (count > 3)
        kept = atof(words[3]);
    if (count > 2 && strcmp(words[0], "order") == 0)
        return order(words[1], atoll(words[2]));
    if (strcmp(words[0], "divergence") == 0)
        return divergence(words[1]);
    return 2;
}
