/* What the programs that measure the queue have in common: requests of
 * specs/nbody.lua on a device, their launches, and a queue of them.
 *
 * Requests are buckets of 16 particles, in order, with 32 to 480 particles near each;
 * all tables lie on the device, so a batch is a range of items. */
#ifndef QUEUE_WORK_H
#define QUEUE_WORK_H

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

/* The kernel: -DKERNEL=nbody_force_bucket_gmem_256 for one of other blocks; with
 * -DSHARED=force_bucket_tiled_16x8 too, one whose blocks find their requests. */
#ifndef KERNEL
#define KERNEL nbody_force_bucket_gmem_64
#endif
#define JOINED(name, ending) name##ending
#define OF(name, ending) JOINED(name, ending)

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
#ifdef SHARED
    std::vector<int32_t> firsts;
    for (int r = 0; r <= REQUESTS; r++)
        firsts.insert(firsts.end(), { r, r * BUCKET });
    args.OF(SHARED, _firsts) = device(firsts);
    args.OF(SHARED, _blocks) = REQUESTS;
#endif
    char why[400] = "";
    if (OF(KERNEL, _check)(&args, why, sizeof why)) {
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
#ifdef SHARED
    for (float **of : { &own.ax_bucket, &own.ay_bucket, &own.az_bucket })
        *of += first * BUCKET;
    for (float **of : { &own.shift_x, &own.shift_y, &own.shift_z })
        *of += first;
    own.bucket_point += first * BUCKET;
    own.near_start += first;
    own.far_start += first;
    own.n[2] = own.upper[2] = own.OF(SHARED, _blocks) = end - first;
    own.n[3] = own.upper[3] = (end - first) * BUCKET;
#else
    own.lower[3] = first * BUCKET;
    own.upper[3] = end * BUCKET;
#endif
    return OF(KERNEL, _launch)(&own, stream);
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

/* The policies, by what is to be compared. A multiprocessor has 2048 threads, 128 requests
 * at once. */
static int64_t resident;

struct rival {
    const char *name;
    struct qn_queue_settings settings;
};

static struct qn_queue_settings policy(enum qn_policy policy, size_t count, double delay)
{
    struct qn_queue_settings settings = {};
    settings.policy = policy;
    settings.count = count;
    settings.max_delay = delay;
    return settings;
}

static struct qn_queue_settings idle(int flights)
{
    struct qn_queue_settings settings = {};
    settings.flights = flights;
    return settings;
}

static struct qn_queue_settings paper()
{
    struct qn_queue_settings settings = policy(QN_OCCUPANCY, 0, 0);
    settings.bare = 1;
    return settings;
}

/* Everything on the device, its right results known. */
static void begin()
{
    int sms = 0;
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    prepare();
    for (auto &f : flights)
        CUDA(cudaEventCreateWithFlags(&f.event, cudaEventDisableTiming));
    CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    resident = (int64_t)sms * 8 * 16;
    clear();
    must(launch(0, REQUESTS, streams[0]), "launch");
    CUDA(cudaDeviceSynchronize());
    right = read();
    std::printf("%d requests of %d items, %.1f near each; %d multiprocessors; error beside "
                "loops in double %.1e\n",
                REQUESTS, BUCKET, (double)near_.size() / REQUESTS, sms, by_hand_error());
}

#endif
