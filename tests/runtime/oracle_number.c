/* The numbers of the reference (templates/part/reference_*, rendered into
 * numbers.inc) against float arithmetic: an argument is known to within its
 * error, the float function gets anything within it, and the result has to lie
 * within the bound. Prints a line for each function: name, trials, failures,
 * the largest error over its bound. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define UNIT 0x1p-24
#define TINY 0x1p-126
typedef float compute;

#include "numbers.inc"

enum { TRIALS = 20000 };

static uint64_t state = 1;

static double uniform(double low, double high)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

/* A float near a number, anywhere within its bound. */
static float near(struct number a)
{
    const double value = a.value + uniform(-1, 1) * bound(a);
    const float rounded_value = (float)value;
    return fabs((double)rounded_value - a.value) <= bound(a) ? rounded_value : (float)a.value;
}

/* A number known to within a few roundings, or exactly. */
static struct number sample(double low, double high)
{
    const float value = (float)uniform(low, high);
    const double error = uniform(0, 1) < 0.3 ? 0 : uniform(0, 40) * UNIT * fabs((double)value);
    return term((double)value, error);
}

static struct { const char *name; long trials, failures; double worst; } row;

static void begin(const char *name)
{
    row.name = name;
    row.trials = row.failures = 0;
    row.worst = 0;
}

static void expect(float got, struct number wanted)
{
    const double error = fabs((double)got - wanted.value), limit = bound(wanted);
    row.trials++;
    row.failures += !(error <= limit);
    if (error > 0)
        row.worst = fmax(row.worst, error / limit);
}

static void report(void)
{
    printf("%s %ld %ld %g\n", row.name, row.trials, row.failures, row.worst);
}

#define UNARY(name, call, oracle, low, high)                    \
    begin(name);                                                \
    for (int i = 0; i < TRIALS; i++) {                          \
        const struct number a = sample(low, high);              \
        const float x = near(a);                                \
        expect(call, oracle);                                   \
    }                                                           \
    report();

#define BINARY(name, call, oracle, low, high, low2, high2)      \
    begin(name);                                                \
    for (int i = 0; i < TRIALS; i++) {                          \
        const struct number a = sample(low, high);              \
        const struct number b = sample(low2, high2);            \
        const float x = near(a), y = near(b);                   \
        expect(call, oracle);                                   \
    }                                                           \
    report();

static float smaller(float x, float y) { return y < x ? y : x; }

static void functions(void)
{
    UNARY("sqrt", sqrtf(x), monotone(sqrt, a, 0, INFINITY), 0.001, 9)
    UNARY("exp", expf(x), monotone(exp, a, -INFINITY, INFINITY), -9, 9)
    UNARY("log", logf(x), monotone(log, a, 0, INFINITY), 0.01, 9)
    UNARY("sin", sinf(x), wave(sin, a), -9, 9)
    UNARY("cos", cosf(x), wave(cos, a), -9, 9)
    UNARY("tan", tanf(x), tangent(a), -9, 9)
    UNARY("asin", asinf(x), monotone(asin, a, -1, 1), -0.99, 0.99)
    UNARY("acos", acosf(x), monotone(acos, a, -1, 1), -0.99, 0.99)
    UNARY("atan", atanf(x), monotone(atan, a, -INFINITY, INFINITY), -9, 9)
    UNARY("sinh", sinhf(x), monotone(sinh, a, -INFINITY, INFINITY), -9, 9)
    UNARY("cosh", coshf(x), monotone(cosh, absolute(a), 0, INFINITY), -9, 9)
    UNARY("tanh", tanhf(x), monotone(tanh, a, -INFINITY, INFINITY), -9, 9)
    UNARY("erf", erff(x), monotone(erf, a, -INFINITY, INFINITY), -3, 3)
    UNARY("erfc", erfcf(x), monotone(erfc, a, -INFINITY, INFINITY), -3, 3)
    UNARY("abs", fabsf(x), absolute(a), -9, 9)
    UNARY("floor", floorf(x), step(floor, a), -4000, 4000)
    UNARY("sign", (float)((x > 0) - (x < 0)), step(sign_of, a), -1, 1)
    UNARY("power", x * x * x, power(a, 3), -9, 9)
    UNARY("inverse", 1 / (x * x), power(a, -2), -9, 9)
    BINARY("atan2", atan2f(x, y), angle(a, b), -9, 9, -9, 9)
    BINARY("pow", powf(x, y), raised(a, b), 0.1, 9, -3, 3)
    BINARY("mul", x * y, mul(a, b), -9, 9, -9, 9)
    BINARY("quotient", x / y, quotient(a, b), -9, 9, -9, 9)
    BINARY("min", smaller(x, y), choose(less(b, a), b, a), 1, 1.0001, 1, 1.0001)
}

/* Sums of scaled sums, multiplied out or not, added in any order. */
static void sums(const char *name, int multiplied_out)
{
    begin(name);
    for (int i = 0; i < TRIALS; i++) {
        struct number parts[4] = { { 0, 0, 0, 0 } }, all = { 0, 0, 0, 0 };
        float terms[16], sum = 0;
        for (int t = 0; t < 16; t++) {
            const struct number a = sample(-1, 1), b = sample(-1, 1);
            parts[t / 4] = add(parts[t / 4], mul(a, b));
            terms[t] = near(a) * near(b);
        }
        for (int part = 0; part < 4; part++) {
            const struct number constant = rounded_once(exact(uniform(-1, 1)));
            const float c = (float)constant.value;
            float *const own = terms + 4 * part;
            all = add(all, scaled(constant, parts[part]));
            if (!multiplied_out) {
                own[0] = c * (own[0] + own[1] + own[2] + own[3]);
                own[1] = own[2] = own[3] = 0;
                continue;
            }
            for (int t = 0; t < 4; t++)
                own[t] *= c;
        }
        for (int t = 15; t >= 0; t--) {
            const int other = (int)uniform(0, t + 1);
            sum += terms[other];
            terms[other] = terms[t];
        }
        expect(sum, negative(negative(all)));
    }
    report();
}

/* A sum of so many terms, each of which is rounded up by half a unit of what there is:
 * the first is wrong by as much as it is. Is it within its bound, and was that needed? */
static void long_sum(int count)
{
    struct number all = term(0x1p15, 0x1p15);
    float sum = 0x1p16f;
    for (int i = 1; i < count; i++) {
        all = add(all, exact(0x1.000002p-8));
        sum += 0x1.000002p-8f;
    }
    const double error = fabs((double)sum - all.value);
    const double rounding = (all.terms - 1) * UNIT * all.magnitude;
    printf("long_%d %d %d\n", count, error <= bound(all), error > all.error + rounding);
}

/* Conditions that are in doubt, and that are not. */
static void conditions(void)
{
    const struct number one = exact(1), close = term(1 + 1e-9, 1e-7), two = exact(2);
    const struct number either_way = choose(less(one, close), one, two);
    printf("doubt %d %d %d %d\n", less(one, close).doubt, less(one, two).doubt,
           equal(one, one).doubt, either_way.value == 1 && bound(either_way) >= 1);
    printf("logic %d %d %d %d\n", both(less(one, close), less(one, two)).doubt,
           both(less(one, close), less(two, one)).doubt,
           either(less(one, close), less(one, two)).doubt,
           either(less(one, close), less(two, one)).doubt);
    const struct number nan = choose(less(one, close), exact(NAN), two);
    printf("nan %d %d\n", isnan(nan.value) != 0, bound(quotient(one, term(0, 1))) > 1e300);
}

int main(void)
{
    functions();
    sums("sum", 0);
    sums("expanded", 1);
    long_sum(65537);
    long_sum(524289);
    conditions();
    return 0;
}
