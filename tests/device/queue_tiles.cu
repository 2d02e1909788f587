/* Sums of requests on a device, an item a thread and by blocks that read lists into
 * shared memory: all requests in one launch, buckets of 16 particles, then of 1 to 16.
 *
 *     gen/quern gen specs/nbody.lua -o out/queue --shape gmem --shape gmem:block=256 \
 *         --shape tiled --shape tiled:items=64 --shape tiled:block=16x4 ...
 *     nvcc -std=c++17 -O3 -arch=sm_90 -Iruntime -Iout/queue/cuda -o out/queue/tiles \
 *         tests/device/queue_tiles.cu out/queue/cuda/nbody_force_bucket_*.cu \
 *         out/runtime/libquern.a -Xcompiler -fopenmp
 *
 * -DKERNELS='X(nbody_force_bucket_gmem_64) ..' lists others than these. */
#include "queue_work.h"

#ifndef KERNELS
#define KERNELS                                                                         \
    X(nbody_force_bucket_gmem_64)                                                       \
    X(nbody_force_bucket_gmem_256)                                                      \
    X(nbody_force_bucket_tiled_16x8)                                                    \
    X(nbody_force_bucket_tiled_16x8_items64)                                            \
    X(nbody_force_bucket_tiled_16x4)
#endif

struct kernel {
    const char *name;
    int (*launch)(const struct nbody_args *, void *);
};

#define X(name) extern "C" int name##_launch(const struct nbody_args *, void *);
KERNELS
#undef X
static const struct kernel kernels[] = {
#define X(name) { #name, name##_launch },
    KERNELS
#undef X
};

/* The largest difference of so many items from `right`, of the mean there. */
static double difference(int64_t items)
{
    const auto got = read();
    double mean = 0, worst = 0;
    for (int64_t i = 0; i < items; i++)
        mean += std::fabs(right[i]) / (double)items;
    for (size_t i = 0; i < got.size(); i++) {
        if ((int64_t)i % PARTICLES >= items)
            continue;
        const double error = std::fabs((double)got[i] - right[i]);
        worst = error == error ? std::max(worst, error) : 1e30;
    }
    return worst / mean;
}

static double on_device(const kernel &of, const nbody_args &own)
{
    cudaEvent_t begin, end;
    float t[9];
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    for (float &v : t) {
        CUDA(cudaEventRecord(begin, streams[0]));
        must(of.launch(&own, streams[0]), of.name);
        CUDA(cudaEventRecord(end, streams[0]));
        CUDA(cudaEventSynchronize(end));
        CUDA(cudaEventElapsedTime(&v, begin, end));
    }
    std::sort(t, t + 9);
    return 1e3 * t[4];
}

static void compare(int64_t items)
{
    nbody_args own = args;
    own.upper[3] = items;
    for (auto &of : kernels) {
        clear();
        must(of.launch(&own, streams[0]), of.name);
        CUDA(cudaDeviceSynchronize());
        if (&of == kernels)
            right = read();
        const double error = difference(items);
        own.upper[3] = 100 * 16;
        const double few = on_device(of, own);
        own.upper[3] = items;
        std::printf("%-44s %8.1f us, of 100 requests %6.1f us; largest difference %.1e of "
                    "the mean\n",
                    of.name, on_device(of, own), few, error);
    }
}

/* Buckets of 1 to 16 particles, with the lists that there are; how many items. */
static int64_t vary()
{
    std::vector<int32_t> request;
    uint64_t state = 7;
    for (int r = 0; r < REQUESTS; r++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        request.insert(request.end(), 1 + (state >> 33) % BUCKET, r);
    }
    const int64_t items = (int64_t)request.size();
    request.resize(PARTICLES, REQUESTS - 1);
    args.bucket_request = device(request);
    return items;
}

int main()
{
    begin();
    compare(PARTICLES);
    const int64_t items = vary();
    std::printf("%lld items in the same requests:\n", (long long)items);
    compare(items);
    return 0;
}
