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

/* The stream, in 32-bit words: a share of a thread, and of that two lines of a
 * cache at once of all arrays, side by side. Processors fetch few rows ahead by
 * themselves: what is AHEAD is fetched here. */
enum { SHARE = 4096, PIECE = 32, LINE = 16, AHEAD = 512 };

typedef uint32_t piece __attribute__((vector_size(4 * PIECE), aligned(4),
                                      may_alias));

/* The runtime is built for any processor, kernels for the one at hand. (What
 * chooses runs before the thread sanitizer can watch it.) */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) \
    && !defined(__SANITIZE_THREAD__)
#define AS_KERNELS_ARE \
    __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define AS_KERNELS_ARE
#endif

AS_KERNELS_ARE
static void stream_share(const struct device_args *args, int64_t first,
                         int64_t last)
{
    for (; first < last; first += PIECE) {
        piece sum = { 0 };
        for (int j = 0; args->reads == 0 && j < PIECE; j++)
            sum[j] = (uint32_t)(first + j);
        for (int64_t a = 0; a < args->reads; a++) {
            const uint32_t *const read =
                (const uint32_t *)args->read[a] + first;
            __builtin_prefetch(read + AHEAD, 0, 2);
            __builtin_prefetch(read + AHEAD + LINE, 0, 2);
            sum ^= *(const piece *)read;
        }
        for (int64_t a = 0; a < args->writes; a++) {
            uint32_t *const written = (uint32_t *)args->written[a] + first;
            __builtin_prefetch(written + AHEAD, 1, 2);
            __builtin_prefetch(written + AHEAD + LINE, 1, 2);
            *(piece *)written = sum + stream_word(0, a);
        }
    }
}

/* What is less than a piece. */
static void stream_rest(const struct device_args *args, int64_t first,
                        int64_t last)
{
    for (; first < last; first++) {
        uint32_t sum = args->reads ? 0 : (uint32_t)first;
        for (int64_t a = 0; a < args->reads; a++)
            sum ^= ((const uint32_t *)args->read[a])[first];
        for (int64_t a = 0; a < args->writes; a++)
            ((uint32_t *)args->written[a])[first] = stream_word(sum, a);
    }
}

int quern_stream_launch(const void *arguments, void *stream)
{
    const struct device_args *const args = arguments;
    const int64_t words = args->count / 4, whole = words / PIECE * PIECE;
    (void)stream;
#pragma omp parallel for schedule(static)
    for (int64_t first = 0; first < whole; first += SHARE)
        stream_share(args, first,
                     whole - first < SHARE ? whole : first + SHARE);
    stream_rest(args, whole, words);
    return 0;
}
