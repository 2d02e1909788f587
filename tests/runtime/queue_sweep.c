/* Every policy under the same arrivals, on a model of a device: IDLE, as it is
 * by default, is never much slower a request than the best of the others.
 *
 * The model: a launch keeps the poller for `overhead`. The device has `resident`
 * places; a batch's blocks take those that are free first, each for as long as
 * its request says (2 to 35 us, as measured of small kernels), in order of
 * launch, and a batch ends with its last block. Times are in us. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quern.h"
#include "tap.h"

enum { RESIDENT = 264, FLIGHTS = 64, total = 2000 };
static const double overhead = 4;

struct setting {
    const char *name;
    int clients;                /* each waits for its results; 0: open loop */
    double think;               /* of a client, on average */
    double interval;            /* between bursts, on average; random */
    int burst;                  /* requests, `apart` from each other */
    double apart;
    double least, most;         /* duration of a block */
    int blocks;                 /* of a request, at most */
};

static const struct setting settings[] = {
    { "one now and then", 0, 0, 400, 1, 0, 2, 35, 1 },
    { "one each 20 us", 0, 0, 20, 1, 0, 2, 35, 1 },
    { "one each 5 us", 0, 0, 5, 1, 0, 2, 35, 1 },
    { "one each 2 us", 0, 0, 2, 1, 0, 2, 35, 1 },
    { "one each 0.5 us", 0, 0, 0.5, 1, 0, 2, 35, 1 },
    { "one each 0.2 us", 0, 0, 0.2, 1, 0, 2, 35, 1 },
    { "one each 0.1 us", 0, 0, 0.1, 1, 0, 2, 35, 1 },
    { "large ones, one each 2 us", 0, 0, 2, 1, 0, 2, 35, 40 },
    { "large ones, one each 10 us", 0, 0, 10, 1, 0, 2, 35, 40 },
    { "long ones, one each 5 us", 0, 0, 5, 1, 0, 100, 400, 4 },
    { "short ones, one each 1 us", 0, 0, 1, 1, 0, 2, 3, 4 },
    { "16 at once, each 50 us", 0, 0, 50, 16, 0, 2, 35, 1 },
    { "16 at once, each 500 us", 0, 0, 500, 16, 0, 2, 35, 1 },
    { "16 in a row, each 50 us", 0, 0, 50, 16, 0.5, 2, 35, 1 },
    { "100 at once, each 100 us", 0, 0, 100, 100, 0, 2, 35, 1 },
    { "100 in a row, each 500 us", 0, 0, 500, 100, 0.1, 2, 35, 1 },
    { "100 slowly, each 500 us", 0, 0, 500, 100, 2, 2, 35, 1 },
    { "400 at once, each ms", 0, 0, 1000, 400, 0, 2, 35, 1 },
    { "400 in a row, each ms", 0, 0, 1000, 400, 0.05, 2, 35, 4 },
    { "1000 at once, each ms", 0, 0, 1000, 1000, 0, 2, 35, 1 },
    { "1 client", 1, 0, 0, 1, 0, 2, 35, 1 },
    { "1 client that thinks", 1, 50, 0, 1, 0, 2, 35, 1 },
    { "8 clients", 8, 0, 0, 1, 0, 2, 35, 1 },
    { "8 clients that think", 8, 50, 0, 1, 0, 2, 35, 1 },
    { "64 clients", 64, 0, 0, 1, 0, 2, 35, 1 },
    { "64 clients that think", 64, 50, 0, 1, 0, 2, 35, 1 },
    { "64 clients, large requests", 64, 5, 0, 1, 0, 2, 35, 40 },
    { "512 clients", 512, 0, 0, 1, 0, 2, 35, 1 },
    { "512 clients that think", 512, 200, 0, 1, 0, 2, 35, 4 },
    { "512 clients, long requests", 512, 0, 0, 1, 0, 100, 400, 1 }
};

static const struct { const char *name; struct qn_queue_settings settings; } rivals[] = {
    { "idle", { .policy = QN_IDLE } },
    { "each", { .policy = QN_FIXED, .count = 1 } },
    { "fixed 16", { .policy = QN_FIXED, .count = 16 } },
    { "fixed 100", { .policy = QN_FIXED, .count = 100 } },
    { "fixed 400", { .policy = QN_FIXED, .count = 400 } },
    { "occupancy", { .policy = QN_OCCUPANCY, .max_delay = 1e4 } },
    { "after 20", { .policy = QN_DEADLINE, .max_delay = 20 } },
    { "after 100", { .policy = QN_DEADLINE, .max_delay = 100 } }
};
enum { IDLE = 0, OCCUPANCY = 5, RIVALS = sizeof rivals / sizeof rivals[0] };

/* --- numbers --------------------------------------------------------------- */

static uint64_t state;

static double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

static double waiting_time(double mean)
{
    return mean > 0 ? -mean * log(1 - uniform()) : 0;
}

/* --- the device ------------------------------------------------------------ */

static double now, poller_free;
static double places[RESIDENT];     /* when each is free: a heap, least first */
static double ends[FLIGHTS];        /* of batches in flight; INFINITY: none */

static double virtual_now(void *self)
{
    (void)self;
    return now;
}

static double run_block(double from, double lasts)
{
    const double end = fmax(from, places[0]) + lasts;
    size_t at = 0;
    for (size_t child = 1; child < RESIDENT; child = 2 * at + 1) {
        if (child + 1 < RESIDENT && places[child + 1] < places[child])
            child++;
        if (places[child] >= end)
            break;
        places[at] = places[child];
        at = child;
    }
    places[at] = end;
    return end;
}

static enum qn_status launch(void *self, struct qn_batch *batch)
{
    (void)self;
    if (now < poller_free)
        return QN_BUSY;
    poller_free = now + overhead;
    double end = 0;
    for (struct qn_request *at = batch->first; at; at = at->next)
        for (int64_t block = 0; block < at->blocks; block++)
            end = fmax(end, run_block(poller_free, *(const double *)at->data));
    int place = 0;
    while (ends[place] != INFINITY)
        place++;
    ends[place] = end;
    batch->data = &ends[place];
    return QN_OK;
}

static int finished(void *self, struct qn_batch *batch, enum qn_status *status)
{
    double *const end = batch->data;
    (void)self;
    if (*end > now)
        return 0;
    *end = INFINITY;
    *status = QN_OK;
    return 1;
}

/* --- what comes ------------------------------------------------------------ */

struct piece {
    struct qn_request request;
    double lasts, comes;
    bool waits;                 /* to be submitted */
};
static struct piece pieces[total];
static int submitted, told;
static double latency;
static const struct setting *setting;

static void draw(struct piece *piece, double comes)
{
    piece->comes = comes;
    piece->waits = true;
    piece->lasts = setting->least + uniform() * (setting->most - setting->least);
    piece->request.blocks = 1 + (int64_t)(uniform() * setting->blocks);
    piece->request.data = &piece->lasts;
}

/* In a closed loop a client is a piece that comes again. */
static void tell(struct qn_request *request)
{
    struct piece *const piece = (struct piece *)(void *)request;
    latency += now - piece->comes;
    told++;
    if (setting->clients && submitted < total)
        draw(piece, now + waiting_time(setting->think));
}

static void prepare(int count)
{
    double at = 0;
    memset(pieces, 0, sizeof pieces);
    for (int i = 0; i < count; i++) {
        if (!setting->clients && i % setting->burst == 0)
            at += waiting_time(setting->interval);
        else if (!setting->clients)
            at += setting->apart;
        draw(&pieces[i], setting->clients ? waiting_time(setting->think) : at);
        pieces[i].request.done = tell;
    }
}

static double next_piece(int count, int *which)
{
    double next = INFINITY;
    for (int i = *which; i < count; i++)
        if (pieces[i].waits && pieces[i].comes < next) {
            next = pieces[i].comes;
            *which = i;
            if (!setting->clients)
                break;          /* they are in order */
        }
    return next;
}

/* --- a play ---------------------------------------------------------------- */

static void submit_due(struct qn_queue *queue, int count, int *which)
{
    for (;;) {
        int at = setting->clients ? 0 : *which;
        if (submitted == total || next_piece(count, &at) > now)
            return;
        pieces[at].waits = false;
        *which = at;
        submitted++;
        must(qn_queue_submit(queue, &pieces[at].request));
        if (submitted == total)
            qn_queue_flush(queue);      /* the last: nobody waits for more */
    }
}

static double next_time(int count, int which, double due)
{
    int at = setting->clients ? 0 : which;
    double next = submitted < total ? next_piece(count, &at) : INFINITY;
    double poll = due;
    for (int i = 0; i < FLIGHTS; i++)
        poll = fmin(poll, ends[i]);
    return fmax(now, fmin(next, fmax(poll, poller_free)));
}

/* Mean latency of a request; INFINITY: not all were done in a second. */
static double play(const struct qn_queue_settings *given)
{
    struct qn_queue_settings own = *given;
    const struct qn_launcher launcher = { .resident = RESIDENT, .launch = launch,
                                          .finished = finished };
    const int count = setting->clients ? setting->clients : total;
    struct qn_queue *queue;
    own.clock.now = virtual_now;
    must(qn_queue_create(&own, &launcher, &queue));
    state = 12345;
    now = poller_free = latency = 0;
    submitted = told = 0;
    memset(places, 0, sizeof places);
    for (int i = 0; i < FLIGHTS; i++)
        ends[i] = INFINITY;
    prepare(count);
    for (int which = 0; told < total && now < 1e7;) {
        double due = INFINITY;
        submit_due(queue, count, &which);
        if (now >= poller_free)
            must(qn_queue_poll(queue, &due));
        else
            due = poller_free;
        now = next_time(count, which, due);
    }
    const bool well = told == total;
    if (well)
        qn_queue_destroy(queue);
    return well ? latency / total : INFINITY;
}

/* With any argument, all numbers. */
int main(int argc, char **argv)
{
    double slowest = 0;
    (void)argv;
    for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++) {
        double mean[RIVALS], best = INFINITY;
        setting = &settings[s];
        for (size_t r = 0; r < RIVALS; r++) {
            mean[r] = play(&rivals[r].settings);
            best = fmin(best, mean[r]);
        }
        slowest = fmax(slowest, mean[OCCUPANCY]);
        ok(mean[IDLE] <= 1.2 * best, "%s: IDLE %.1f us, the best %.1f",
           setting->name, mean[IDLE], best);
        for (size_t r = 0; argc > 1 && r < RIVALS; r++)
            printf("# %10s %8.1f\n", rivals[r].name, mean[r]);
    }
    ok(slowest < 1e4, "OCCUPANCY with its guard is never without bound: %.0f us",
       slowest);
    return done();
}
