/* Charges, or masses, in a cube that repeats along all axes: their potential, summed with
 * the requests of specs/ewald.lua. */
#ifndef CHARGES_H
#define CHARGES_H

#include "quern.h"

enum { DENSITY, SHORT, LONG, REQUESTS };        /* the kinds of them */

/* All of one kind. */
struct kind {
    struct qn_server *server;
    struct qn_queue *queue;
    int count;
    struct qn_points (*lists)[2];
    double (*shift)[3];
    struct qn_work *work;
    struct qn_request *request;
};

struct charges {
    double side;                /* of the cube */
    double alpha;               /* 1 over the width of the clouds: results do not depend on it */
    double reach;               /* what is nearer than this is summed one by one */
    int count, waves;
    double *at[3], *charge;     /* places from 0 to before side */
    double *potential, *slope[3];       /* sums of q/r over all others and all images, and of
                                           its gradient, once charges_solve has been called */

    struct qn_context *context;
    struct qn_module *module;
    struct qn_field *field[14];
    struct kind kind[REQUESTS];
    int cells, *first;          /* along a side; of each cell's charges, in bucket */
    int32_t *bucket, *all_waves;
    struct {
        int32_t *item;
        size_t count, room;
    } near;
};

/* Room for so many charges, all 0. alpha 0: that with which near charges and waves take
 * about as long. runtime: where the device modules are, or NULL. Ends the program where it
 * cannot be. */
void charges_open(struct charges *charges, const char *context, const char *runtime,
                  const char *module, double side, int count, double alpha);
void charges_close(struct charges *charges);
void charges_solve(struct charges *charges);
/* What queues and servers did, as tables on stdout. */
void charges_report(const struct charges *charges);

#endif
