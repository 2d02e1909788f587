/* The 16-bit storage types in their one place: half (11 significant bits) and bfloat16 (8).
 * Arrays of both are uint16_t; arithmetic is in float or double, never in 16 bits.
 *
 * A store rounds once from the type of the arithmetic, to the nearest, ties to even;
 * subnormals are kept, what is too large becomes infinity, a NaN becomes 0x7fff. Loads are
 * exact; a NaN stays one. The same bits on every machine: a GPU's own instructions do just
 * that, elsewhere it is integer arithmetic without branches, which vectorises.
 *
 * The generator copies this header beside kernels that need it; the runtime includes it too.
 * C11 and C++17 alike. Change QUERN_TYPES when anything below changes its meaning. */
#ifndef QUERN_TYPES_H
#define QUERN_TYPES_H

#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define QUERN_CONVERSION static __host__ __device__ __forceinline__
#else
#define QUERN_CONVERSION static inline
#endif

#define QUERN_TYPES 1

QUERN_CONVERSION uint32_t quern_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

QUERN_CONVERSION float quern_number(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Without the sign: of two doubles the larger has the larger one. */
QUERN_CONVERSION int64_t quern_size(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & INT64_MAX;
}

/* `a` or `b` without a branch, which compilers would not take apart for vectors. */
QUERN_CONVERSION uint32_t quern_either(int first, uint32_t a, uint32_t b)
{
    const uint32_t mask = -(uint32_t)first;
    return (a & mask) | (b & ~mask);
}

/* --- loads --- */

QUERN_CONVERSION float quern_half_to_float(uint16_t half)
{
#ifdef __CUDA_ARCH__
    return __half2float(__ushort_as_half(half));
#else
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    const uint32_t size = (uint32_t)(half & 0x7fff) << 13;
    /* A subnormal is what the same digits add to 2^-14, the least normal half. */
    const float small = quern_number(size + 0x38800000) - 0x1p-14f;
    const uint32_t beyond = quern_either(size >= 0x0f800000, 0x70000000, 0x38000000);
    return quern_number(sign | quern_either(size < 0x00800000, quern_bits(small),
                                            size + beyond));
#endif
}

/* A bfloat16 is the upper half of a float. */
QUERN_CONVERSION float quern_bfloat16_to_float(uint16_t upper)
{
    return quern_number((uint32_t)upper << 16);
}

QUERN_CONVERSION double quern_half_to_double(uint16_t half)
{
    return (double)quern_half_to_float(half);
}

QUERN_CONVERSION double quern_bfloat16_to_double(uint16_t upper)
{
    return (double)quern_bfloat16_to_float(upper);
}

/* --- stores --- */

QUERN_CONVERSION uint16_t quern_float_to_half(float value)
{
#ifdef __CUDA_ARCH__
    return __half_as_ushort(__float2half_rn(value));
#else
    const uint32_t bits = quern_bits(value), size = bits & 0x7fffffff;
    const uint32_t sign = (bits >> 16) & 0x8000;
    /* From 0.5 to 1 a float's last digit is 2^-24, that of a subnormal half: the sum rounds
     * to it. A normal half loses 13 digits; a carry runs into the exponent by itself. */
    const uint32_t small = quern_bits(quern_number(size) + 0.5f) - 0x3f000000;
    const uint32_t normal = ((size + 0xfff + ((size >> 13) & 1)) >> 13) - 0x1c000;
    const uint32_t half = quern_either(size < 0x38800000, small, normal);
    const uint32_t least = quern_either(half < 0x7c00, half, 0x7c00);   /* or infinity */
    return (uint16_t)quern_either(size > 0x7f800000, 0x7fff, sign | least);
#endif
}

QUERN_CONVERSION uint16_t quern_float_to_bfloat16(float value)
{
#ifdef __CUDA_ARCH__
    return __bfloat16_as_ushort(__float2bfloat16_rn(value));
#else
    const uint32_t bits = quern_bits(value);
    const uint32_t upper = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
    return (uint16_t)quern_either((bits & 0x7fffffff) > 0x7f800000, 0x7fff, upper);
#endif
}

/* A double as a float whose last digit is odd wherever something was cut off: a float has
 * more than two digits to spare, so rounding that is rounding the double, once. */
QUERN_CONVERSION float quern_odd(double value)
{
    const float nearest = (float)value;
    const int64_t size = quern_size(value), back = quern_size((double)nearest);
    return quern_number((quern_bits(nearest) - (back > size)) | (back != size));
}

QUERN_CONVERSION uint16_t quern_double_to_half(double value)
{
    return quern_float_to_half(quern_odd(value));
}

QUERN_CONVERSION uint16_t quern_double_to_bfloat16(double value)
{
    return quern_float_to_bfloat16(quern_odd(value));
}

#endif
