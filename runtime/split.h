/* What the files of the split share. */
#ifndef QUERN_SPLIT_H
#define QUERN_SPLIT_H

#include "cost.h"
#include "queue.h"

enum {
    QN_SIDES = 2,               /* the device, the CPU */
    QN_SIZES = 16,              /* of loads that are told apart */
    QN_LEARN = 8                /* times that each is tried, at first */
};

/* What is known of one of the two. */
struct qn__side {
    struct qn__cost cost;       /* seconds for items */
    struct qn__cost alone;      /* when the other side does nothing: working,
                                   they slow each other down */
    struct qn__cost hold;       /* when it does, of the poller: launching */
    struct qn__cost rest;       /* after that, nothing being ahead */
    uint64_t batches, requests, items;
    double seconds;             /* of all of them */
    int flying;                 /* parts in flight, .. */
    double until;               /* .. which are expected to end then */
    double ended;               /* when the last one did */
};

/* What becomes of batches, where several are in flight: each is one side's
 * alone; each is cut; or the CPU has a quarter, half, .. of what it can do
 * while the device does the rest of all that waits, from the first batches
 * on. */
enum qn__way { QN_WHOLE, QN_CUT, QN_AHEAD, QN_WAYS = QN_AHEAD + 4 };

/* What runs of a way took. */
struct qn__pace {
    struct qn__cost runs;
    double owed;                /* see qn__trial_due */
};

/* Batches in one way, one behind the other, till none is in flight. */
struct qn__run {
    struct qn__pace *paces;     /* of runs of about so much work */
    enum qn__way way;
    int batches, flying;        /* launched (0: it is over), not ended */
    double launched, given;     /* items: all, and the CPU's */
    double items, seconds;      /* of batches that have ended, of the time in
                                   which there was work */
    bool failed;                /* one of them has */
};

/* Of a batch in flight. */
struct qn__paced {
    struct qn__run *run;        /* NULL: it is of none */
    double items;
};

struct qn_split {
    enum qn_split_policy policy;
    struct qn_launcher launcher[QN_SIDES];
    struct qn_clock clock;
    struct qn__side side[QN_SIDES];
    struct halves *flying;      /* batches */
    uint64_t cuts;
    double owed;                /* see qn__trial_due */
    const struct qn_queue *queue;       /* whose launcher it is, or NULL */
    struct qn__pace paces[QN_SIZES][QN_WAYS];   /* by items that wait at
                                                   first: a size is twice
                                                   another */
    struct qn__run runs[2], *run;       /* that goes on, or NULL */
    double since;               /* when the last batch ended, or one was
                                   launched when nothing was in flight */
};

/* split.c */

/* How many of the batch's requests, the first ones, are for the device. */
size_t qn__split_cut(struct qn_split *split, const struct qn_batch *batch,
                     double items);
void qn__split_measured(struct qn__side *side, size_t requests, double items,
                        double seconds);

/* split_pace.c */

/* The way of the next batch, where so many items wait. */
enum qn__way qn__pace_way(struct qn_split *split, double items);
/* Of a way that gives the CPU something of what waits: how many of the batch's
 * `all` items, which are among those waiting, the CPU gets that has something
 * to do for `ahead` seconds. */
double qn__pace_share(struct qn_split *split, double ahead, double all,
                      double waiting);
/* A batch of so many items was launched, of which the CPU has some. */
struct qn__paced qn__pace_launched(struct qn_split *split, double began,
                                   double items, double given);
void qn__pace_ended(struct qn_split *split, const struct qn__paced *batch,
                    bool failed);

/* split_expect.c: seconds that things take, of which all are `all` items */

/* Till what each side has in flight has ended. */
struct qn__ahead {
    double of[QN_SIDES];
};

struct qn__ahead qn__split_ahead(const struct qn_split *split);
/* Which of the two is launched first, with so many items each: the one that is
 * launched in less time, so that the other's launching holds nobody up. */
int qn__split_first(struct qn_split *split, double device, double cpu);
/* Till all of it has ended that one side gets: by what it takes alone, if that
 * is known. */
double qn__split_alone(struct qn_split *split, struct qn__ahead ahead,
                       int index, double all);
/* Till both have ended that get a share each, as is best. */
double qn__split_both(struct qn_split *split, struct qn__ahead ahead,
                      double all);
/* Till the batch has, if the device gets the first `cut` requests, which have
 * so many items. */
double qn__split_end(struct qn_split *split, struct qn__ahead ahead,
                     const struct qn_batch *batch, size_t cut, double items,
                     double all);
/* Behind one of the two requests that are nearest to where both end at once. */
size_t qn__split_even(struct qn_split *split, struct qn__ahead ahead,
                      const struct qn_batch *batch, double all, double *least);

#endif
