/* Weights by the polynomials that they are exact for, and by the next that they
 * are not exact for. */
#include "physics.h"

static int power[3];            /* the monomial: x^power[0] y^power[1] z^power[2] */
static double h[3];

static double from_centre(int axis, const double *x)
{
    return h[axis] * (x[axis] - (double)(n[axis] - 1) / 2);
}

/* The derivative of a monomial in one variable. */
static double derived(int axis, int times, const double *x)
{
    double factor = 1;
    for (int i = 0; i < times; i++)
        factor *= power[axis] - i;
    return factor == 0 ? 0 : factor * pow(from_centre(axis, x), power[axis] - times);
}

static double monomial(const double *x)
{
    return derived(0, 0, x) * derived(1, 0, x) * derived(2, 0, x);
}

static double second(int along, const double *x)
{
    double value = 1;
    for (int axis = 0; axis < 3; axis++)
        value *= derived(axis, axis == along ? 2 : 0, x);
    return value;
}

static double slope(const double *x)
{
    return derived(0, 1, x) * derived(1, 0, x) * derived(2, 0, x);
}

static double flat(const double *x) { return second(0, x) + second(1, x); }
static double laplacian(const double *x) { return flat(x) + second(2, x); }

/* `exact` up to total degree `degree`; `axes` count in it, others have power 0. */
static const struct form {
    const char *name, *result;
    double (*exact)(const double *x);
    int derivative, degree, axes, equal, inside;
    double third;
} FORMS[] = {
    { "flat", "flat_u", flat, 2, 9, 2, 0, 0, 0 },
    { "tuned", "tuned_u", slope, 1, 4, 1, 0, 0, 0.02651995 },
    { "sixth", "tuned_u", slope, 1, 6, 1, 0, 0, 1.0 / 60 },
    { "slope", "slope_u", slope, 1, 4, 1, 0, 1, 0 },
    { "cube", "cube_u", laplacian, 2, 3, 3, 1, 0, 0 },
};

static void begin(const char *module, const struct form *form)
{
    load(module, 11, 6, 5);
    for (int axis = 0; axis < 3; axis++)
        h[axis] = form->equal ? 0.7 : 0.5 + 0.2 * axis;
    set("hx", h[0]);
    set("hy", h[1]);
    set("hz", h[2]);
    set("third", form->third);
    set("face", 14.0 / 30);
    set("edge", 3.0 / 30);
    set("corner", 1.0 / 30);
}

/* The largest error for the monomial, relative to its own size; a form that stays
 * inside finds nonsense beyond the faces. */
static double off(const struct form *form)
{
    fill("u", 1e6);
    put_function("u", 0, monomial, 0, 0, 0);
    if (!form->inside)
        surround("u", 0, monomial);
    step(1);
    double *const got = get(form->result, 0), *const u = get("u", 0), worst = 0, most = 0;
    for (int64_t i = 0; i < points; i++) {
        const double x[3] = { (double)(i % n[0]), (double)(i / n[0] % n[1]),
                              (double)(i / n[0] / n[1]) };
        const double error = fabs(got[i] - form->exact(x));
        worst = error < INFINITY ? fmax(worst, error) : INFINITY;
        most = fmax(most, fabs(u[i]));
    }
    free(got);
    free(u);
    return worst * pow(h[0], form->derivative) / most;
}

/* The largest error up to the degree, and the largest of the degree above. */
static int exactness(const char *module, const struct form *form)
{
    double within = 0, above = 0;
    begin(module, form);
    for (power[2] = 0; power[2] <= (form->axes > 2 ? form->degree + 1 : 0); power[2]++)
        for (power[1] = 0; power[1] <= (form->axes > 1 ? form->degree + 1 : 0); power[1]++)
            for (power[0] = 0; power[0] <= form->degree + 1; power[0]++) {
                const int total = power[0] + power[1] + power[2];
                if (total <= form->degree)
                    within = fmax(within, off(form));
                else if (total == form->degree + 1)
                    above = fmax(above, off(form));
            }
    unload();
    printf("%.17g %.17g\n", within, above);
    return 0;
}

int prove_weights(int count, char **words)
{
    for (size_t i = 0; count > 1 && i < sizeof FORMS / sizeof FORMS[0]; i++)
        if (strcmp(words[0], FORMS[i].name) == 0)
            return exactness(words[1], &FORMS[i]);
    return 2;
}
