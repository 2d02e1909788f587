/* What is chosen and compared, of every pair of numbers that are special, bit
 * for bit; and what scalars alone decide: in double, rounded once. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "functions.h"

enum { SPECIALS = 11, PAIRS = SPECIALS * SPECIALS };

static double a[PAIRS], b[PAIRS], got[PAIRS], wanted[PAIRS];
static int faults;

static uint64_t bits(double value)
{
    uint64_t u;
    memcpy(&u, &value, sizeof u);
    return u;
}

/* A quiet NaN that can be told from others, also as a float. */
static double marked_nan(uint64_t mark)
{
    const uint64_t u = UINT64_C(0x7ff8000000000000) | mark << 40;
    double value;
    memcpy(&value, &u, sizeof value);
    return value;
}

static void compare(const char *field)
{
    get(field, got);
    for (int i = 0; i < PAIRS; i++)
        if (bits(got[i]) != bits(wanted[i])) {
            printf("WRONG %s of %g and %g is %.17g, wanted %.17g\n", field, a[i], b[i],
                   got[i], wanted[i]);
            faults++;
            return;
        }
}

static double of_two(double x, double y) { return y < x ? y : x; }

static int compared(double x, double y)
{
    return (x < y) + 2 * (x <= y) + 4 * (x > y) + 8 * (x >= y) + 16 * (x == y) + 32 * (x != y);
}

static int logic(double x, double y)
{
    const int less = x < y, more = x > y;
    return (less ? 0 : 1) + (less || more ? 2 : 0) + (x <= y && y <= x ? 4 : 0)
           + (less || more ? 0 : 8);
}

static double result(int which, double x, double y)
{
    switch (which) {
    case 0: return of_two(x, y);
    case 1: return y > x ? y : x;
    case 2: return of_two(of_two(1, x), y);
    case 3: return x < y ? x : y;
    case 4: return isnan(x) ? y : x;
    case 5: return compared(x, y);
    case 6: return logic(x, y);
    default: return x > 0 ? 1 : x < 0 ? -1 : 0;
    }
}

static void try_pairs(void)
{
    static const char *const FIELDS[] = {
        "least", "most", "least_of_3", "chosen", "kept", "compared", "logic", "signs"
    };
    for (int which = 0; which < 8; which++) {
        for (int i = 0; i < PAIRS; i++)
            wanted[i] = result(which, a[i], b[i]);
        compare(FIELDS[which]);
    }
}

static void try_scalar(const char *field, double value)
{
    for (int i = 0; i < PAIRS; i++)
        wanted[i] = is_float() ? (float)value : value;
    compare(field);
}

int try_rules(void)
{
    const double special[SPECIALS] = {
        marked_nan(1), marked_nan(2), INFINITY, -INFINITY, 0.0, -0.0, 1, -1,
        is_float() ? FLT_MAX : DBL_MAX, is_float() ? FLT_TRUE_MIN : DBL_TRUE_MIN, -2.5
    };
    const double s = 1 + 0x3p-25, t = 1 - 0x1p-30;      /* between floats */
    double one[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        a[i] = special[i % SPECIALS];
        b[i] = special[i / SPECIALS];
        one[i] = 1;
    }
    resize(PAIRS);
    put("a", a);
    put("b", b);
    put("one", one);
    set("s", s);
    set("t", t);
    launch();
    try_pairs();
    try_scalar("difference", s - t);
    try_scalar("root", sqrt(exp(s) + t));
    try_scalar("raised", pow(s * t, 5));
    try_scalar("larger", s);
    return faults;
}
