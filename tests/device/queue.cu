/* The queue on a device: batches of specs/nbody.lua's requests under every policy,
 * beside a launch for each request, a graph of those, and everything in one launch.
 *
 *     gen/quern gen specs/nbody.lua -o out/queue
 *     nvcc -std=c++17 -O3 -arch=sm_90 -Iruntime -Iout/queue/cuda -o out/queue/queue \
 *         tests/device/queue.cu out/queue/cuda/nbody_force_bucket_gmem_256.cu \
 *         out/runtime/libquern.a -Xcompiler -fopenmp
 *
 * Requests are buckets of 16 particles, in order, with 32 to 480 particles near each;
 * all tables lie on the device, so a batch is a range of items. */
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

#include "nbody.h"
#include "quern.h"

enum { REQUESTS = 2112 * 16, BUCKET = 16, PARTICLES = REQUESTS * BUCKET, STREAMS = 32 };

static void must(int code, const char *what)
{
    if (code == 0)
        return;
    std::printf("%s: %s\n", what, cudaGetErrorString((cudaError_t)code));
    std::exit(1);
}
#define CUDA(call) must((int)(call), #call)

static double now()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

template <typename T> static T *device(const std::vector<T> &host)
{
    T *made = nullptr;
    CUDA(cudaMalloc(&made, host.size() * sizeof(T)));
    CUDA(cudaMemcpy(made, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return made;
}

static std::vector<float> p[3], mass;
static std::vector<int64_t> start;
static std::vector<int32_t> near_;
static struct nbody_args args;
static cudaStream_t streams[STREAMS];
static float *result[3];

static void prepare()
{
    uint64_t state = 1;
    auto draw = [&] {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (double)(state >> 11) * 0x1p-53;
    };
    for (auto &axis : p) {
        axis.resize(PARTICLES);
        for (auto &v : axis)
            v = (float)draw();
    }
    mass.resize(PARTICLES);
    for (auto &v : mass)
        v = (float)draw();
    start.push_back(0);
    for (int r = 0; r < REQUESTS; r++) {
        const int count = 32 + (int)(448 * draw());
        const int64_t around = (int64_t)(draw() * (PARTICLES - 4096));
        for (int i = 0; i < count; i++)
            near_.push_back((int32_t)(around + (int64_t)(4096 * draw())));
        start.push_back((int64_t)near_.size());
    }
    std::vector<int32_t> point(PARTICLES), request(PARTICLES), none(1);
    for (int i = 0; i < PARTICLES; i++) {
        point[i] = i;
        request[i] = i / BUCKET;
    }
    std::vector<int64_t> far(REQUESTS + 1, 0);
    std::vector<float> zero(PARTICLES, 0.0f), shift(REQUESTS, 0.0f), cell(1, 0.0f);
    args.struct_size = sizeof args;
    const int64_t n[7] = { PARTICLES, 1, REQUESTS, PARTICLES, PARTICLES, (int64_t)near_.size(),
                           0 };
    std::memcpy(args.n, n, sizeof n);
    std::memcpy(args.upper, n, sizeof n);
    args.px = device(p[0]);
    args.py = device(p[1]);
    args.pz = device(p[2]);
    args.m = device(mass);
    args.qx = device(cell);
    args.qy = device(cell);
    args.qz = device(cell);
    args.qm = device(cell);
    args.ax = device(zero);
    args.ay = device(zero);
    args.az = device(zero);
    args.shift_x = device(shift);
    args.shift_y = device(shift);
    args.shift_z = device(shift);
    args.ax_bucket = result[0] = device(zero);
    args.ay_bucket = result[1] = device(zero);
    args.az_bucket = result[2] = device(zero);
    int64_t *const strides[] = {
        args.px_stride,        args.py_stride,       args.pz_stride,
        args.m_stride,         args.qx_stride,       args.qy_stride,
        args.qz_stride,        args.qm_stride,       args.ax_stride,
        args.ay_stride,        args.az_stride,       args.shift_x_stride,
        args.shift_y_stride,   args.shift_z_stride,  args.ax_bucket_stride,
        args.ay_bucket_stride, args.az_bucket_stride
    };
    for (int64_t *s : strides)
        s[0] = 1;
    args.bucket_point = device(point);
    args.bucket_point_stride = PARTICLES;
    args.bucket_request = device(request);
    args.bucket_request_stride = PARTICLES;
    args.bucket_items = device(none);
    args.bucket_items_start = device(far);
    args.near = device(near_);
    args.near_start = device(start);
    args.far = device(none);
    args.far_start = device(far);
    args.G = 1;
    args.soft2 = 1e-4;
    char why[400] = "";
    if (nbody_force_bucket_gmem_256_check(&args, why, sizeof why)) {
        std::printf("refused: %s\n", why);
        std::exit(1);
    }
    for (auto &s : streams)
        CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
}

/* The requests first <= r < end. */
static int launch(int64_t first, int64_t end, cudaStream_t stream)
{
    struct nbody_args own = args;
    own.lower[3] = first * BUCKET;
    own.upper[3] = end * BUCKET;
    return nbody_force_bucket_gmem_256_launch(&own, stream);
}

static void clear()
{
    for (float *r : result)
        CUDA(cudaMemset(r, 255, PARTICLES * sizeof(float)));
    CUDA(cudaDeviceSynchronize());
}
static std::vector<float> read()
{
    std::vector<float> all(3 * (size_t)PARTICLES);
    for (int k = 0; k < 3; k++)
        CUDA(cudaMemcpy(all.data() + k * (size_t)PARTICLES, result[k],
                        PARTICLES * sizeof(float), cudaMemcpyDeviceToHost));
    return all;
}
static std::vector<float> right;
static const char *verdict()
{
    const auto got = read();
    return std::memcmp(got.data(), right.data(), got.size() * sizeof(float)) == 0 ? "same bits"
                                                                                  : "WRONG";
}

static double by_hand_error()
{
    double worst = 0;
    for (int i = 0; i < PARTICLES; i += 4099) {
        double a[3] = { 0, 0, 0 }, size = 0;
        for (int64_t j = start[i / BUCKET]; j < start[i / BUCKET + 1]; j++) {
            double d[3], s = 1e-4;
            for (int k = 0; k < 3; k++) {
                d[k] = (double)p[k][near_[j]] - p[k][i];
                s += d[k] * d[k];
            }
            const double pull = mass[near_[j]] / (s * std::sqrt(s));
            for (int k = 0; k < 3; k++) {
                a[k] += pull * d[k];
                size += std::fabs(pull * d[k]);
            }
        }
        for (int k = 0; k < 3; k++)
            worst = std::max(worst, std::fabs(a[k] - right[k * (size_t)PARTICLES + i]) / size);
    }
    return worst;
}

template <typename F> static double median(F f)
{
    double t[5];
    for (double &v : t) {
        clear();
        const double begin = now();
        f();
        CUDA(cudaDeviceSynchronize());
        v = now() - begin;
    }
    std::sort(t, t + 5);
    return t[2];
}

/* --- the queue ---------------------------------------------------------------- */

struct flight {
    cudaEvent_t event;
    bool used;
};
static flight flights[64];
static int turn;

static enum qn_status start_batch(void *, struct qn_batch *batch)
{
    const int64_t first = (int64_t)(intptr_t)batch->first->user;
    int f = 0;
    while (flights[f].used)
        f++;
    const cudaStream_t stream = streams[turn++ % STREAMS];
    const int code = launch(first, first + (int64_t)batch->count, stream);
    if (code)
        return QN_DEVICE;
    if (cudaEventRecord(flights[f].event, stream))
        return QN_DEVICE;
    flights[f].used = true;
    batch->data = &flights[f];
    return QN_OK;
}

static int ended(void *, struct qn_batch *batch, enum qn_status *status)
{
    flight *const f = (flight *)batch->data;
    const cudaError_t code = cudaEventQuery(f->event);
    if (code == cudaErrorNotReady)
        return 0;
    *status = code == cudaSuccess ? QN_OK : QN_DEVICE;
    f->used = false;
    return 1;
}

static std::vector<struct qn_request> requests(REQUESTS);
static struct qn_queue *queue;

static void open(struct qn_queue_settings settings, int64_t resident)
{
    struct qn_launcher launcher = {};
    launcher.resident = resident;
    launcher.launch = start_batch;
    launcher.finished = ended;
    settings.capacity = REQUESTS;
    if (qn_queue_create(&settings, &launcher, &queue)) {
        std::printf("%s\n", qn_last_error());
        std::exit(1);
    }
    std::memset((void *)requests.data(), 0, requests.size() * sizeof requests[0]);
    for (int r = 0; r < REQUESTS; r++)
        requests[r].user = (void *)(intptr_t)r;
}

static void submit(int r)
{
    if (qn_queue_submit(queue, &requests[r]))
        std::exit(2);
}

static int told;

/* All wait when the clock begins. What a policy would leave over is flushed. */
static void makespan(const char *name, struct qn_queue_settings settings, int64_t resident)
{
    double t[5];
    struct qn_queue_stats stats;
    for (double &v : t) {
        open(settings, resident);
        clear();
        told = 0;
        for (int r = 0; r < REQUESTS; r++) {
            requests[r].done = [](struct qn_request *) { told++; };
            submit(r);
        }
        const double begin = now();
        while (told < REQUESTS - REQUESTS % 100)
            qn_queue_poll(queue, nullptr);
        qn_queue_drain(queue);
        v = now() - begin;
        qn_queue_get_stats(queue, &stats);
        qn_queue_destroy(queue);
    }
    std::sort(t, t + 5);
    std::printf("%-44s %9.1f us  %7.4f us a request  %5llu batches  %s\n", name, 1e6 * t[2],
                1e6 * t[2] / REQUESTS, (unsigned long long)stats.batches, verdict());
}

/* Bursts of `burst` every `interval` us; the queue's thread polls. Mean latency. */
static double open_loop(struct qn_queue_settings settings, int64_t resident, int burst,
                        double interval, int count, double *batch)
{
    struct qn_queue_stats stats;
    settings.thread = 1;
    open(settings, resident);
    const double begin = now();
    for (int r = 0; r < count; r++) {
        if (r % burst == 0)
            while (now() < begin + 1e-6 * interval * (r / burst))
                continue;
        submit(r);
    }
    qn_queue_drain(queue);
    qn_queue_get_stats(queue, &stats);
    qn_queue_destroy(queue);
    *batch = stats.size.mean;
    return 1e6 * stats.latency.mean;
}

static void submit_cost(int producers)
{
    enum { EACH = 100000 };
    static std::vector<struct qn_request> all;
    all.assign((size_t)producers * EACH, qn_request());
    struct qn_queue_settings settings = {};
    settings.capacity = all.size();
    settings.thread = 1;
    struct qn_launcher launcher = {};
    launcher.launch = [](void *, struct qn_batch *) { return QN_OK; };
    qn_queue_create(&settings, &launcher, &queue);
    std::vector<std::thread> threads;
    std::vector<double> seconds(producers);
    for (int i = 0; i < producers; i++)
        threads.emplace_back([&, i] {
            const double begin = now();
            for (int r = 0; r < EACH; r++)
                if (qn_queue_submit(queue, &all[(size_t)i * EACH + r]))
                    std::exit(3);
            seconds[i] = now() - begin;
        });
    for (auto &t : threads)
        t.join();
    qn_queue_destroy(queue);
    double sum = 0;
    for (double s : seconds)
        sum += s;
    std::printf("submit, %d producers: %.0f ns a request\n", producers,
                1e9 * sum / producers / EACH);
}

int main()
{
    int sms = 0;
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    for (int producers = 1; producers <= 8; producers *= 2)
        submit_cost(producers);
    prepare();
    std::printf("prepared\n");
    for (auto &f : flights)
        CUDA(cudaEventCreateWithFlags(&f.event, cudaEventDisableTiming));
    CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    clear();
    must(launch(0, REQUESTS, streams[0]), "launch");
    CUDA(cudaDeviceSynchronize());
    right = read();
    std::printf("%d requests of %d items, %.1f near each; %d multiprocessors; error beside "
                "loops in double %.1e\n",
                REQUESTS, BUCKET, (double)near_.size() / REQUESTS, sms, by_hand_error());

    const double one = median([] { launch(0, REQUESTS, streams[0]); });
    std::printf("%-44s %9.1f us  %7.4f us a request\n", "everything in one launch", 1e6 * one,
                1e6 * one / REQUESTS);
    const double single = median([] { launch(100, 101, streams[0]); });
    std::printf("%-44s %9.1f us\n", "one request alone, launch to end", 1e6 * single);
    for (int of : { 100, 256, 1024, 2112, 4096 }) {
        const double t = median([of] {
            for (int64_t r = 0; r < REQUESTS; r += of)
                launch(r, std::min<int64_t>(r + of, REQUESTS), streams[r / of % STREAMS]);
        });
        std::printf(
            "static, %4d a launch, 32 streams             %9.1f us  %7.4f us a request\n", of,
            1e6 * t, 1e6 * t / REQUESTS);
    }
    enum { FEW = 4224 };
    for (int of : { 1, (int)STREAMS }) {
        const double t = median([of] {
            for (int64_t r = 0; r < FEW; r++)
                launch(r, r + 1, streams[r % of]);
        });
        std::printf(
            "a launch a request, %2d streams               %9s     %7.4f us a request\n", of,
            "", 1e6 * t / FEW);
    }
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CUDA(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
    cudaEvent_t fork, join;
    CUDA(cudaEventCreate(&fork));
    CUDA(cudaEventCreate(&join));
    CUDA(cudaEventRecord(fork, streams[0]));
    for (int s = 1; s < STREAMS; s++)
        CUDA(cudaStreamWaitEvent(streams[s], fork, 0));
    for (int64_t r = 0; r < FEW; r++)
        launch(r, r + 1, streams[r % STREAMS]);
    for (int s = 1; s < STREAMS; s++) {
        CUDA(cudaEventRecord(join, streams[s]));
        CUDA(cudaStreamWaitEvent(streams[0], join, 0));
    }
    CUDA(cudaStreamEndCapture(streams[0], &graph));
    CUDA(cudaGraphInstantiate(&executable, graph, 0));
    const double g = median([&] { CUDA(cudaGraphLaunch(executable, streams[0])); });
    std::printf("a graph of %d launches, 32 branches        %9s     %7.4f us a request\n",
                (int)FEW, "", 1e6 * g / FEW);

    /* 16 requests fill a block of 256: resident requests are 16 times as many. */
    const int64_t resident = (int64_t)sms * 8 * 16;
    struct qn_queue_settings idle = {}, few = {}, many = {}, fixed = {}, paper = {}, guarded = {}, dead = {};
    few.flights = 4;
    many.flights = 16;
    fixed.policy = QN_FIXED;
    paper.policy = guarded.policy = QN_OCCUPANCY;
    paper.bare = 1;
    dead.policy = QN_DEADLINE;
    makespan("queue, IDLE, resident known", idle, resident);
    makespan("queue, IDLE, resident not known", idle, 0);
    makespan("queue, FIXED 100 (static)", fixed, resident);
    makespan("queue, OCCUPANCY (the paper's)", paper, resident);

    const struct {
        int burst;
        double interval;
        int count;
    } loads[] = {
        {1,     100,  2000    },
        { 1,    20,   4000    },
        { 1,    5,    10000   },
        { 1,    2,    20000   },
        { 1,    1,    REQUESTS},
        { 16,   50,   16000   },
        { 100,  100,  REQUESTS},
        { 1000, 500,  REQUESTS},
        { 4000, 2000, REQUESTS}
    };
    const struct {
        const char *name;
        struct qn_queue_settings settings;
        int count;
        double delay;
    } rivals[] = {
        {"IDLE",       idle,    0,   0   },
        { "IDLE, 4",   few,     0,   0   },
        { "IDLE, 16",  many,    0,   0   },
        { "each",      fixed,   1,   0   },
        { "fixed 16",  fixed,   16,  0   },
        { "fixed 100", fixed,   100, 0   },
        { "occupancy", guarded, 0,   0   },
        { "paper's",   paper,   0,   0   },
        { "20 us",     dead,    0,   2e-5},
        { "100 us",    dead,    0,   1e-4}
    };
    std::printf("mean latency, us (requests a batch):\n%20s", "");
    for (auto &r : rivals)
        std::printf(" %15s", r.name);
    std::printf("\n");
    for (auto &load : loads) {
        std::printf("%5d every %5.0f us:", load.burst, load.interval);
        for (auto &r : rivals) {
            struct qn_queue_settings settings = r.settings;
            double batch = 0;
            settings.count = (size_t)r.count;
            settings.max_delay = r.delay;
            const double mean =
                open_loop(settings, resident, load.burst, load.interval, load.count, &batch);
            std::printf(" %8.1f %6.1f", mean, batch);
            std::fflush(stdout);
        }
        std::printf("\n");
    }
    return 0;
}
