/* The kernels of device.h for the cpu, in C with OpenMP. The twin of device.cu:
 * same arguments, same results. */
#include "internal.h"

#include <math.h>
#include <string.h>

#define EACH(count) \
    _Pragma("omp parallel for schedule(static)") \
    for (int64_t i = 0; i < (count); i++)

int quern_fill_launch(const void *arguments, void *stream)
{
    const struct device_args *const args = arguments;
    (void)stream;
    if (args->size == 2) {
        uint16_t *const data = args->data;
        EACH(args->count) data[i] = (uint16_t)args->bits;
    } else if (args->size == 4) {
        uint32_t *const data = args->data;
        EACH(args->count) data[i] = (uint32_t)args->bits;
    } else {
        uint64_t *const data = args->data;
        EACH(args->count) data[i] = args->bits;
    }
    return 0;
}

/* splitmix64: the number of step i of the stream that begins at seed. */
static uint64_t scramble(uint64_t seed, int64_t i)
{
    uint64_t x = seed + ((uint64_t)i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

int quern_random_launch(const void *arguments, void *stream)
{
    const struct device_args *const args = arguments;
    const enum quern_type type = (enum quern_type)args->type;
    const bool whole = type == QUERN_INT;
    const double width = args->high - args->low + (whole ? 1 : 0);
    (void)stream;
    EACH(args->count) {
        const double unit = (double)(scramble(args->bits, i) >> 11) * 0x1p-53;
        const double value = args->low + width * unit;
        qn__value_set(type, args->data, i, whole ? floor(value) : value);
    }
    return 0;
}

/* Equal offsets stand together, in the order of the caller's list. */
int quern_inject_launch(const void *arguments, void *stream)
{
    const struct device_args *const args = arguments;
    const enum quern_type type = (enum quern_type)args->type;
    (void)stream;
    for (int64_t i = 0; i < args->count; i++) {
        const double old = qn__value_get(type, args->data, args->offset[i]);
        qn__value_set(type, args->data, args->offset[i], old + args->value[i]);
    }
    return 0;
}

int quern_sample_launch(const void *arguments, void *stream)
{
    const struct device_args *const args = arguments;
    (void)stream;
    for (int64_t i = 0; i < args->count; i++)
        args->value[i] = qn__value_get((enum quern_type)args->type, args->data,
                                       args->offset[i]);
    return 0;
}

static int64_t clamp(int64_t at, int64_t n)
{
    return at < 0 ? 0 : at < n ? at : n - 1;
}

/* Gives point i of the domain and its halo the value of the nearest point of
 * the domain: which no other i writes. */
static void extend(const struct device_args *args, int64_t i)
{
    int64_t to = 0, from = 0;
    for (int64_t axis = 0; axis < args->rank; axis++) {
        const int64_t full = args->n[axis] + 2 * args->halo[axis];
        const int64_t at = i % full - args->halo[axis];
        i /= full;
        to += at * args->stride[axis];
        from += clamp(at, args->n[axis]) * args->stride[axis];
    }
    if (to != from)
        memcpy((char *)args->data + to * args->size,
               (const char *)args->data + from * args->size, (size_t)args->size);
}

int quern_extend_launch(const void *arguments, void *stream)
{
    const struct device_args *const args = arguments;
    int64_t count = 1;
    (void)stream;
    for (int64_t axis = 0; axis < args->rank; axis++)
        count *= args->n[axis] > 0 ? args->n[axis] + 2 * args->halo[axis] : 0;
    EACH(count) extend(args, i);
    return 0;
}

/* One block of the stream: all arrays read, then all written, in a piece that
 * stays in the first cache. */
enum { PIECE = 2048 };              /* 32-bit words */

static void stream_piece(const struct device_args *args, int64_t first, int64_t count)
{
    uint32_t sum[PIECE];
    for (int64_t j = 0; j < count; j++)
        sum[j] = args->reads ? 0 : (uint32_t)(first + j);
    for (int64_t a = 0; a < args->reads; a++) {
        const uint32_t *const read = (const uint32_t *)args->read[a] + first;
        for (int64_t j = 0; j < count; j++)
            sum[j] ^= read[j];
    }
    for (int64_t a = 0; a < args->writes; a++) {
        uint32_t *const written = (uint32_t *)args->written[a] + first;
        for (int64_t j = 0; j < count; j++)
            written[j] = sum[j] * (2 * (uint32_t)a + 3) + (uint32_t)a;
    }
}

int quern_stream_launch(const void *arguments, void *stream)
{
    const struct device_args *const args = arguments;
    const int64_t words = args->count / 4;
    (void)stream;
    EACH((words + PIECE - 1) / PIECE) {
        const int64_t left = words - i * PIECE;
        stream_piece(args, i * PIECE, left < PIECE ? left : PIECE);
    }
    return 0;
}
