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

/* A piece of the stream, in 32-bit words: all arrays go side by side, few by
 * loops of their own, of more a line of a cache at once. Processors fetch few
 * rows ahead by themselves: what is AHEAD of more is fetched here. */
enum { PIECE = 2048, FEW = 3, LINE = 16, AHEAD = 512 };

static inline __attribute__((always_inline))
void stream_words(const struct device_args *args, int64_t first, int64_t count,
                  int reads, int writes)
{
    const uint32_t *read[FEW];
    uint32_t *written[FEW];
    for (int a = 0; a < reads; a++)
        read[a] = (const uint32_t *)args->read[a] + first;
    for (int a = 0; a < writes; a++)
        written[a] = (uint32_t *)args->written[a] + first;
#pragma omp simd
    for (int64_t j = 0; j < count; j++) {
        uint32_t sum = 0;
        for (int a = 0; a < reads; a++)
            sum ^= read[a][j];
        for (int a = 0; a < writes; a++)
            written[a][j] = stream_word(sum, a);
    }
}

typedef uint32_t line __attribute__((vector_size(4 * LINE), aligned(4),
                                     may_alias));

static void stream_line(const struct device_args *args, int64_t first)
{
    line sum = { 0 };
    for (int j = 0; args->reads == 0 && j < LINE; j++)
        sum[j] = (uint32_t)(first + j);
    for (int64_t a = 0; a < args->reads; a++) {
        const uint32_t *const read = (const uint32_t *)args->read[a] + first;
        __builtin_prefetch(read + AHEAD, 0, 2);
        sum ^= *(const line *)read;
    }
    for (int64_t a = 0; a < args->writes; a++) {
        uint32_t *const written = (uint32_t *)args->written[a] + first;
        __builtin_prefetch(written + AHEAD, 1, 2);
        *(line *)written = sum + stream_word(0, a);
    }
}

static void stream_one(const struct device_args *args, int64_t first)
{
    uint32_t sum = args->reads ? 0 : (uint32_t)first;
    for (int64_t a = 0; a < args->reads; a++)
        sum ^= ((const uint32_t *)args->read[a])[first];
    for (int64_t a = 0; a < args->writes; a++)
        ((uint32_t *)args->written[a])[first] = stream_word(sum, a);
}

static void stream_many(const struct device_args *args, int64_t first,
                        int64_t count)
{
    const int64_t last = first + count;
    for (; first + LINE <= last; first += LINE)
        stream_line(args, first);
    for (; first < last; first++)
        stream_one(args, first);
}

static void stream_piece(const struct device_args *args, int64_t first,
                         int64_t count)
{
    switch (args->reads * 10 + args->writes) {
    case 11: stream_words(args, first, count, 1, 1); break;
    case 12: stream_words(args, first, count, 1, 2); break;
    case 21: stream_words(args, first, count, 2, 1); break;
    case 22: stream_words(args, first, count, 2, 2); break;
    case 31: stream_words(args, first, count, 3, 1); break;
    case 32: stream_words(args, first, count, 3, 2); break;
    default: stream_many(args, first, count);
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
