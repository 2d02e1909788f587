/* The queue on a virtual clock: when each policy launches, worked out by hand;
 * what becomes of requests when launches fail, the queue is full, or it goes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue_virtual.h"
#include "tap.h"

enum { MOST = 64 };

static struct qn_request requests[MOST];

/* --- when ----------------------------------------------------------------- */

struct play {
    const char *name;
    struct qn_queue_settings settings;
    struct qn_launcher limits;
    double service, busy_until, deaf_until;
    int64_t blocks;             /* of each request */
    double flush;               /* when, before what comes then; 0: never */
    double end;
    const char *wanted;         /* the log, to the end */
    int count;
    double times[MOST];
};

static const struct play plays[] = {
    { "IDLE launches what waits whenever fewer than its flights are in flight",
      { .policy = QN_IDLE, .flights = 1 }, { 0 }, .service = 10, .end = 40,
      .settings.max_delay = INFINITY, .count = 4, .times = { 0, 1, 2, 12 },
      .wanted = "@0 x1 idle, @10 x2 idle, @20 x1 idle" },
    { "IDLE with two flights",
      { .policy = QN_IDLE, .flights = 2 }, { 0 }, .service = 10, .end = 40,
      .settings.max_delay = INFINITY, .count = 5, .times = { 0, 1, 2, 3, 12 },
      .wanted = "@0 x1 idle, @1 x1 idle, @10 x2 idle, @12 x1 idle" },
    { "IDLE does not let a long batch keep the others beyond max_delay",
      { .policy = QN_IDLE, .flights = 1, .max_delay = 7 }, { 0 },
      .service = 100, .end = 60, .count = 3, .times = { 0, 1, 4 },
      .wanted = "@0 x1 idle, @8 x2 age" },
    { "IDLE fills half the device at most with one batch",
      { .policy = QN_IDLE, .flights = 2 }, { .resident = 13 }, .service = 10,
      .end = 40, .blocks = 2, .count = 9, .times = { 0, 0, 0, 0, 0, 0, 0, 0, 0 },
      .settings.max_delay = INFINITY,
      .wanted = "@0 x4 idle, @0 x3 idle, @10 x2 idle" },
    { "IDLE begins with few, goes on with as many as are in flight, ends with few",
      { .policy = QN_IDLE, .flights = 4 }, { .resident = 16 }, .service = 10,
      .end = 40, .count = 40, .settings.max_delay = INFINITY,
      .wanted = "@0 x4 idle, @0 x4 idle, @0 x8 idle, @0 x8 idle, @10 x4 idle,"
                " @10 x4 idle, @10 x4 idle, @10 x4 idle" },
    { "IDLE launches one by one what a device hardly feels, in twice its flights",
      { .policy = QN_IDLE, .flights = 2 }, { .resident = 640 }, .service = 10,
      .end = 40, .settings.max_delay = INFINITY, .count = 6,
      .times = { 0, 0, 0, 0, 1, 1 },
      .wanted = "@0 x1 idle, @0 x1 idle, @0 x1 idle, @0 x1 idle, @10 x1 idle, @10 x1 idle" },
    { "FIXED waits for its number, for ever",
      { .policy = QN_FIXED, .count = 3 }, { 0 }, .service = 1, .end = 1e9,
      .count = 7, .times = { 0, 1, 2, 3, 4, 5, 6 },
      .wanted = "@2 x3 size, @5 x3 size" },
    { "FIXED makes several batches of a burst",
      { .policy = QN_FIXED, .count = 3 }, { 0 }, .service = 1, .end = 10,
      .count = 7, .times = { 0, 0, 0, 0, 0, 0, 0 },
      .wanted = "@0 x3 size, @0 x3 size" },
    { "FIXED with a max_delay", { .policy = QN_FIXED, .count = 3, .max_delay = 4 },
      { 0 }, .service = 1, .end = 99, .count = 4, .times = { 0, 1, 2, 6 },
      .wanted = "@2 x3 size, @10 x1 age" },
    { "a flush launches what waits now, and no more",
      { .policy = QN_FIXED, .count = 3 }, { 0 }, .service = 1, .end = 99,
      .count = 4, .times = { 0, 1, 5, 9 }, .flush = 5, .wanted = "@5 x2 flush" },
    { "a flush of one",
      { .policy = QN_FIXED, .count = 3 }, { 0 }, .service = 1, .end = 99,
      .count = 1, .times = { 0 }, .flush = 5, .wanted = "@5 x1 flush" },
    { "OCCUPANCY launches once the device is full, by blocks",
      { .policy = QN_OCCUPANCY, .max_delay = 100 }, { .resident = 10 },
      .service = 1, .deaf_until = 2, .end = 90, .blocks = 3, .count = 4,
      .times = { 0, 2, 3, 4 }, .wanted = "@4 x4 size" },
    { "OCCUPANCY launches all that came meanwhile, more than are resident",
      { .policy = QN_OCCUPANCY, .max_delay = 100 }, { .resident = 4 },
      .service = 1, .end = 90, .count = 9, .times = { 0, 0, 0, 0, 0, 0, 0, 0, 0 },
      .wanted = "@0 x9 size" },
    { "OCCUPANCY waits for twice the longest interval (3, then 4: till 7 + 8)",
      { .policy = QN_OCCUPANCY, .max_delay = 100 }, { .resident = 99 },
      .service = 1, .deaf_until = 3, .end = 90, .count = 3, .times = { 0, 3, 7 },
      .wanted = "@15 x3 pause" },
    { "OCCUPANCY takes no interval with a launch in it for one",
      { .policy = QN_OCCUPANCY, .max_delay = 100 }, { .resident = 99 },
      .service = 1, .deaf_until = 3, .end = 200, .count = 4,
      .times = { 0, 3, 7, 30 }, .wanted = "@15 x3 pause, @38 x1 pause" },
    { "the paper's rule alone does (23: till 30 + 46)",
      { .policy = QN_OCCUPANCY, .bare = 1 }, { .resident = 99 },
      .service = 1, .deaf_until = 3, .end = 200, .count = 4,
      .times = { 0, 3, 7, 30 }, .wanted = "@15 x3 pause, @76 x1 pause" },
    { "OCCUPANCY is capped by max_delay",
      { .policy = QN_OCCUPANCY, .max_delay = 9 }, { .resident = 99 },
      .service = 1, .deaf_until = 3, .end = 90, .count = 3, .times = { 0, 3, 7 },
      .wanted = "@9 x3 age" },
    { "DEADLINE launches all when the oldest is due",
      { .policy = QN_DEADLINE, .max_delay = 5 }, { 0 }, .service = 1, .end = 90,
      .count = 4, .times = { 0, 2, 5, 6 }, .wanted = "@5 x3 age, @11 x1 age" },
    { "no more batches are in flight than most_flights",
      { .policy = QN_FIXED, .count = 1, .most_flights = 1 }, { 0 },
      .service = 10, .end = 90, .count = 3, .times = { 0, 1, 2 },
      .wanted = "@0 x1 size, @10 x1 size, @20 x1 size" },
    { "no launch has more blocks than the launcher's limit",
      { .policy = QN_IDLE }, { .limit = 7 }, .service = 10, .end = 90,
      .blocks = 3, .count = 5, .times = { 0, 0, 0, 0, 0 },
      .wanted = "@0 x2 idle, @0 x2 idle, @0 x1 idle" },
    { "a launcher that takes one block at a time",
      { .policy = QN_FIXED, .count = 2 }, { .limit = 1 }, .service = 10, .end = 90,
      .count = 3, .times = { 0, 0, 0 }, .wanted = "@0 x1 size, @0 x1 size" },
    { "what a busy launcher puts off is launched first, with what came",
      { .policy = QN_FIXED, .count = 2, .max_delay = 4 }, { 0 }, .service = 1,
      .busy_until = 5, .end = 90, .count = 5, .times = { 0, 1, 2, 3, 4 },
      .wanted = "@5 x2 size, @5 x2 size, @8 x1 age" }
};

static void perform(const struct play *play)
{
    struct world world = { .service = play->service,
                           .busy_until = play->busy_until,
                           .deaf_until = play->deaf_until };
    memset(requests, 0, sizeof requests);
    for (int i = 0; i < play->count; i++)
        requests[i].blocks = play->blocks;
    world_open(&world, play->settings, play->limits);
    int before = 0;
    if (play->flush > 0) {
        while (before < play->count && play->times[before] < play->flush)
            before++;
        world_run(&world, requests, (size_t)before, play->times, play->flush);
        qn_queue_flush(world.queue);
    }
    world_run(&world, requests + before, (size_t)(play->count - before),
              play->times + before, play->end);
    ok(strcmp(world.log, play->wanted) == 0, "%s", play->name);
    if (strcmp(world.log, play->wanted) != 0)
        printf("# got    %s\n# wanted %s\n", world.log, play->wanted);
    world_close(&world);
}

/* --- what becomes of requests --------------------------------------------- */

static int told;                /* callbacks */
static struct qn_queue *inner;

static void count_it(struct qn_request *request)
{
    (void)request;
    told++;
}

static void submit_all(struct world *world, int count)
{
    memset(requests, 0, sizeof requests);
    told = 0;
    for (int i = 0; i < count; i++) {
        requests[i].done = count_it;
        must(qn_queue_submit(world->queue, &requests[i]));
    }
}

static int with_status(int count, enum qn_status status)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        found += requests[i].status == status
            && qn_request_state(&requests[i]) == QN_DONE;
    return found;
}

static void test_failures(void)
{
    struct qn_queue_stats stats;
    struct world world = { .service = 1, .launching = QN_DEVICE };
    world_open(&world, (struct qn_queue_settings){ .policy = QN_FIXED },
               (struct qn_launcher){ 0 });
    submit_all(&world, 5);
    must(qn_queue_drain(world.queue));
    ok(told == 5 && with_status(5, QN_DEVICE) == 5,
       "a launch that fails is the failure of each of its requests");
    world.launching = QN_OK;
    world.ending = QN_DEVICE;
    submit_all(&world, 5);
    must(qn_queue_drain(world.queue));
    ok(told == 5 && with_status(5, QN_DEVICE) == 5, "so is a batch that fails");
    world.ending = QN_OK;
    must(qn_queue_submit(world.queue, &requests[0]));
    qn_queue_flush(world.queue);
    must(qn_queue_poll(world.queue, NULL));
    ok(requests[0].status == QN_OK && qn_request_state(&requests[0]) == QN_LAUNCHED,
       "what has failed is as new when it is submitted again, and launched");
    must(qn_queue_drain(world.queue));
    ok(with_status(1, QN_OK) == 1, "and may go well");
    world.bad = 2;
    submit_all(&world, 5);
    must(qn_queue_drain(world.queue));
    ok(told == 5 && with_status(5, QN_WRONG) == 2 && with_status(5, QN_OK) == 3,
       "a launcher can fail some requests of a batch");
    qn_queue_get_stats(world.queue, &stats);
    ok(stats.completed == 16 && stats.failed == 12 && stats.batches == 4
           && stats.failed_batches == 2 && stats.by[QN_BY_FLUSH] == 4,
       "the statistics know of all: %d failed of %d", (int)stats.failed,
       (int)stats.completed);
    world_close(&world);
}

static void test_destroy(void)
{
    struct world world = { .service = 3 };
    world_open(&world, (struct qn_queue_settings){ .policy = QN_FIXED },
               (struct qn_launcher){ .limit = 4 });
    submit_all(&world, 9);
    qn_queue_destroy(world.queue);
    ok(told == 9 && with_status(9, QN_OK) == 9
           && strcmp(world.log, "@0 x4 flush, @0 x4 flush, @0 x1 flush") == 0,
       "what waits when the queue is destroyed is launched and told");
}

static enum qn_status again;    /* what submitting in a callback came to */

static void submit_another(struct qn_request *request)
{
    again = qn_queue_submit(inner, request + 1);
    told++;
}

/* What a callback submits before is launched, too; meanwhile it is refused. */
static void test_last_callbacks(void)
{
    struct world world = { .service = 3 };
    world_open(&world, (struct qn_queue_settings){ .policy = QN_FIXED },
               (struct qn_launcher){ 0 });
    inner = world.queue;
    memset(requests, 0, sizeof requests);
    told = 0;
    requests[0].done = requests[1].done = submit_another;
    must(qn_queue_submit(world.queue, &requests[0]));
    must(qn_queue_drain(world.queue));
    ok(again == QN_OK && qn_request_state(&requests[1]) == QN_WAITING,
       "what a callback submits while a queue is drained waits");
    qn_queue_destroy(world.queue);
    ok(told == 2 && qn_request_state(&requests[1]) == QN_DONE,
       "and is told when the queue goes");
    fails(again, QN_INVALID, "is being destroyed",
          "what a callback submits then");
    ok(qn_request_state(&requests[2]) == QN_NEW, "is not taken");
}

/* Lets what was launched end. */
static void go_on(struct world *world)
{
    world_run(world, NULL, 0, NULL, world->now + 10);
}

static void test_pressure(void)
{
    struct qn_queue_stats stats;
    struct world world = { .service = 1 };
    world_open(&world, (struct qn_queue_settings){ .policy = QN_FIXED, .count = 4,
                                                   .capacity = 4 },
               (struct qn_launcher){ 0 });
    submit_all(&world, 4);
    struct qn_request *const fifth = &requests[4];
    fails(qn_queue_submit(world.queue, fifth), QN_BUSY, "the queue has 4 requests",
          "a full queue");
    ok(qn_request_state(fifth) == QN_NEW, "has not taken the request");
    must(qn_queue_poll(world.queue, NULL));
    ok(qn_queue_submit(world.queue, fifth) == QN_BUSY,
       "is full of what is in flight, too");
    go_on(&world);
    must(qn_queue_submit(world.queue, fifth));
    ok(told == 4 && qn_request_state(fifth) == QN_WAITING,
       "takes it when a batch has ended");
    for (int i = 0; i < 4 * 1000; i++) {        /* round the ring, many times */
        requests[5 + i % 4] = (struct qn_request){ .done = count_it };
        if (i % 4 == 3) {
            must(qn_queue_poll(world.queue, NULL));
            go_on(&world);
        }
        if (qn_queue_submit(world.queue, &requests[5 + i % 4]) == QN_BUSY)
            break;
    }
    must(qn_queue_drain(world.queue));
    qn_queue_get_stats(world.queue, &stats);
    ok(stats.submitted == 4005 && stats.completed == 4005 && stats.refused == 2,
       "loses none in 4005: %d are done, %d were refused", (int)stats.completed,
       (int)stats.refused);
    world_close(&world);
}

static int rounds;

static void once_more(struct qn_request *request)
{
    fails(qn_queue_poll(inner, NULL), QN_INVALID, "cannot poll", "a callback");
    fails(qn_queue_drain(inner), QN_INVALID, "cannot wait", "a callback");
    if (++rounds < 3)
        must(qn_queue_submit(inner, request));
}

static void test_sizes(void)
{
    struct world world = { .service = 1 };
    world_open(&world, (struct qn_queue_settings){ .capacity = 1 << 20 },
               (struct qn_launcher){ 0 });
    struct qn_request request = { .blocks = INT64_MAX >> 19 };
    fails(qn_queue_submit(world.queue, &request), QN_INVALID,
          "0 (one) to 8796093022207", "a request of more blocks than can be added up");
    request = (struct qn_request){ .blocks = -1 };
    fails(qn_queue_submit(world.queue, &request), QN_INVALID, "-1 blocks", "a request");
    request = (struct qn_request){ .items = -1 };
    fails(qn_queue_submit(world.queue, &request), QN_INVALID, "-1 items", "a request");
    world_close(&world);
}

/* Both ways of a launcher, in which a queue is asked for what it cannot do. */
static enum qn_status busy_launch(void *self, struct qn_batch *batch)
{
    struct qn_queue_stats stats;
    (void)batch;
    if ((*(int *)self)++ > 0)
        return QN_OK;
    qn_queue_get_stats(inner, &stats);
    qn_queue_flush(inner);
    qn_queue_destroy(inner);
    ok(stats.waiting == 1 && stats.in_flight == 0 && qn_queue_submit(inner, &requests[1]) == QN_OK,
       "a launcher may submit, flush and ask for statistics");
    fails(qn_queue_poll(inner, NULL), QN_INVALID, "cannot poll", "a launcher");
    fails(qn_queue_drain(inner), QN_INVALID, "cannot wait", "a launcher");
    return QN_OK;
}

static struct qn_queue *attached;

static void attach(void *self, struct qn_queue *queue)
{
    (void)self;
    attached = queue;
}

static void test_launcher(void)
{
    int launches = 0;
    const struct qn_launcher launcher = { .self = &launches,
                                          .launch = busy_launch,
                                          .attach = attach };
    memset(requests, 0, sizeof requests);
    must(qn_queue_create(&(struct qn_queue_settings){ 0 }, &launcher, &inner));
    must(qn_queue_submit(inner, &requests[0]));
    must(qn_queue_drain(inner));
    must(qn_queue_drain(inner));
    ok(launches == 2 && qn_request_state(&requests[1]) == QN_DONE,
       "what it submits is launched");
    const bool told_first = attached == inner;
    qn_queue_destroy(inner);
    ok(told_first && !attached, "it is told whose it is, and when no more");
}

static void test_callback(void)
{
    struct world world = { .service = 1 };
    world_open(&world, (struct qn_queue_settings){ .capacity = 1 },
               (struct qn_launcher){ 0 });
    inner = world.queue;
    struct qn_request request = { .done = once_more };
    must(qn_queue_submit(world.queue, &request));
    go_on(&world);
    ok(rounds == 3 && request.arrived == 2 && request.finished == 3,
       "a callback may submit its request again, even to a queue of one");
    must(qn_queue_submit(world.queue, &request));
    fails(qn_queue_submit(world.queue, &request), QN_INVALID,
          "was submitted before", "a request that is waiting");
    world_close(&world);
    test_sizes();
    struct world small = { .service = 1 };
    world_open(&small, (struct qn_queue_settings){ 0 },
               (struct qn_launcher){ .limit = 4 });
    request = (struct qn_request){ .blocks = 5 };
    fails(qn_queue_submit(small.queue, &request), QN_INVALID, "5 blocks",
          "a request that no launch can hold");
    world_close(&small);
}

/* Clients that take their time, and submit what comes next. */
static struct world *slow;
static uint64_t launched_then;

static void take_time(struct qn_request *request)
{
    struct qn_queue_stats stats;
    slow->now += 1;
    qn_queue_get_stats(slow->queue, &stats);
    launched_then = stats.batches;
    if (told++ < 2)
        must(qn_queue_submit(slow->queue, &requests[told + 3]));
    (void)request;
}

static void test_telling(void)
{
    struct world world = { .service = 5 };
    world_open(&world, (struct qn_queue_settings){ .policy = QN_FIXED, .count = 2 },
               (struct qn_launcher){ 0 });
    slow = &world;
    submit_all(&world, 4);
    memset(&requests[4], 0, 2 * sizeof *requests);
    for (int i = 0; i < 4; i++)
        requests[i].done = take_time;
    must(qn_queue_poll(world.queue, NULL));
    world.now += 5;
    must(qn_queue_poll(world.queue, NULL));
    ok(told == 4 && launched_then == 3,
       "what clients submit when they are told is launched before the next batch is");
    world_close(&world);
}

/* How many blocks the first launches are of, by what launching takes. */
static struct { double now, launch, request; char log[200]; } pace;

static double pace_now(void *self)
{
    (void)self;
    return pace.now;
}

static enum qn_status pace_launch(void *self, struct qn_batch *batch)
{
    const size_t length = strlen(pace.log);
    (void)self;
    pace.now += pace.launch + pace.request * (double)batch->count;
    snprintf(pace.log + length, sizeof pace.log - length, " %zu", batch->count);
    return QN_OK;
}

static int pace_finished(void *self, struct qn_batch *batch, enum qn_status *status)
{
    (void)self;
    (void)batch;
    *status = QN_OK;
    return pace.now > 1;
}

/* `before` of 4000 come first, then the others. */
static void launch_all(const char *name, double launch, double request, int before,
                       const char *wanted)
{
    static struct qn_request all[4000];
    struct qn_queue *queue;
    memset(all, 0, sizeof all);
    memset(&pace, 0, sizeof pace);
    pace.launch = launch;
    pace.request = request;
    must(qn_queue_create(&(struct qn_queue_settings){ .clock = { NULL, pace_now, NULL } },
                         &(struct qn_launcher){ .resident = 1600, .launch = pace_launch,
                                                .finished = pace_finished }, &queue));
    for (int i = 0; i < 4000; i++) {
        if (before > 0 && i == before)
            must(qn_queue_poll(queue, NULL));
        must(qn_queue_submit(queue, &all[i]));
    }
    must(qn_queue_poll(queue, NULL));
    ok(strcmp(pace.log, wanted) == 0, "%s:%s", name, pace.log);
    pace.now = 2;
    qn_queue_destroy(queue);
}

static void test_launching(void)
{
    launch_all("where launching takes 4 us, three batches fill the device once it is known", 4e-6, 0,
               0, " 200 700 800 800 750 375 188 100");
    launch_all("what is in flight counts as the first of three", 5e-6, 0, 400,
               " 200 200 800 800 800 600 300 150");
    launch_all("where it takes a microsecond for each request, batches double", 4e-6, 1e-6, 0,
               " 200 200 400 800 800 800 400 200");
    launch_all("between them, the device is cut in as many as take 20 us each", 0, 6e-8, 0, " 200 369 569 800 800 631 316 158");
    launch_all("a batch of less than a 16th of the device teaches nothing", 4e-6, 0, 99,
               " 99 215 800 800 800 643 322 161");
}

/* Launching takes a second; the second batch ends at once, the others when all may. */
static struct { double now; bool all; } early;
static struct qn_request many[65];

static double early_now(void *self)
{
    (void)self;
    return early.now;
}

static enum qn_status early_launch(void *self, struct qn_batch *batch)
{
    (void)self;
    (void)batch;
    early.now += 1;
    return QN_OK;
}

static int early_ended(void *self, struct qn_batch *batch, enum qn_status *status)
{
    (void)self;
    *status = QN_OK;
    return early.all || batch->number == 1;
}

static void follow_up(struct qn_request *request)
{
    const long next = 61 + (request - many);
    if (next == 63 || next == 64)
        must(qn_queue_submit(inner, &many[next]));
}

/* A full ring: what is submitted then has the places of the first requests, which are
 * still in flight. */
static void test_early_end(void)
{
    const struct qn_queue_settings settings = {
        .policy = QN_FIXED, .count = 2, .capacity = 63, .clock = { .now = early_now }
    };
    const struct qn_launcher launcher = { .launch = early_launch, .finished = early_ended };
    int well = 0;
    must(qn_queue_create(&settings, &launcher, &inner));
    for (int i = 0; i < 63; i++) {
        many[i].done = follow_up;
        must(qn_queue_submit(inner, &many[i]));
    }
    must(qn_queue_poll(inner, NULL));
    early.all = true;
    must(qn_queue_drain(inner));
    for (int i = 0; i < 65; i++)
        well += qn_request_state(&many[i]) == QN_DONE;
    ok(well == 65, "a batch that ends before the first makes room for as many as it had");
    qn_queue_destroy(inner);
}

/* --- what cannot be ------------------------------------------------------- */

static enum qn_status idle_launch(void *self, struct qn_batch *batch)
{
    (void)self;
    (void)batch;
    return QN_OK;
}

static void refuse(struct qn_queue_settings settings, const char *sentence)
{
    const struct qn_launcher launcher = { .launch = idle_launch };
    struct qn_queue *queue;
    fails(qn_queue_create(&settings, &launcher, &queue), QN_INVALID, sentence,
          "refused");
}

static double no_time(void *self)
{
    (void)self;
    return 0;
}

static void test_settings(void)
{
    const struct qn_queue_settings usual = { 0 };
    struct qn_queue *queue;
    refuse((struct qn_queue_settings){ .policy = (enum qn_policy)4 }, "policy 4");
    refuse((struct qn_queue_settings){ .max_delay = NAN }, "max_delay is nan");
    refuse((struct qn_queue_settings){ .flights = -1 }, "-1 batches in flight");
    refuse((struct qn_queue_settings){ .policy = QN_OCCUPANCY },
           "the launcher says 0");
    refuse((struct qn_queue_settings){ .policy = QN_FIXED, .capacity = 99 },
           "batches of 100 requests in a queue of 99");
    refuse((struct qn_queue_settings){ .capacity = SIZE_MAX }, "at most");
    refuse((struct qn_queue_settings){ .thread = 1, .clock.now = no_time },
           "has no thread");
    fails(qn_queue_create(&usual, &(struct qn_launcher){ 0 }, &queue), QN_INVALID,
          "a launcher that launches", "refused");
}

/* --- the paper's rule, when producers wait -------------------------------- */

/* Eight producers submit again when they are told, a tenth after each other. */
static double last_wait(int bare, int times)
{
    struct world world = { .service = 1, .deaf_until = 0.7 };
    world_open(&world, (struct qn_queue_settings){ .policy = QN_OCCUPANCY,
                                                   .bare = bare, .max_delay = 50 },
               (struct qn_launcher){ .resident = 99 });
    double when[8];
    memset(requests, 0, sizeof requests);
    for (int round = 0; round < times; round++) {
        for (int i = 0; i < 8; i++)
            when[i] = world.now + 0.1 * i;
        world.deaf_until = when[7];
        world_run(&world, requests, 8, when, when[7]);
        double due;
        must(qn_queue_poll(world.queue, &due));
        while (qn_request_state(&requests[7]) != QN_DONE) {
            world.now = fmax(world.now, world.flying ? world.ends[0] : due);
            must(qn_queue_poll(world.queue, &due));
        }
    }
    const double wait = requests[7].launched - requests[7].arrived;
    world_close(&world);
    return wait;
}

static void test_divergence(void)
{
    const double guarded = last_wait(0, 12), bare = last_wait(1, 12);
    ok(fabs(guarded - 0.2) < 1e-9, "OCCUPANCY waits for two intervals after 12"
       " rounds, as after one: %.3g", guarded);
    ok(bare > 1000, "the paper's rule alone waits ever longer: %.4g", bare);
    ok(fabs(last_wait(1, 3) - 2 * (2 * (0.2 + 1) + 1)) < 1e-9,
       "its wait is twice the last wait and service: %.3g", last_wait(1, 3));
}

/* --- what is told ---------------------------------------------------------- */

static void test_statistics(void)
{
    struct qn_queue_stats stats;
    char text[2048], little[8];
    struct world world = { .service = 2e-6 };
    world_open(&world, (struct qn_queue_settings){ .policy = QN_DEADLINE,
                                                   .max_delay = 4e-6 },
               (struct qn_launcher){ 0 });
    memset(requests, 0, sizeof requests);
    requests[2].blocks = 5;
    world_run(&world, requests, 3, (double[]){ 0, 2e-6, 10e-6 }, 1);
    qn_queue_get_stats(world.queue, &stats);
    const size_t length = qn_queue_report(&stats, text, sizeof text);
    static const char *const lines[] = {
        "requests submitted                3\n", "  done                            3\n",
        "batches launched                  2\n", "  for the oldest's age            2\n",
        "requests a batch                1.0        1.5        2.0\n",
        "blocks a batch                  2.0        3.5        5.0\n",
        "us from submit to launch        2.0        3.3        4.0\n",
        "us from launch to end           2.0        2.0        2.0\n",
        "us from submit to end           4.0        5.3        6.0\n"
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        ok(strstr(text, lines[i]) != NULL, "the report says: %.*s",
           (int)strlen(lines[i]) - 1, lines[i]);
    ok(length == strlen(text) && qn_queue_report(&stats, little, 8) == length
           && strlen(little) == 7 && qn_queue_report(&stats, NULL, 0) == length,
       "and is as long as it says, in %zu bytes or in 8 or none", sizeof text);
    world_close(&world);
}

static void test_tables(void)
{
    static const char of_queue[] =
        "requests submitted                2\n"
        "  refused, queue full             3\n"
        "  waiting                        12\n"
        "  done                            4\n"
        "  of these failed                 5\n"
        "batches launched                  6\n"
        "  for their number               21\n"
        "  for a pause                    22\n"
        "  for the oldest's age           23\n"
        "  for few in flight              24\n"
        "  flushed                        25\n"
        "  failed                          7\n"
        "  in flight                      13\n"
        "launches put off                  8\n"
        "                              least       mean       most\n"
        "requests a batch                1.5        2.5        3.5\n"
        "blocks a batch                  4.0        5.0        6.0\n"
        "us from submit to launch        7.0        8.0        9.0\n"
        "us from launch to end          10.0       11.0       12.0\n"
        "us from submit to end          13.0       14.0       15.0\n";
    static const char of_split[] =
        "                             device        CPU\n"
        "parts of batches                  2          3\n"
        "requests                          4          5\n"
        "items                             6          7\n"
        "ms in all                         8          9\n"
        "us for a launch                  10         11\n"
        "ns more for an item              12         13\n";
    const struct qn_queue_stats stats = {
        2, 3, 4, 5, 6, { 21, 22, 23, 24, 25 }, 7, 8, 12, 13, { 1.5, 2.5, 3.5 }, { 4, 5, 6 },
        { 7e-6, 8e-6, 9e-6 }, { 10e-6, 11e-6, 12e-6 }, { 13e-6, 14e-6, 15e-6 }
    };
    const struct qn_split_stats split = { { 2, 3 }, { 4, 5 }, { 6, 7 }, { 8e-3, 9e-3 },
                                          { 10e-6, 11e-6 }, { 12e-9, 13e-9 } };
    char text[2048];
    qn_queue_report(&stats, text, sizeof text);
    ok(strcmp(text, of_queue) == 0, "the table of a queue has all of its numbers");
    qn_split_report(&split, text, sizeof text);
    ok(strcmp(text, of_split) == 0, "and that of two devices");
}

int main(void)
{
    for (size_t i = 0; i < sizeof plays / sizeof plays[0]; i++)
        perform(&plays[i]);
    test_divergence();
    test_failures();
    test_destroy();
    test_last_callbacks();
    test_launcher();
    test_pressure();
    test_callback();
    test_telling();
    test_launching();
    test_early_end();
    test_settings();
    test_statistics();
    test_tables();
    return done();
}
