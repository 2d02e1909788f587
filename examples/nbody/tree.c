/* The octree, built level by level from particles along Morton's curve. */
#include "tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 21 };           /* of three bits, in a key of 64 */

struct place {
    uint64_t key;
    int32_t particle;
};

static void *some(void *memory, size_t count, size_t size)
{
    void *const made = realloc(memory, count * size);
    if (made)
        return made;
    fprintf(stderr, "nbody: no memory for %zu elements\n", count);
    exit(3);
}

/* A cell that is not a bucket has two children at least. */
int tree_most_cells(int count)
{
    return 2 * count;
}

void tree_open(struct tree *tree, int count)
{
    const size_t particles = (size_t)count;
    *tree = (struct tree){ .count = count };
    tree->cell = some(NULL, (size_t)tree_most_cells(count), sizeof *tree->cell);
    tree->place = some(NULL, particles, sizeof *tree->place);
    tree->order = some(NULL, particles, sizeof *tree->order);
}

void tree_close(struct tree *tree)
{
    free(tree->cell);
    free(tree->place);
    free(tree->order);
}

/* --- particles along the curve -------------------------------------------- */

/* Two zeros between the bits of a number of 21. */
static uint64_t spread(uint64_t bits)
{
    bits = (bits | bits << 32) & 0x001f00000000ffff;
    bits = (bits | bits << 16) & 0x001f0000ff0000ff;
    bits = (bits | bits << 8) & 0x100f00f00f00f00f;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
    return (bits | bits << 2) & 0x1249249249249249;
}

static int by_key(const void *left, const void *right)
{
    const struct place *const a = left, *const b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->particle - b->particle;
}

/* The side of the cube around all particles. */
static double sort(struct tree *tree, double *const *at)
{
    double low[3], side = 0;
    for (int k = 0; k < 3; k++) {
        double high = low[k] = at[k][0];
        for (int i = 1; i < tree->count; i++) {
            low[k] = fmin(low[k], at[k][i]);
            high = fmax(high, at[k][i]);
        }
        side = fmax(side, high - low[k]);
    }
    side = side > 0 ? side * (1 + 1e-9) : 1;
    for (int i = 0; i < tree->count; i++) {
        tree->place[i] = (struct place){ .particle = i };
        for (int k = 0; k < 3; k++)
            tree->place[i].key |= spread((uint64_t)((at[k][i] - low[k]) / side
                                                    * (1 << LEVELS))) << k;
    }
    qsort(tree->place, (size_t)tree->count, sizeof *tree->place, by_key);
    for (int i = 0; i < tree->count; i++)
        tree->order[i] = tree->place[i].particle;
    return side;
}

/* --- cells ---------------------------------------------------------------- */

static int octant(const struct tree *tree, int i, int level)
{
    return (int)(tree->place[i].key >> (3 * (LEVELS - 1 - level)) & 7);
}

/* A cell whose particles are all in one octant becomes that octant. */
static void shrink(const struct tree *tree, struct cell *cell)
{
    while (cell->level < LEVELS && octant(tree, cell->first, cell->level)
                                   == octant(tree, cell->end - 1, cell->level)) {
        cell->level++;
        cell->side /= 2;
    }
}

static void split(struct tree *tree, struct cell *cell)
{
    cell->children = 0;
    if (cell->end - cell->first <= BUCKET)
        return;
    shrink(tree, cell);
    if (cell->level == LEVELS)
        return;
    cell->child = tree->cells;
    for (int i = cell->first, next; i < cell->end; i = next) {
        for (next = i + 1; next < cell->end
             && octant(tree, next, cell->level) == octant(tree, i, cell->level); next++)
            ;
        tree->cell[tree->cells++] = (struct cell){ .side = cell->side / 2, .first = i,
                                                   .end = next, .level = cell->level + 1 };
        cell->children++;
    }
}

static void add(struct cell *sum, const double *at, double mass)
{
    sum->mass += mass;
    for (int k = 0; k < 3; k++)
        sum->at[k] += mass * at[k];
}

/* Of children, which have been weighed, or of particles. */
static void weigh(struct tree *tree, struct cell *cell, double *const *at, const double *mass)
{
    for (int c = cell->child; c < cell->child + cell->children; c++)
        add(cell, tree->cell[c].at, tree->cell[c].mass);
    for (int i = cell->first; cell->children == 0 && i < cell->end; i++) {
        const int32_t p = tree->order[i];
        add(cell, (const double[]){ at[0][p], at[1][p], at[2][p] }, mass[p]);
    }
    for (int k = 0; k < 3 && cell->mass > 0; k++)
        cell->at[k] /= cell->mass;
}

void tree_build(struct tree *tree, double *const *at, const double *mass)
{
    tree->cell[0] = (struct cell){ .side = sort(tree, at), .end = tree->count };
    tree->cells = 1;
    for (int c = 0; c < tree->cells; c++)
        split(tree, &tree->cell[c]);
    for (int c = tree->cells; c-- > 0;)
        weigh(tree, &tree->cell[c], at, mass);
}

/* --- interactions --------------------------------------------------------- */

static void append(struct items *items, int32_t item)
{
    if (items->count == items->room) {
        items->room = 2 * items->room + 1024;
        items->item = some(items->item, items->room, sizeof *items->item);
    }
    items->item[items->count++] = item;
}

struct group {
    double low[3], high[3];
};

static struct group group_of(const struct tree *tree, double *const *at, const struct cell *cell)
{
    struct group group;
    for (int k = 0; k < 3; k++) {
        group.low[k] = group.high[k] = at[k][tree->order[cell->first]];
        for (int i = cell->first + 1; i < cell->end; i++) {
            group.low[k] = fmin(group.low[k], at[k][tree->order[i]]);
            group.high[k] = fmax(group.high[k], at[k][tree->order[i]]);
        }
    }
    return group;
}

static int is_far(const struct group *group, const struct cell *cell, double angle)
{
    double squares = 0;
    for (int k = 0; k < 3; k++) {
        const double below = group->low[k] - cell->at[k], above = cell->at[k] - group->high[k];
        const double d = below > above ? below : above;
        squares += d > 0 ? d * d : 0;
    }
    return cell->side * cell->side < angle * angle * squares;
}

void tree_walk(const struct tree *tree, double *const *at, int bucket, double angle,
               struct items *near, struct items *far)
{
    const struct group group = group_of(tree, at, &tree->cell[bucket]);
    int stack[8 * LEVELS + 8], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const int c = stack[--depth];
        const struct cell *const cell = &tree->cell[c];
        if (is_far(&group, cell, angle)) {
            append(far, c);
            continue;
        }
        for (int i = cell->children; i-- > 0;)
            stack[depth++] = cell->child + i;
        for (int i = cell->first; cell->children == 0 && i < cell->end; i++)
            append(near, tree->order[i]);
    }
}
