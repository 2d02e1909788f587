/* An octree of particles, and what a bucket of them interacts with, after Barnes and Hut
 * (Nature 324, 446, 1986): particles near it, and cells that stand for those far away. */
#ifndef TREE_H
#define TREE_H

#include <stddef.h>
#include <stdint.h>

enum { BUCKET = 16 };           /* particles, but where more are at one place */

struct cell {
    double at[3], mass;         /* centre of mass */
    double side;                /* of its cube */
    int first, end;             /* particles, in the tree's order */
    int child, children;        /* cells; none of a bucket */
    int level;                  /* times that the root was halved */
};

struct tree {
    int count, cells;           /* particles; cells, parents before children */
    struct cell *cell;          /* room for tree_most_cells */
    struct place *place;
    int32_t *order;             /* particles, along Morton's curve */
};

/* Of so many particles. */
int tree_most_cells(int count);
/* Ends the program where there is no memory. */
void tree_open(struct tree *tree, int count);
void tree_close(struct tree *tree);

/* Of particles at at[3][count], of such masses. */
void tree_build(struct tree *tree, double *const *at, const double *mass);

/* Items of a list, which grows. */
struct items {
    int32_t *item;
    size_t count, room;
};

/* Adds to `near` the particles, and to `far` the cells, that pull on those of a bucket.
 * A cell is far where its side is less than angle times the distance of its centre of
 * mass from the box around the bucket's particles. */
void tree_walk(const struct tree *tree, double *const *at, int bucket, double angle,
               struct items *near, struct items *far);

#endif
