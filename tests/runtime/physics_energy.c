/* The energy of elastic waves in a rough periodic medium, solid or half of it fluid:
 * leap-frog on a staggered grid keeps it, so that nothing grows in any number of steps. */
#include "physics.h"

static const char *const V[3] = { "vx", "vy", "vz" };
static const char *const NORMAL[3] = { "sxx", "syy", "szz" };
static const char *const SHEAR[3] = { "syz", "sxz", "sxy" };     /* by the axis that is not there */

static double *lambda, *mu, *buoyancy;

static double *draw(const char *field, double low, double high)
{
    double *const values = new_values();
    for (int64_t i = 0; i < points; i++)
        values[i] = fmax(0, low + (high - low) * (drawn() + 1) / 2);
    put(field, 0, values);
    return values;
}

/* The next point along an axis, around the ring. */
static int64_t next(int64_t i, int axis)
{
    const int64_t stride = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1];
    return i / stride % n[axis] == n[axis] - 1 ? i - (n[axis] - 1) * stride : i + stride;
}

/* Twice the energy of motion, from velocities a step apart. */
static double moving(double **before)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        double *const after = get(V[axis], 0);
        for (int64_t i = 0; i < points; i++)
            sum += 2 / (buoyancy[i] + buoyancy[next(i, axis)]) * before[axis][i] * after[i];
        free(after);
    }
    return sum;
}

/* Of compression and of what stretches one axis more than another; fluids have no such. */
static double stretched(void)
{
    double *s[3], sum = 0;
    for (int axis = 0; axis < 3; axis++)
        s[axis] = get(NORMAL[axis], 0);
    for (int64_t i = 0; i < points; i++) {
        const double mean = (s[0][i] + s[1][i] + s[2][i]) / 3;
        double uneven = 0;
        for (int axis = 0; axis < 3; axis++)
            uneven += (s[axis][i] - mean) * (s[axis][i] - mean);
        sum += mean * mean / (lambda[i] + 2 * mu[i] / 3);
        sum += mu[i] > 0 ? uneven / (2 * mu[i]) : 0;
    }
    for (int axis = 0; axis < 3; axis++)
        free(s[axis]);
    return sum;
}

/* Of shear, whose modulus is the harmonic mean of four points; 0 beside a fluid. */
static double sheared(void)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        double *const s = get(SHEAR[axis], 0);
        for (int64_t i = 0; i < points; i++) {
            const int64_t j = next(i, (axis + 1) % 3), k = next(i, (axis + 2) % 3);
            const int64_t corner = next(j, (axis + 2) % 3);
            const double soft = (1 / mu[i] + 1 / mu[j] + 1 / mu[k] + 1 / mu[corner]) / 4;
            sum += isfinite(soft) ? soft * s[i] * s[i] : 0;
        }
        free(s);
    }
    return sum;
}

/* Does a step, and gives twice the energy in its middle. */
static double energy(void)
{
    double *before[3];
    for (int axis = 0; axis < 3; axis++)
        before[axis] = get(V[axis], 0);
    launch("velocity");
    const double all = moving(before) + stretched() + sheared();
    launch("stress");
    for (int axis = 0; axis < 3; axis++)
        free(before[axis]);
    return all;
}

/* By how much the energy leaves what it was, near the limit of dt. */
static double off_after(const char *module, int steps, int fluid)
{
    load(module, 6, 5, 6);
    set_spacing(1);
    set("dt", 0.25);
    lambda = draw("lambda", 0.5, 2);
    mu = draw("mu", fluid ? -2 : 0.5, 2);
    buoyancy = draw("buoyancy", 0.5, 1);
    for (int axis = 0; axis < 3; axis++) {
        double *const v = new_values();
        for (int64_t i = 0; i < points; i++)
            v[i] = drawn();
        put(V[axis], 0, v);
        free(v);
    }
    const double first = energy();
    double worst = 0;
    for (int done = 1; done < steps; done += 100) {
        step(99);
        const double off = fabs(energy() / first - 1);
        worst = off >= 0 ? fmax(worst, off) : INFINITY;
    }
    free(lambda);
    free(mu);
    free(buoyancy);
    unload();
    return worst;
}

int prove_energy(int count, char **words)
{
    if (count < 3 || strcmp(words[0], "stays") != 0)
        return 2;
    const double solid = off_after(words[1], atoi(words[2]), 0);
    printf("%.17g %.17g\n", solid, off_after(words[1], atoi(words[2]), 1));
    return 0;
}
