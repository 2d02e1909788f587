/* What the files of the split share. */
#ifndef QUERN_SPLIT_H
#define QUERN_SPLIT_H

#include "cost.h"
#include "queue.h"

enum { QN_SIDES = 2 };          /* the device, the CPU */

/* What is known of one of the two. */
struct qn__side {
    struct qn__cost cost;       /* seconds for items */
    uint64_t batches, requests, items;
    double seconds;             /* of all of them */
};

struct qn_split {
    enum qn_split_policy policy;
    struct qn_launcher launcher[QN_SIDES];
    struct qn_clock clock;
    struct qn__side side[QN_SIDES];
    uint64_t cuts;
    double owed;                /* seconds that may go into trying */
};

/* split.c */

/* How many of the batch's requests, the first ones, are for the device. */
size_t qn__split_cut(struct qn_split *split, const struct qn_batch *batch);
void qn__split_measured(struct qn__side *side, const struct qn_batch *part,
                        double seconds);
int64_t qn__batch_items(const struct qn_batch *batch);

#endif
