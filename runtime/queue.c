/* The queue: made, flushed, drained, freed. */
#define _POSIX_C_SOURCE 200809L
#include "queue.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double steady(void *self)
{
    struct timespec time;
    (void)self;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void yield(void *self, double until)
{
    (void)self;
    (void)until;
    sched_yield();
}

const struct qn_clock qn__queue_clock = { NULL, steady, yield };

double qn__queue_now(const struct qn_queue *queue)
{
    const struct qn_clock *const clock = &queue->settings.clock;
    return clock->now(clock->self);
}

/* --- made and freed ------------------------------------------------------ */

static void release(struct qn_queue *queue)
{
    pthread_cond_destroy(&queue->bell);
    pthread_cond_destroy(&queue->ended);
    pthread_mutex_destroy(&queue->bed);
    pthread_mutex_destroy(&queue->lock);
    free(queue->batches);
    free(queue->strands);
    free(queue->ring);
    free(queue);
}

/* Timed waits are by the steady clock, too. */
static void make_locks(struct qn_queue *queue)
{
    pthread_condattr_t steadily;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_mutex_init(&queue->bed, NULL);
    pthread_condattr_init(&steadily);
    pthread_condattr_setclock(&steadily, CLOCK_MONOTONIC);
    pthread_cond_init(&queue->bell, &steadily);
    pthread_cond_init(&queue->ended, &steadily);
    pthread_condattr_destroy(&steadily);
}

static void attach(const struct qn_launcher *launcher, struct qn_queue *queue)
{
    if (launcher->attach)
        launcher->attach(launcher->self, queue);
}

static enum qn_status make_arrays(struct qn_queue *queue)
{
    const size_t flights = (size_t)queue->settings.most_flights;
    const size_t all = queue->settings.capacity;
    size_t slots = QN_STRAND;
    while (slots <= all + (all > QN_MANY ? QN_MANY : 0))    /* one is always */
        slots *= 2;                                         /* empty */
    queue->mask = slots - 1;
    queue->ring = aligned_alloc(QN_LINE, slots * sizeof *queue->ring);
    if (queue->ring)
        memset(queue->ring, 0, slots * sizeof *queue->ring);
    queue->strands = calloc(slots / QN_STRAND, sizeof *queue->strands);
    queue->batches = calloc(flights, sizeof *queue->batches);
    if (!queue->ring || !queue->strands || !queue->batches)
        return qn__fail(QN_NO_MEMORY, "no memory for a queue of %zu requests",
                        queue->settings.capacity);
    for (size_t at = 0; at < slots; at += QN_STRAND)
        atomic_init(&qn__queue_strand(queue, at)->state, at);
    for (size_t i = 0; i < flights; i++) {
        queue->batches[i].next = queue->spare;
        queue->spare = &queue->batches[i];
    }
    queue->last = &queue->flying;
    return QN_OK;
}

enum qn_status qn_queue_create(const struct qn_queue_settings *settings,
                               const struct qn_launcher *launcher,
                               struct qn_queue **queue)
{
    struct qn_queue_settings settled = *settings;
    *queue = NULL;
    if (!settled.clock.now)
        settled.clock.now = steady;
    if (!settled.clock.pause)
        settled.clock.pause = yield;
    enum qn_status status = qn__queue_settle(&settled, launcher);
    if (status != QN_OK)
        return status;
    if (settled.thread && settled.clock.now != steady)
        return qn__fail(QN_INVALID, "a queue with a clock of its own has no"
                        " thread: it is polled by who moves the clock");
    struct qn_queue *const made = calloc(1, sizeof *made);
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory for a queue");
    made->settings = settled;
    made->launcher = *launcher;
    made->most = INT64_MAX / (int64_t)settled.capacity;
    made->launched = -INFINITY;
    make_locks(made);
    status = make_arrays(made);
    attach(launcher, made);
    if (status == QN_OK)
        status = qn__queue_start(made);
    if (status != QN_OK) {
        attach(launcher, NULL);
        release(made);
        return status;
    }
    *queue = made;
    return QN_OK;
}

/* Callbacks are called under the lock: what one submitted before is drained,
 * what one would submit later is refused. */
static void shut(struct qn_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    atomic_store(&queue->shut, 1);
    pthread_mutex_unlock(&queue->lock);
}

void qn_queue_destroy(struct qn_queue *queue)
{
    if (!queue || qn__queue_inside(queue))
        return;
    shut(queue);
    qn_queue_drain(queue);
    qn__queue_stop(queue);
    attach(&queue->launcher, NULL);
    release(queue);
}

/* --- used ---------------------------------------------------------------- */

enum qn_state qn_request_state(const struct qn_request *request)
{
    return (enum qn_state)(__atomic_load_n(&request->state, __ATOMIC_ACQUIRE)
                           % QN_CLAIMED);
}

void qn_queue_flush(struct qn_queue *queue)
{
    const size_t tail = atomic_load(&queue->tail);
    size_t flushed = atomic_load(&queue->flushed);
    while ((ptrdiff_t)(tail - flushed) > 0
           && !atomic_compare_exchange_weak(&queue->flushed, &flushed, tail))
        continue;
    qn_queue_wake(queue);
}

/* Are the first `count` requests done? Under the lock. */
static bool through(const struct qn_queue *queue, size_t count)
{
    if ((ptrdiff_t)(queue->head - count) < 0)
        return false;
    /* Those before head are in flight or done. */
    return !queue->flying || (ptrdiff_t)(queue->flying->from - count) >= 0;
}

/* Two that poll would only take each other's turns, and a processor: where the
 * queue has a thread, it is left to it, but for a look now and then. */
static void wait_for_thread(struct qn_queue *queue)
{
    const double until = qn__queue_now(queue) + 1e-3;
    struct timespec time = { .tv_sec = (time_t)until };
    time.tv_nsec = (long)(1e9 * (until - floor(until)));
    queue->drains++;
    pthread_cond_timedwait(&queue->ended, &queue->lock, &time);
    queue->drains--;
}

enum qn_status qn_queue_drain(struct qn_queue *queue)
{
    if (qn__queue_inside(queue))
        return qn__fail(QN_INVALID, "what a queue calls cannot wait for it");
    const size_t target = atomic_load(&queue->tail);
    qn_queue_flush(queue);
    for (;;) {
        pthread_mutex_lock(&queue->lock);
        const double due = qn__queue_turn(queue);
        if (queue->settings.thread && !through(queue, target))
            wait_for_thread(queue);
        const bool well = through(queue, target);
        pthread_mutex_unlock(&queue->lock);
        if (well) {
            qn_queue_wake(queue);       /* of what came later */
            return QN_OK;
        }
        if (!queue->settings.thread)
            queue->settings.clock.pause(queue->settings.clock.self, due);
    }
}
