/* Many producers, a launcher that fails at random, a queue that is often full:
 * every request ends once, in the way that the launcher meant.
 *
 *     queue_soak REQUESTS THREAD
 *
 * THREAD 1: the queue polls in a thread of its own; 0: the producers poll. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "queue.h"
#include "tap.h"

enum { PRODUCERS = 4, HELD = 96, FLIGHTS = 8 };

struct piece {
    struct qn_request request;
    atomic_int lives;           /* submitted, not told: 0 or 1 */
    enum qn_status meant;       /* by the launcher */
    struct producer *owner;
};

struct producer {
    struct piece pieces[HELD];
    uint64_t state, submitted, failed;
    atomic_uint_fast64_t told, wrong;
    long wanted;
};

static struct qn_queue *queue;
static int threaded;
static struct producer producers[PRODUCERS];

static uint64_t draw(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

/* --- the launcher ----------------------------------------------------------- */

/* A batch in flight ends after so many questions. */
static struct flight { int questions; enum qn_status status; } flights[FLIGHTS];
static uint64_t chance = 99;            /* of the thread that polls */

static void mean(const struct qn_batch *batch, enum qn_status status)
{
    for (struct qn_request *at = batch->first; at; at = at->next) {
        struct piece *const piece = at->user;
        if (draw(&chance, 50) == 0)
            at->status = QN_WRONG;
        piece->meant = at->status == QN_OK ? status : at->status;
    }
}

static enum qn_status launch(void *self, struct qn_batch *batch)
{
    struct flight *flight = flights;
    (void)self;
    if (draw(&chance, 10) == 0)
        return QN_BUSY;
    const enum qn_status now = draw(&chance, 10) == 0 ? QN_DEVICE : QN_OK;
    while (flight->questions > 0)
        flight++;
    flight->questions = 1 + (int)draw(&chance, 5);
    flight->status = draw(&chance, 10) == 0 ? QN_NO_MEMORY : QN_OK;
    batch->data = flight;
    mean(batch, now == QN_OK ? flight->status : now);
    if (now != QN_OK)
        flight->questions = 0;
    return now;
}

static int finished(void *self, struct qn_batch *batch, enum qn_status *status)
{
    struct flight *const flight = batch->data;
    (void)self;
    *status = flight->status;
    return --flight->questions == 0;
}

/* --- the producers ----------------------------------------------------------- */

/* What else can be asked of a queue at any time, in callbacks too. */
static void ask(void)
{
    struct qn_queue_stats stats;
    char text[2048];
    qn_queue_get_stats(queue, &stats);
    if (stats.completed > stats.submitted
        || qn_queue_report(&stats, text, sizeof text) >= sizeof text)
        ok(0, "statistics that cannot be");
    qn_queue_flush(queue);
    qn_queue_wake(queue);
}

/* The piece is free again with its last life: nothing of it is looked at after. */
static void told(struct qn_request *request)
{
    struct piece *const piece = request->user;
    struct producer *const owner = piece->owner;
    const bool well = request->status == piece->meant
        && request->arrived <= request->launched
        && request->launched <= request->finished;
    if (atomic_exchange(&piece->lives, 0) != 1 || !well)
        atomic_fetch_add(&owner->wrong, 1);
    if (atomic_fetch_add(&owner->told, 1) % 1000 == 0)
        ask();
}

static void wait_a_little(struct producer *self)
{
    if (!threaded || draw(&self->state, 20) == 0)
        must(qn_queue_poll(queue, NULL));
    else
        sched_yield();
}

/* A piece in three has no callback: it is asked how it is. */
static bool is_free(struct piece *piece)
{
    if (atomic_load(&piece->lives) == 0)
        return true;
    if (piece->request.done || qn_request_state(&piece->request) != QN_DONE)
        return false;
    told(&piece->request);
    return true;
}

static struct piece *free_piece(struct producer *self)
{
    for (;;) {
        const uint64_t first = draw(&self->state, HELD);
        for (uint64_t i = 0; i < HELD; i++)
            if (is_free(&self->pieces[(first + i) % HELD]))
                return &self->pieces[(first + i) % HELD];
        wait_a_little(self);
    }
}

static struct qn_request *prepare(struct producer *self, struct piece *piece)
{
    piece->owner = self;
    piece->request = (struct qn_request){ .user = piece, .blocks = 1 + (int64_t)draw(&self->state, 3),
                                          .done = draw(&self->state, 3) ? told : NULL };
    atomic_store(&piece->lives, 1);
    self->submitted++;
    return &piece->request;
}

static void submit(struct producer *self)
{
    struct qn_request *const request = prepare(self, free_piece(self));
    while (qn_queue_submit(queue, request) == QN_BUSY)
        wait_a_little(self);
}

static void submit_many(struct producer *self)
{
    struct qn_request *all[HELD];
    size_t count = 0, done = 0, taken;
    const size_t wanted = 1 + draw(&self->state, HELD / 2);
    while (count < wanted && self->submitted < (uint64_t)self->wanted)
        all[count++] = prepare(self, free_piece(self));
    while (qn_queue_submit_many(queue, count - done, all + done, &taken) == QN_BUSY) {
        done += taken;
        wait_a_little(self);
    }
}

static void *produce(void *argument)
{
    struct producer *const self = argument;
    while (self->submitted < (uint64_t)self->wanted) {
        if (draw(&self->state, 20) == 0)
            submit_many(self);
        else
            submit(self);
        if (draw(&self->state, 200) == 0)
            qn_queue_flush(queue);
        if (draw(&self->state, 5000) == 0)
            must(qn_queue_drain(queue));
        if (draw(&self->state, 1000) == 0)
            ask();
    }
    return NULL;
}

static void soak(enum qn_policy policy, long count)
{
    static const char *const names[] = { "IDLE", "FIXED", "OCCUPANCY", "DEADLINE" };
    const struct qn_queue_settings settings = {
        .policy = policy, .count = 40, .max_delay = 2e-5,
        .capacity = policy == QN_DEADLINE ? 65536 : 255,    /* of 256 slots */
        .most_flights = FLIGHTS, .thread = threaded
    };
    const struct qn_launcher launcher = { .resident = 64, .limit = 50, .launch = launch,
                                          .finished = finished };
    pthread_t threads[PRODUCERS];
    struct qn_queue_stats stats;
    uint64_t sum = 0, wrong = 0;
    must(qn_queue_create(&settings, &launcher, &queue));
    for (uint64_t i = 0; i < PRODUCERS; i++) {
        producers[i] = (struct producer){ .state = i + 1, .wanted = count / PRODUCERS };
        pthread_create(&threads[i], NULL, produce, &producers[i]);
    }
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(threads[i], NULL);
    qn_queue_get_stats(queue, &stats);
    qn_queue_destroy(queue);
    for (int i = 0; i < PRODUCERS; i++) {
        for (int k = 0; k < HELD; k++)
            wrong += !is_free(&producers[i].pieces[k]);
        sum += producers[i].told;
        wrong += producers[i].wrong;
    }
    ok(sum == (uint64_t)count && wrong == 0 && stats.submitted == sum,
       "%s, %s: %ld requests, %llu told, %llu not as meant (%llu failed, %llu"
       " batches, %llu put off, %llu times full)",
       names[policy], threaded ? "a thread polls" : "producers poll", count,
       (unsigned long long)sum, (unsigned long long)wrong,
       (unsigned long long)stats.failed, (unsigned long long)stats.batches,
       (unsigned long long)stats.postponed, (unsigned long long)stats.refused);
}

/* --- a device that rings ------------------------------------------------------ */

static atomic_int started, ended;       /* batches, one at a time */

static enum qn_status start(void *self, struct qn_batch *batch)
{
    (void)self;
    (void)batch;
    if (atomic_load(&started) != atomic_load(&ended))
        return QN_BUSY;
    atomic_fetch_add(&started, 1);
    return QN_OK;
}

static int has_ended(void *self, struct qn_batch *batch, enum qn_status *status)
{
    (void)self;
    (void)batch;
    *status = QN_OK;
    return atomic_load(&started) == atomic_load(&ended);
}

static atomic_int left;

static void *run_device(void *self)
{
    (void)self;
    while (atomic_load(&left) > 0) {
        if (atomic_load(&started) == atomic_load(&ended)) {
            sched_yield();
            continue;
        }
        atomic_fetch_add(&ended, 1);
        qn_queue_wake(queue);
    }
    return NULL;
}

static void again(struct qn_request *request)
{
    if (atomic_fetch_sub(&left, 1) > 1)
        must(qn_queue_submit(queue, request));
}

/* One request at a time: the thread sleeps between any two events. */
static void ring(int count)
{
    const struct qn_queue_settings settings = { .thread = 1 };
    const struct qn_launcher launcher = { .launch = start, .finished = has_ended,
                                          .wakes = 1 };
    struct qn_request request = { .done = again };
    struct qn_queue_stats stats;
    pthread_t device;
    must(qn_queue_create(&settings, &launcher, &queue));
    left = count;
    pthread_create(&device, NULL, run_device, NULL);
    must(qn_queue_submit(queue, &request));
    pthread_join(device, NULL);
    qn_queue_get_stats(queue, &stats);
    qn_queue_destroy(queue);
    ok(stats.completed == (uint64_t)count, "a thread that sleeps is woken by"
       " requests and by a device, %d times", count);
}

/* --- a thread that sleeps ------------------------------------------------------ */

static enum qn_status do_nothing(void *self, struct qn_batch *batch)
{
    (void)self;
    (void)batch;
    return QN_OK;
}

static void wait_till_asleep(void)
{
    while (!atomic_load(&queue->asleep))
        sched_yield();
}

/* Nobody polls but the thread: it is woken by what is submitted, and by a flush. */
static void wake(int count)
{
    const struct qn_queue_settings settings = { .policy = QN_FIXED, .count = 2, .thread = 1 };
    const struct qn_launcher launcher = { .launch = do_nothing };
    struct qn_request two[2] = { { 0 }, { 0 } };
    must(qn_queue_create(&settings, &launcher, &queue));
    for (int i = 0; i < count; i++) {
        wait_till_asleep();
        must(qn_queue_submit(queue, &two[0]));
        wait_till_asleep();
        if (i % 2)
            qn_queue_flush(queue);
        else
            must(qn_queue_submit(queue, &two[1]));
        while (qn_request_state(&two[0]) != QN_DONE
               || (i % 2 == 0 && qn_request_state(&two[1]) != QN_DONE))
            sched_yield();
    }
    qn_queue_destroy(queue);
    ok(1, "a thread that sleeps is woken by a request and by a flush, %d times", count);
}

int main(int argc, char **argv)
{
    const long count = argc > 1 ? atol(argv[1]) : 40000;
    threaded = argc > 2 && atoi(argv[2]);
    for (int policy = QN_IDLE; policy <= QN_DEADLINE; policy++)
        soak((enum qn_policy)policy, count / 4 / PRODUCERS * PRODUCERS);
    if (threaded) {
        ring(2000);
        wake(500);
    }
    return done();
}
