/* libquern's data for batches: which blocks of the host's arrays are on the
 * device, and lists of items in ascending order. quern.h includes this file.
 * A cache, its data and a list are used by one thread at a time: in the
 * functions of a launcher they are. */
#ifndef QUERN_DATA_H
#define QUERN_DATA_H

#include "quern.h"
#include "quern_queue.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- blocks of arrays on the device -------------------------------------- */

/* What moves blocks. `offset`: bytes from where the cache's memory begins. */
struct qn_mover {
    void *self;
    enum qn_status (*upload)(void *self, size_t offset, const void *host,
                             size_t size);
    enum qn_status (*download)(void *self, void *host, size_t offset,
                               size_t size);
    double (*now)(void *self);  /* seconds, to know what moving takes */
};

enum qn_reuse {
    QN_REUSE_AUTO,              /* whichever is expected to take less, from what
                                   leases took so far, moves and kernels */
    QN_REUSE_ALWAYS,            /* blocks stay where they are: kernels go
                                   through their offsets */
    QN_REUSE_NEVER              /* every batch has all its blocks moved, side by
                                   side; what it wrote goes back at once */
};

struct qn_cache_settings {
    size_t block;               /* bytes of a block */
    size_t budget;              /* bytes on the device, whole blocks of it */
    enum qn_reuse reuse;
};

struct qn_cache;
enum qn_status qn_cache_create(const struct qn_cache_settings *settings,
                               const struct qn_mover *mover,
                               struct qn_cache **cache);
/* Frees its data too, which are written back: the first failure of that. */
enum qn_status qn_cache_destroy(struct qn_cache *cache);

/* An array of the host. Its blocks begin every `block` bytes, the last may be
 * shorter. Between qn_data_create and qn_data_free the host reads and writes it
 * only as the two functions below say. */
struct qn_data;
enum qn_status qn_data_create(struct qn_cache *cache, void *host, size_t size,
                              struct qn_data **data);
/* Writes back what was modified. QN_BUSY: blocks are in use. */
enum qn_status qn_data_free(struct qn_data *data);
/* The host is about to read these bytes: what is newer on the device comes. */
enum qn_status qn_data_read(struct qn_data *data, size_t first, size_t size);
/* The host has written these bytes: copies on the device are no good.
 * QN_INVALID where the device has written too, and qn_data_read did not fetch
 * that. */
enum qn_status qn_data_written(struct qn_data *data, size_t first, size_t size);

enum qn_access {
    QN_READ,
    QN_WRITE,                   /* all of the block */
    QN_UPDATE                   /* read it, write parts of it */
};

struct qn_use {
    struct qn_data *data;
    size_t block;
    enum qn_access access;
    size_t offset;              /* set: where it is on the device */
};

/* What one batch uses. */
struct qn_lease {
    size_t count;
    struct qn_use *uses;        /* the caller's, till released */
    size_t work;                /* pieces that its kernels have: AUTO compares
                                   leases by them; 0: by count */
    int reused;                 /* set. 0: the blocks are side by side, in the
                                   order of uses */
    size_t moved, saved;        /* set: bytes to the device for it; bytes that
                                   were there */
    double seconds;             /* set: what that took */
};

/* All of them on the device and kept there until released, or none, and why.
 * QN_BUSY: other leases keep too many; release one, then try again. */
enum qn_status qn_cache_acquire(struct qn_cache *cache, struct qn_lease *lease);
/* status: what its batch came to. Of one that failed, what it wrote is not
 * used: the host's copy is, or, where that is older than the last batch that
 * wrote, none: reading the block is QN_DEVICE until it is written anew.
 * seconds: what the kernel took, 0: not known. */
enum qn_status qn_cache_release(struct qn_cache *cache, struct qn_lease *lease,
                                enum qn_status status, double seconds);

struct qn_cache_stats {
    uint64_t hits, misses;      /* blocks that a lease found, or had moved */
    uint64_t evicted;           /* blocks that made place */
    uint64_t up, down;          /* bytes moved */
    uint64_t saved;             /* bytes not moved */
    uint64_t leases, reused;    /* of them */
    size_t resident, pinned;    /* blocks, now */
    double seconds;             /* of the host, for all that leases moved */
};
void qn_cache_get_stats(const struct qn_cache *cache,
                        struct qn_cache_stats *stats);

/* --- lists of items ------------------------------------------------------ */

enum qn_order {
    QN_ORDER_FLUSH,             /* sorted when the batch is formed */
    QN_ORDER_INSERT,            /* each to its place when added (G-Charm) */
    QN_ORDER_NONE               /* as they came */
};

/* Items of a batch: indices, each with a value of its owner's. Of equal ones
 * the first added is first. */
struct qn_items;
enum qn_status qn_items_create(enum qn_order order, struct qn_items **items);
void qn_items_free(struct qn_items *items);
/* QN_NO_MEMORY: none was added. */
enum qn_status qn_items_add(struct qn_items *items, size_t count,
                            const uint32_t *index, uint32_t owner);
/* All of them in order: two arrays of so many, good until the next call; then
 * the list is empty. */
enum qn_status qn_items_take(struct qn_items *items, size_t *count,
                             const uint32_t **index, const uint32_t **owner);

/* --- batches as kernels of requests read them ----------------------------- */

struct qn_points {
    const int32_t *point;
    size_t count;
};

/* The lists of a batch's requests. domain[l]: how many points there are of
 * those that list l is of. */
struct qn_record;
enum qn_status qn_record_create(size_t lists, const int64_t *domain,
                                struct qn_record **record);
void qn_record_free(struct qn_record *record);
void qn_record_clear(struct qn_record *record);
/* One request more: its points, list by list. Refused, it adds none. */
enum qn_status qn_record_add(struct qn_record *record,
                             const struct qn_points *lists);

/* The tables of list L, good until the record changes. */
struct qn_record_list {
    int64_t requests;           /* extent of `request` */
    int64_t points;             /* of the domain that it is of */
    int64_t items;              /* of L_item */
    const int64_t *start;       /* L: request r has start[r] <= i, and
                                   i < start[r+1] */
    const int32_t *point;       /* entries of L, and of L_point */
    const int32_t *request;     /* entries of L_request */
    const int64_t *items_start; /* L_items: the items of each point .. */
    const int32_t *item;        /* .. in order of submission */
};
void qn_record_list(struct qn_record *record, size_t list,
                    struct qn_record_list *view);
/* QN_INVALID: two items are of one point, which `=` does not allow. */
enum qn_status qn_record_distinct(struct qn_record *record, size_t list);

/* --- requests of a module ------------------------------------------------- */

/* Points whose values are in arrays of the host, as the module stores them; the
 * module has room for some (its extent of the domain), by blocks: those that a
 * batch names are on the device while it needs them, and stay as long as others
 * do not make place. Lists name points of the host's arrays. */
struct qn_home_field {
    const char *name;
    void *host;                 /* of so many points; free to change where no
                                   batch is in flight, as below */
    int sum;                    /* 1: what requests add on the device is added
                                   to the host's; for fields with `+=`, and
                                   needed where two devices work on one */
};

struct qn_home {
    const char *domain;
    int64_t points;
    int64_t block;              /* points that move together (1024), rounded up
                                   to a power of two */
    enum qn_reuse reuse;
    size_t field_count;         /* all on the domain that the request names;
                                   others are refused: QN_INVALID */
    const struct qn_home_field *fields;
};

struct qn_server_settings {
    const char *request;        /* as in the spec */
    size_t list_count, scalar_count;
    const char *const *lists;   /* all that its formulas name, in any order */
    const char *const *scalars; /* those that come with a request */
    int distinct;               /* 1: a batch with two items of one point, in a
                                   list with a formula, fails: what `=` asks */
    int ordered;                /* 1: what requests add comes in order of
                                   submission, where the module could add it in
                                   any order, too (--fp fast) */
    size_t home_count;          /* domains with a home on the host */
    const struct qn_home *homes;
    enum qn_order order;        /* of the items of lists with formulas, by their
                                   points */
    int flights;                /* batches in flight at most (8), each with
                                   memory of its own */
    int threads;                /* of the host that make a batch's tables (half
                                   as many as processors, 8 at most) */
    int64_t resident;           /* blocks of requests that run at once, for the
                                   queue's policy; 0: not known */
    int sleeps;                 /* 1: the queue's thread sleeps while batches
                                   are on a device, and is woken by it, which
                                   takes longer than asking all the time */
};

/* `data` of a qn_request: lists and scalars in the order of the settings. */
struct qn_work {
    const struct qn_points *lists;
    const double *scalars;
};

/* A launcher of the requests of a module that has its extents (those of the
 * batch may be 0), scalars and fields, but for what is on requests and items: a
 * server has that. A request with a point that is not there, or without its
 * data, is QN_INVALID, the others of its batch are served. */
struct qn_server;
enum qn_status qn_server_create(struct qn_module *module,
                                const struct qn_server_settings *settings,
                                struct qn_server **server);
/* After the queue, before the module. What is newer on the device goes back to
 * its homes: the first failure of that; all is freed in any case. */
enum qn_status qn_server_free(struct qn_server *server);
/* It returns at once. On a device each batch has a stream of its own, on which
 * its tables go there in one copy and its kernels follow; in contexts cpu and
 * simt a thread of the server runs one batch after the other. What requests add
 * or set, they do in order of submission, whatever is in flight; two servers
 * whose requests assign the same field are not ordered: drain one's queue
 * before submitting to the other's. One queue at a time. */
struct qn_launcher qn_server_launcher(struct qn_server *server);

struct qn_server_stats {
    uint64_t batches, requests; /* served */
    uint64_t items;             /* of their lists with formulas */
    uint64_t read;              /* of the others */
    uint64_t moved;             /* bytes of tables and scalars */
    double seconds;             /* of the batches, side by side or not */
};
/* The host is about to read what requests added or set at these points, or has
 * written some of its arrays there: as qn_data_read and qn_data_written, when
 * nothing polls. QN_INVALID: there are no such points. */
enum qn_status qn_server_read(struct qn_server *server, const char *domain,
                              int64_t first, int64_t count);
enum qn_status qn_server_written(struct qn_server *server, const char *domain,
                                 int64_t first, int64_t count);
enum qn_status qn_server_cache_stats(struct qn_server *server,
                                     const char *domain,
                                     struct qn_cache_stats *stats);
/* From a callback, or when nothing polls. */
void qn_server_get_stats(const struct qn_server *server,
                         struct qn_server_stats *stats);
/* A table of them and of what its homes moved and saved, as snprintf. */
size_t qn_server_report(const struct qn_server *server, char *text,
                        size_t size);

#ifdef __cplusplus
}
#endif
#endif
