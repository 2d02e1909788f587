/* The shipped specifications as plain loops written by hand, one function a
 * point, and what each mutant gets wrong in them. Sums are lists of terms, so
 * that the host can add them in any order. */
#include <math.h>
#include <string.h>

#include "oracle_host.h"

static struct array u, past, phi, eta, speed, target, coefficient[3];
static double h[3], dt;
static int64_t width;

/* The second derivative, orders 2 and 8; the mutant's first neighbour has a
 * weight that is off in the fourth digit. */
static REAL weight(int radius, int r, int axis)
{
    static const double TWO[] = { -2, 1 };
    static const double EIGHT[] = {
        -205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560
    };
    static const double FOUR[] = { -5.0 / 2, 4.0 / 3, -1.0 / 12 };
    const double w = (radius == 1 ? TWO : radius == 2 ? FOUR : EIGHT)[r];
    return (REAL)((MUTANT == WEIGHT && r == 1 ? w * 1.0005 : w) / (h[axis] * h[axis]));
}

/* Appends the terms of the Laplacian of f; gives the new count. */
static int laplacian(REAL *terms, struct array f, int radius, int rank, const struct point *p)
{
    int count = 0;
    for (int axis = 0; axis < rank; axis++)
        for (int r = -radius; r <= radius; r++) {
            if (MUTANT == MISSING && axis == 0 && r == radius)
                continue;
            const int64_t s = MUTANT == SHIFT && axis == rank - 1 && r == 1 ? 2 : r;
            const REAL value = get(f, p->x + (axis == 0 ? s : 0), p->y + (axis == 1 ? s : 0),
                                   p->z + (axis == 2 ? s : 0));
            terms[count++] = weight(radius, r < 0 ? -r : r, axis) * value;
        }
    return count;
}

static void assign(struct point *p, int which, REAL value)
{
    p->assigned[which] = 1;
    p->value[which] = value;
}

static void begin_spacings(void)
{
    static const char *const NAMES[] = { "hx", "hy", "hz" };
    for (int axis = 0; axis < RANK; axis++)
        h[axis] = scalar_of(NAMES[axis]);
    dt = scalar_of("dt");
}

static void begin_laplace(void)
{
    begin_spacings();
    u = array_of("u", 0);
}

static void laplace2(struct point *p)
{
    REAL terms[MOST_TERMS];
    assign(p, 0, total(terms, laplacian(terms, u, 1, 3, p)));
}

static void laplace8(struct point *p)
{
    REAL terms[MOST_TERMS];
    assign(p, 0, total(terms, laplacian(terms, u, 4, 3, p)));
}

static void begin_wave2d(void)
{
    begin_laplace();
    past = array_of("u", -1);
    speed = array_of("c2", 0);
    target = array_of("f", 0);
}

static void wave2d(struct point *p)
{
    REAL terms[MOST_TERMS], sum[3];
    const REAL lap = total(terms, laplacian(terms, u, 2, 2, p));
    sum[0] = 2 * get(u, p->x, p->y, 0);
    sum[1] = -get(past, p->x, p->y, 0);
    sum[2] = (REAL)(dt * dt) * (get(speed, p->x, p->y, 0) * lap + get(target, p->x, p->y, 0));
    assign(p, 0, total(sum, 3));
}

static void begin_box27(void)
{
    u = array_of("u", 0);
}

/* Weights by the number of axes along which a point is off the centre. */
static void box27(struct point *p)
{
    static const char *const NAMES[] = { "centre", "face", "edge", "corner" };
    REAL terms[MOST_TERMS];
    int count = 0;
    for (int k = -1; k <= 1; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                REAL w = (REAL)scalar_of(NAMES[i * i + j * j + k * k]);
                if (MUTANT == WEIGHT && i == 1 && j == 0 && k == 0)
                    w *= (REAL)1.0005;
                if (MUTANT == MISSING && i == 1 && j == 1 && k == 1)
                    continue;
                const int s = MUTANT == SHIFT && j == 0 && k == 1 && i == 0;
                terms[count++] = w * get(u, p->x + i + s, p->y + j, p->z + k);
            }
    assign(p, 0, total(terms, count));
}

static void begin_acoustic(void)
{
    begin_laplace();
    past = array_of("u", -1);
    phi = array_of("phi", 0);
    speed = array_of("vp2dt2", 0);
    eta = array_of("eta", 0);
    width = (int64_t)scalar_of("width");
}

static int in_layer(const struct point *p)
{
    const int64_t w = width + (MUTANT == REGION);
    return p->x < w || p->x >= N[0] - width || p->y < w || p->y >= N[1] - width || p->z < w
        || p->z >= N[2] - width;
}

static REAL slope(struct array f, const struct point *p, int axis)
{
    const int64_t x = axis == 0, y = axis == 1, z = axis == 2;
    return (get(f, p->x + x, p->y + y, p->z + z) - get(f, p->x - x, p->y - y, p->z - z))
           * (REAL)(1 / (2 * h[axis]));
}

static void layer(struct point *p, REAL lap)
{
    const REAL e = get(eta, p->x, p->y, p->z), now = get(u, p->x, p->y, p->z);
    const REAL damped = (2 - e * e + 2 * e) * now;
    const REAL before = get(past, p->x, p->y, p->z), f = get(phi, p->x, p->y, p->z);
    const REAL sum[] = { damped, -before, get(speed, p->x, p->y, p->z) * (lap + f) };
    REAL products[RANK];
    for (int axis = 0; axis < RANK; axis++)
        products[axis] = slope(eta, p, axis) * slope(u, p, axis);
    assign(p, 0, total(sum, 3) / (1 + 2 * e));
    assign(p, 1, (f - total(products, RANK)) / (1 + e));
}

static void acoustic(struct point *p)
{
    REAL terms[MOST_TERMS];
    const REAL lap = total(terms, laplacian(terms, u, 4, 3, p));
    if (in_layer(p)) {
        layer(p, lap);
        return;
    }
    const REAL sum[] = { 2 * get(u, p->x, p->y, p->z), -get(past, p->x, p->y, p->z),
                         get(speed, p->x, p->y, p->z) * lap };
    assign(p, 0, total(sum, 3));
}

static void begin_upwind(void)
{
    static const char *const NAMES[] = { "vx", "vy", "vz" };
    begin_spacings();
    u = array_of("q", 0);
    for (int axis = 0; axis < RANK; axis++)
        coefficient[axis] = array_of(NAMES[axis], 0);
}

static REAL one_sided(const struct point *p, int axis, int side)
{
    REAL terms[3];
    const double w[] = { -1.5, MUTANT == WEIGHT ? 2.001 : 2, -0.5 };
    for (int r = 0; r < 3; r++) {
        const int64_t s = side * (MUTANT == SHIFT && r == 2 ? 3 : r);
        terms[r] = (REAL)(side * w[r] / h[axis])
                   * get(u, p->x + (axis == 0 ? s : 0), p->y + (axis == 1 ? s : 0),
                         p->z + (axis == 2 ? s : 0));
    }
    return total(terms, MUTANT == MISSING ? 2 : 3);
}

static void upwind(struct point *p)
{
    REAL terms[RANK];
    for (int axis = 0; axis < RANK; axis++) {
        const REAL v = get(coefficient[axis], p->x, p->y, p->z);
        terms[axis] = v * one_sided(p, axis, v > 0 ? -1 : 1);
    }
    assign(p, 0, get(u, p->x, p->y, p->z) - (REAL)dt * total(terms, RANK));
}

static void begin_diffusion(void)
{
    begin_spacings();
    u = array_of("c", 0);
    speed = array_of("k", 0);
}

/* The flux through the upper (side = 1) or lower face along an axis. */
static REAL flux(const struct point *p, int axis, int side)
{
    const int64_t s = MUTANT == SHIFT && axis == 2 && side > 0 ? 2 : side;
    const int64_t x = axis == 0 ? s : 0, y = axis == 1 ? s : 0, z = axis == 2 ? s : 0;
    const REAL there = get(speed, p->x + x, p->y + y, p->z + z);
    const REAL mean = (get(speed, p->x, p->y, p->z) + there) / (MUTANT == WEIGHT ? 2.001f : 2);
    const REAL step = get(u, p->x + x, p->y + y, p->z + z) - get(u, p->x, p->y, p->z);
    return mean * step * (REAL)side / (REAL)h[axis];
}

static void diffusion(struct point *p)
{
    REAL terms[2 * RANK];
    for (int axis = 0; axis < RANK; axis++) {
        terms[2 * axis] = flux(p, axis, 1) / (REAL)h[axis];
        terms[2 * axis + 1] = -flux(p, axis, -1) / (REAL)h[axis];
    }
    const REAL net = total(terms, MUTANT == MISSING ? 2 * RANK - 1 : 2 * RANK);
    assign(p, 0, get(u, p->x, p->y, p->z) + (REAL)dt * net);
}

static void begin_mixed(void)
{
    begin_laplace();
    speed = array_of("c", 0);
    coefficient[1] = array_of("p", 0);
}

static REAL limited(REAL a, REAL b)
{
    const REAL sign = (REAL)((a > 0) - (a < 0)), p = a < 0 ? -a : a, q = b < 0 ? -b : b;
    return a * b > 0 ? sign * (q < p ? q : p) : 0;
}

static REAL growth(const struct point *p, int axis, int64_t r)
{
    const int64_t x = p->x + (axis == 0 ? r : 0), y = p->y + (axis == 1 ? r : 0);
    return (REAL)exp((double)get(u, x, y, 0)) * get(speed, x, y, 0);
}

static void mixed(struct point *p)
{
    REAL terms[MOST_TERMS], sum[5];
    int count = 0;
    for (int axis = 0; axis < 2; axis++)
        for (int r = -2; r <= 2; r++)
            if (MUTANT != MISSING || axis != 0 || r != 2)
                terms[count++] = weight(2, r < 0 ? -r : r, axis) * growth(p, axis, r);
    const REAL now = get(u, p->x, p->y, 0), c = get(speed, p->x, p->y, 0);
    const REAL right = get(u, p->x + (MUTANT == SHIFT ? 2 : 1), p->y, 0);
    sum[0] = now;
    sum[1] = (REAL)dt * get(coefficient[1], p->y, 0, 0) * total(terms, count);
    sum[2] = limited(right - now, now - get(u, p->x - 1, p->y, 0));
    sum[3] = (int)scalar_of("mode") == 3 ? (REAL)atan2((double)now, (double)c) : 0;
    sum[4] = (REAL)floor((double)(4 * now)) / 3;
    assign(p, 0, total(sum, 5));
}

const struct hand HANDS[] = {
    { "laplace2", begin_laplace, laplace2 },   { "laplace8", begin_laplace, laplace8 },
    { "wave2d", begin_wave2d, wave2d },        { "box27", begin_box27, box27 },
    { "acoustic", begin_acoustic, acoustic },  { "upwind", begin_upwind, upwind },
    { "diffusion", begin_diffusion, diffusion }, { "mixed", begin_mixed, mixed },
};
const int HAND_COUNT = (int)(sizeof HANDS / sizeof HANDS[0]);
