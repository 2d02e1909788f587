/* A queue on a virtual clock: time moves from one event to the next. */
#ifndef QUEUE_VIRTUAL_H
#define QUEUE_VIRTUAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "quern.h"

enum { MOST_FLIGHTS = 64 };

/* A device that runs any number of batches side by side, each for `service`,
 * and its launcher. The log has a word for every launch: time, size, why. */
struct world {
    double now;
    double service;
    double busy_until;          /* launches before are QN_BUSY */
    double deaf_until;          /* nobody polls before */
    enum qn_status launching, ending;   /* what launches, and batches, come to */
    int bad;                    /* each so many-th request of a batch fails */
    int flying;
    double ends[MOST_FLIGHTS];
    char log[4096];
    struct qn_queue *queue;
};

void world_open(struct world *world, struct qn_queue_settings settings,
                struct qn_launcher limits);
/* All of them, at their times, ascending; time goes on till `end`. */
void world_run(struct world *world, struct qn_request *requests, size_t count,
               const double *times, double end);
void world_close(struct world *world);

#endif
