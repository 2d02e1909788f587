/* The queue on a device: what submitting costs, and requests that all wait under every
 * policy, beside a launch for each, a graph of those, and everything in one launch.
 *
 *     gen/quern gen specs/nbody.lua -o out/queue
 *     nvcc -std=c++17 -O3 -arch=sm_90 -Iruntime -Iout/queue/cuda -o out/queue/queue \
 *         tests/device/queue.cu out/queue/cuda/nbody_force_bucket_gmem_64.cu \
 *         out/runtime/libquern.a -Xcompiler -fopenmp
 *
 * queue_loops.cu, compiled alike, has requests that come in time. */
#include <thread>

#include "queue_work.h"

/* `at_once` with one call; 1: by qn_queue_submit. */
static void submit_cost(int producers, size_t at_once)
{
    enum { EACH = 100000 };
    static std::vector<struct qn_request> all;
    all.assign((size_t)producers * EACH, qn_request());
    std::vector<struct qn_request *> list;
    for (auto &r : all)
        list.push_back(&r);
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
            struct qn_request **const own = &list[(size_t)i * EACH];
            for (size_t r = 0, taken = 1; r < EACH; r += taken)
                if (at_once == 1 ? qn_queue_submit(queue, own[r])
                                 : qn_queue_submit_many(queue, std::min(at_once, EACH - r),
                                                        own + r, &taken))
                    std::exit(3);
            seconds[i] = now() - begin;
        });
    for (auto &t : threads)
        t.join();
    qn_queue_destroy(queue);
    double sum = 0;
    for (double s : seconds)
        sum += s;
    std::printf("submit, %zu at once, %d producers: %.0f ns a request\n", at_once, producers,
                1e9 * sum / producers / EACH);
}

/* --- without a queue ---------------------------------------------------------- */

enum { FEW = 4224 };

static void in_one_launch()
{
    const double one = median([] { launch(0, REQUESTS, streams[0]); });
    std::printf("%-44s %9.1f us  %7.4f us a request\n", "everything in one launch", 1e6 * one,
                1e6 * one / REQUESTS);
    const double single = median([] { launch(100, 101, streams[0]); });
    std::printf("%-44s %9.1f us\n", "one request alone, launch to end", 1e6 * single);
}

static void in_parts()
{
    for (int of : { 100, 256, 1024, 2112, 4096 }) {
        const double t = median([of] {
            for (int64_t r = 0; r < REQUESTS; r += of)
                launch(r, std::min<int64_t>(r + of, REQUESTS), streams[r / of % STREAMS]);
        });
        std::printf(
            "static, %4d a launch, 32 streams             %9.1f us  %7.4f us a request\n", of,
            1e6 * t, 1e6 * t / REQUESTS);
    }
    for (int of : { 1, (int)STREAMS }) {
        const double t = median([of] {
            for (int64_t r = 0; r < FEW; r++)
                launch(r, r + 1, streams[r % of]);
        });
        std::printf(
            "a launch a request, %2d streams               %9s     %7.4f us a request\n", of,
            "", 1e6 * t / FEW);
    }
}

static void in_a_graph()
{
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
}

/* --- through a queue ---------------------------------------------------------- */

static int told;

/* All wait when the clock begins. What a policy would leave over is flushed. Of so many
 * floods the last is timed: by then it is known what launching takes. */
static double makespan(struct qn_queue_settings settings, int64_t known, int floods,
                       struct qn_queue_stats *stats)
{
    double seconds = 0;
    open(settings, known);
    for (int flood = 0; flood < floods; flood++) {
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
        seconds = now() - begin;
    }
    qn_queue_get_stats(queue, stats);
    qn_queue_destroy(queue);
    return seconds;
}

static void through_a_queue(const char *name, struct qn_queue_settings settings, int64_t known,
                            int floods = 1)
{
    double t[9];
    struct qn_queue_stats stats;
    for (double &v : t)
        v = makespan(settings, known, floods, &stats);
    std::sort(t, t + 9);
    std::printf("%-44s %9.1f us  %7.4f us a request  %5llu batches  %s\n", name, 1e6 * t[4],
                1e6 * t[4] / REQUESTS, (unsigned long long)stats.batches / floods, verdict());
}

int main()
{
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    for (size_t at_once : { 1, 64 })
        for (int producers = 1; producers <= 8; producers *= 2)
            submit_cost(producers, at_once);
    begin();
    in_one_launch();
    in_parts();
    in_a_graph();
    through_a_queue("queue, IDLE, resident known", idle(0), resident);
    through_a_queue("queue, IDLE, the third time", idle(0), resident, 3);
    through_a_queue("queue, IDLE, 16 in flight", idle(16), resident);
    through_a_queue("queue, IDLE, resident not known", idle(0), 0);
    through_a_queue("queue, FIXED 100 (static)", policy(QN_FIXED, 100, 0), resident);
    through_a_queue("queue, FIXED 2112", policy(QN_FIXED, 2112, 0), resident);
    through_a_queue("queue, OCCUPANCY (the paper's)", paper(), resident);
    in_one_launch();
    return 0;
}
