/* Values that are at home in arrays of the host: blocks of them are on the
 * device while batches use them, and longer (cache.c). All fields of a domain
 * share places: point p of block b is point place * block + p - b * block of
 * the module's arrays, whose extent is what there is room for. */
#ifndef QUERN_HOME_H
#define QUERN_HOME_H

#include "lane.h"

struct qn_server;

struct qn__homed {
    int field;                  /* of the module */
    char *host;
    size_t size;                /* bytes of a value */
    bool sum;                   /* the device has what is to be added */
    bool written;               /* by the request's kernels */
};

struct qn__home {
    struct qn_module *module;
    const struct qn__lanes *lanes;
    struct qn__lane lane;       /* for all moves, in order */
    int axis;
    int64_t points, block, blocks;      /* block: a power of two .. */
    int shift;                  /* .. this one */
    int64_t room;               /* blocks on the device */
    size_t field_count;
    struct qn__homed *fields;
    size_t bytes;               /* of a block, all fields */
    uint64_t fetched;           /* bytes: of what is written alone */
    void *zeros, *back;         /* page-locked: of a field's block, of a block
                                   of all fields */
    struct qn_cache *cache;
    struct qn_data *data;       /* its address is a number: blocks * bytes */
};

/* What one batch has of a home. */
struct qn__lodging {
    struct qn_lease lease;
    bool held;
    struct qn_use *uses;        /* as many as there are blocks */
    int32_t *use_of;            /* of each block, from 1; 0: it is not used */
    int32_t *ahead;             /* of each that was taken: how far its places
                                   are ahead of its points */
    int32_t *written;           /* where those are that are written, ascending:
                                   numbers of blocks on the device */
    size_t written_count;
};

/* home.c */

enum qn_status qn__home_open(struct qn_server *server,
                             const struct qn_home *settings,
                             struct qn__home *home);
/* Writes back what was added or set. */
enum qn_status qn__home_close(struct qn__home *home);

/* server_host.c */

/* The cache's, but for what comes back. */
void qn__home_stats(const struct qn__home *home, struct qn_cache_stats *stats);

/* lodging.c */

enum qn_status qn__lodging_open(const struct qn__home *home,
                                struct qn__lodging *lodging);
void qn__lodging_close(struct qn__lodging *lodging);
void qn__lodging_use_block(const struct qn__home *home,
                           struct qn__lodging *lodging, int32_t block,
                           bool written);
/* The blocks of these points are used, and written? QN_INVALID: some are not
 * there. */
enum qn_status qn__lodging_use(const struct qn__home *home,
                               struct qn__lodging *lodging,
                               const struct qn_points *points, bool written);
/* All that are used are on the device, or on their way. */
enum qn_status qn__lodging_take(struct qn__home *home,
                                struct qn__lodging *lodging);
enum qn_status qn__lodging_leave(struct qn__home *home,
                                 struct qn__lodging *lodging,
                                 enum qn_status status, double seconds);
/* What was used after so many blocks is not, before it is taken. */
void qn__lodging_cut(struct qn__lodging *lodging, size_t count, size_t work);
/* Where points of blocks that were taken are. */
void qn__lodging_place(const struct qn__home *home,
                       const struct qn__lodging *lodging,
                       const struct qn_points *points, int32_t *places);

#endif
