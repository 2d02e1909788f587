/* Particles that pull on each other: a request for each bucket of an octree. */
#ifndef GALAXY_H
#define GALAXY_H

#include <stdbool.h>

#include "quern.h"
#include "tree.h"

/* What does the work, and how: zero is what is said in brackets. */
struct machine {
    const char *context, *module;       /* of specs/nbody.lua, for that context */
    const char *runtime;                /* where device modules are (as qn_context_runtime) */
    bool moved;                         /* values stay with the host, and blocks of them go
                                           to the device (all values are written there) */
    enum qn_reuse reuse;                /* of blocks, where they move */
    enum qn_order order;                /* of a batch's particles */
};

/* G is 1. */
struct galaxy {
    int count;
    double soft2;                       /* softening, squared */
    double angle;                       /* a cell is far below */
    double *at[3], *v[3], *mass;
    float *pull[3];                     /* accelerations, once galaxy_pull has been called */

    struct tree tree;
    struct found *found;                /* by each thread */
    int threads;
    float *place[4], *centre[4];        /* x, y, z, mass, as the module stores them */
    bool moved;
    struct qn_context *context;
    struct qn_module *module;
    struct qn_field *field[11];
    struct qn_server *server;
    struct qn_queue *queue;
    int requests;
    struct walk *walk;                  /* of each request */
    struct qn_points (*lists)[3];       /* of each request: bucket, near, far */
    struct qn_work *work;
    struct qn_request *request;
};

/* Room for so many particles. Ends the program where it cannot be. */
void galaxy_open(struct galaxy *galaxy, const struct machine *machine, int count,
                 double soft2);
void galaxy_close(struct galaxy *galaxy);

/* Accelerations where particles are, from the kernels. */
void galaxy_pull(struct galaxy *galaxy);
/* So many steps of a leapfrog, kick, drift, kick; accelerations are those of the last
 * before and after. */
void galaxy_step(struct galaxy *galaxy, double dt, int steps);

/* By a loop over all, that on one particle. */
void galaxy_direct(const struct galaxy *galaxy, int particle, double *pull);
/* What pulls on a particle, in the mean: particles near and cells far. */
double galaxy_pulls(const struct galaxy *galaxy);
double galaxy_kinetic(const struct galaxy *galaxy);
double galaxy_potential(const struct galaxy *galaxy);   /* of all pairs */
/* Seconds so far: of batches with their tables, and of moving blocks. */
void galaxy_times(const struct galaxy *galaxy, double *batches, double *moves);
/* What the queue and the server did, as tables on stdout. */
void galaxy_report(const struct galaxy *galaxy);

#endif
