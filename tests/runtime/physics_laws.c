/* Laws of every acoustic wave, at constant or variable density, in any medium:
 * energy stays, and propagation from sources to receivers is its own adjoint but
 * for the direction of time. */
#include "physics.h"

static const char *wave, *modulus;      /* the fields: u and (c dt)^2, or p and K dt^2 */
static double *weight;                  /* 1 over the modulus */

static void draw(double *values, double low, double high)
{
    for (int64_t i = 0; i < points; i++)
        values[i] = low + (high - low) * (drawn() + 1) / 2;
}

/* A random medium without layers, nothing in motion. */
static void begin(const char *module, int64_t nx, int64_t ny, int64_t nz)
{
    load(module, nx, ny, nz);
    set_spacing(1);
    const int constant = has("vp2dt2");
    wave = constant ? "u" : "p";
    modulus = constant ? "vp2dt2" : "kdt2";
    double *const values = new_values();
    if (constant) {
        set("width", 0);
    } else {
        draw(values, 0.2, 1);
        put("b", 0, values);
        extend("b");
    }
    draw(values, 0.05, 0.2);
    put(modulus, 0, values);
    weight = new_values();
    for (int64_t i = 0; i < points; i++)
        weight[i] = 1 / values[i];
    free(values);
}

/* The energy of the leap-frog between two times, twice, from three times in a row:
 * (b - a, b - a) - (L b, a), where L is what the step does: L b = c - 2 b + a. Times
 * are a step apart, products weighted. Any operator that is its own adjoint keeps it. */
static double energy(void)
{
    double *const a = get(wave, -1), *const b = get(wave, 0);
    step(1);
    double *const c = get(wave, 0);
    double sum = 0;
    for (int64_t i = 0; i < points; i++)
        sum += weight[i] * ((b[i] - a[i]) * (b[i] - a[i]) - (c[i] - 2 * b[i] + a[i]) * a[i]);
    free(a);
    free(b);
    free(c);
    return sum;
}

/* By how much the energy in a closed box leaves what it was, and how much of the
 * motion is left. */
static int energy_stays(const char *module, int steps)
{
    begin(module, 15, 11, 7);
    double *const values = new_values();
    draw(values, -1, 1);
    put(wave, -1, values);
    draw(values, -1, 1);
    put(wave, 0, values);
    const double first = energy();
    double worst = 0;
    for (int done = 1; done < steps; done += 100) {
        step(99);
        const double off = fabs(energy() / first - 1);
        worst = off >= 0 ? fmax(worst, off) : INFINITY;
    }
    printf("%.17g %d\n", worst, first > 1);
    return 0;
}

enum { TIMES = 60, PLACES = 4 };

static void places(int64_t (*at)[3], int64_t dense[PLACES])
{
    for (int i = 0; i < PLACES; i++) {
        int64_t stride = 1;
        dense[i] = 0;
        for (int axis = 0; axis < 3; axis++) {
            at[i][axis] = (int64_t)((drawn() + 1) / 2 * (double)n[axis]);
            dense[i] += at[i][axis] * stride;
            stride *= n[axis];
        }
    }
}

/* Injects series at some points and samples others, the first times last if
 * `backward`: both in the order of time that series have. */
static void propagate(int64_t (*from)[3], int64_t (*to)[3], double (*given)[PLACES],
                      double (*found)[PLACES], int backward)
{
    fill(wave, 0);
    for (int i = 0; i < TIMES; i++) {
        const int t = backward ? TIMES - 1 - i : i;
        step(1);
        for (int p = 0; p < PLACES; p++)
            inject(wave, 1, from[p], &given[t][p]);
        for (int p = 0; p < PLACES; p++)
            sample(wave, 1, to[p], &found[t][p]);
    }
}

static double product(double (*a)[PLACES], double (*b)[PLACES], const int64_t *dense)
{
    double sum = 0;
    for (int t = 0; t < TIMES; t++)
        for (int p = 0; p < PLACES; p++)
            sum += a[t][p] * b[t][p] * weight[dense[p]];
    return sum;
}

static void draw_series(double (*series)[PLACES])
{
    for (int t = 0; t < TIMES; t++)
        for (int p = 0; p < PLACES; p++)
            series[t][p] = drawn();
}

/* (F s, d) at the receivers and (s, F* d) at the sources: their difference over
 * their size. */
static int adjoint(const char *module)
{
    static double s[TIMES][PLACES], d[TIMES][PLACES], forth[TIMES][PLACES], back[TIMES][PLACES];
    int64_t sources[PLACES][3], receivers[PLACES][3], at_s[PLACES], at_r[PLACES];
    begin(module, 14, 12, 10);
    places(sources, at_s);
    places(receivers, at_r);
    draw_series(s);
    draw_series(d);
    propagate(sources, receivers, s, forth, 0);
    propagate(receivers, sources, d, back, 1);
    const double first = product(forth, d, at_r), second = product(s, back, at_s);
    const double size = fmax(fabs(first), fabs(second));
    printf("%.17g\n", size > 0 ? fabs(first - second) / size : INFINITY);
    return 0;
}

/* Places anywhere: the first at a corner, the second beside a face, the third where
 * the fourth is. `axes`: those that the field has. */
static void draw_anywhere(double *at, int axes)
{
    for (int i = 0; i < PLACES; i++)
        for (int axis = 0; axis < axes; axis++) {
            const double end = (double)n[axis] - 1;
            at[i * axes + axis] = i == 0 ? end : i == 1 && axis == 0 ? 0.25
                : i == 3 ? at[2 * axes + axis] : end * (drawn() + 1) / 2;
        }
}

/* Adds modulus times what the places emit: the force of a source in the equation. */
static void push(struct qn_places *from, const double *values)
{
    double *const before = get(wave, 0), *const none = new_values();
    put(wave, 0, none);
    emit(from, values);
    double *const force = get(wave, 0);
    for (int64_t i = 0; i < points; i++)
        before[i] += force[i] / weight[i];
    put(wave, 0, before);
    free(before);
    free(none);
    free(force);
}

/* As propagate, from places and to places anywhere. */
static void radiate(struct qn_places *from, struct qn_places *to, double (*given)[PLACES],
                    double (*found)[PLACES], int backward)
{
    fill(wave, 0);
    for (int i = 0; i < TIMES; i++) {
        const int t = backward ? TIMES - 1 - i : i;
        step(1);
        push(from, given[t]);
        record(to, found[t]);
    }
}

/* (F s, d) and (s, F* d), where F pushes at sources and records at receivers: F* is
 * the same backward, without weights. */
static int adjoint_anywhere(const char *module, int axes, int half_width)
{
    static double s[TIMES][PLACES], d[TIMES][PLACES], forth[TIMES][PLACES], back[TIMES][PLACES];
    double at_s[3 * PLACES], at_r[3 * PLACES], first = 0, second = 0;
    begin(module, 14, 12, axes == 2 ? 1 : 10);
    draw_anywhere(at_s, axes);
    draw_anywhere(at_r, axes);
    struct qn_places *const sources = place(wave, PLACES, at_s, half_width);
    struct qn_places *const receivers = place(wave, PLACES, at_r, half_width);
    draw_series(s);
    draw_series(d);
    radiate(sources, receivers, s, forth, 0);
    radiate(receivers, sources, d, back, 1);
    for (int t = 0; t < TIMES; t++)
        for (int p = 0; p < PLACES; p++) {
            first += forth[t][p] * d[t][p];
            second += s[t][p] * back[t][p];
        }
    const double size = fmax(fabs(first), fabs(second));
    printf("%.17g\n", size > 0 ? fabs(first - second) / size : INFINITY);
    return 0;
}

int prove_laws(int count, char **words)
{
    if (count > 2 && strcmp(words[0], "energy") == 0)
        return energy_stays(words[1], atoi(words[2]));
    if (strcmp(words[0], "adjoint") == 0)
        return adjoint(words[1]);
    if (count > 3 && strcmp(words[0], "anywhere") == 0)
        return adjoint_anywhere(words[1], atoi(words[2]), atoi(words[3]));
    return 2;
}
