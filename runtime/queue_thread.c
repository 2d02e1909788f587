/* The queue's own thread: it polls, and sleeps when nothing is due. */
#define _POSIX_C_SOURCE 200809L
#include "queue.h"

#include <math.h>
#include <sched.h>
#include <time.h>

/* Sleeping for less takes longer than that. */
static const double doze = 1e-4;

void qn_queue_wake(struct qn_queue *queue)
{
    pthread_mutex_lock(&queue->bed);
    queue->rung = 1;
    pthread_cond_signal(&queue->bell);
    pthread_mutex_unlock(&queue->bed);
}

static void wait_for_bell(struct qn_queue *queue, double due)
{
    if (due > 1e9 + qn__queue_now(queue)) {
        pthread_cond_wait(&queue->bell, &queue->bed);
        return;
    }
    struct timespec until = { .tv_sec = (time_t)due };
    until.tv_nsec = (long)(1e9 * (due - floor(due)));
    pthread_cond_timedwait(&queue->bell, &queue->bed, &until);
}

/* A producer stores its request, then looks whether the thread is asleep; the
 * thread says that it is, then looks for requests: one of the two sees. */
static void rest(struct qn_queue *queue, double due)
{
    if (due < doze + qn__queue_now(queue)) {
        sched_yield();
        return;
    }
    pthread_mutex_lock(&queue->bed);
    atomic_store(&queue->asleep, 1);
    if (!queue->rung && !qn__queue_news(queue))
        wait_for_bell(queue, due);
    atomic_store(&queue->asleep, 0);
    queue->rung = 0;
    pthread_mutex_unlock(&queue->bed);
}

/* Batches in flight are asked after all the time, where none rings. */
static void *serve(void *self)
{
    struct qn_queue *const queue = self;
    while (!atomic_load(&queue->stopping)) {
        pthread_mutex_lock(&queue->lock);
        double due = qn__queue_turn(queue);
        if (queue->in_flight > 0 && !queue->launcher.wakes)
            due = 0;
        pthread_mutex_unlock(&queue->lock);
        rest(queue, due);
    }
    return NULL;
}

enum qn_status qn__queue_start(struct qn_queue *queue)
{
    if (queue->settings.thread
        && pthread_create(&queue->thread, NULL, serve, queue) != 0)
        return qn__fail(QN_NO_MEMORY, "no thread for the queue");
    return QN_OK;
}

void qn__queue_stop(struct qn_queue *queue)
{
    if (!queue->settings.thread)
        return;
    atomic_store(&queue->stopping, 1);
    qn_queue_wake(queue);
    pthread_join(queue->thread, NULL);
}
