/* Variable density: plane waves converge at the order of the operator, and the
 * operator is its own adjoint in any medium. */
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
    load(module, size, size, size);
    for (int axis = 0; axis < 3; axis++)
        wave[axis] = n[axis] > 1 ? 2 * PI / (double)size : 0;
    set_spacing(2 * PI / (double)size);
    fill("b", 0.7);
    fill("kdt2", 1);
    put_function("p", 0, plane, 0, 0, 0);
    double *const p = get("p", 0), *const found = applied(p);
    double worst = 0;
    for (int64_t i = 0; i < points; i++) {
        const double exact = -0.7 * 2 * p[i];       /* two axes, wave number 1 */
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

int prove_acoustic(int count, char **words)
{
    if (count > 2 && strcmp(words[0], "order") == 0)
        return order(words[1], atoll(words[2]));
    if (strcmp(words[0], "adjoint") == 0)
        return adjoint(words[1]);
    return 2;
}
