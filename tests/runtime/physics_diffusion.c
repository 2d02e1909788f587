/* Heat whose owner answers for the faces: the halo is filled before each step,
 * and what is inside follows the series of the continuous equation to second
 * order, that of the differences to rounding. */
#include "physics.h"

/* What the owner keeps at both faces of an axis. Walls lie half a point beyond
 * the outermost points: FIXED at no heat, INSULATED; MIXED is fixed below. */
enum kind { FIXED, INSULATED, AROUND, MIXED, KINDS };

enum { WAVES = 2, PRODUCTS = WAVES * WAVES * WAVES };

static const double KAPPA = 0.5, POWER = 3;

static enum kind kinds[3];
static const double *inside;            /* the field, as the owner knows it */
static double spacing[3];

/* The two longest waves between such faces, per point of an extent. */
static double wave_of(enum kind kind, int64_t extent, int which)
{
    static const double HALVES[KINDS][WAVES]
        = { { 1, 2 }, { 0, 1 }, { 2, 4 }, { 0.5, 1.5 } };
    return HALVES[kind][which] * PI / (double)extent;
}

static double wave_at(enum kind kind, double wave, double x)
{
    return kind == INSULATED ? cos(wave * (x + 0.5))
        : sin(wave * (x + 0.5) + (kind == AROUND ? 0.7 : 0));
}

/* A point of the halo: what lies at its place inside, as often as it takes. */
static double owner(const double *x)
{
    int64_t at[3];
    double sign = 1;
    for (int axis = 0; axis < 3; axis++) {
        int64_t i = (int64_t)x[axis];
        const int below = i < 0, above = i >= n[axis];
        if (kinds[axis] == AROUND)
            i = (i + n[axis]) % n[axis];
        else if (below || above)
            i = below ? -1 - i : 2 * n[axis] - 1 - i;
        if (kinds[axis] == FIXED ? below || above : kinds[axis] == MIXED && below)
            sign = -sign;
        at[axis] = i;
    }
    return sign * inside[at[0] + n[0] * (at[1] + n[1] * at[2])];
}

/* One product of waves, and how fast it decays: as the continuous equation has
 * it, or as differences of the second order. */
struct product { double wave[3], rate; };

static struct product products[PRODUCTS];

static void choose_products(int of_differences)
{
    for (int i = 0; i < PRODUCTS; i++) {
        products[i].rate = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double wave = wave_of(kinds[axis], n[axis], i >> axis & 1);
            const double h2 = spacing[axis] * spacing[axis];
            products[i].wave[axis] = wave;
            products[i].rate += KAPPA / h2
                * (of_differences ? 2 - 2 * cos(wave) : wave * wave);
        }
    }
}

static double product_at(const struct product *one, const double *x)
{
    double value = 1;
    for (int axis = 0; axis < 3; axis++)
        value *= wave_at(kinds[axis], one->wave[axis], x[axis]);
    return value;
}

/* The last product is heated too. */
static double heating(const double *x)
{
    return product_at(&products[PRODUCTS - 1], x);
}

static double elapsed, step_size;       /* step_size 0: of the continuous equation */

static double left(double rate)
{
    return step_size == 0 ? exp(-rate * elapsed)
        : pow(1 - rate * step_size, round(elapsed / step_size));
}

static double series(const double *x)
{
    double sum = 0;
    for (int i = 0; i < PRODUCTS; i++) {
        const double rate = products[i].rate, now = left(rate);
        const double heated = i < PRODUCTS - 1 ? 0
            : POWER * (rate > 0 ? (1 - now) / rate : elapsed);
        sum += (now / (1 + i) + heated) * product_at(&products[i], x);
    }
    return sum;
}

static void begin(const char *module, const int64_t *extents, const double *h, int first)
{
    static const char *const NAMES[] = { "hx", "hy", "hz" };
    load(module, extents[0], extents[1], extents[2]);
    for (int axis = 0; axis < 3; axis++) {
        kinds[axis] = (enum kind)((first + axis) % KINDS);
        spacing[axis] = h[axis];
        set(NAMES[axis], h[axis]);
    }
    set("kappa", KAPPA);
    set("power", POWER);
}

/* The largest error after some steps. */
static double march(double dt, int steps, int of_differences)
{
    double worst = 0;
    set("dt", dt);
    choose_products(of_differences);
    elapsed = 0, step_size = of_differences ? dt : 0;
    put_function("source", 0, heating, 0, 0, 0);
    put_function("t", 0, series, 0, 0, 0);
    for (int i = 0; i < steps; i++) {
        double *const now = get("t", 0);
        inside = now;
        surround("t", 0, owner);
        free(now);
        step(1);
    }
    elapsed = dt * steps;
    double *const found = get("t", 0);
    put_function("t", 0, series, 0, 0, 0);
    double *const exact = get("t", 0);
    for (int64_t i = 0; i < points; i++) {
        const double off = fabs(found[i] - exact[i]);
        worst = off >= 0 ? fmax(worst, off) : INFINITY;
    }
    free(found);
    free(exact);
    return worst;
}

/* A cube that `size` points divide, from the kind `first` on, against the series
 * of the continuous equation. Steps are as the square of the spacing. */
static int order(int first, const char *module, int64_t size)
{
    const double h = 1 / (double)size;
    begin(module, (int64_t[]){ size, size, size }, (double[]){ h, h, h }, first);
    const double worst = march(h * h / (8 * KAPPA), (int)(size * size / 4), 0);
    printf("%.17g\n", worst);
    return 0;
}

/* Boxes of 1, 2 and 3 points along each axis, of every kind at every axis. */
static int small(const char *module)
{
    double worst = 0;
    for (int size = 0; size < 27; size++)
        for (int first = 0; first < KINDS; first++) {
            begin(module, (int64_t[]){ 1 + size % 3, 1 + size / 3 % 3, 1 + size / 9 },
                  (double[]){ 0.8, 1, 1.3 }, first);
            worst = fmax(worst, march(0.2, 3, 1));
            unload();
        }
    printf("%.17g\n", worst);
    return 0;
}

int prove_diffusion(int count, char **words)
{
    if (count > 3 && strcmp(words[0], "order") == 0)
        return order(atoi(words[1]), words[2], atoll(words[3]));
    if (strcmp(words[0], "small") == 0)
        return small(words[1]);
    return 2;
}
