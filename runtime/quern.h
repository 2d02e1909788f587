/* libquern: load generated modules, give them fields, launch, validate, time,
 * serve many small requests in batches.
 *
 * Objects qn_context, qn_module, qn_kernel, qn_field, qn_places, qn_queue;
 * functions qn_<object>_<verb>. Every function that can fail returns enum
 * qn_status and puts its outputs last; qn_last_error() then has one plain
 * sentence. Nothing here exits, prints or needs a global; a context and what
 * belongs to it is used by one thread at a time, a queue by any. Extents are in
 * points, axes in the order of the spec's grid, the first contiguous. */
#ifndef QUERN_H
#define QUERN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum qn_status {
    QN_OK,
    QN_INVALID,                 /* an argument cannot be: the sentence has the
                                   number and its limit */
    QN_NO_MEMORY,
    QN_NO_DEVICE,               /* no driver, or no such device */
    QN_NOT_FOUND,               /* no file, symbol, field, scalar or kernel */
    QN_MISMATCH,                /* another ABI, backend, architecture, spec */
    QN_DEVICE,                  /* the device reported an error */
    QN_WRONG,                   /* a result does not agree with the reference */
    QN_BUSY                     /* not now: nothing was done, try again */
};

/* Of this thread; "" before the first error. */
const char *qn_last_error(void);
const char *qn_status_name(enum qn_status status);

/* "cpu", "simt" (GPU kernels run on the CPU), "cuda" or "cuda:N". */
struct qn_context;
enum qn_status qn_context_open(const char *name, struct qn_context **context);
void qn_context_close(struct qn_context *context);
enum qn_status qn_context_synchronize(struct qn_context *context);
/* "NVIDIA H200", "cpu, 2 threads" */
const char *qn_context_device(const struct qn_context *context);
/* Where simt and cuda contexts find quern_device_*.so, which making, filling,
 * injecting, sampling and timing need. Default: $QUERN_RUNTIME, else beside the
 * program or libquern.so. */
enum qn_status qn_context_runtime(struct qn_context *context,
                                  const char *folder);

/* A loaded module, with one set of arguments: extents, fields, scalars. */
struct qn_module;
struct quern_module;                        /* abi.h */
enum qn_status qn_module_load(struct qn_context *context, const char *path,
                              struct qn_module **module);
void qn_module_unload(struct qn_module *module);    /* frees its fields too */
const struct quern_module *qn_module_describe(const struct qn_module *module);
/* Sets the extents n[axes]; fields made before are freed. */
enum qn_status qn_module_resize(struct qn_module *module, const int64_t *n);
/* The sub-range that launches update; NULL, NULL: everything. */
enum qn_status qn_module_restrict(struct qn_module *module,
                                  const int64_t *lower, const int64_t *upper);
/* Fields made from now on have their rows on 256 bytes at this index along the
 * module's first axis, not at 0: where a region starts, its kernels are then as
 * fast as they can be. */
enum qn_status qn_module_align(struct qn_module *module, int64_t index);
enum qn_status qn_module_set(struct qn_module *module, const char *scalar,
                             double value);
/* Tables of neighbours, once the extents are set; resizing forgets them. A row
 * has `count` slots, its entries are entries[row * count + slot], numbered as
 * the spec says: from 0, or from 1 where 0 marks a missing neighbour. What
 * cannot be is refused with row and slot; of an affine table the entries are
 * looked at, and only its numbers are kept. */
enum qn_status qn_module_connect(struct qn_module *module, const char *table,
                                 int64_t count, const int32_t *entries);
/* A ragged one: row r has the entries start[r] <= i < start[r + 1]. */
enum qn_status qn_module_connect_ragged(struct qn_module *module,
                                        const char *table,
                                        const int64_t *start,
                                        const int32_t *entries);
/* A mesh: the domains vertex, edge, cell and ecv, and the tables between them
 * that are known: v2e, e2c2v, c2v, v2c, e2ecv of all; e2v, e2c, c2e of those
 * that are read or made of triangles; c2c of MPAS. -1: none there. Modules may
 * call them node, elem, elem_nodes and node_elems, and have a ragged table v2v
 * or node_nodes. */
struct qn_mesh;
/* A torus of triangles, vertex lon * lat_dim + lat, where crossing the last
 * latitude shifts the longitude by half as many; and the plane cut out of it,
 * with those edges and cells that have all their vertices. */
enum qn_status qn_mesh_torus(int64_t lon, int64_t lat, struct qn_mesh **mesh);
enum qn_status qn_mesh_plane(int64_t lon, int64_t lat, struct qn_mesh **mesh);
/* RnBk: every edge of an icosahedron in n * 2^k parts; 12 pentagons. */
enum qn_status qn_mesh_icosahedron(int root, int bisections,
                                   struct qn_mesh **mesh);
/* A grid of ICON or a mesh of MPAS in netCDF (libnetcdf is opened when needed),
 * or the folder of a mesh of FESOM. */
enum qn_status qn_mesh_read(const char *path, struct qn_mesh **mesh);
/* A mesh of one's own: so many points, no tables yet, ecv being four vertices
 * for each edge; then its tables, one by one, which are copied: all slots of a
 * row side by side, from 0, -1: none there. */
enum qn_status qn_mesh_create(int64_t vertices, int64_t edges, int64_t cells,
                              struct qn_mesh **mesh);
enum qn_status qn_mesh_add(struct qn_mesh *mesh, const char *table,
                           const char *from, const char *to, int64_t count,
                           const int32_t *entries);
void qn_mesh_free(struct qn_mesh *mesh);
/* Where vertex v is, three coordinates from [3 * v] on: on the unit sphere; of
 * lattices in a plane, edges of length 1; NULL where a file does not say. */
const double *qn_mesh_places(const struct qn_mesh *mesh);
/* Points of a domain, -1: no such one. */
int64_t qn_mesh_extent(const struct qn_mesh *mesh, const char *domain);
/* entries[row * count + slot], from 0, -1: none; NULL: no such table. */
const int32_t *qn_mesh_table(const struct qn_mesh *mesh, const char *table,
                             int64_t *count);
/* Renumbers the points of all domains, so that neighbours lie close together in
 * memory: those of `domain` by "rcm" (reverse Cuthill-McKee), by "curve" (a
 * curve of Hilbert's through the places of its vertices) or by "near" (the
 * curve, which is better, where the mesh says where they are, else the other);
 * the points of other domains follow. "random": all anyhow. Rows keep their
 * slots. Where memory ends nothing but qn_mesh_free may follow. */
enum qn_status qn_mesh_reorder(struct qn_mesh *mesh, const char *how,
                               const char *domain);
/* Says where the vertices are: three coordinates each, which are copied. */
enum qn_status qn_mesh_place(struct qn_mesh *mesh, const double *places);
/* old[i]: the number that point i of a domain had when the mesh was made; NULL:
 * none has another. */
const int32_t *qn_mesh_order(const struct qn_mesh *mesh, const char *domain);
/* From arrays in the order in which the mesh was made to arrays in the order
 * that it has, and back: `arrays` of them one after the other, of `size` bytes
 * a point. */
enum qn_status qn_mesh_permute(const struct qn_mesh *mesh, const char *domain,
                               size_t size, int64_t arrays, const void *from,
                               void *to);
enum qn_status qn_mesh_restore(const struct qn_mesh *mesh, const char *domain,
                               size_t size, int64_t arrays, const void *from,
                               void *to);
/* What is odd about a table, and how far apart in memory its neighbours are. */
struct qn_mesh_look {
    int64_t rows, missing;      /* entries that lead nowhere, which a spec has
                                   to declare by `skip`.. */
    int64_t missing_row, missing_slot;          /* ..and the first */
    int64_t twice;              /* entries that stand in their row before.. */
    int64_t twice_row, twice_slot, twice_first; /* ..and the first, and where
                                                   it stands before */
    int64_t widest;             /* from the least to the largest neighbour of a
                                   row; and on average */
    double width;
    double sectors;             /* of 4 doubles, that 32 rows read of a field
                                   through a slot, on average: 8 side by side */
};
enum qn_status qn_mesh_look(const struct qn_mesh *mesh, const char *table,
                            struct qn_mesh_look *look);
/* Connects every table of the module that the mesh has by that name. */
enum qn_status qn_mesh_connect(const struct qn_mesh *mesh,
                               struct qn_module *module);
/* One time step: every kernel of the spec's step, then the levels move on. */
enum qn_status qn_module_step(struct qn_module *module);
/* Two at once, where the module has a kernel that makes them: the same bits in
 * the levels that the step keeps. Of a field with no level but now and next,
 * the first step reads the halo of now, the second that of next, and the two
 * arrays have changed places once: a halo that stays in time stands in both. */
enum qn_status qn_module_step2(struct qn_module *module);

/* A field that is temporary in the spec need not be made: it lies then in a
 * workspace that the module keeps.
 *
 * An array of the module, all its time levels, halo included, padded so that
 * rows start on 256 bytes at index 0. Made at the module's extents, zero. */
struct qn_field;
enum qn_status qn_field_create(struct qn_module *module, const char *name,
                               struct qn_field **field);
void qn_field_free(struct qn_field *field);
/* Copies the points of one time level (0 for fields without time) from or to a
 * dense host array of the storage type, contiguous axis first: those of the
 * domain, or qn_field_extent[rank] of them where not all are stored. */
enum qn_status qn_field_write(struct qn_field *field, int level,
                              const void *values);
enum qn_status qn_field_read(struct qn_field *field, int level, void *values);
/* The same for the points lower <= i < upper, which may lie in the halo: it is
 * stored from -halo[axis] up to n + halo[axis], qn_field_halo[rank]. */
enum qn_status qn_field_write_box(struct qn_field *field, int level,
                                  const int64_t *lower, const int64_t *upper,
                                  const void *values);
enum qn_status qn_field_read_box(struct qn_field *field, int level,
                                 const int64_t *lower, const int64_t *upper,
                                 void *values);
void qn_field_halo(const struct qn_field *field, int64_t *halo);
/* How many points it stores along each axis. A field that is stored in a slab
 * at both ends of an axis has fewer than the domain along it, first all of the
 * low slab, then all of the high one; it is created once the scalars that
 * decide are set, and again when they change. Boxes and points are in indices
 * of the domain all the same: of stored points, a box of one slab. */
void qn_field_extent(const struct qn_field *field, int64_t *n);
/* Sets every point of every level, halo included. */
enum qn_status qn_field_fill(struct qn_field *field, double value);
/* Copies the outermost points of the domain into the halo, along every axis. */
enum qn_status qn_field_extend(struct qn_field *field, int level);
/* Adds values[i] at, or reads into values[i], the point that points[i*rank ..
 * i*rank + rank-1] names. Points may repeat: every value is added, in order of
 * i, each sum rounded once to the storage type. */
enum qn_status qn_field_inject(struct qn_field *field, int level, size_t count,
                               const int64_t *points, const double *values);
enum qn_status qn_field_sample(struct qn_field *field, int level, size_t count,
                               const int64_t *points, double *values);

/* Sources and receivers: places anywhere between the points of a field, made
 * once, used at every step. Coordinates are in points of the module's grid: the
 * point i of a field lies at i + at/2 along each axis, where at is the field's
 * position in the spec in half points, so that one place has the same
 * coordinates in every field. They lie within the grid, 0 to n-1, or within the
 * field's own points where those reach further.
 *
 * A place is a weight for each point around it: sampling adds up weight times
 * value, injecting adds weight times value to each, so the two are each other's
 * adjoint in the plain sum over the points. Where a point has the coordinate of
 * a place it alone counts along that axis, with weight 1. Only points of the
 * domain count, where the field stores them: the halo, images at a face and the
 * far end of a periodic axis have no share, and what would have been theirs is
 * lost. A place that has no point is refused. */
struct qn_interpolation {
    int half_width;             /* 0: linear along every axis. r, 1 to 16: sinc
                                   in a Kaiser window (Hicks 2002), over 2r
                                   points along every axis */
    double b;                   /* of the window, up to 50; 0: the best for
                                   waves of 4 points and more */
};
/* coordinates[i*rank .. i*rank + rank-1] are those of place i; how may be NULL:
 * linear. Freed with the field at the latest. Fields of int have no places. */
struct qn_places;
enum qn_status qn_places_create(struct qn_field *field, size_t count,
                                const double *coordinates,
                                const struct qn_interpolation *how,
                                struct qn_places **places);
void qn_places_free(struct qn_places *places);
/* Adds weight * values[i] at every point around place i. A point adds in order
 * of i, each sum rounded to double and to the storage type: a list makes the
 * same bits as its places one by one. The first call sorts them. */
enum qn_status qn_places_inject(struct qn_places *places, int level,
                                const double *values);
/* values[i] is the sum of weight * value over the points around place i. */
enum qn_status qn_places_sample(struct qn_places *places, int level,
                                double *values);

struct qn_kernel;
/* By its full name, or by its name in the spec where that is one kernel. The
 * module owns it. */
enum qn_status qn_module_kernel(struct qn_module *module, const char *name,
                                struct qn_kernel **kernel);
enum qn_status qn_kernel_launch(struct qn_kernel *kernel);

/* Rows of a mesh that a kernel reads a composed table of, as they follow its
 * pattern, or finds the neighbours of by strides, or has a folded form of; the
 * others it computes from the entries of tables that are not composed. Of
 * several tables that with most others. table is NULL where a kernel does none
 * of this, or has no point. */
struct qn_regular {
    const char *table;                  /* of folded rows: their domain */
    int64_t rows, regular;              /* all, and those */
};
/* As its module's tables are now; of a kernel that folds rows also its fields,
 * as for a launch. */
enum qn_status qn_kernel_regular(struct qn_kernel *kernel,
                                 struct qn_regular *regular);

/* Compares one launch with the reference module on random data drawn from the
 * fields' ranges: every point within its own bound, outputs poisoned before,
 * halo and points outside the region untouched; NaN never passes. */
struct qn_validation {
    int64_t points;             /* compared */
    int64_t wrong;
    double worst;               /* largest error over its bound; right: <= 1 */
    char field[48];             /* of the worst point */
    int rank;                   /* of that field: how many of at[] count */
    int64_t at[4];
    double got, wanted, bound;
    char problem[160];          /* "", or what was first found wrong, where */
    struct qn_regular regular;  /* of a mesh, that was compared on */
};
enum qn_status qn_kernel_validate(struct qn_kernel *kernel,
                                  struct qn_module *reference, uint64_t seed,
                                  struct qn_validation *result);

/* A `where`, `min` or `max` of a kernel's formulas (of a minimum: is a later
 * argument less?). Where validating has seen its condition hold alone, or fail
 * alone, the other side has not been compared. */
struct qn_choice {
    const char *word;
    const char *place;                  /* file:line:column, in the spec */
    int held, failed;                   /* 1: it did, since the reference was
                                           loaded */
};
/* Choice 0, 1, ..; QN_NOT_FOUND: the kernel has fewer. */
enum qn_status qn_kernel_choice(const struct qn_kernel *kernel,
                                const struct qn_module *reference, int index,
                                struct qn_choice *choice);

/* How a mesh is cut for a kernel that goes through it tile by tile; all 0 for
 * any other. */
struct qn_tiles {
    int64_t count;                      /* tiles: blocks side by side */
    int64_t at_once;                    /* blocks that the device holds */
    int64_t points;                     /* that the largest updates */
    double computed, copied;            /* for a point that is updated: points
                                           of all stages, points of lists */
    int64_t rows;                       /* of a lattice, in a tile; or 0: */
    int64_t run;                        /* they grew by so many points */
};
/* As its module's tables are now. */
enum qn_status qn_kernel_tiles(struct qn_kernel *kernel,
                               struct qn_tiles *tiles);

/* Times launches on random data, after validating is the caller's duty. */
struct qn_timing {
    int repeats;
    double median, least;               /* seconds per launch */
    double spread;                      /* (largest - least) / median */
    double points_per_second;
    double bytes_per_second;            /* each needed input and output once */
    double stream_bytes_per_second;     /* same mix of reads and writes */
    double ratio;                       /* of the two: the headline number */
    struct qn_tiles tiles;              /* of a mesh, that were gone through */
    struct qn_regular regular;          /* rows of that mesh */
};
enum qn_status qn_kernel_bench(struct qn_kernel *kernel, int repeats,
                               struct qn_timing *timing);
/* The same of some kernels of one module, launched one after the other: what a
 * step takes. The levels do not move on. The stream has the mix of reads and
 * writes of the kernel that moves most. */
enum qn_status qn_kernels_bench(int count, struct qn_kernel *const *kernels,
                                int repeats, struct qn_timing *timing);

#ifdef __cplusplus
}
#endif

#include "quern_queue.h"        /* qn_queue: many small requests in batches */
#include "quern_data.h"         /* qn_cache, qn_items: what batches use */

#endif
