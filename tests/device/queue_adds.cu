/* What items of requests add to their points, on a device: parts and their sum in order, or
 * atomics; one item a point, then four.
 *
 *     gen/quern gen specs/nbody.lua -o out/adds --fp fast --shape gmem --shape tiled
 *     nvcc -std=c++17 -O3 -fmad=true -arch=sm_90 -Iruntime -Iout/adds/cuda -o out/adds/adds \
 *         tests/device/queue_adds.cu out/adds/cuda/nbody_force_bucket*.cu \
 *         out/runtime/libquern.a -Xcompiler -fopenmp */
#include "queue_work.h"

#define FOR_ALL(X)                                                                      \
    X(nbody_force_bucket_gmem_64)                                                       \
    X(nbody_force_bucket_add_gmem_64)                                                   \
    X(nbody_force_bucket_tiled_16x8)                                                    \
    X(nbody_force_bucket_add_tiled_16x8)                                                \
    X(nbody_force_bucket_sum_gmem_256)
#define X(name) extern "C" int name##_launch(const struct nbody_args *, void *);
FOR_ALL(X)
#undef X

typedef int (*launcher)(const struct nbody_args *, void *);

/* So many items of each point, in order. */
static void share(int each)
{
    std::vector<int32_t> point(PARTICLES), item(PARTICLES), firsts;
    std::vector<int64_t> starts(1, 0);
    for (int i = 0; i < PARTICLES; i++) {
        point[i] = i / each;
        item[i] = i;
        starts.push_back(std::min(((int64_t)i + 1) * each, (int64_t)PARTICLES));
    }
    for (int r = 0; r <= REQUESTS; r++)
        firsts.insert(firsts.end(), { r, r * BUCKET });
    args.bucket_point = device(point);
    args.bucket_items = device(item);
    args.bucket_items_start = device(starts);
    args.force_bucket_tiled_16x8_firsts = device(firsts);
    args.force_bucket_add_tiled_16x8_firsts = args.force_bucket_tiled_16x8_firsts;
    args.force_bucket_tiled_16x8_blocks = REQUESTS;
    args.force_bucket_add_tiled_16x8_blocks = REQUESTS;
}

static std::vector<float> sums()
{
    std::vector<float> all(PARTICLES);
    CUDA(cudaMemcpy(all.data(), args.ax, PARTICLES * sizeof(float), cudaMemcpyDeviceToHost));
    return all;
}

static void run(launcher first, launcher second)
{
    must(first(&args, streams[0]), "launch");
    if (second)
        must(second(&args, streams[0]), "sum");
}

static void row(const char *name, launcher first, launcher second)
{
    static std::vector<float> wanted;
    cudaEvent_t begin, end;
    float t[15];
    CUDA(cudaMemset(args.ax, 0, PARTICLES * sizeof(float)));
    run(first, second);
    CUDA(cudaDeviceSynchronize());
    const auto got = sums();
    if (first == nbody_force_bucket_gmem_64_launch && second)
        wanted = got;
    double mean = 0, worst = 0;
    for (int i = 0; i < PARTICLES && !wanted.empty(); i++) {
        mean += std::fabs(wanted[i]) / PARTICLES;
        worst = std::max(worst, std::fabs((double)got[i] - wanted[i]));
    }
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    for (float &v : t) {
        CUDA(cudaEventRecord(begin, streams[0]));
        run(first, second);
        CUDA(cudaEventRecord(end, streams[0]));
        CUDA(cudaEventSynchronize(end));
        CUDA(cudaEventElapsedTime(&v, begin, end));
    }
    std::sort(t, t + 15);
    std::printf("  %-36s %8.1f us, largest difference %.1e of the mean\n", name, 1e3 * t[7],
                mean > 0 ? worst / mean : 0);
}

int main()
{
    begin();
    for (int each : { 1, 4 }) {
        share(each);
        std::printf("%d items a point:\n", each);
        row("gmem, parts and their sum", nbody_force_bucket_gmem_64_launch,
            nbody_force_bucket_sum_gmem_256_launch);
        row("gmem, atomics", nbody_force_bucket_add_gmem_64_launch, nullptr);
        row("tiled, parts and their sum", nbody_force_bucket_tiled_16x8_launch,
            nbody_force_bucket_sum_gmem_256_launch);
        row("tiled, atomics", nbody_force_bucket_add_tiled_16x8_launch, nullptr);
    }
    return 0;
}
