/* Batches cut in two, on a virtual clock: by hand, and against the best static cut
 * of all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "split.h"
#include "tap.h"

enum { MOST = 8192, FLIGHTS = 8 };

/* A side: a batch takes a + b * items, behind what it has in flight, sometimes a
 * hundred times as long; launching keeps the poller for `hold` an item before. */
struct side {
    double a, b, hold;
    double end;                 /* of what it has in flight */
    int flying;
    bool busy, synchronous;
    double slowed;              /* if the other one works, so many times slower; 0: it
                                   is not */
    bool tells;                 /* what its batches take, as servers do */
    enum qn_status launching, ending;
    int outlier;                /* one launch in so many; 0: none */
    int launches, requests;
    int cold;                   /* so many launches take three times as long, at first */
    double drags;               /* what the other one has in flight ends so much later
                                   with every other launch, and does not tell of it */
};

static double now;
static const struct side *last_launched;
static bool odd;                /* the last batch had an outlier */
static struct side sides[2];
static double ends[2][FLIGHTS]; /* of batches in flight; 0: none */
static struct qn_request requests[MOST];
static uint64_t state;

static double draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

static int64_t items_of(const struct qn_batch *batch)
{
    int64_t items = 0;
    for (const struct qn_request *at = batch->first; at; at = at->next)
        items += qn__request_items(at);
    return items;
}

static double virtual_now(void *self)
{
    (void)self;
    return now;
}

static void virtual_pause(void *self, double until)
{
    double next = until > now ? until : INFINITY;
    (void)self;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < FLIGHTS; k++)
            if (ends[i][k] > now)
                next = fmin(next, ends[i][k]);
    now = next < INFINITY ? fmax(now, next) : now + 1;
}

/* When one of its batches ends. */
static double *new_end(int side, double end)
{
    int at = 0;
    while (ends[side][at] > 0)
        at++;
    ends[side][at] = end;
    return &ends[side][at];
}

/* Holds up what the other side has in flight. */
static void drag(const struct side *side)
{
    const int other = side == sides;
    if (sides[other].flying == 0 || side->launches % 2 == 1)
        return;
    for (int k = 0; k < FLIGHTS; k++)
        if (ends[other][k] == sides[other].end)
            ends[other][k] += side->drags;
    sides[other].end += side->drags;
}

static enum qn_status launch(void *self, struct qn_batch *batch)
{
    struct side *const side = self;
    if (side->busy || side->flying == FLIGHTS)
        return QN_BUSY;
    const bool beside = side->slowed > 0 && sides[side == sides].flying > 0;
    const double factor = (beside ? side->slowed : 1) * (side->launches < side->cold ? 3 : 1);
    const double hold = factor * side->hold * (double)items_of(batch);
    double seconds = factor * (side->a + side->b * (double)items_of(batch));
    now += hold;
    drag(side);
    side->launches++;
    last_launched = side;
    side->requests += (int)batch->count;
    if (side->outlier && draw() * side->outlier < 1) {
        seconds *= 100;
        odd = true;
    }
    if (side->launching != QN_OK)
        return side->launching;
    if (side->synchronous) {
        now += seconds;
        return QN_OK;
    }
    if (side->tells)
        batch->seconds = hold + seconds;
    side->end = fmax(side->end, now) + seconds;
    batch->data = new_end((int)(side - sides), side->end);
    side->flying++;
    return QN_OK;
}

static int finished(void *self, struct qn_batch *batch, enum qn_status *status)
{
    struct side *const side = self;
    double *const end = batch->data;
    if (now < *end)
        return 0;
    *end = 0;
    side->flying--;
    *status = side->ending;
    return 1;
}

/* --- a queue of them --------------------------------------------------------- */

static struct qn_split *split;
static struct qn_queue *queue;

static void open(enum qn_split_policy policy)
{
    struct qn_launcher launcher[2];
    const struct qn_clock clock = { NULL, virtual_now, virtual_pause };
    for (int i = 0; i < 2; i++)
        launcher[i] = (struct qn_launcher){ &sides[i], .launch = launch,
                                            .finished = sides[i].synchronous ? NULL : finished };
    must(qn_split_create(policy, &launcher[0], &launcher[1], &clock, &split));
    const struct qn_launcher both = qn_split_launcher(split);
    must(qn_queue_create(&(struct qn_queue_settings){ .policy = QN_FIXED, .count = MOST,
                                                      .clock = clock }, &both, &queue));
    memset(ends, 0, sizeof ends);
    now = 0;
}

static void close(void)
{
    qn_queue_destroy(queue);
    qn_split_free(split);
}

/* All of them as one batch: what it took. */
static double play(size_t count)
{
    const double began = now;
    odd = false;
    for (size_t i = 0; i < count; i++)
        must(qn_queue_submit(queue, &requests[i]));
    must(qn_queue_drain(queue));
    return now - began;
}

static void prepare(size_t count, int64_t items)
{
    memset(requests, 0, sizeof requests);
    for (size_t i = 0; i < count; i++)
        requests[i].items = items;
}

/* --- by hand -------------------------------------------------------------------- */

static int last_cut(enum qn_split_policy policy, size_t count, const int64_t *items)
{
    sides[0] = (struct side){ .b = 2 };
    sides[1] = (struct side){ .b = 6 };
    open(policy);
    prepare(8, 5);
    play(8);                    /* half and half: 4 requests, 20 items each */
    prepare(count, 0);
    for (size_t i = 0; i < count; i++)
        requests[i].items = items[i];
    const int before = sides[0].requests;
    play(count);
    close();
    return sides[0].requests - before;
}

static void test_paper(void)
{
    /* 2 and 6 a piece: three quarters for the device. */
    ok(last_cut(QN_SPLIT_ITEMS, 5, (int64_t[]){ 4, 4, 4, 4, 4 }) == 4
           && last_cut(QN_SPLIT_ITEMS, 5, (int64_t[]){ 14, 1, 1, 2, 2 }) == 2
           && last_cut(QN_SPLIT_ITEMS, 5, (int64_t[]){ 1, 1, 1, 1, 16 }) == 5,
       "ITEMS cuts where three quarters of the items are reached");
    ok(last_cut(QN_SPLIT_COUNT, 8, (int64_t[]){ 1, 1, 1, 1, 1, 1, 1, 90 }) == 6,
       "COUNT at three quarters of the requests");
    ok(last_cut(QN_SPLIT_DEVICE, 3, (int64_t[]){ 1, 1, 1 }) == 3
           && last_cut(QN_SPLIT_CPU, 3, (int64_t[]){ 1, 1, 1 }) == 0, "all, or none");
}

/* --- against all static cuts ------------------------------------------------------- */

struct scene {
    const char *name;
    struct side device, cpu;
    size_t count;
    int64_t items;              /* of a request, at most */
    bool drift;                 /* half way, the device becomes three times slower */
};

static const struct scene scenes[] = {
    { "both are of use", { .a = 10, .b = 0.01 }, { .a = 1, .b = 0.05 }, 200, 60, 0 },
    { "both are alike", { .a = 5, .b = 0.02 }, { .a = 5, .b = 0.02 }, 100, 20, 0 },
    { "little work", { .a = 10, .b = 0.01 }, { .a = 1, .b = 0.05 }, 4, 20, 0 },
    { "a slow CPU", { .a = 10, .b = 0.01 }, { .a = 1, .b = 10 }, 200, 60, 0 },
    { "a CPU that is slow to begin", { .a = 10, .b = 0.01 }, { .a = 1e4, .b = 0.01 }, 200, 60, 0 },
    { "a slow device", { .a = 500, .b = 0.5 }, { .a = 1, .b = 0.05 }, 200, 60, 0 },
    { "one at a time", { .a = 10, .b = 0.01 }, { .a = 1, .b = 0.05 }, 1, 400, 0 },
    { "large ones", { .a = 10, .b = 0.01 }, { .a = 1, .b = 0.02 }, 6, 5000, 0 },
    { "outliers", { .a = 10, .b = 0.01, .outlier = 12 }, { .a = 1, .b = 0.05, .outlier = 12 },
      200, 60, 0 },
    { "a device that slows down", { .a = 10, .b = 0.01 }, { .a = 1, .b = 0.05 }, 200, 60, 1 },
    { "a CPU that holds the poller up", { .a = 10, .b = 0.01 },
      { .a = 1, .b = 0.05, .synchronous = 1 }, 200, 60, 0 }
};

enum { LATER = 30, PARTS = 64 };
static int rounds = 200;

static double cost(const struct side *side, double items)
{
    return items > 0 ? side->a + side->b * items : 0;
}

/* Of the present batch, when the device gets so many parts of it. */
static double static_time(size_t count, int part)
{
    double all = 0, items = 0;
    size_t cut = 0;
    for (size_t i = 0; i < count; i++)
        all += (double)requests[i].items;
    for (; cut < count && items < all * part / PARTS; cut++)
        items += (double)requests[cut].items;
    return fmax(cost(&sides[0], items), cost(&sides[1], all - items));
}

/* Mean times of later rounds without outliers: ours, and, if asked for, of every
 * static cut. */
static double mean_times(const struct scene *scene, enum qn_split_policy policy,
                         double *of_part)
{
    double sum = 0;
    int counted = 0;
    sides[0] = scene->device;
    sides[1] = scene->cpu;
    state = 3;
    open(policy);
    for (int round = 0; round < rounds; round++) {
        prepare(scene->count, 1);
        for (size_t i = 0; i < scene->count; i++)
            requests[i].items = 1 + (int64_t)(draw() * (double)scene->items);
        if (scene->drift && round == rounds / 2)
            sides[0].b *= 3;
        const double seconds = play(scene->count);
        if (round < (scene->drift ? rounds / 2 + LATER : LATER) || odd)
            continue;
        sum += seconds;
        counted++;
        for (int part = 0; of_part && part <= PARTS; part++)
            of_part[part] += static_time(scene->count, part);
    }
    for (int part = 0; of_part && part <= PARTS; part++)
        of_part[part] /= counted;
    close();
    return sum / counted;
}

static void test_scene(const struct scene *scene)
{
    double parts[PARTS + 1] = { 0 }, best = INFINITY;
    const double ours = mean_times(scene, QN_SPLIT_COST, parts);
    for (int part = 0; part <= PARTS; part++)
        best = fmin(best, parts[part]);
    const double alone = fmin(parts[0], parts[PARTS]);
    const double items = mean_times(scene, QN_SPLIT_ITEMS, NULL);
    const double count = mean_times(scene, QN_SPLIT_COUNT, NULL);
    ok(ours <= 1.05 * best && ours <= 1.02 * alone, "%s: %.1f, the best static cut %.1f,"
       " the faster alone %.1f (ITEMS %.1f, COUNT %.1f)", scene->name, ours, best, alone,
       items, count);
}

/* --- many at once --------------------------------------------------------------------- */

/* What all take that wait at once, many batches in flight, where launching keeps the
 * poller, as tables do that it makes. */
struct crowd {
    const char *name;
    struct side device, cpu;
    int cold;                   /* of the device, when it is beside the CPU */
};

static const struct crowd crowds[] = {
    { "tables are what takes time", { .a = 20, .b = 0.02, .hold = 0.1 },
      { .a = 100, .b = 0.3, .hold = 0.02 }, 0 },
    { "the device is what takes time", { .a = 20, .b = 0.1, .hold = 0.01 },
      { .a = 50, .b = 0.3, .hold = 0.01 }, 0 },
    { "both are alike", { .a = 20, .b = 0.1, .hold = 0.02 },
      { .a = 20, .b = 0.1, .hold = 0.02 }, 0 },
    { "a CPU that is of little use", { .a = 20, .b = 0.02, .hold = 0.1 },
      { .a = 100, .b = 3, .hold = 0.02 }, 0 },
    { "a CPU whose launches take longer", { .a = 20, .b = 0.1, .hold = 0.01 },
      { .a = 100, .b = 0.1, .hold = 0.05 }, 0 },
    { "sides that slow each other down", { .a = 20, .b = 0.02, .hold = 0.1, .slowed = 1.25 },
      { .a = 100, .b = 0.3, .hold = 0.02, .slowed = 1.25 }, 0 },
    { "a CPU that is more trouble than use", { .a = 20, .b = 0.02, .hold = 0.1, .slowed = 1.6 },
      { .a = 100, .b = 0.3, .hold = 0.02, .slowed = 1.25 }, 0 },
    { "the same, a device whose memory is not there at first",
      { .a = 20, .b = 0.02, .hold = 0.1, .slowed = 1.6 },
      { .a = 100, .b = 0.3, .hold = 0.02, .slowed = 1.25 }, 9 },
    { "a CPU that is more trouble than its times tell", { .a = 20, .b = 0.1, .hold = 0.01 },
      { .a = 50, .b = 0.3, .hold = 0.01, .drags = 2500 }, 0 },
    { "a CPU that is no use at all", { .a = 20, .b = 0.02, .hold = 0.1 },
      { .a = 100, .b = 0.1, .hold = 0.2 }, 0 }
};

enum { RESIDENT = 4096, CUTS = 40 };

static void rest(void)
{
    memset(ends, 0, sizeof ends);
    sides[0].end = sides[1].end = 0;
    sides[0].flying = sides[1].flying = 0;
    now = 0;
}

static struct qn_queue *queue_of(const struct qn_launcher *launcher)
{
    struct qn_queue *made;
    const struct qn_clock clock = { NULL, virtual_now, virtual_pause };
    must(qn_queue_create(&(struct qn_queue_settings){ .clock = clock, .capacity = MOST }, launcher,
                         &made));
    return made;
}

/* The first `cut` to the device, the others to the CPU, by two queues. */
static double static_makespan(size_t cut)
{
    struct qn_queue *queues[2];
    rest();
    for (int i = 0; i < 2; i++)
        queues[i] = queue_of(&(struct qn_launcher){ &sides[i], .resident = RESIDENT,
                                                    .launch = launch, .finished = finished });
    for (size_t i = 0; i < MOST; i++)
        must(qn_queue_submit(queues[i >= cut], &requests[i]));
    must(qn_queue_poll(queues[1], NULL));
    must(qn_queue_poll(queues[0], NULL));
    must(qn_queue_drain(queues[0]));
    must(qn_queue_drain(queues[1]));
    for (int i = 0; i < 2; i++)
        qn_queue_destroy(queues[i]);
    return now;
}

/* The mean of the second half of several rounds; it learns in the first. */
static double split_makespan(enum qn_split_policy policy, int turns)
{
    struct qn_launcher launcher[2];
    const struct qn_clock clock = { NULL, virtual_now, virtual_pause };
    for (int i = 0; i < 2; i++)
        launcher[i] = (struct qn_launcher){ &sides[i], .resident = RESIDENT, .launch = launch,
                                            .finished = finished };
    must(qn_split_create(policy, &launcher[0], &launcher[1], &clock, &split));
    const struct qn_launcher both = qn_split_launcher(split);
    double half = 0;
    rest();
    for (int turn = 0; turn < turns; turn++) {
        queue = queue_of(&both);
        half = turn == turns / 2 ? now : half;
        play(MOST);
        qn_queue_destroy(queue);
    }
    qn_split_free(split);
    return (now - half) / (turns - turns / 2);
}

static void test_crowd(const struct crowd *crowd)
{
    double best = INFINITY;
    size_t of_device = 0;
    sides[0] = crowd->device;
    sides[1] = crowd->cpu;
    sides[0].tells = sides[1].tells = true;
    state = 3;
    prepare(MOST, 1);
    for (size_t i = 0; i < MOST; i++)
        requests[i].items = 1 + (int64_t)(draw() * 15);
    const double device = static_makespan(MOST), cpu = static_makespan(0);
    for (size_t part = 0; part <= CUTS; part++) {
        const double seconds = static_makespan(MOST * part / CUTS);
        of_device = seconds < best ? part : of_device;
        best = fmin(best, seconds);
    }
    sides[0].cold = crowd->cold;
    sides[0].launches = 0;
    const double ours = split_makespan(QN_SPLIT_COST, 48);
    /* Static cuts launch the CPU's part once, when it holds nothing up. */
    ok((ours <= 1.05 * best || crowd->cpu.drags > 0) && ours <= 1.015 * fmin(device, cpu), "%s: %.0f, the best static cut"
       " %.0f (%d in %d), the device alone %.0f, the CPU %.0f (ITEMS %.0f)", crowd->name, ours,
       best, (int)of_device, CUTS, device, cpu, split_makespan(QN_SPLIT_ITEMS, 4));
}

/* The mean of the last rounds of several, which go on with the split of those before. */
static double play_rounds(const struct qn_launcher *both, size_t count, int of, int last)
{
    double from = now;
    for (int round = 0; round < of; round++) {
        queue = queue_of(both);
        from = round == of - last ? now : from;
        play(count);
        qn_queue_destroy(queue);
    }
    return (now - from) / last;
}

/* Half of it is no more, then the CPU takes 20 times as long, then as long as at first:
 * mean rounds of each. */
static void play_changes(enum qn_split_policy policy, double *of)
{
    struct qn_launcher launcher[2];
    const struct qn_clock clock = { NULL, virtual_now, virtual_pause };
    sides[0] = (struct side){ .a = 20, .b = 0.02, .hold = 0.1, .tells = true };
    sides[1] = (struct side){ .a = 100, .b = 0.3, .hold = 0.02, .tells = true };
    for (int i = 0; i < 2; i++)
        launcher[i] = (struct qn_launcher){ &sides[i], .resident = RESIDENT / 4,
                                            .launch = launch, .finished = finished };
    must(qn_split_create(policy, &launcher[0], &launcher[1], &clock, &split));
    const struct qn_launcher both = qn_split_launcher(split);
    prepare(2048, 8);
    rest();
    of[0] = play_rounds(&both, 2048, 60, 20);
    of[1] = play_rounds(&both, 1024, 60, 20);
    sides[1].b *= 20;
    of[4] = play_rounds(&both, 1024, 5, 5);
    of[2] = play_rounds(&both, 1024, 100, 20);
    sides[1].b /= 20;
    of[3] = play_rounds(&both, 1024, 300, 100);
    qn_split_free(split);
}

static void test_changes(void)
{
    double of[5], alone[5];
    play_changes(QN_SPLIT_COST, of);
    play_changes(QN_SPLIT_DEVICE, alone);
    ok(of[0] <= 0.88 * alone[0] && of[1] <= 0.88 * alone[1] && of[2] <= 1.02 * alone[2]
           && of[3] <= 0.92 * alone[3] && of[4] <= 4 * alone[4], "half the load, a slow CPU (at"
       " first %.0f), the same again: %.0f, %.0f, %.0f, %.0f; the device alone %.0f, %.0f", of[4],
       of[0], of[1], of[2], of[3], alone[0], alone[1]);
}

/* --- what becomes of requests -------------------------------------------------------- */

static int told[MOST], order;

static void tell(struct qn_request *request)
{
    told[request - requests] = ++order;
}

static void test_failures(void)
{
    struct qn_split_stats stats;
    sides[0] = (struct side){ .b = 1, .ending = QN_DEVICE };
    sides[1] = (struct side){ .b = 1, .busy = true };
    open(QN_SPLIT_COUNT);
    prepare(6, 2);
    order = 0;
    for (int i = 0; i < 6; i++)
        requests[i].done = tell;
    for (int i = 0; i < 6; i++)
        must(qn_queue_submit(queue, &requests[i]));
    qn_queue_flush(queue);
    must(qn_queue_poll(queue, NULL));
    now = 50;
    must(qn_queue_poll(queue, NULL));
    ok(order == 0 && sides[0].requests == 3 && sides[1].requests == 0,
       "a batch waits for the part that its side is too busy for");
    sides[1].busy = false;
    must(qn_queue_drain(queue));
    bool well = order == 6;
    for (int i = 0; i < 6; i++)
        well = well && told[i] == i + 1
            && requests[i].status == (i < 3 ? QN_DEVICE : QN_OK);
    ok(well, "a failure of one side is that of its requests, which are told in order");
    qn_split_get_stats(split, &stats);
    ok(stats.batches[0] == 0 && stats.items[1] == 6 && stats.seconds[1] == 6
           && stats.item[1] == 1, "and nothing is learnt from it");
    sides[0] = (struct side){ .b = 1, .busy = true };
    must(qn_queue_submit(queue, &requests[0]));
    must(qn_queue_submit(queue, &requests[1]));
    qn_queue_flush(queue);
    must(qn_queue_poll(queue, NULL));
    ok(qn_request_state(&requests[0]) == QN_WAITING, "a device that is too busy for its"
       " part is too busy for the batch");
    sides[0].busy = false;
    sides[0].launching = QN_NO_MEMORY;
    must(qn_queue_drain(queue));
    ok(requests[0].status == QN_NO_MEMORY && requests[1].status == QN_OK,
       "a launch that fails is the failure of its part");
    close();
    struct qn_split *none;
    fails(qn_split_create((enum qn_split_policy)5, &(struct qn_launcher){ 0 },
                          &(struct qn_launcher){ 0 }, NULL, &none), QN_INVALID, "policy 5",
          "a split");
    fails(qn_split_create(QN_SPLIT_COST, &(struct qn_launcher){ 0 },
                          &(struct qn_launcher){ 0 }, NULL, &none), QN_INVALID,
          "two launchers", "a split");
}

/* The device has ended long before the CPU lets the poller look. */
static void test_late(void)
{
    struct qn_split_stats stats;
    sides[0] = (struct side){ .b = 1 };
    sides[1] = (struct side){ .a = 1000, .synchronous = true };
    open(QN_SPLIT_COUNT);
    prepare(2, 1);
    play(1);
    play(2);
    qn_split_get_stats(split, &stats);
    ok(stats.batches[0] == 1 && stats.seconds[0] == 1 && stats.batches[1] == 1,
       "nothing is learnt from an end that was noticed too late");
    close();
}

/* The device's tables take long: the CPU works meanwhile. And what a side has in flight is
 * ahead of what it gets. */
static void test_order(void)
{
    sides[0] = (struct side){ .a = 10, .b = 0.02, .hold = 0.1, .tells = true };
    sides[1] = (struct side){ .a = 10, .b = 0.3, .hold = 0.01, .tells = true };
    open(QN_SPLIT_COST);
    prepare(200, 10);
    for (int i = 0; i < 40; i++)
        play(200);
    ok(sides[1].requests > 200 && last_launched == &sides[0],
       "the side that is launched in less time is launched first");
    now = 100;
    split->side[1].until = 150;
    const double idle = qn__split_ahead(split).of[1];
    split->side[1].flying = 1;
    ok(idle == 0 && qn__split_ahead(split).of[1] == 50, "what is in flight is ahead");
    split->side[1].flying = 0;
    close();
}

/* --- runs ------------------------------------------------------------------------------ */

static struct qn_split one;         /* no sides: what its ways take is said here */

/* A run of two batches with so many items, which takes a + b * items by way. */
static enum qn__way play_run(const double (*cost)[2], double items, double factor)
{
    const enum qn__way way = qn__pace_way(&one, items);
    struct qn__paced batch[2];
    for (int i = 0; i < 2; i++) {
        batch[i] = qn__pace_launched(&one, now, items / 2, 0);
        one.flying = (struct halves *)&one;             /* something is */
    }
    now += factor * (cost[way][0] + cost[way][1] * items) / 2;
    qn__pace_ended(&one, &batch[0], false);
    one.flying = NULL;
    now += factor * (cost[way][0] + cost[way][1] * items) / 2;
    qn__pace_ended(&one, &batch[1], false);
    return way;
}

/* How many of so many runs were in that way. */
static int play_runs(const double (*cost)[2], double items, int count, enum qn__way way)
{
    int found = 0;
    for (int i = 0; i < count; i++) {
        found += play_run(cost, items, 1) == way;
        now += 1e3;                                     /* nothing is in flight */
    }
    return found;
}

static void test_ways(void)
{
    static const double usual[QN_WAYS][2] = { { 0, 1 }, { 0, 1.5 }, { 0, 0.98 }, { 0, 0.94 },
                                              { 0, 1.1 }, { 0, 1.3 } };
    static const double slower[QN_WAYS][2] = { { 0, 1 }, { 0, 1.5 }, { 0, 1.05 }, { 0, 1.2 },
                                               { 0, 1.4 }, { 0, 1.6 } };
    const enum qn__way half = QN_AHEAD + 1;
    one = (struct qn_split){ .clock = { .now = virtual_now } };
    now = 0;
    play_runs(usual, 100, 3 * QN_WAYS, half);
    double began = now;
    const int found = play_runs(usual, 100, 1000, half);
    const double seconds = now - began - 1e3 * 1000;
    ok(found >= 950 && seconds <= 1.006 * 94 * 1000, "of all ways the fastest stays, the others"
       " are tried for half a hundredth of the time: %d of 1000, %.4f", found, seconds / 94e3);
    for (int i = 0; i < 2; i++)
        play_run(usual, 100, 100);
    const int after = play_runs(usual, 100, 100, half);
    ok(after >= 94, "two runs out of all reason are forgotten: %d of 100", after);
    play_runs(slower, 100, 20, half);
    const int left = play_runs(slower, 100, 200, QN_WHOLE);
    ok(left >= 185, "a CPU that has become slower is left: %d of 200", left);
    play_runs(usual, 100, 3000, half);
    const int again = play_runs(usual, 100, 1000, half);
    ok(again >= 950, "a CPU that has become faster is found out: %d of 1000", again);
}

/* Little work is best whole, much of it is not. */
static void test_sizes(void)
{
    static const double cost[QN_WAYS][2] = { { 10, 1 }, { 60, 0.9 }, { 40, 0.85 }, { 40, 0.8 },
                                             { 80, 0.7 }, { 90, 0.9 } };
    one = (struct qn_split){ .clock = { .now = virtual_now } };
    now = 0;
    play_runs(cost, 100, 300, QN_WHOLE);
    const int little = play_runs(cost, 100, 300, QN_WHOLE);
    play_runs(cost, 1000, 300, QN_AHEAD + 2);
    const int much = play_runs(cost, 1000, 300, QN_AHEAD + 2);
    for (int i = 0; i < 200; i++)
        play_runs(cost, i % 2 ? 100 : 1000, 1, QN_WHOLE);
    int well = 0;
    for (int i = 0; i < 100; i++)
        well += play_runs(cost, i % 2 ? 100 : 1000, 1, i % 2 ? QN_WHOLE : QN_AHEAD + 2);
    ok(little >= 285 && much >= 285 && well >= 90, "ways follow the size of the load: %d, %d of"
       " 300, in turns %d of 100", little, much, well);
}

/* A run that never ends: two batches are in flight at any time. */
static void test_stream(void)
{
    static const double cost[QN_WAYS] = { 1, 1.2, 1.1, 0.9, 1.1, 1.2 };
    struct qn__paced batch[2];
    int best = 0, strangers = 0;
    one = (struct qn_split){ .clock = { .now = virtual_now } };
    now = 0;
    for (int i = 0; i < 10000; i++) {
        const enum qn__way way = qn__pace_way(&one, 1);
        if (i > 1) {
            now += cost[batch[i % 2].run->way];
            strangers += batch[i % 2].run->way != way;
            qn__pace_ended(&one, &batch[i % 2], false);
        }
        batch[i % 2] = qn__pace_launched(&one, now, 1, 0);
        one.flying = (struct halves *)&one;
        best += i >= 5000 && way == QN_AHEAD + 1;
    }
    ok(best >= 4700 && strangers <= 2 * 10000 / 48 + 2, "ways are compared where there is always"
       " work: %d of 5000 batches, %d behind another way", best, strangers);
}

static void test_failed_runs(void)
{
    const struct qn__paced none = { NULL, 1 };
    one = (struct qn_split){ .clock = { .now = virtual_now } };
    qn__pace_ended(&one, &none, false);
    qn__pace_way(&one, 1);
    const struct qn__paced batch = qn__pace_launched(&one, now, 1, 0);
    qn__pace_ended(&one, &batch, true);
    ok(one.paces[0][QN_WHOLE].runs.count == 0 && !one.run, "nothing is learnt from a run that fails");
}

static void test_line(void)
{
    struct qn__cost cost = { 0 };
    for (int i = 0; i < 12; i++)
        qn__cost_add(&cost, i == 0 ? 95 : 100, i == 0 ? 5 : 10);
    ok(fabs(qn__cost_of(&cost, 100) - 10) < 1e-9 && fabs(qn__cost_of(&cost, 200) - 20) < 1e-9,
       "one launch of nearly as many does not tilt the line: %g", qn__cost_of(&cost, 100));
}

/* How many rounds of each scene, 70 at least. */
int main(int argc, char **argv)
{
    rounds = argc > 1 ? atoi(argv[1]) : rounds;
    hasty = argc > 2;
    test_paper();
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        test_scene(&scenes[i]);
    for (size_t i = 0; i < sizeof crowds / sizeof crowds[0]; i++)
        test_crowd(&crowds[i]);
    test_changes();
    test_failures();
    test_late();
    test_order();
    test_ways();
    test_sizes();
    test_stream();
    test_failed_runs();
    test_line();
    return done();
}
