/* What the files of the split share. */
#ifndef QUERN_SPLIT_H
#define QUERN_SPLIT_H

#include "cost.h"
#include "queue.h"

enum {
    QN_SIDES = 2,               /* the device, the CPU */
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

/* What a batch can be: one side's alone, or cut. */
enum qn__way { QN_WHOLE, QN_CUT, QN_WAYS };

/* What batches of a way took of the time in which there was work, of those that
 * were launched behind others of their way alone. */
struct qn__pace {
    double seconds, items;
    int batches;
    bool tried;
};

/* Of a batch in flight, .. */
struct qn__paced {
    enum qn__way way;
    double launched, items;
    bool among;                 /* .. it was, behind those of its way alone */
};

struct qn_split {
    enum qn_split_policy policy;
    struct qn_launcher launcher[QN_SIDES];
    struct qn_clock clock;
    struct qn__side side[QN_SIDES];
    struct halves *flying;      /* batches */
    uint64_t cuts;
    double owed;                /* see qn__trial_due */
    enum qn__way way;           /* of the last batch */
    struct qn__pace pace[QN_WAYS];
    double ended;               /* when the last batch did */
    double owed_turn;           /* see qn__trial_due */
    enum qn__way trying;
    int left;                   /* batches that are yet to try it */
};

/* split.c */

/* How many of the batch's requests, the first ones, are for the device. */
size_t qn__split_cut(struct qn_split *split, const struct qn_batch *batch,
                     double items);
void qn__split_measured(struct qn__side *side, size_t requests, double items,
                        double seconds);

/* split_pace.c */

/* A batch has ended. */
void qn__pace_add(struct qn_split *split, const struct qn__paced *batch);
/* The way of the next one, of so many items, which is expected to take so many
 * seconds whole, or cut: what is expected counts till it is known. While one
 * batch is in flight at a time it is exact, and nothing is tried. */
enum qn__way qn__pace_way(struct qn_split *split, double items, double whole,
                          double both);

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
