/* What submitting to a queue costs: so many producers at once, each as fast as it
 * can, while the queue's thread takes batches away. What it takes to have a batch's
 * items in order. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "quern.h"

enum { MOST = 8, EACH = 200000 };

struct producer {
    pthread_t thread;
    struct qn_request *requests;
    double seconds;
};

static struct qn_queue *queue;
static atomic_int waiting;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void must(enum qn_status status)
{
    if (status == QN_OK)
        return;
    fprintf(stderr, "%s\n", qn_last_error());
    exit(1);
}

static enum qn_status launch(void *self, struct qn_batch *batch)
{
    (void)self;
    (void)batch;
    return QN_OK;
}

static void *produce(void *self)
{
    struct producer *const producer = self;
    atomic_fetch_sub(&waiting, 1);
    while (atomic_load(&waiting) > 0)
        continue;
    const double begin = now();
    for (int i = 0; i < EACH; i++)
        must(qn_queue_submit(queue, &producer->requests[i]));
    producer->seconds = now() - begin;
    return NULL;
}

static void bench(int producers)
{
    static struct producer list[MOST];
    const struct qn_queue_settings settings = { .capacity = MOST * EACH, .thread = 1 };
    const struct qn_launcher launcher = { .launch = launch };
    struct qn_queue_stats stats;
    double sum = 0;
    must(qn_queue_create(&settings, &launcher, &queue));
    atomic_store(&waiting, producers);
    for (int i = 0; i < producers; i++) {
        list[i].requests = malloc(EACH * sizeof *list[i].requests);
        if (!list[i].requests)
            exit(1);
        memset(list[i].requests, 0, EACH * sizeof *list[i].requests);
        if (pthread_create(&list[i].thread, NULL, produce, &list[i]) != 0)
            exit(1);
    }
    for (int i = 0; i < producers; i++) {
        pthread_join(list[i].thread, NULL);
        sum += list[i].seconds;
    }
    must(qn_queue_drain(queue));
    qn_queue_get_stats(queue, &stats);
    qn_queue_destroy(queue);
    for (int i = 0; i < producers; i++)
        free(list[i].requests);
    printf("queue: %d producers: %.0f ns a submit, batches of %.0f\n", producers,
           1e9 * sum / producers / EACH, stats.size.mean);
}

static void bench_items(enum qn_order order, const char *name)
{
    enum { ITEMS = 100000, PART = 50 };
    static uint32_t keys[ITEMS];
    struct qn_items *items;
    const uint32_t *index, *owner;
    size_t count;
    for (uint32_t i = 0, state = 1; i < ITEMS; i++) {
        state = state * 1664525 + 1013904223;
        keys[i] = state >> 8;
    }
    must(qn_items_create(order, &items));
    for (int round = 0; round < 2; round++) {       /* the second has its memory */
        const double begin = now();
        for (uint32_t i = 0; i < ITEMS; i += PART)
            must(qn_items_add(items, PART, keys + i, i / PART));
        must(qn_items_take(items, &count, &index, &owner));
        if (round == 1)
            printf("items: %zu %s: %.2f ms\n", count, name, 1e3 * (now() - begin));
    }
    qn_items_free(items);
}

int main(void)
{
    for (int producers = 1; producers <= MOST; producers *= 2)
        bench(producers);
    bench_items(QN_ORDER_NONE, "as they came");
    bench_items(QN_ORDER_FLUSH, "sorted at once");
    bench_items(QN_ORDER_INSERT, "inserted");
    return 0;
}
