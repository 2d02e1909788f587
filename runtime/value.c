/* The storage types: sizes, names, elements as double, and the bits of NaNs
 * that no arithmetic makes. */
#include "internal.h"

#include "element.h"

#include <float.h>

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

double qn__type_largest(enum quern_type type)
{
    switch (type) {
    case QUERN_FLOAT: return (double)FLT_MAX;
    case QUERN_DOUBLE: return DBL_MAX;
    case QUERN_HALF: return 65504;
    case QUERN_BFLOAT16: return 0x1.fep127;
    case QUERN_INT: return INT32_MAX;
    }
    return 0;
}

double qn__value_get(enum quern_type type, const void *array, int64_t i)
{
    return element_get((int64_t)type, array, i);
}

void qn__value_set(enum quern_type type, void *array, int64_t i, double value)
{
    element_set((int64_t)type, array, i, value);
}

/* Signaling: whatever is computed from one is quiet, so other bits. */
uint64_t qn__value_nan(enum quern_type type, int payload)
{
    const uint64_t mark = 1 + (uint64_t)payload % QN_NANS;
    switch (type) {
    case QUERN_FLOAT: return 0x7f80de00 | mark;
    case QUERN_DOUBLE: return UINT64_C(0x7ff0c0dec0dec000) | mark;
    case QUERN_HALF: return 0x7c00 | mark;
    case QUERN_BFLOAT16: return 0x7f80 | mark;
    case QUERN_INT: return 0x7f80de00 | mark;
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
    uint64_t hash = UINT64_C(0xcbf29ce484222325)
                  ^ seed * UINT64_C(0x9e3779b97f4a7c15);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash;
}
