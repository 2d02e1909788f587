/* See queue_virtual.h. */
#include "queue_virtual.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

static double now(void *self)
{
    return ((const struct world *)self)->now;
}

static double next_end(const struct world *world)
{
    double next = INFINITY;
    for (int i = 0; i < world->flying; i++)
        next = fmin(next, world->ends[i]);
    return next;
}

/* The next time at which anything can change by itself, after now. */
static double next_event(const struct world *world, double due)
{
    double next = next_end(world);
    if (due > world->now)
        next = fmin(next, due);
    if (world->busy_until > world->now)
        next = fmin(next, world->busy_until);
    return next;
}

static void pause_world(void *self, double until)
{
    struct world *const world = self;
    const double next = next_event(world, until);
    if (next == INFINITY) {
        printf("Bail out! a queue waits for what never comes\n");
        exit(1);
    }
    world->now = fmax(world->now, next);
}

static enum qn_status launch(void *self, struct qn_batch *batch)
{
    static const char *const why[] = { "size", "pause", "age", "idle", "flush" };
    struct world *const world = self;
    const size_t used = strlen(world->log);
    if (world->now < world->busy_until)
        return QN_BUSY;
    snprintf(world->log + used, sizeof world->log - used, "%s@%g x%zu %s",
             used ? ", " : "", world->now, batch->count, why[batch->reason]);
    if (world->launching != QN_OK)
        return world->launching;
    int nth = 0;
    for (struct qn_request *at = batch->first; at; at = at->next)
        if (world->bad && ++nth % world->bad == 0)
            at->status = QN_WRONG;
    double *const end = malloc(sizeof *end);
    *end = world->now + world->service;
    world->ends[world->flying++] = *end;
    batch->data = end;
    return QN_OK;
}

static int finished(void *self, struct qn_batch *batch, enum qn_status *status)
{
    struct world *const world = self;
    double *const end = batch->data;
    if (*end > world->now)
        return 0;
    for (int i = 0; i < world->flying; i++)
        if (world->ends[i] == *end) {
            world->ends[i] = world->ends[--world->flying];
            break;
        }
    free(end);
    *status = world->ending;
    return 1;
}

void world_open(struct world *world, struct qn_queue_settings settings,
                struct qn_launcher limits)
{
    limits.self = world;
    limits.launch = launch;
    limits.finished = finished;
    settings.clock = (struct qn_clock){ world, now, pause_world };
    must(qn_queue_create(&settings, &limits, &world->queue));
}

/* Polls at this time, unless nobody does; when to poll next. */
static double poll(struct world *world)
{
    double due = INFINITY;
    if (world->now < world->deaf_until)
        return world->deaf_until;
    must(qn_queue_poll(world->queue, &due));
    return due;
}

void world_run(struct world *world, struct qn_request *requests, size_t count,
               const double *times, double end)
{
    size_t came = 0;
    double due = INFINITY;
    for (;;) {
        for (; came < count && times[came] <= world->now; came++)
            must(qn_queue_submit(world->queue, &requests[came]));
        due = poll(world);
        double next = next_event(world, due);
        if (came < count)
            next = fmin(next, times[came]);
        if (next > end)
            break;
        world->now = fmax(world->now, next);
    }
    world->now = end;
}

void world_close(struct world *world)
{
    world->busy_until = 0;
    qn_queue_destroy(world->queue);
}
