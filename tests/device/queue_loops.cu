/* The queue on a device, with requests that come in time: mean latency of every policy
 * where bursts come whatever happens, and where clients wait for their results.
 * Compiled as queue.cu. */
#include "queue_work.h"

static const struct rival rivals[] = {
    {"IDLE",       idle(0)                      },
    { "each",      policy(QN_FIXED,     1,   0) },
    { "fixed 16",  policy(QN_FIXED,     16,  0) },
    { "fixed 100", policy(QN_FIXED,     100, 0) },
    { "occupancy", policy(QN_OCCUPANCY, 0,   0) },
    { "paper's",   paper()                      },
    { "20 us",     policy(QN_DEADLINE,  0,   2e-5) },
    { "100 us",    policy(QN_DEADLINE,  0,   1e-4) }
};

/* Bursts of `burst` every `interval` us; clients: none. Or so many clients, which think
 * for no time. Of the whole, a request's mean latency. */
struct load {
    int burst;
    double interval;
    int clients, count;
};

static const struct load loads[] = {
    {1,     400,  0,    500     },
    { 1,    100,  0,    1000    },
    { 1,    50,   0,    1000    },
    { 1,    20,   0,    2000    },
    { 1,    10,   0,    4000    },
    { 1,    5,    0,    6000    },
    { 1,    2,    0,    12000   },
    { 1,    1,    0,    20000   },
    { 1,    0.5,  0,    REQUESTS},
    { 4,    20,   0,    8000    },
    { 16,   50,   0,    16000   },
    { 16,   400,  0,    2000    },
    { 64,   100,  0,    16000   },
    { 100,  100,  0,    20000   },
    { 100,  500,  0,    10000   },
    { 400,  200,  0,    REQUESTS},
    { 1000, 500,  0,    REQUESTS},
    { 1000, 2000, 0,    20000   },
    { 4000, 2000, 0,    REQUESTS},
    { 0,    0,    1,    300     },
    { 0,    0,    4,    1000    },
    { 0,    0,    16,   3000    },
    { 0,    0,    64,   8000    },
    { 0,    0,    256,  16000   },
    { 0,    0,    1024, REQUESTS},
    { 0,    0,    8192, REQUESTS}
};

static void wait_until(double time)
{
    while (now() < time)
        continue;
}

static void open_loop(const struct load &load)
{
    const double begin = now();
    for (int r = 0; r < load.count; r++) {
        if (r % load.burst == 0)
            wait_until(begin + 1e-6 * load.interval * (r / load.burst));
        submit(r);
    }
}

/* A client is who submits the next request when one of its own is done: the poller, so
 * that requests are in order. All but the first go through callbacks. */
static int next, last;

static void closed_loop(const struct load &load)
{
    next = load.clients;
    last = load.count;
    for (int r = 0; r < load.count; r++)
        requests[r].done = [](struct qn_request *) {
            if (next < last)
                submit(next++);
        };
    for (int r = 0; r < load.clients; r++)
        submit(r);
    struct qn_queue_stats stats;
    const double begin = now();
    do {                            /* a policy may wait for ever: drain flushes */
        qn_queue_poll(queue, nullptr);
        qn_queue_get_stats(queue, &stats);
    } while (stats.completed < (uint64_t)load.count && now() < begin + 0.3);
    last = next;
}

/* us, and requests a batch. */
static double play_once(const struct load &load, struct qn_queue_settings settings,
                        double *batch)
{
    struct qn_queue_stats stats;
    settings.thread = load.clients == 0;
    open(settings, resident);
    if (load.clients)
        closed_loop(load);
    else
        open_loop(load);
    qn_queue_drain(queue);
    qn_queue_get_stats(queue, &stats);
    qn_queue_destroy(queue);
    *batch = stats.size.mean;
    return 1e6 * stats.latency.mean;
}

/* The median of five, of fewer where they take long. */
static double play(const struct load &load, struct qn_queue_settings settings, double *batch)
{
    std::vector<double> all;
    const double begin = now();
    while (all.size() < 5 && (all.empty() || now() - begin < 0.05))
        all.push_back(play_once(load, settings, batch));
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
}

int main()
{
    begin();
    double batch;
    play(loads[10], rivals[0].settings, &batch);    /* till all memory is there */
    std::printf("mean latency, us (requests a batch):\n%20s", "");
    for (auto &r : rivals)
        std::printf(" %15s", r.name);
    std::printf("   IDLE to best\n");
    for (auto &load : loads) {
        double best = 1e30, own = 0;
        if (load.clients)
            std::printf("%11d clients:", load.clients);
        else
            std::printf("%5d every %5.1f us:", load.burst, load.interval);
        for (auto &r : rivals) {
            const double mean = play(load, r.settings, &batch);
            own = &r == rivals ? mean : own;
            best = std::min(best, mean);
            std::printf(" %8.1f %6.1f", mean, batch);
        }
        std::printf("   %.2f\n", own / best);
    }
    return 0;
}
