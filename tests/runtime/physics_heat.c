/* Heat between walls: products of the walls' own waves decay as one, at a rate
 * that is right to second order; steady flow stays steady. */
#include "physics.h"

static const double WALL = 0.25, DT = 1e-3, KAPPA = 0.5;

/* Along x: even about -1/2, 0 at n. Along y: odd about -1/2, even about n - 1/2.
 * Along z: around. */
static double wave[3];

static double product(const double *x)
{
    return cos(wave[0] * (x[0] + 0.5)) * sin(wave[1] * (x[1] + 0.5))
        * sin(wave[2] * x[2] + 0.7);
}

static void choose_waves(void)
{
    wave[0] = PI / 2 / ((double)n[0] + 0.5);
    wave[1] = PI / 2 / (double)n[1];
    wave[2] = 2 * PI / (double)n[2];
}

static void begin(const char *module, int64_t nx, int64_t ny, int64_t nz, double h)
{
    load(module, nx, ny, nz);
    set_spacing(h);
    set("dt", DT);
    set("kappa", KAPPA);
    set("power", 0);
    set("wall", WALL);
    set("inflow", 0);
    choose_waves();
}

/* One step of the product above the walls' temperature: rate, the decay found at
 * the largest point; uneven, how much any point differs from it. */
static void decay(double *rate, double *uneven)
{
    put_function("t", 0, product, 0, 0, 0);
    double *const t = get("t", 0);
    int64_t top = 0;
    for (int64_t i = 0; i < points; i++) {
        top = fabs(t[i]) > fabs(t[top]) ? i : top;
        t[i] += WALL;
    }
    put("t", 0, t);
    launch("step");
    double *const next = get("t", 1);
    *rate = ((next[top] - WALL) / (t[top] - WALL) - 1) / (DT * KAPPA);
    *uneven = 0;
    for (int64_t i = 0; i < points; i++) {
        const double change = *rate * DT * KAPPA * (t[i] - WALL);
        const double off = fabs(next[i] - t[i] - change) / fabs(*rate * DT * KAPPA);
        *uneven = off >= 0 ? fmax(*uneven, off) : INFINITY;
    }
    free(t);
    free(next);
}

/* The rate's relative error against the series of the continuous equation, of a
 * box that `size` points divide; and how uneven. */
static int order(const char *module, int64_t size)
{
    double rate, uneven, exact = 0;
    begin(module, size, size, size, 1.0 / (double)size);
    decay(&rate, &uneven);
    for (int axis = 0; axis < 3; axis++)
        exact -= pow(wave[axis] * (double)size, 2);
    printf("%.17g %.17g\n", fabs(rate / exact - 1), uneven);
    return 0;
}

/* Small boxes of 1, 2 and 3 points along each axis: the rate is that of the
 * differences, everywhere. */
static int small(const char *module)
{
    double worst = 0;
    for (int size = 0; size < 27; size++) {
        double rate, uneven, exact = 0;
        begin(module, 1 + size % 3, 1 + size / 3 % 3, 1 + size / 9, 1);
        decay(&rate, &uneven);
        for (int axis = 0; axis < 3; axis++)
            exact += 2 * cos(wave[axis]) - 2;
        worst = fmax(worst, fmax(uneven, fabs(rate - exact)));
        unload();
    }
    printf("%.17g\n", worst);
    return 0;
}

static double steady(const double *x)
{
    return WALL - 0.5 * 0.1 * (x[0] - (double)n[0]);
}

/* How far a steady flow from the low face of x to the bath moves in one step. */
static int flow(const char *module)
{
    begin(module, 12, 1, 1, 0.1);
    set("inflow", 0.5);
    put_function("t", 0, steady, 0, 0, 0);
    double *const t = get("t", 0);
    launch("step");
    double *const next = get("t", 1);
    double worst = 0;
    for (int64_t i = 0; i < points; i++)
        worst = fmax(worst, fabs(next[i] - t[i]));
    printf("%.17g\n", worst);
    return 0;
}

int prove_heat(int count, char **words)
{
    if (count > 2 && strcmp(words[0], "order") == 0)
        return order(words[1], atoll(words[2]));
    if (strcmp(words[0], "small") == 0)
        return small(words[1]);
    if (strcmp(words[0], "flow") == 0)
        return flow(words[1]);
    return 2;
}
