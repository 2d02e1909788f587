/* The conversions of the 16-bit types against an oracle of their own: the list of all values
 * that a type has, in order, and the middles between neighbours, which doubles hold exactly.
 * Prints a line for each kind of thing that is wrong, and how many numbers it went through. */
#include "quern_types.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef RANDOM
#define RANDOM 50000
#endif

enum { PATTERNS = 1 << 16 };

struct type {
    const char *name;
    int digits, bias, infinity;         /* digits: of the significand that are stored */
    float (*to_float)(uint16_t);
    double (*to_double)(uint16_t);
    uint16_t (*of_float)(float);
    uint16_t (*of_double)(double);
};

static const struct type types[] = {
    { "half", 10, 15, 0x7c00, quern_half_to_float, quern_half_to_double,
      quern_float_to_half, quern_double_to_half },
    { "bfloat16", 7, 127, 0x7f80, quern_bfloat16_to_float, quern_bfloat16_to_double,
      quern_float_to_bfloat16, quern_double_to_bfloat16 },
};

static long long numbers;
static int told;

static void expect(int right, const struct type *type, const char *what, double value,
                   unsigned found)
{
    numbers++;
    if (right)
        return;
    printf("%s, %s: %a gives %04x\n", type->name, what, value, found);
    if (++told == 8)
        exit(1);
}

static double meanings[PATTERNS / 2];

/* What a pattern means, by the definition; of infinity, what would come next. */
static double defined(const struct type *type, int pattern)
{
    const int exponent = pattern >> type->digits, one = 1 << type->digits;
    const int fraction = pattern & (one - 1);
    if (exponent == 0)
        return ldexp(fraction, 1 - type->bias - type->digits);
    return ldexp(one + fraction, exponent - type->bias - type->digits);
}

/* The pattern nearest to a value, of two as near the even one. */
static uint16_t nearest(const struct type *type, double value)
{
    const double size = fabs(value);
    const int sign = signbit(value) ? 0x8000 : 0;
    int low = 0, high = type->infinity;
    if (isnan(value))
        return 0x7fff;
    if (size >= meanings[type->infinity])
        return (uint16_t)(sign | type->infinity);
    while (high - low > 1) {
        const int at = (low + high) / 2;
        if (meanings[at] <= size)
            low = at;
        else
            high = at;
    }
    const double middle = (meanings[low] + meanings[high]) / 2;
    const int up = size > middle || (size == middle && (low & 1) != 0);
    return (uint16_t)(sign | (up ? high : low));
}

static void try_number(const struct type *type, double value)
{
    const uint16_t of_double = type->of_double(value);
    const uint16_t of_float = type->of_float((float)value);
    expect(of_double == nearest(type, value), type, "from double", value, of_double);
    expect(of_float == nearest(type, (double)(float)value), type, "from float",
           (double)(float)value, of_float);
#ifdef __FLT16_MANT_DIG__
    if (type->digits == 10 && !isnan(value)) {          /* the compiler's own half */
        const _Float16 as_float = (_Float16)(float)value, as_double = (_Float16)value;
        expect(memcmp(&as_float, &of_float, 2) == 0, type, "_Float16 of a float", value,
               of_float);
        expect(memcmp(&as_double, &of_double, 2) == 0, type, "_Float16 of a double", value,
               of_double);
    }
#endif
}

/* A number, and its neighbours among floats and doubles. */
static void try_around(const struct type *type, double value)
{
    const float near_it = (float)value;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double side = sign * (double)INFINITY;
        try_number(type, sign * value);
        try_number(type, nextafter(value, side));
        try_number(type, -nextafter(value, side));
        try_number(type, (double)nextafterf(near_it, (float)side));
        try_number(type, nextafter((double)nextafterf(near_it, (float)side), -side));
    }
}

/* Every pattern is read as what it means, and written as itself. */
static void try_patterns(const struct type *type)
{
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        const int size = pattern & 0x7fff, negative = pattern >> 15;
        const float found = type->to_float((uint16_t)pattern);
        const double wide = type->to_double((uint16_t)pattern);
        double wanted = size == type->infinity ? (double)INFINITY : meanings[size];
        wanted = negative ? -wanted : wanted;
        if (size > type->infinity) {
            expect(isnan(found) && isnan(wide), type, "a NaN read", wide, (unsigned)pattern);
            expect(type->of_float(found) == 0x7fff && type->of_double(wide) == 0x7fff, type,
                   "a NaN written", wide, (unsigned)pattern);
            continue;
        }
        expect((double)found == wanted && wide == wanted && !signbit(found) == !negative, type,
               "read", wide, (unsigned)pattern);
        expect(type->of_float(found) == pattern && type->of_double(wide) == pattern, type,
               "read and written", wide, (unsigned)pattern);
    }
}

static void try_middles(const struct type *type)
{
    for (int low = 0; low < type->infinity; low++) {
        const double here = meanings[low], next = meanings[low + 1];
        try_around(type, here);
        try_around(type, (here + next) / 2);
    }
}

static uint64_t random_bits(void)
{
    static uint64_t state = 20;
    uint64_t x = state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Any double, any float, and doubles of the type's own sizes. */
static void try_random(const struct type *type)
{
    for (int i = 0; i < RANDOM; i++) {
        const uint64_t bits = random_bits();
        double any, own = ldexp((double)(random_bits() >> 11), (int)(bits % 45) - 80);
        memcpy(&any, &bits, sizeof any);
        try_number(type, any);
        try_number(type, (double)quern_number((uint32_t)bits));
        try_number(type, bits & 64 ? -own : own);
    }
}

int main(void)
{
    for (int t = 0; t < 2; t++) {
        for (int pattern = 0; pattern <= types[t].infinity; pattern++)
            meanings[pattern] = defined(&types[t], pattern);
        try_patterns(&types[t]);
        try_middles(&types[t]);
        try_random(&types[t]);
        try_around(&types[t], 0x1p-149);
        try_around(&types[t], 0x1p-1074);
        try_around(&types[t], 0x1.fffffep127);
        try_number(&types[t], (double)INFINITY);
        try_number(&types[t], -(double)INFINITY);
    }
    printf("%lld numbers\n", numbers);
    return told != 0;
}
