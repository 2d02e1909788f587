/* How far functions are off, in units in the last place of the result, against
 * those of long double, which has 11 bits more than double. What is no number,
 * infinite or a signed zero has to be so exactly. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"

struct function {
    const char *name, *argument, *second;
    long double (*of)(long double);
    long double (*of_two)(long double, long double);
};

static long double signl(long double x) { return (x > 0) - (x < 0); }
static long double to_2(long double x) { return x * x; }
static long double to_3(long double x) { return x * x * x; }
static long double to_7(long double x) { return to_3(x) * to_3(x) * x; }
static long double to_m1(long double x) { return 1 / x; }
static long double to_m2(long double x) { return 1 / to_2(x); }
static long double to_m5(long double x) { return 1 / (to_2(x) * to_3(x)); }

static const struct function FUNCTIONS[] = {
    { "abs", "any", NULL, fabsl, NULL },      { "floor", "any", NULL, floorl, NULL },
    { "ceil", "any", NULL, ceill, NULL },     { "sign", "any", NULL, signl, NULL },
    { "sqrt", "positive", NULL, sqrtl, NULL }, { "log", "positive", NULL, logl, NULL },
    { "exp", "steep", NULL, expl, NULL },     { "sinh", "steep", NULL, sinhl, NULL },
    { "cosh", "steep", NULL, coshl, NULL },   { "sin", "angle", NULL, sinl, NULL },
    { "cos", "angle", NULL, cosl, NULL },     { "tan", "angle", NULL, tanl, NULL },
    { "atan", "angle", NULL, atanl, NULL },   { "asin", "ratio", NULL, asinl, NULL },
    { "acos", "ratio", NULL, acosl, NULL },   { "tanh", "near", NULL, tanhl, NULL },
    { "erf", "near", NULL, erfl, NULL },      { "erfc", "near", NULL, erfcl, NULL },
    { "atan2", "up", "along", NULL, atan2l }, { "pow", "base", "exponent", NULL, powl },
    { "to_2", "power", NULL, to_2, NULL },    { "to_3", "power", NULL, to_3, NULL },
    { "to_7", "power", NULL, to_7, NULL },    { "to_m1", "power", NULL, to_m1, NULL },
    { "to_m2", "power", NULL, to_m2, NULL },  { "to_m5", "power", NULL, to_m5, NULL },
};
enum { COUNT = sizeof FUNCTIONS / sizeof FUNCTIONS[0] };

static const double SPECIAL[] = { NAN, INFINITY, -INFINITY, 0.0, -0.0, 1, -1 };
enum { SPECIALS = sizeof SPECIAL / sizeof SPECIAL[0], PAIRS = SPECIALS * SPECIALS };

static size_t n;                /* drawn points; PAIRS special ones follow */

static double drawn(void)       /* in [0, 1] */
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740991.0;
}

static double stored(double value) { return is_float() ? (float)value : value; }

/* Evenly over the range, or with magnitudes down to 2^-20 of it, and its ends. */
static double draw(size_t i, double low, double high)
{
    const double most = fmax(fabs(low), fabs(high));
    double value = low + (high - low) * drawn();
    if (i < 2)
        value = i ? high : low;
    else if (i % 2)
        value = copysign(most * exp2(-20 * drawn()), value);
    return stored(fmin(fmax(value, low), high));
}

static double *arguments(const char *field, int stride)
{
    double *const values = malloc((n + PAIRS) * sizeof *values), low, high;
    if (!values)
        exit(2);
    range_of(field, &low, &high);
    for (size_t i = 0; i < n; i++)
        values[i] = draw(i, low, high);
    for (int i = 0; i < PAIRS; i++)
        values[n + (size_t)i] = SPECIAL[i / stride % SPECIALS];
    put(field, values);
    return values;
}

/* One unit in the last place of what is stored, at a value. */
static long double ulp(long double value)
{
    const int digits = is_float() ? FLT_MANT_DIG : DBL_MANT_DIG;
    const int least = is_float() ? FLT_MIN_EXP : DBL_MIN_EXP;
    int exponent;
    frexpl(value, &exponent);
    return ldexpl(1, (exponent < least ? least : exponent) - digits);
}

/* In units in the last place; infinite for another kind of number. */
static double error_of(double got, long double wanted)
{
    const double rounded = stored((double)wanted);
    if (isnan(rounded) || isnan(got))
        return isnan(rounded) && isnan(got) ? 0 : INFINITY;
    if (isinf(rounded) || isinf(got))
        return got == rounded ? 0 : INFINITY;
    if (got == 0 && rounded == 0 && !signbit(got) != !signbit(rounded))
        return INFINITY;
    return (double)(fabsl(got - wanted) / ulp(wanted));
}

static double bound_of(const char *bounds, const char *name)
{
    FILE *const file = fopen(bounds, "r");
    char word[32];
    double bound;
    while (file && fscanf(file, "%31s %lf", word, &bound) == 2)
        if (strcmp(word, name) == 0) {
            fclose(file);
            return bound;
        }
    fprintf(stderr, "functions: no bound of %s\n", name);
    exit(1);
}

/* One function at all points: its line, and whether it keeps to its bound. */
static int measure(const struct function *f, const double *a, const double *b, double bound)
{
    double *const got = malloc((n + PAIRS) * sizeof *got), worst = -1;
    char field[32];
    size_t at = 0;
    if (!got)
        exit(2);
    snprintf(field, sizeof field, "%s%s", strncmp(f->name, "to_", 3) ? "of_" : "", f->name);
    get(field, got);
    for (size_t i = 0; i < n + PAIRS; i++) {
        const double error = error_of(got[i], b ? f->of_two(a[i], b[i]) : f->of(a[i]));
        if (error > worst) {
            worst = error;
            at = i;
        }
    }
    printf("%s%-6s %6.3f of %3.1f ulp, at %.9g", worst <= bound ? "" : "WRONG ", f->name, worst,
           bound, a[at]);
    b ? printf(", %.9g is %.9g\n", b[at], got[at]) : printf(" is %.9g\n", got[at]);
    free(got);
    return !(worst <= bound);
}

int measure_errors(const char *bounds, size_t points)
{
    double *first[COUNT], *second[COUNT];
    int faults = 0;
    n = points;
    resize(n + PAIRS);
    for (int i = 0; i < COUNT; i++) {
        const struct function *const f = &FUNCTIONS[i];
        const int again = i > 0 && strcmp(f->argument, f[-1].argument) == 0;
        first[i] = again ? first[i - 1] : arguments(f->argument, 1);
        second[i] = f->second ? arguments(f->second, SPECIALS) : NULL;
    }
    launch();
    for (int i = 0; i < COUNT; i++)
        faults += measure(&FUNCTIONS[i], first[i], second[i],
                          bound_of(bounds, FUNCTIONS[i].name));
    for (int i = COUNT - 1; i >= 0; i--) {
        free(second[i]);
        if (i == 0 || first[i] != first[i - 1])
            free(first[i]);
    }
    return faults;
}
