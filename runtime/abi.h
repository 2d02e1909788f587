/* The contract between a generated module and whoever loads it.
 *
 * A module is one shared object, whatever its backend, with one symbol,
 * QUERN_MODULE_SYMBOL, of type struct quern_module. The generator copies this
 * header beside what it emits as quern_abi.h, so that generated code needs
 * nothing else of Quern. Change QUERN_ABI when any layout below changes. */
#ifndef QUERN_ABI_H
#define QUERN_ABI_H

#include <stddef.h>
#include <stdint.h>

#define QUERN_ABI 19
#define QUERN_MODULE_SYMBOL "quern_module"

enum {
    QUERN_MAX_AXES = 32,        /* of a module: whatever has an extent */
    QUERN_MAX_RANK = 4,         /* axes of one field */
    QUERN_MAX_EDGES = 4,
    QUERN_MAX_BUFFERS = 11      /* levels -9 .. 1 */
};

enum quern_type {
    QUERN_FLOAT,
    QUERN_DOUBLE,
    QUERN_HALF,
    QUERN_BFLOAT16,
    QUERN_INT                   /* int32_t */
};

/* Offsets are bytes from the start of the module's args struct. All extents,
 * strides and halos in that struct are int64_t, in points (elements). */
struct quern_field {
    const char *name;           /* as in the spec */
    enum quern_type type;       /* storage */
    int rank;
    int axis[QUERN_MAX_RANK];   /* of the module's axes, contiguous first; -1:
                                   the slots of a table, as many as `extra` */
    int at[QUERN_MAX_RANK];     /* half points from the grid's points to the
                                   field's: point i lies at i + at / 2 */
    int oldest, newest;         /* time levels, both 0 without time */
    int buffers;                /* arrays that the owner provides */
    int level[QUERN_MAX_BUFFERS];       /* of each buffer before a step, oldest
                                           first */
    size_t data[QUERN_MAX_BUFFERS];     /* offset of T *: the point (0, ..) */
    size_t stride;              /* offset of int64_t [rank]; stride[0] is 1, or
                                   packed */
    size_t halo;                /* offset of int64_t [rank]: points stored
                                   outside, on both sides */
    int64_t need[QUERN_MAX_RANK][2];    /* halo that some kernel reads below 0
                                           and above n-1 */
    int64_t extra[QUERN_MAX_RANK];      /* points more than the extents */
    double low, high;           /* range of values that kernels are meant for */
    double edge[QUERN_MAX_EDGES];       /* inside it: what formulas compare the
                                           field with */
    int edges;
    int written;                /* 1: some kernel assigns it */
    int constant;               /* 1: what a kernel has prepared may depend on
                                   it */
    int temporary;              /* 1: where its pointer is NULL it lies in the
                                   workspace */
    int packed;                 /* so many fields interleave in one array: it,
                                   and those beside it in the list; 0: none */
    int place;                  /* its elements are those at place, place +
                                   packed, .. */
    size_t value, bound;        /* reference only: offsets of double * results,
                                   dense over its points, contiguous axis first;
                                   0 where nothing is assigned. bound < 0 marks
                                   a point that the kernel leaves alone */
    /* NULL: every point is stored. Else only i < limits[0] and i >= limits[1]
     * along one axis, 0 <= limits[0] <= limits[1] <= n, the second slab right
     * behind the first, value and bound likewise. */
    void (*hollow)(const void *args, int64_t *limits);
    int hollow_axis;            /* which of its axes */
    const int *deciders;        /* the scalars that the limits depend on */
    int decider_count;
};

struct quern_scalar {
    const char *name;
    int integer;                /* 1: int64_t in the args struct, else double */
    double low, high;
    size_t offset;
    int spacing;                /* 1: the spacing of a grid axis */
};

/* Neighbours: for each point of a domain, those points of another that are in
 * its slots. Entries count from `first`; first - 1: none there. */
struct quern_table {
    const char *name;
    int from, to;               /* axes of the module: of rows, of entries */
    int count;                  /* slots of every row; 0: ragged */
    int entries;                /* ragged: the axis that counts all entries */
    int first;                  /* 0 or 1: the number of the first point */
    int skips;                  /* 1: neighbours may be missing */
    int nonempty;               /* 1: some reduction needs one in every row */
    int by_slot;                /* 1: the slots of a row lie side by side, else
                                   the rows of a slot do */
    int affine;                 /* 1: no array, but numbers: the neighbour is
                                   base + row * stride[0] + slot * stride[1] */
    /* Not NULL: composed of two others, slot pattern[i * slots of the second +
     * j] being slot j of the second in slot i of the first; a row that is not
     * so has none. */
    const int *pattern;
    int through[2];
    size_t data;                /* offset of const int32_t *; affine: of
                                   int64_t base */
    size_t stride;              /* offset of int64_t, from one slot to the next
                                   (by_slot: row); affine: of int64_t [2] */
    size_t start;               /* ragged: offset of const int64_t *: where each
                                   row begins, and behind it all entries end */
    /* 0: all kernels read all entries. Else some find them by strides in rows
     * of so many kinds at most: slot s of a row of kind q leads to
     * row / pace[0] * pace[1] + ahead[q][s]. */
    int kinds;
    size_t kind;                /* offset of const int8_t *, a number for each
                                   row, -1: of no kind */
    size_t pace;                /* of int64_t [2] */
    size_t ahead;               /* of int32_t [kinds][count] */
};

struct quern_access {           /* what one kernel does with one array */
    int field, buffer;          /* index of the field, index of its buffer */
    int read, written;
    int64_t reach[QUERN_MAX_RANK][2];
    int handed;                 /* 1: what the kernel has it for ends with it */
};

struct quern_tile_form;            /* of quern_tiles.h */

struct quern_choice {           /* a `where`, `min` or `max` of a formula */
    const char *word;
    const char *place;          /* file:line:column */
};

struct quern_kernel {
    const char *name;           /* <instance>_<kernel>[_<region>]_<shape>_.. */
    const char *kernel;         /* as in the spec */
    const char *region;         /* as in the spec, or "" */
    const char *shape;
    int step;                   /* position in a time step; -1: none */
    /* 0, or the device's error code. */
    int (*launch)(const void *args, void *stream);
    /* 0, or 1 and a sentence in why. */
    int (*check)(const void *args, char *why, size_t size);
    size_t (*workspace)(const void *args);
    /* NULL, or what fills its part of the workspace: after extents, tables,
     * scalars or constant fields have changed. 0, or the device's code. */
    int (*prepare)(const void *args, void *stream);
    /* Of kernels that prepare rows of axis `rows`: where in its part of the
     * workspace each has an int32_t, one every *step, below 0 where it has no
     * folded form; how many there are, of some of which there may be no row:
     * they are below 0, too. */
    int64_t (*folds)(const void *args, const int32_t **first, int64_t *step);
    int rows;
    int64_t (*points)(const void *args);    /* points that a launch updates */
    /* A launch may be several passes, each seeing what the last one wrote; no
     * point is updated in two. How many, and one of them, counted from 0; NULL
     * where there is one. */
    int64_t (*passes)(const void *args);
    int (*launch_pass)(const void *args, int64_t pass, void *stream);
    /* A launch may make several steps at once: what as many launches of
     * another kernel do, between which the levels turn. 0 where it does not. */
    int steps;
    int single;                 /* index of the kernel that makes one of them */
    int turns;                  /* how often the levels turn afterwards: after
                                   each step, or once where only what the last
                                   one gives is kept */
    int alike;                  /* 1: it takes all levels of a field to be the
                                   same at points that it does not update */
    int folded;                 /* 1: its results are sums that are multiplied
                                   out and added up anew; of a reference: its
                                   bounds are those of such kernels */
    const struct quern_access *accesses;
    int access_count;
    const int *tables;          /* those that it reads */
    int table_count;
    /* NULL, or what the tiles are made of that it goes through: offsets of
     * const int32_t *, their words, and of int64_t, how many they are. How many
     * blocks the device holds at once, and each of its multiprocessors: 0, or
     * its error code. */
    const struct quern_tile_form *tiling;
    size_t tiles, tile_count;
    int (*resident)(int64_t *blocks, int64_t *each);
    int adds;                   /* 1: its points add to points of others, in any
                                   order */
    /* 0, or the items that a block serves at most, of one request; the table
     * that leads from items to requests. Offsets of const int32_t *, of each
     * request the first block and item (quern_requests.h), and of int64_t, how
     * many blocks there are. */
    int share_items, share_table;
    size_t firsts, blocks;
    const int *pieces;          /* NULL, or indices of the kernels that a launch
                                   of it launches */
    int piece_count;
    double flops, bytes;        /* per point, of several regions the most;
                                   bytes: each needed input once, each output
                                   once */
    /* NULL, or the bytes of a launch: where regions need different ones. */
    int64_t (*moved)(const void *args);
    int reads, writes;          /* arrays: the mix of the stream kernel */
    int in_place;               /* how many of those written are read too */
    /* Of a reference: what its formulas choose between, and the sides that they
     * have taken since it was loaded: 1: the condition held, 2: it did not. */
    const struct quern_choice *choices;
    unsigned char *sides;
    int choice_count;
};

struct quern_module {
    uint32_t abi;               /* QUERN_ABI */
    const char *spec, *instance;
    const char *hash;           /* of the spec's text and parameters */
    const char *backend;        /* "cuda", "simt", "c", "reference" */
    const char *arch, *fp;      /* "sm_80,sm_90", or ""; "strict", "unfused",
                                   "fast" */
    enum quern_type compute;
    int axes;
    const char *axis[QUERN_MAX_AXES];
    size_t args_size;           /* struct_size, a size_t, is its first member */
    size_t extent;              /* offset of int64_t n[axes] */
    size_t lower, upper;        /* offsets of int64_t [axes]: the sub-range, 0
                                   and n for all */
    size_t workspace;           /* offset of void *workspace */
    int field_count, scalar_count, kernel_count, table_count;
    const struct quern_table *tables;
    const struct quern_field *fields;
    const struct quern_scalar *scalars;
    const struct quern_kernel *kernels;
    /* Launches in order, then rotates the levels. */
    int (*step)(void *args, void *stream);
    /* Two steps, by a kernel that makes them at once; NULL: none does. */
    int (*step2)(void *args, void *stream);
};

#endif
