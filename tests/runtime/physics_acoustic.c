/* Variable density: plane waves converge at the order of the operator, the
 * operator is its own adjoint in any medium, and a free surface is a mirror. */
#include "physics.h"

static double wave[3];          /* of the plane wave, per point */

static double plane(const double *x)
{
    return sin(wave[0] * x[0] + wave[1] * x[1] + wave[2] * x[2] + 0.3);
}

/* What the operator makes of p, with K = 1: one step from p.prev = 2 p. */
static double *applied(const double *p)
{
    double *const twice = new_values();
    for (int64_t i = 0; i < points; i++)
        twice[i] = 2 * p[i];
    put("p", 0, p);
    put("p", -1, twice);
    free(twice);
    launch("step");
    return get("p", -1);        /* p.next takes the place of p.prev */
}

/* The relative error of the operator on a plane wave of N points. */
static int order(const char *module, int64_t size)
{
    int axes = 0;
    load(module, size, size, size);
    for (int axis = 0; axis < 3; axis++) {
        wave[axis] = n[axis] > 1 ? 2 * PI / (double)size : 0;
        axes += n[axis] > 1;
    }
    set_spacing(2 * PI / (double)size);
    fill("b", 0.7);
    fill("kdt2", 1);
    put_function("p", 0, plane, 0, 0, 0);
    double *const p = get("p", 0), *const found = applied(p);
    double worst = 0;
    for (int64_t i = 0; i < points; i++) {
        const double exact = -0.7 * axes * p[i];    /* wave number 1 along each */
        if (fabs(p[i]) > 0.2)
            worst = fmax(worst, fabs(found[i] / exact - 1));
    }
    printf("%.17g\n", worst);
    return 0;
}

static void draw(double *values, double low, double high)
{
    for (int64_t i = 0; i < points; i++)
        values[i] = low + (high - low) * (drawn() + 1) / 2;
}

/* (q, L p) and (p, L q) in a random medium: their difference over their size. */
static int adjoint(const char *module)
{
    load(module, 9, 8, 7);
    set_spacing(1);
    fill("kdt2", 1);
    double *const p = new_values(), *const q = new_values(), *const b = new_values();
    draw(p, -1, 1);
    draw(q, -1, 1);
    draw(b, 0.2, 2);
    put("b", 0, b);
    double *const of_p = applied(p), *const of_q = applied(q);
    double first = 0, second = 0, size = 0;
    for (int64_t i = 0; i < points; i++) {
        first += q[i] * of_p[i];
        second += p[i] * of_q[i];
        size += fabs(q[i] * of_p[i]);
    }
    printf("%.17g\n", fabs(first - second) / size);
    return 0;
}

/* Random values that are the same at each depth below a surface, the row of that
 * index along the last axis, and above it; there, if `odd`, with the other sign. */
static double *mirrored(int64_t surface, double low, double high, int odd)
{
    const int64_t rows = n[n[2] > 1 ? 2 : 1], row = points / rows;
    double *const below = new_values(), *const values = new_values();
    for (int64_t i = odd ? row : 0; i < (rows - surface) * row; i++)
        below[i] = low + (high - low) * (drawn() + 1) / 2;
    for (int64_t i = 0; i < points; i++) {
        const int64_t depth = i / row - surface;
        values[i] = below[llabs(depth) * row + i % row] * (odd && depth < 0 ? -1 : 1);
    }
    free(below);
    return values;
}

static void put_mirrored(const char *field, int level, int64_t surface, double low, double high)
{
    double *const values = mirrored(surface, low, high, low < 0);
    put(field, level, values);
    free(values);
}

/* The pressure after waves went up and down for a while, as deep as `depth` rows
 * below the surface; `above`: of a domain that has rows above it. */
static double *shaken(const char *module, int dims, int64_t depth, int above)
{
    const int64_t surface = above ? depth - 1 : 0;
    load(module, 11, dims == 2 ? depth + surface : 9, depth + surface);
    set_spacing(1);
    put_mirrored("b", 0, surface, 0.2, 1);
    extend("b");
    put_mirrored("kdt2", 0, surface, 0.05, 0.2);
    put_mirrored("p", -1, surface, -1, 1);
    put_mirrored("p", 0, surface, -1, 1);
    step(50);
    double *const p = get("p", 0);
    unload();
    return p;
}

/* A free surface against a domain twice as deep, in which all above is the mirror
 * image of what is below: the largest difference, and the largest pressure. */
static int mirror(const char *free_surface, const char *halo, int dims)
{
    enum { DEPTH = 12 };
    double *const p = shaken(free_surface, dims, DEPTH, 0);
    const int64_t count = points, above = points / DEPTH * (DEPTH - 1);
    double *const both = shaken(halo, dims, DEPTH, 1);
    double worst = 0, most = 0;
    for (int64_t i = 0; i < count; i++) {
        const double off = fabs(p[i] - both[above + i]);
        worst = off >= 0 ? fmax(worst, off) : INFINITY;
        most = fmax(most, fabs(p[i]));
    }
    printf("%.17g %.17g\n", worst, most);
    return 0;
}

int prove_acoustic(int count, char **words)
{
    if (count > 2 && strcmp(words[0], "order") == 0)
        return order(words[1], atoll(words[2]));
    if (strcmp(words[0], "adjoint") == 0)
        return adjoint(words[1]);
    if (count > 3 && strcmp(words[0], "mirror") == 0)
        return mirror(words[1], words[2], atoi(words[3]));
    return 2;
}
