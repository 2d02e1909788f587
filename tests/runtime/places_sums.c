/* Places against sums over the whole grid, with weights by their definitions; the
 * pair as adjoint; what is linear, and waves. */
#include "places.h"

/* The largest errors to half of Nyquist: of Hicks (2002), and from 9 points on ours. */
static const double CLAIMS[16] = {
    1.72e-1, 2.32e-2, 4.79e-3, 1.34e-3, 2.43e-4, 4.88e-5, 9.79e-6, 2.19e-6, 3.7e-7,
    7.4e-8, 1.4e-8, 2.6e-9, 5.2e-10, 1.1e-10, 2.5e-11, 5.1e-12
};

/* --- weights by definition ---------------------------------------------------- */

static double bessel(double x)
{
    double sum = 0, term = 1;
    for (int k = 1; k < 200; term *= (x / 2 / k) * (x / 2 / k), k++)
        sum += term;
    return sum;
}

static double weight(const struct qn_interpolation *how, double distance)
{
    const double d = fabs(distance), r = how->half_width;
    if (how->half_width == 0)
        return fmax(0, 1 - d);
    if (d < 1e-9 || d >= r)
        return d < 1e-9;
    const double pi = acos(-1), b = how->b > 0 ? how->b : qn__taps_best(how->half_width);
    return sin(pi * d) / (pi * d) * bessel(b * sqrt(1 - d * d / (r * r))) / bessel(b);
}

/* Of grid point p, counted along the axes, for a place. */
static double weight_of(const struct qn_interpolation *how, int64_t p, const double *x)
{
    double product = 1;
    for (int axis = 0; axis < rank; axis++) {
        product *= weight(how, (double)(p % n[axis]) + at[axis] - x[axis]);
        p /= n[axis];
    }
    return product;
}

/* --- values are what the definitions say ---------------------------------------- */

/* How far the values sampled from u are from sums over the grid. */
static double sampled_off(const struct qn_interpolation *how, const double *x, const double *u,
                          const double *got)
{
    double worst = 0;
    for (int i = 0; i < PLACES; i++) {
        double sum = 0;
        for (int64_t p = 0; p < points; p++)
            sum += weight_of(how, p, x + i * rank) * u[p];
        worst = fmax(worst, fabs(sum - got[i]));
    }
    return worst;
}

static double injected_off(const struct qn_interpolation *how, const double *x, const double *v,
                           const double *got)
{
    double worst = 0;
    for (int64_t p = 0; p < points; p++) {
        double sum = 0;
        for (int i = 0; i < PLACES; i++)
            sum += weight_of(how, p, x + i * rank) * v[i];
        worst = fmax(worst, fabs(sum - got[p]));
    }
    return worst;
}

/* (sample u, v) and (u, inject v), which are the same but for rounding. */
static double adjoint_off(const double *u, const double *v, const double *su, const double *iv)
{
    double first = 0, second = 0, size = 0;
    for (int i = 0; i < PLACES; i++) {
        first += su[i] * v[i];
        size += fabs(v[i]);
    }
    for (int64_t p = 0; p < points; p++)
        second += u[p] * iv[p];
    return fabs(first - second) / size;
}

void test_pair(const char *name)
{
    static double x[4 * PLACES], u[MOST], v[PLACES], su[PLACES], iv[MOST], other[MOST];
    double adjoint = 0, sampled = 0, injected = 0;
    make_field(name);
    for (int k = 0; k < KIND_COUNT; k++) {
        draw_places(x);
        draw(u, points);
        draw(v, PLACES);
        struct qn_places *const places = places_at(x, PLACES, &KINDS[k]);
        must(qn_field_fill(field, 0));
        must(qn_places_inject(places, -1, v));
        must(qn_field_read(field, -1, iv));
        must(qn_field_write(field, 0, u));
        must(qn_places_sample(places, 0, su));
        must(qn_field_read(field, 0, other));
        sampled = fmax(sampled, memcmp(u, other, (size_t)points * sizeof *u)
                       ? INFINITY : sampled_off(&KINDS[k], x, u, su));
        injected = fmax(injected, injected_off(&KINDS[k], x, v, iv));
        adjoint = fmax(adjoint, adjoint_off(u, v, su, iv));
        qn_places_free(places);
    }
    ok(sampled < 2e-14, "%s, %s: sampled as defined, %.1e", where, name, sampled);
    ok(injected < 2e-14, "%s, %s: injected as defined, %.1e", where, name, injected);
    ok(adjoint < 1e-15, "%s, %s: the two are adjoint, %.1e", where, name, adjoint);
}

/* What is linear along every axis comes back, wherever the field's points lie. */
void test_linear(const char *name)
{
    static double x[4 * PLACES], u[MOST], got[PLACES];
    double worst = 0;
    make_field(name);
    for (int64_t p = 0; p < points; p++) {
        const double i = (double)(p % n[0]) + at[0], j = (double)(p / n[0] % n[1]) + at[1];
        u[p] = (1 + 2 * i) * (3 - j) * (0.5 + (double)(p / n[0] / n[1]) + at[2]);
    }
    draw_places(x);
    for (int i = 0; i < PLACES; i++)
        for (int axis = 0; axis < 3; axis++)    /* between the field's own points */
            x[3 * i + axis] = fmax(at[axis], fmin(x[3 * i + axis],
                                                  at[axis] + (double)n[axis] - 1));
    must(qn_field_write(field, 0, u));
    must(qn_places_sample(places_at(x, PLACES, NULL), 0, got));
    for (int i = 0; i < PLACES; i++) {
        const double *const c = x + 3 * i;
        worst = fmax(worst, fabs(got[i] - (1 + 2 * c[0]) * (3 - c[1]) * (0.5 + c[2])));
    }
    ok(worst < 1e-12, "%s, %s: linear along every axis, %.1e", where, name, worst);
}

/* A field that leaves out points is one that has nothing there. */
static bool left_out(int64_t p)
{
    return p % 9 >= 3 && p % 9 < 6;
}

static void test_hollow_kind(const struct qn_interpolation *how)
{
    static double x[3 * PLACES], u[MOST], all[MOST], slabs[MOST], v[PLACES];
    static double full[PLACES], got[PLACES];
    int64_t count = 0, wrong = 0;
    make_field("d3");
    draw_places(x);
    for (int i = 0; i < PLACES; i++)            /* none where there is nothing at all */
        x[3 * i] = x[3 * i] >= 2.6 && x[3 * i] <= 5 ? 2.5 : fmin(x[3 * i] + 0.4 * (i % 2), 8);
    draw(v, PLACES);
    for (int64_t p = 0; p < points; p++)
        u[p] = left_out(p) ? 0 : (slabs[count++] = drawn());
    struct qn_places *places = places_at(x, PLACES, how);
    must(qn_field_write(field, 0, u));
    must(qn_places_sample(places, 0, full));
    must(qn_places_inject(places, -1, v));
    must(qn_field_read(field, -1, all));
    make_field("w3");
    places = places_at(x, PLACES, how);
    must(qn_field_write(field, 0, slabs));
    must(qn_places_sample(places, 0, got));
    must(qn_places_inject(places, -1, v));
    must(qn_field_read(field, -1, slabs));
    for (int64_t p = 0, s = 0; p < 9 * 7 * 6; p++)
        wrong += !left_out(p) && all[p] != slabs[s++];
    ok(count == points && wrong == 0 && memcmp(full, got, sizeof got) == 0,
       "%s, w3: points that are not stored are nothing, half-width %d", where, how->half_width);
}

void test_hollow(void)
{
    test_hollow_kind(&KINDS[0]);
    test_hollow_kind(&KINDS[2]);
}

/* --- waves ----------------------------------------------------------------------- */

/* How far values sampled from cos or sin of k x are from it, added to `off`, as the
 * places go from one point to the next. */
enum { STEPS = 40 };

static void add_wave(struct qn_places *places, const double *x, double k, double phase,
                     double *off)
{
    double u[MOST], got[STEPS + 1];
    for (int64_t p = 0; p < points; p++)
        u[p] = cos(k * (double)p + phase);
    must(qn_field_write(field, 0, u));
    must(qn_places_sample(places, 0, got));
    for (int i = 0; i <= STEPS; i++)
        off[i] = hypot(off[i], got[i] - cos(k * x[i] + phase));
}

static double wave_off(const struct qn_interpolation *how, double k)
{
    double x[STEPS + 1], off[STEPS + 1] = { 0 }, worst = 0;
    for (int i = 0; i <= STEPS; i++)
        x[i] = 18 + (double)i / STEPS;
    struct qn_places *const places = places_at(x, STEPS + 1, how);
    add_wave(places, x, k, 0, off);
    add_wave(places, x, k, acos(-1) / 2, off);
    for (int i = 0; i <= STEPS; i++)
        worst = fmax(worst, off[i]);
    qn_places_free(places);
    return worst;
}

void test_waves(void)
{
    const double half = acos(-1) / 2;
    make_field("d1");
    for (int r = 1; r <= 16; r++) {
        const struct qn_interpolation how = { r, 0 };
        double worst = 0;
        for (int i = 0; i <= 8; i++)
            worst = fmax(worst, wave_off(&how, half * i / 8));
        ok(worst < 1.01 * CLAIMS[r - 1], "%s: r = %d, waves of 4 points and more within %.2e:"
           " %.3e", where, r, CLAIMS[r - 1], worst);
    }
    const double wide = wave_off(&(struct qn_interpolation){ 4, 4.14 }, 1.32 * half);
    ok(wide < 1.01 * 7.97e-3, "%s: r = 4, b = 4.14, waves of 3 points: %.3e", where, wide);
    const double off = wave_off(&(struct qn_interpolation){ 4, 0 }, 1.32 * half);
    ok(off > 2 * wide, "%s: where the b of longer waves errs more: %.3e", where, off);
}
