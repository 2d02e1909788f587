/* What storing numbers in few digits costs, on the specification mixed_precision.
 *
 *     storage CONTEXT DOUBLE STORED DIGITS LEAST PROOF [STEPS]
 *
 * DOUBLE and STORED are modules of the same spec; STORED stores u in so many significant
 * binary digits, its least normal number is 2^LEAST. PROOF:
 *   once     each of STEPS steps from what is stored: are its results those of double,
 *            rounded once? Prints points, those that are not, the worst error over its bound.
 *   steps    STEPS steps of both from the same numbers: prints the error, its bound, the size
 *            of the result (all as root mean squares).
 *   monitor  prints points, those that are no float, the worst error over that of float. */
#include "quern.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_X = 61, SIDE_Y = 37, POINTS = SIDE_X * SIDE_Y };

/* One of the two modules, and how its numbers are stored. */
struct side {
    struct qn_module *module;
    struct qn_field *u, *k, *heat;
    int digits, least;
};

static struct qn_context *context;

static void must(enum qn_status status)
{
    if (status == QN_OK)
        return;
    fprintf(stderr, "storage: %s\n", qn_last_error());
    exit(2);
}

/* --- numbers of few digits, by the definition ---------------------------------- */

/* The unit of a value's last digit. */
static double unit_of(const struct side *side, double value)
{
    const int exponent = value == 0 ? side->least : ilogb(value);
    return ldexp(1, (exponent < side->least ? side->least : exponent) - side->digits + 1);
}

static double rounded(const struct side *side, double value)
{
    const double unit = unit_of(side, value);
    return rint(value / unit) * unit;
}

/* A number of the type as its 16 bits, and back. */
static uint16_t packed(const struct side *side, double value)
{
    const double unit = unit_of(side, value);
    const int exponent = ilogb(unit) + side->digits - 1 - side->least;
    const int bits = (int)(fabs(value) / unit) + exponent * (1 << (side->digits - 1));
    return (uint16_t)(bits | (signbit(value) ? 0x8000 : 0));
}

static double unpacked(const struct side *side, uint16_t bits)
{
    const int ones = 1 << (side->digits - 1), size = bits & 0x7fff;
    const int exponent = size / ones, fraction = size % ones;
    const double value = exponent == 0
        ? ldexp(fraction, side->least - side->digits + 1)
        : ldexp(fraction + ones, exponent - 1 + side->least - side->digits + 1);
    return bits & 0x8000 ? -value : value;
}

static size_t bytes_of(const struct side *side)
{
    return side->digits == 53 ? 8 : side->digits == 24 ? 4 : 2;
}

static void put(const struct side *side, struct qn_field *field, const double *values)
{
    unsigned char *const raw = calloc(POINTS, bytes_of(side));
    for (int i = 0; i < POINTS; i++) {
        const float single = (float)values[i];
        if (side->digits == 53)
            memcpy(raw + 8 * i, &values[i], 8);
        else if (side->digits == 24)
            memcpy(raw + 4 * i, &single, 4);
        else
            ((uint16_t *)(void *)raw)[i] = packed(side, values[i]);
    }
    must(qn_field_write(field, 0, raw));
    free(raw);
}

static void get(const struct side *side, struct qn_field *field, double *values)
{
    unsigned char *const raw = calloc(POINTS, bytes_of(side));
    must(qn_field_read(field, 0, raw));
    for (int i = 0; i < POINTS; i++) {
        float single = 0;
        if (side->digits == 24)
            memcpy(&single, raw + 4 * i, 4);
        if (side->digits == 53)
            memcpy(&values[i], raw + 8 * i, 8);
        else
            values[i] = side->digits == 24 ? (double)single
                : unpacked(side, ((uint16_t *)(void *)raw)[i]);
    }
    free(raw);
}

/* --- the two modules ------------------------------------------------------------ */

static struct side open_side(const char *path, int digits, int least)
{
    const int64_t n[] = { SIDE_X, SIDE_Y };
    struct side side = { .digits = digits, .least = least };
    must(qn_module_load(context, path, &side.module));
    must(qn_module_resize(side.module, n));
    must(qn_field_create(side.module, "u", &side.u));
    must(qn_field_create(side.module, "k", &side.k));
    must(qn_field_create(side.module, "heat", &side.heat));
    must(qn_module_set(side.module, "hx", 1));
    must(qn_module_set(side.module, "hy", 1));
    must(qn_module_set(side.module, "dt", 0.1));
    return side;
}

static uint64_t state;

static double drawn(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 40) * 0x1p-23 - 1;
}

/* A wave of eight points and noise, in numbers that every type has. */
static void draw(double *values)
{
    const struct side few = { .digits = 8, .least = -14 };
    state = 7;
    for (int i = 0; i < POINTS; i++)
        values[i] = rounded(&few, 0.7 * sin(0.785398 * (i % SIDE_X)) + 0.2 * drawn());
}

/* k is a half, or one everywhere, its halo too. */
static void put_coefficient(struct side *side, int even)
{
    const struct side half = { .digits = 11, .least = -14 };
    static double values[POINTS];
    state = 5;
    for (int i = 0; i < POINTS; i++)
        values[i] = even ? 1 : rounded(&half, 0.75 + 0.25 * drawn());
    put(&half, side->k, values);
    must(qn_field_extend(side->k, 0));
}

/* --- proofs --------------------------------------------------------------------- */

static int prove_once(struct side *whole, struct side *stored, int steps)
{
    static double now[POINTS], exact[POINTS], found[POINTS];
    long long points = 0, wrong = 0;
    double worst = 0;
    draw(now);
    put_coefficient(whole, 0);
    put_coefficient(stored, 0);
    for (int s = 0; s < steps; s++) {
        put(whole, whole->u, now);
        put(stored, stored->u, now);
        must(qn_module_step(whole->module));
        must(qn_module_step(stored->module));
        get(whole, whole->u, exact);
        get(stored, stored->u, found);
        for (int i = 0; i < POINTS; i++) {
            const double unit = ldexp(1, -stored->digits);
            const double bound = fmax(unit * fabs(exact[i]), unit_of(stored, 0) / 2);
            points++;
            wrong += found[i] != rounded(stored, exact[i]);
            worst = fmax(worst, fabs(found[i] - exact[i]) / bound);
            now[i] = found[i];
        }
    }
    printf("%lld %lld %.6f\n", points, wrong, worst);
    return 0;
}

static double size_of(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < POINTS; i++)
        sum += (a[i] - (b ? b[i] : 0)) * (a[i] - (b ? b[i] : 0));
    return sqrt(sum / POINTS);
}

/* With the same coefficient everywhere and nought around it a step is a symmetric matrix with
 * eigenvalues from -1 to 1: what is rounded in a step does not grow, so errors at most add up.
 * Each is half a digit of what is stored, or of the least normal number. */
static int prove_steps(struct side *whole, struct side *stored, int steps)
{
    static double exact[POINTS], found[POINTS];
    double bound = 0;
    draw(exact);
    put(whole, whole->u, exact);
    put(stored, stored->u, exact);
    put_coefficient(whole, 1);
    put_coefficient(stored, 1);
    for (int s = 0; s < steps; s++) {
        must(qn_module_step(whole->module));
        must(qn_module_step(stored->module));
        get(stored, stored->u, found);
        bound += ldexp(1, -stored->digits) * size_of(found, NULL) * 1.01
            + unit_of(stored, 0) / 2;
    }
    get(whole, whole->u, exact);
    printf("%.3e %.3e %.3e\n", size_of(found, exact), bound, size_of(exact, NULL));
    return 0;
}

static int prove_monitor(struct side *stored)
{
    const struct side whole = { .digits = 53 }, half = { .digits = 11, .least = -14 };
    static double u[POINTS], k[POINTS], heat[POINTS];
    long long wider = 0;
    double worst = 0;
    draw(u);
    put(stored, stored->u, u);
    put_coefficient(stored, 0);
    get(&half, stored->k, k);
    must(qn_module_step(stored->module));
    get(&whole, stored->heat, heat);
    for (int i = 0; i < POINTS; i++) {
        const double exact = k[i] * u[i] * u[i] / 2;
        wider += (double)(float)heat[i] != heat[i];
        if (exact > 0)
            worst = fmax(worst, fabs(heat[i] - exact) / (0x1p-24 * exact));
    }
    printf("%d %lld %.3f\n", (int)POINTS, wider, worst);
    return 0;
}

int main(int count, char **words)
{
    if (count < 7) {
        fprintf(stderr, "storage CONTEXT DOUBLE STORED DIGITS LEAST PROOF [STEPS]\n");
        return 2;
    }
    const int steps = count > 7 ? atoi(words[7]) : 1;
    must(qn_context_open(words[1], &context));
    struct side whole = open_side(words[2], 53, -1022);
    struct side stored = open_side(words[3], atoi(words[4]), atoi(words[5]));
    int code = 2;
    if (strcmp(words[6], "once") == 0)
        code = prove_once(&whole, &stored, steps);
    else if (strcmp(words[6], "steps") == 0)
        code = prove_steps(&whole, &stored, steps);
    else if (strcmp(words[6], "monitor") == 0)
        code = prove_monitor(&stored);
    qn_module_unload(whole.module);
    qn_module_unload(stored.module);
    qn_context_close(context);
    return code;
}
