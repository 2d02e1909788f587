/* Particles in a periodic box that is cut into patches, one request for each patch and
 * for each pair of neighbours; particles go from patch to patch as they move. */
#ifndef BOX_H
#define BOX_H

#include "quern.h"

enum { KINDS = 2 };             /* requests: within a patch, between two */

struct box {
    double size[2], cutoff;
    int count;                  /* particles */
    double *at[2], *v[2], *force[2];
    int *patch;                 /* of each particle */
    long moved;                 /* times that one was found in another patch */
    double energy;              /* of the potential: set by box_all_pairs */

    struct qn_context *context;
    struct qn_module *module;
    struct qn_field *field[4];  /* px, py, fx, fy */
    struct qn_server *server[KINDS];
    struct qn_queue *queue[KINDS];
    int side[2], patches, requests[KINDS];
    int32_t *members;           /* particles, patch by patch */
    struct qn_points *of;       /* a patch's members */
    struct qn_points (*lists)[2];       /* of each request: a, b */
    double (*shift)[2];
    struct qn_work *work;
    struct qn_request *request;
};

/* Room for so many particles, all at rest at the origin, and the module's requests.
 * runtime: where the device modules are, or NULL. Ends the program where it cannot be. */
void box_open(struct box *box, const char *context, const char *runtime, const char *module,
              const double *size, double cutoff, int count);
void box_close(struct box *box);

/* Forces where particles are, from the kernels. */
void box_forces(struct box *box);
/* The same by a loop over all pairs, and the potential's energy, which is cut off where
 * forces are. */
void box_all_pairs(struct box *box, double **force);
/* So many steps of velocity Verlet; forces are those of the last before and after. */
void box_step(struct box *box, double dt, int steps);

double box_kinetic(const struct box *box);
double box_momentum(const struct box *box);     /* the larger component */
/* What the queues and servers did, as tables on stdout. */
void box_report(const struct box *box);

#endif
