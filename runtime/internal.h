/* What the files of libquern share. Names are qn__; nothing is for users. */
#ifndef QUERN_INTERNAL_H
#define QUERN_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "device.h"
#include "quern.h"

#if defined(__GNUC__)
#define QN_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define QN_PRINTF(text, first)
#endif

/* error.c */

/* Records the sentence for qn_last_error and returns status. */
enum qn_status qn__fail(enum qn_status status, const char *format, ...)
    QN_PRINTF(2, 3);

/* value.c: one element of any storage type */

enum { QN_NANS = 63 };              /* kinds of NaN that tell where from */

size_t qn__type_size(enum quern_type type);
const char *qn__type_name(enum quern_type type);
double qn__type_largest(enum quern_type type);
double qn__value_get(enum quern_type type, const void *array, int64_t i);
void qn__value_set(enum quern_type type, void *array, int64_t i, double value);
/* Bits of a NaN that no arithmetic makes: payload 0 where an output was never
 * written, 1 to QN_NANS - 1 where none may read. Integers get the bits too. */
uint64_t qn__value_nan(enum quern_type type, int payload);
uint64_t qn__value_bits(enum quern_type type, double value);
uint64_t qn__hash(uint64_t seed, const char *name);

/* layout.c: where the points of an array lie */

enum { QN__FEW = 1 << 14 };         /* elements that one thread goes through
                                       before others would be awake */

struct qn__layout {
    int rank;
    size_t size;                    /* bytes of an element */
    int64_t n[QUERN_MAX_RANK];      /* the domain, less what is left out */
    int64_t halo[QUERN_MAX_RANK];   /* points outside, that kernels may read */
    int64_t guard;                  /* further points outside, that none may */
    int64_t margin;                 /* elements in a row before index 0 */
    int64_t full[QUERN_MAX_RANK];   /* stored points per axis; full[0]: pitch */
    int64_t stride[QUERN_MAX_RANK];
    int64_t origin;                 /* element of the point (0, ..) */
    int64_t count;                  /* elements in all */
    int64_t rows;                   /* count / pitch */
    size_t bytes;
    int64_t step, place;            /* its elements in an array of several
                                       fields: place, place + step, ..; stride
                                       and origin count all, the rest its own */
    int hollow_axis;                /* along it the points hollow[0] <= i < */
    int64_t hollow[2];              /* hollow[1] of the domain are left out */
};

/* One row of the array: coordinates of its point 0 along the first axis. */
struct qn__row {
    int64_t at[QUERN_MAX_RANK];
    int64_t start;                  /* element of that point */
    bool inside, stored;            /* within the domain; within the halo */
};

/* QN_INVALID when the extents, or bytes, cannot be held in 64 bits. `apart`:
 * rows are not whole pages from each other. */
enum qn_status qn__layout_make(enum quern_type type, int rank, const int64_t *n,
                               const int64_t *halo, int64_t guard,
                               int64_t aligned, bool apart,
                               struct qn__layout *layout);
/* Makes it one of so many that share an array; QN_INVALID as above. */
enum qn_status qn__layout_interleave(struct qn__layout *layout, int fields,
                                     int place);
void qn__layout_row(const struct qn__layout *layout, int64_t index,
                    struct qn__row *row);
/* Number of the row's point 0 in a dense array of the domain. */
int64_t qn__layout_dense(const struct qn__layout *layout,
                         const struct qn__row *row);
int64_t qn__layout_points(const struct qn__layout *layout);
/* Points of the domain along an axis that are left out. */
int64_t qn__layout_left_out(const struct qn__layout *layout, int axis);
/* From a stored point's index in the domain to its place among those stored,
 * and back. */
int64_t qn__layout_fold(const struct qn__layout *layout, int axis, int64_t i);
int64_t qn__layout_unfold(const struct qn__layout *layout, int axis,
                          int64_t at);

/* context.c: one table of functions per kind of context */

struct qn__cuda;
struct qn__lanes;
struct qn__library;

struct qn__backend {
    const char *name;
    const char *accepts[3];         /* backends of the modules it launches */
    const char *jobs;               /* file of the device module; NULL: in us */
    const struct qn__lanes *lanes;
    bool anywhere;                  /* kernels read whatever the host does */
    bool apart;                     /* nobody may touch memory while one runs */
    enum qn_status (*open)(struct qn_context *context, int index);
    void (*close)(struct qn_context *context);
    enum qn_status (*enter)(struct qn_context *context);  /* before launches */
    enum qn_status (*fits)(struct qn_context *context, const char *arch);
    enum qn_status (*alloc)(struct qn_context *context, size_t size,
                            void **data);
    void (*release)(struct qn_context *context, void *data);
    enum qn_status (*upload)(struct qn_context *context, void *to,
                             size_t to_pitch, const void *from,
                             size_t from_pitch, size_t width, size_t rows);
    enum qn_status (*download)(struct qn_context *context, void *to,
                               size_t to_pitch, const void *from,
                               size_t from_pitch, size_t width, size_t rows);
    enum qn_status (*synchronize)(struct qn_context *context);
    enum qn_status (*start)(struct qn_context *context);
    enum qn_status (*stop)(struct qn_context *context, double *seconds);
    /* Never QN_OK: what a launch function of the library meant by code. */
    enum qn_status (*explain)(struct qn_context *context,
                              const struct qn__library *library, int code,
                              const char *what);
};

extern const struct qn__backend qn__cpu_backend, qn__simt_backend,
    qn__cuda_backend;

struct qn_context {
    const struct qn__backend *backend;
    struct qn__cuda *cuda;          /* only in cuda contexts */
    char device[128];
    void *stream;
    double started;
    char *folder;                   /* of the device modules; NULL: look */
    struct qn__library *jobs;       /* with the kernels of device.h */
    void *scratch;                  /* device memory for lists of points */
    size_t scratch_size;
};

enum qn_status qn__context_upload(struct qn_context *context, void *to,
                                  const void *from, size_t size);
enum qn_status qn__context_download(struct qn_context *context, void *to,
                                    const void *from, size_t size);
/* At least size bytes that last until the next call. */
enum qn_status qn__context_scratch(struct qn_context *context, size_t size,
                                   void **data);

/* library.c: shared objects with a descriptor in them */

struct qn__library {
    void *handle;                   /* of dlopen; NULL: the library is in us */
    const struct quern_module *info;
    /* Modules of the simt backend want to know every array that their kernels
     * may touch, and explain what they found; else NULL. */
    void (*enroll)(void *start, size_t bytes);
    void (*withdraw)(void *start);
    const char *(*report)(void);
};

enum qn_status qn__library_open(const char *path, struct qn__library *library);
void qn__library_close(struct qn__library *library);

/* job.c: the kernels of device.h, launched like any other */

extern const struct quern_module qn__host_module;
enum qn_status qn__job_run(struct qn_context *context, const char *name,
                           struct device_args *args);
enum qn_status qn__job_fill(struct qn_context *context,
                            const struct qn__layout *layout, void *data,
                            uint64_t bits);
enum qn_status qn__job_random(struct qn_context *context, enum quern_type type,
                              void *data, int64_t count, int64_t step,
                              uint64_t seed, double low, double high);

/* module.c, state.c */

struct qn_kernel {
    struct qn_module *module;
    const struct quern_kernel *info;
};

struct qn_field {
    struct qn_module *module;
    const struct quern_field *info;
    struct qn__layout layout;
    void *base[QUERN_MAX_BUFFERS];  /* allocations; the args say whose */
    struct qn_places *places;       /* the first of them */
};

/* A table that has been connected, else all NULL. */
struct qn__table {
    int32_t *entries;               /* the host's: all slots of a row side by
                                       side; of affine tables too */
    int64_t *start;                 /* the host's, of ragged tables */
    void *data, *data_start;        /* the context's */
    void *data_kind;                /* the context's, of tables that some
                                       kernel reads by strides */
    int64_t of_kinds;               /* how many rows are of some kind */
    int64_t of_pattern;             /* how many rows of a composed table are
                                       as its pattern */
};

/* The tiles of a kernel in the context's memory, NULL before they are made. */
struct qn__tiles {
    void *data;
    struct qn_tiles made;
};

/* One set of arguments and what they point to. */
struct qn__state {
    unsigned char *args;
    bool sized;
    int64_t aligned;                /* index of a row that is on 256 bytes */
    bool spread;                    /* rows are not whole pages apart */
    bool *set;                      /* per scalar: has a value */
    struct qn_field **fields;       /* per field of the module, or NULL */
    struct qn__table *tables;       /* per table of the module */
    struct qn__tiles *tiles;        /* per kernel of the module */
    void *workspace;
    size_t workspace_size;
    bool *prepared;                 /* per kernel: its part of the workspace is
                                       filled */
};

struct qn_module {
    struct qn_context *context;
    struct qn__library library;
    const struct quern_module *info;        /* the library's */
    struct qn_kernel *kernels;
    struct qn__state state;
};

/* Memory of the context that the module's kernels may touch. */
enum qn_status qn__module_alloc(const struct qn_module *module, size_t size,
                                void **data);
/* The same, with a copy of what the host has. */
enum qn_status qn__module_send(const struct qn_module *module,
                               const void *host, size_t size, void **data);
void qn__module_release(const struct qn_module *module, void *data);
/* A state like the module's (extents, sub-range, scalars), without fields. */
enum qn_status qn__state_make(const struct qn_module *module,
                              struct qn__state *state);
void qn__state_free(const struct qn_module *module, struct qn__state *state);
/* What kernels have prepared is to be prepared anew. */
void qn__state_forget(const struct qn_module *module);
/* The same where a field that it may depend on has changed. */
void qn__field_changed(const struct qn_field *field);
void qn__state_drop_fields(const struct qn_module *module,
                           struct qn__state *state);

static inline int64_t *qn__args_int(const struct qn__state *state,
                                    size_t offset)
{
    return (int64_t *)(void *)(state->args + offset);
}

static inline double *qn__args_double(const struct qn__state *state,
                                      size_t offset)
{
    return (double *)(void *)(state->args + offset);
}

static inline void **qn__args_pointer(const struct qn__state *state,
                                      size_t offset)
{
    return (void **)(void *)(state->args + offset);
}

struct quern_mesh_table;        /* of quern_mesh.h */

/* table.c */

int64_t qn__table_rows(const struct qn_module *module, int index);
int64_t qn__table_entries(const struct qn_module *module, int index);
/* Checks and takes over a dense table of the host; start: of ragged ones. */
enum qn_status qn__table_connect(struct qn_module *module, int index,
                                 const int64_t *start, const int32_t *entries);
void qn__tables_drop(const struct qn_module *module, struct qn__state *state);
/* kinds.c: tells the rows of a table apart for kernels that read it by
 * strides. */
enum qn_status qn__table_find_kinds(struct qn_module *module, int index);
/* Composes what is composed of tables that are connected. */
enum qn_status qn__tables_compose(struct qn_module *module);
/* Connects what is connected in a state of a module of the same spec. */
enum qn_status qn__tables_copy(const struct qn__state *from,
                               struct qn_module *to);

/* A table that has been connected, as the checks see it. */
struct quern_mesh_table qn__table_view(const struct qn_module *module,
                                       int index);

/* tiles.c */

/* The tiles of a kernel that needs some, unless they are there. */
enum qn_status qn__tiles_make(struct qn_kernel *kernel);
/* firsts.c: the same for blocks that serve requests */
enum qn_status qn__firsts_make(const struct qn_kernel *kernel);
/* Does some kernel want the rows of this table in order of its entries? */
bool qn__wants_order(const struct quern_module *info, int table);
/* What has been made; all 0 for kernels that need none. */
struct qn_tiles qn__tiles_made(const struct qn_kernel *kernel);
/* Forgets all: tables or extents have changed. */
void qn__tiles_drop(const struct qn_module *module, struct qn__state *state);

/* Everything that a launch of kernel needs is there, and its check agrees. */
enum qn_status qn__kernel_ready(struct qn_kernel *kernel);
enum qn_status qn__kernel_fire(struct qn_kernel *kernel);
enum qn_status qn__kernel_fire_pass(struct qn_kernel *kernel, int64_t pass);
enum qn_status qn__field_make(struct qn_module *module, int index,
                              int64_t guard, struct qn_field **field);
/* Does it still leave out what the scalars say? They may have been set anew. */
enum qn_status qn__field_fits(const struct qn_field *field);
/* Index of the buffer that holds a time level, or -1. */
int qn__field_buffer(const struct quern_field *info, int level);
/* Point (0, ..) of a time level. */
enum qn_status qn__field_level(const struct qn_field *field, int level,
                               char **origin);
void *qn__field_origin(const struct qn_field *field, int buffer);
/* What a kernel does with one buffer, over all its accesses. */
void qn__kernel_use(const struct quern_kernel *kernel, int field, int buffer,
                    bool *read, bool *written);
/* Is what it has a buffer for over when a launch is? */
bool qn__kernel_hands_on(const struct quern_kernel *kernel, int field,
                         int buffer);

/* taps.c */

enum { QN_MOST_HALF_WIDTH = 16 };

struct qn__tap {
    int64_t point;                  /* along one axis */
    double weight;
};

double qn__taps_best(int half_width);
/* The points of 0 .. n-1 around an index, ascending: how many, at most twice
 * the half-width. how->b is that of the window. */
int qn__taps_make(const struct qn_interpolation *how, double index, int64_t n,
                  struct qn__tap *taps);

/* places.c */

struct qn_places {
    struct qn_field *field;
    struct qn_places *next;         /* of the same field */
    size_t count;
    struct device_args host;        /* the taps, in the host's memory */
    struct device_args sample;      /* in the device's: of the places */
    struct device_args inject;      /* of their points; none before sorting */
};
/* Frees all places of a field. */
void qn__places_drop(struct qn_field *field);
/* A copy of the host's array, if there is one, in memory of the context. */
enum qn_status qn__places_send(const struct qn_places *places,
                               const void *host, size_t size, void **data);
void qn__places_release(const struct qn_places *places, const void *data);

/* shares.c */

/* Makes places->inject, once. */
enum qn_status qn__places_sort(struct qn_places *places);
void qn__places_unsort(struct qn_places *places);

/* packed.c: fields that interleave in one array per buffer */

/* The allocations, those of a field beside it that has some, or new ones. */
enum qn_status qn__packed_allocate(struct qn_field *field);
/* Frees them, but for another that is still there. */
void qn__packed_release(const struct qn_field *field,
                        const struct qn__state *state);
/* Its first element in an allocation. */
char *qn__packed_start(const struct qn_field *field, int buffer);
/* A whole array, halo, guard and padding, as if it had it for itself. */
enum qn_status qn__packed_upload(const struct qn_field *field, int buffer,
                                 const void *image);
enum qn_status qn__packed_download(const struct qn_field *field, int buffer,
                                   void *image);

/* draw.c: random data for validate and bench */

/* Gives the scalars without a value one each: whole numbers, on which regions
 * depend, ever nearer the low end of their range until the kernel's region is
 * a part of the domain, neither none nor all of it, where that can be. */
void qn__draw_scalars(struct qn_kernel *kernel, uint64_t seed);
/* Random numbers (or poison, for what a kernel only writes) in the domain and
 * its halo; the other NaN in guard and padding. array is the host's. */
void qn__draw_array(const struct qn_field *field, int buffer, uint64_t seed,
                    bool poisoned, void *array);
uint64_t qn__draw_seed(const struct quern_field *field, int buffer,
                        uint64_t seed);

/* draw_tables.c: random tables where none is connected */

enum qn_status qn__draw_tables(struct qn_module *module, uint64_t seed);

/* compare.c */

struct qn__comparison {
    const struct qn_field *field;
    const unsigned char *before, *after;    /* whole arrays */
    const double *value, *bound;            /* dense; NULL: may not change */
    int64_t compared;                       /* out: points that had a bound */
};
void qn__compare(struct qn__comparison *comparison,
                 struct qn_validation *result);

#endif
