/* One element of any storage type, and what the runtime's own kernels do with
 * one element or one listed point: C for the host, CUDA for devices, one text,
 * so that every backend gives the same bits. */
#ifndef QUERN_ELEMENT_H
#define QUERN_ELEMENT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "device.h"
#include "../templates/quern_types.h"

#ifdef __CUDACC__
#define ELEMENT static __device__ inline
#else
#define ELEMENT static inline
#endif

/* --- elements ------------------------------------------------------------ */

ELEMENT double element_get(int64_t type, const void *array, int64_t i)
{
    switch (type) {
    case QUERN_FLOAT: return (double)((const float *)array)[i];
    case QUERN_DOUBLE: return ((const double *)array)[i];
    case QUERN_HALF:
        return quern_half_to_double(((const uint16_t *)array)[i]);
    case QUERN_BFLOAT16:
        return quern_bfloat16_to_double(((const uint16_t *)array)[i]);
    case QUERN_INT: return (double)((const int32_t *)array)[i];
    default: return 0;
    }
}

ELEMENT int32_t element_whole(double value)
{
    if (!(value > -2147483648.0))               /* NaN too */
        return INT32_MIN;
    return value < 2147483647.0 ? (int32_t)value : INT32_MAX;
}

ELEMENT void element_set(int64_t type, void *array, int64_t i, double value)
{
    switch (type) {
    case QUERN_FLOAT: ((float *)array)[i] = (float)value; break;
    case QUERN_DOUBLE: ((double *)array)[i] = value; break;
    case QUERN_HALF:
        ((uint16_t *)array)[i] = quern_double_to_half(value);
        break;
    case QUERN_BFLOAT16:
        ((uint16_t *)array)[i] = quern_double_to_bfloat16(value);
        break;
    case QUERN_INT: ((int32_t *)array)[i] = element_whole(value); break;
    default: break;
    }
}

ELEMENT void element_copy(int64_t size, void *array, int64_t to, int64_t from)
{
    switch (size) {
    case 2: ((uint16_t *)array)[to] = ((const uint16_t *)array)[from]; break;
    case 4: ((uint32_t *)array)[to] = ((const uint32_t *)array)[from]; break;
    default: ((uint64_t *)array)[to] = ((const uint64_t *)array)[from]; break;
    }
}

/* --- the kernels, for one i ---------------------------------------------- */

ELEMENT void fill_one(const struct device_args *args, int64_t i)
{
    i *= args->step;
    switch (args->size) {
    case 2: ((uint16_t *)args->data)[i] = (uint16_t)args->bits; break;
    case 4: ((uint32_t *)args->data)[i] = (uint32_t)args->bits; break;
    default: ((uint64_t *)args->data)[i] = args->bits; break;
    }
}

/* splitmix64: number i of the stream that begins at seed. */
ELEMENT uint64_t scramble(uint64_t seed, int64_t i)
{
    uint64_t x = seed + ((uint64_t)i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* The next number of a 16-bit type. */
ELEMENT uint16_t next_small(uint16_t bits, int up)
{
    if ((bits & 0x7fff) == 0)
        return up ? 1 : 0x8001;
    return (uint16_t)((bits >> 15 == 0) == (up != 0) ? bits + 1 : bits - 1);
}

/* So few digits may round a number out of the range: its neighbour is in. */
ELEMENT void random_settle(const struct device_args *args, int64_t i)
{
    uint16_t *const bits = (uint16_t *)args->data + i;
    const double value = element_get(args->type, args->data, i);
    if (value < args->low || value > args->high)
        *bits = next_small(*bits, value < args->low);
}

/* One in 32 is the low end of the range, one the high end: what a formula
 * treats apart (a fluid's modulus, 0) is often there, and would else never be
 * drawn. */
ELEMENT void random_one(const struct device_args *args, int64_t i)
{
    const uint64_t bits = scramble(args->bits, i);
    const int whole = args->type == QUERN_INT, end = (int)(bits & 31);
    const double width = args->high - args->low + (whole ? 1 : 0);
    const double unit = (double)(bits >> 11) * 0x1p-53;
    const double value = fma(width, unit, args->low);
    element_set(args->type, args->data, i * args->step, end == 0 ? args->low
                : end == 1 ? args->high : whole ? floor(value) : value);
    if (args->type == QUERN_HALF || args->type == QUERN_BFLOAT16)
        random_settle(args, i * args->step);
}

/* Equal offsets stand together, in the order of the caller's list: the first of
 * them adds them all, in that order, each rounded once. */
ELEMENT void inject_one(const struct device_args *args, int64_t i)
{
    const int64_t offset = args->offset[i];
    if (i > 0 && args->offset[i - 1] == offset)
        return;
    for (; i < args->count && args->offset[i] == offset; i++) {
        const double old = element_get(args->type, args->data, offset);
        element_set(args->type, args->data, offset, old + args->value[i]);
    }
}

ELEMENT void sample_one(const struct device_args *args, int64_t i)
{
    args->value[i] = element_get(args->type, args->data, args->offset[i]);
}

/* The weight that a place gives a row of its points, and where the row is: the
 * first factor of what every point of it gets, here as in places.c. */
ELEMENT double row_weight(const struct device_args *args,
                          const struct device_tap *tap, const int64_t *count,
                          int64_t row, int64_t *offset)
{
    double weight = 1;
    *offset = 0;
    for (int64_t axis = 1; axis < args->rank; axis++) {
        const struct device_tap *const at =
            &tap[axis * args->taps + row % count[axis]];
        row /= count[axis];
        weight *= at->weight;
        *offset += at->offset;
    }
    return weight;
}

/* A listed point gets its shares in the order of the caller's places, each sum
 * rounded once to double and once to the storage type. */
ELEMENT void spread_one(const struct device_args *args, int64_t i)
{
    const int64_t offset = args->offset[i];
    for (int64_t s = args->first[i]; s < args->first[i + 1]; s++) {
        const struct device_share *const share = &args->share[s];
        const double old = element_get(args->type, args->data, offset);
        element_set(args->type, args->data, offset,
                    fma(share->weight, args->value[share->place], old));
    }
}

/* One row of a place's points after the other. */
ELEMENT void interpolate_one(const struct device_args *args, int64_t i)
{
    const struct device_tap *const tap =
        args->tap + i * args->rank * args->taps;
    const int64_t *const count = args->tap_count + i * args->rank;
    int64_t rows = 1;
    double sum = -0.0;                          /* x + -0.0 is x, of any sign */
    for (int64_t axis = 1; axis < args->rank; axis++)
        rows *= count[axis];
    for (int64_t row = 0; row < rows; row++) {
        int64_t offset = 0;
        const double weight = row_weight(args, tap, count, row, &offset);
        for (int64_t x = 0; x < count[0]; x++)
            sum = fma(weight * tap[x].weight,
                      element_get(args->type, args->data,
                                  offset + tap[x].offset), sum);
    }
    args->value[i] = sum;
}

/* Gives point i of the domain and its halo the value of the nearest point of
 * the domain, which no other i writes. */
ELEMENT void extend_one(const struct device_args *args, int64_t i)
{
    int64_t to = 0, from = 0;
    for (int64_t axis = 0; axis < args->rank; axis++) {
        const int64_t n = args->n[axis], full = n + 2 * args->halo[axis];
        const int64_t at = i % full - args->halo[axis];
        i /= full;
        to += at * args->stride[axis];
        from += (at < 0 ? 0 : at < n ? at : n - 1) * args->stride[axis];
    }
    if (to != from)
        element_copy(args->size, args->data, to, from);
}

/* Points of the domain and its halo; 0 for an empty domain. The host's. */
static inline int64_t extend_count(const struct device_args *args)
{
    int64_t count = 1;
    for (int64_t axis = 0; axis < args->rank; axis++)
        count *= args->n[axis] > 0 ? args->n[axis] + 2 * args->halo[axis] : 0;
    return count;
}

/* What a stream writes to its array a: neither zero nor what it was. */
ELEMENT uint32_t stream_word(uint32_t sum, int64_t a)
{
    return sum + UINT32_C(0x9e3779b9) * (uint32_t)(a + 1);
}

#endif
