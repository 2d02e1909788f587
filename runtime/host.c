/* The kernels of device.h for the cpu: OpenMP loops around element.h. The twin
 * of device.cu. */
#include "element.h"

#define HOST_KERNEL(verb, points) \
    int quern_##verb##_launch(const void *arguments, void *stream) \
    { \
        const struct device_args *const args = arguments; \
        const int64_t count = points; \
        (void)stream; \
        _Pragma("omp parallel for schedule(static)") \
        for (int64_t i = 0; i < count; i++) \
            verb##_one(args, i); \
        return 0; \
    }

HOST_KERNEL(fill, args->count)
HOST_KERNEL(random, args->count)
HOST_KERNEL(inject, args->count)
HOST_KERNEL(sample, args->count)
HOST_KERNEL(spread, args->count)
HOST_KERNEL(interpolate, args->count)
HOST_KERNEL(extend, extend_count(args))

/* A piece of the stream stays in the first cache: all arrays are read into it,
 * then all are written from it. */
enum { PIECE = 2048 };              /* 32-bit words */

static void stream_piece(const struct device_args *args, int64_t first,
                         int64_t count)
{
    uint32_t sum[PIECE];
    for (int64_t j = 0; j < count; j++)
        sum[j] = args->reads ? 0 : (uint32_t)(first + j);
    for (int64_t a = 0; a < args->reads; a++) {
        const uint32_t *const read = (const uint32_t *)args->read[a] + first;
#pragma omp simd
        for (int64_t j = 0; j < count; j++)
            sum[j] ^= read[j];
    }
    for (int64_t a = 0; a < args->writes; a++) {
        uint32_t *const written = (uint32_t *)args->written[a] + first;
#pragma omp simd
        for (int64_t j = 0; j < count; j++)
            written[j] = stream_word(sum[j], a);
    }
}

int quern_stream_launch(const void *arguments, void *stream)
{
    const struct device_args *const args = arguments;
    const int64_t words = args->count / 4;
    (void)stream;
#pragma omp parallel for schedule(static)
    for (int64_t first = 0; first < words; first += PIECE)
        stream_piece(args, first,
                     words - first < PIECE ? words - first : PIECE);
    return 0;
}
