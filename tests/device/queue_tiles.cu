/* Sums of requests on a device, an item a thread and by blocks that serve one request each:
 * all requests in one launch, 2112, 100 and one of them, with so many items in each.
 *
 *     gen/quern gen specs/nbody.lua -o out/queue --shape gmem --shape tiled \
 *         --shape tiled:block=8x4 --shape tiled:block=32x8
 *     nvcc -std=c++17 -O3 -arch=sm_90 -Iruntime -Iout/queue/cuda -o out/queue/tiles \
 *         tests/device/queue_tiles.cu out/queue/cuda/nbody_force_bucket_*.cu \
 *         out/runtime/libquern.a -Xcompiler -fopenmp
 *
 * A file that is put before it (-include) may define KERNELS as a list of others: X are told
 * requests by tables of items, blocks of Y find theirs. */
#include "queue_work.h"

#include "quern_requests.h"

#ifndef KERNELS
#define KERNELS                                                                         \
    X(nbody_force_bucket_gmem_64)                                                       \
    Y(force_bucket_tiled_16x8, 16)                                                      \
    Y(force_bucket_tiled_8x4, 8)                                                        \
    Y(force_bucket_tiled_32x8, 32)
#endif

static std::vector<int64_t> begins(1);      /* the first item of each request */

#define X(name)                                                                         \
    extern "C" int name##_launch(const struct nbody_args *, void *);                    \
    static void name##_share(nbody_args *, int64_t) {}
/* Blocks of so many items at most find their requests. */
#define Y(own, items)                                                                   \
    extern "C" int nbody_##own##_launch(const struct nbody_args *, void *);             \
    static void nbody_##own##_share(nbody_args *given, int64_t requests)                \
    {                                                                                   \
        std::vector<int32_t> firsts(2 * requests + 2);                                  \
        given->own##_blocks = quern_share_out(begins.data(), requests, items,           \
                                              firsts.data());                           \
        given->own##_firsts = device(firsts);                                           \
    }
KERNELS
#undef X
#undef Y

static const struct kernel {
    const char *name;
    int (*launch)(const struct nbody_args *, void *);
    void (*share)(nbody_args *, int64_t);
} kernels[] = {
#define X(name) { #name, name##_launch, name##_share },
#define Y(own, items) X(nbody_##own)
    KERNELS
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

/* Microseconds of the first requests, a median. */
static double on_device(const kernel &of, int64_t requests)
{
    nbody_args own = args;
    cudaEvent_t begin, end;
    float t[15];
    own.n[2] = requests;
    own.n[3] = own.upper[3] = begins[requests];
    of.share(&own, requests);
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    for (float &v : t) {
        CUDA(cudaEventRecord(begin, streams[0]));
        must(of.launch(&own, streams[0]), of.name);
        CUDA(cudaEventRecord(end, streams[0]));
        CUDA(cudaEventSynchronize(end));
        CUDA(cudaEventElapsedTime(&v, begin, end));
    }
    std::sort(t, t + 15);
    return 1e3 * t[7];
}

static void compare(const char *what)
{
    const int64_t all = (int64_t)begins.size() - 1;
    std::printf("%s, %lld requests: us of all, 2112, 100, 1; largest difference of the mean\n",
                what, (long long)all);
    for (auto &of : kernels) {
        clear();
        on_device(of, all);
        if (&of == kernels)
            right = read();
        const double error = difference(begins.back());
        std::printf("  %-42s", of.name);
        for (const int64_t requests : { all, (int64_t)2112, (int64_t)100, (int64_t)1 })
            std::printf(" %8.1f", on_device(of, requests));
        std::printf("  %.1e\n", error);
    }
}

/* Requests of least to most items, as many as there are lists or particles for. */
static void share(int least, int most)
{
    std::vector<int32_t> request;
    uint64_t state = 7;
    begins.assign(1, 0);
    for (int r = 0; r < REQUESTS; r++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        request.insert(request.end(), least + (state >> 33) % (most - least + 1), r);
        if (request.size() > PARTICLES)
            break;
        begins.push_back((int64_t)request.size());
    }
    request.resize(PARTICLES, REQUESTS - 1);
    args.bucket_request = device(request);
}

/* Lists of at most so many particles. */
static void shorten(int most)
{
    std::vector<int64_t> ends(1, 0);
    for (int r = 0; r < REQUESTS; r++)
        ends.push_back(ends.back() + std::min<int64_t>(start[r + 1] - start[r], 1 + r % most));
    args.near_start = device(ends);
}

int main()
{
    begin();
    share(16, 16);
    compare("16 items each");
    share(1, 16);
    compare("1 to 16 items");
    share(1, 1);
    compare("1 item each");
    share(1, 4);
    compare("1 to 4 items");
    share(1, 100);
    compare("1 to 100 items");
    shorten(8);
    compare("1 to 100 items, lists of up to 8");
    share(1, 4);
    compare("1 to 4 items, lists of up to 8");
    share(1, 1);
    compare("1 item each, lists of up to 8");
    return 0;
}
