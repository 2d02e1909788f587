/* Elements of the storage types, 16-bit ones included, read and written as
 * double. What the host has no type for is converted by hand, rounding to
 * nearest even. */
#include "internal.h"

#include <math.h>
#include <string.h>

size_t qn__type_size(enum quern_type type)
{
    switch (type) {
    case QUERN_FLOAT: return 4;
    case QUERN_DOUBLE: return 8;
    case QUERN_HALF: return 2;
    case QUERN_BFLOAT16: return 2;
    case QUERN_INT: return 4;
    }
    return 0;
}

const char *qn__type_name(enum quern_type type)
{
    switch (type) {
    case QUERN_FLOAT: return "float";
    case QUERN_DOUBLE: return "double";
    case QUERN_HALF: return "half";
    case QUERN_BFLOAT16: return "bfloat16";
    case QUERN_INT: return "int";
    }
    return "unknown type";
}

/* A 16-bit value with so many bits after the point of its significand. */
static double small_get(uint16_t bits, int digits)
{
    const int exponents = 15 - digits;
    const int bias = (1 << (exponents - 1)) - 1;
    const int exponent = (bits >> digits) & ((1 << exponents) - 1);
    const int fraction = bits & ((1 << digits) - 1);
    double value;
    if (exponent == (1 << exponents) - 1)
        value = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        value = ldexp(fraction, 1 - bias - digits);
    else
        value = ldexp(fraction + (1 << digits), exponent - bias - digits);
    return bits & 0x8000 ? -value : value;
}

/* Rounds once, to nearest even; too large becomes infinity, NaN a quiet NaN. */
static uint16_t small_set(double value, int digits)
{
    const int exponents = 15 - digits;
    const int bias = (1 << (exponents - 1)) - 1;
    const int infinity = ((1 << exponents) - 1) << digits;
    const int sign = signbit(value) ? 0x8000 : 0;
    if (isnan(value))
        return (uint16_t)(sign | infinity | 1 << (digits - 1));
    int exponent = 0;
    frexp(value, &exponent);
    if (isinf(value) || exponent > bias + 1)
        return (uint16_t)(sign | infinity);
    if (exponent < 2 - bias || value == 0)
        exponent = 2 - bias;                    /* subnormal */
    /* In units of the last digit; carries run into the exponent by themselves. */
    const double units = nearbyint(ldexp(fabs(value), digits + 1 - exponent));
    const int biased = exponent + bias - 2;
    return (uint16_t)(sign | (int)fmin(units + ldexp(biased, digits), infinity));
}

double qn__value_get(enum quern_type type, const void *array, int64_t i)
{
    switch (type) {
    case QUERN_FLOAT: return (double)((const float *)array)[i];
    case QUERN_DOUBLE: return ((const double *)array)[i];
    case QUERN_HALF: return small_get(((const uint16_t *)array)[i], 10);
    case QUERN_BFLOAT16: return small_get(((const uint16_t *)array)[i], 7);
    case QUERN_INT: return ((const int32_t *)array)[i];
    }
    return 0;
}

static int32_t whole(double value)
{
    if (!(value > INT32_MIN))                   /* NaN too */
        return INT32_MIN;
    return value < INT32_MAX ? (int32_t)value : INT32_MAX;
}

void qn__value_set(enum quern_type type, void *array, int64_t i, double value)
{
    switch (type) {
    case QUERN_FLOAT: ((float *)array)[i] = (float)value; break;
    case QUERN_DOUBLE: ((double *)array)[i] = value; break;
    case QUERN_HALF: ((uint16_t *)array)[i] = small_set(value, 10); break;
    case QUERN_BFLOAT16: ((uint16_t *)array)[i] = small_set(value, 7); break;
    case QUERN_INT: ((int32_t *)array)[i] = whole(value); break;
    }
}

uint64_t qn__value_nan(enum quern_type type, int payload)
{
    const uint64_t mark = payload ? 0x5a : 0x33;
    switch (type) {
    case QUERN_FLOAT: return 0x7fc0de00 | mark;
    case QUERN_DOUBLE: return UINT64_C(0x7ff8c0dec0dec000) | mark;
    case QUERN_HALF: return 0x7e00 | mark;
    case QUERN_BFLOAT16: return 0x7fc0 | (mark & 0x3f);
    case QUERN_INT: return 0x7fc0de00 | mark;
    }
    return 0;
}

uint64_t qn__value_bits(enum quern_type type, double value)
{
    union { uint64_t bits; float f[2]; double d; } cell = { 0 };
    qn__value_set(type, &cell, 0, value);
    return cell.bits;
}

/* FNV-1a over the name, begun at the seed: one stream of numbers per name. */
uint64_t qn__hash(uint64_t seed, const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ seed * UINT64_C(0x9e3779b97f4a7c15);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash;
}
