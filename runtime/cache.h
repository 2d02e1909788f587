/* What the files of the cache share.
 *
 * The device's memory is an array of slots, a block each. Those that no lease
 * pins are in one list: first the free ones, then the least recently used; the
 * next one to be taken is always the first. */
#ifndef QUERN_CACHE_H
#define QUERN_CACHE_H

#include "cost.h"
#include "internal.h"

enum { QN_NO_SLOT = -1 };

enum qn__slot_state {
    QN_EMPTY,                   /* holds nothing that may be read */
    QN_SHARED,                  /* what the host has */
    QN_MODIFIED                 /* newer than what the host has */
};

struct qn__slot {
    struct qn_data *owner;      /* NULL: free, or a copy for one lease */
    size_t block;               /* of the owner */
    enum qn__slot_state state;
    int pins, writers;          /* uses by leases; those that write */
    bool older;                 /* the host's copy is not what those that write
                                   began with */
    bool alone;                 /* a lease writes it that moved it for itself */
    size_t before, after;       /* in the list */
};

struct qn_data {
    struct qn_cache *cache;
    unsigned char *host;
    size_t size, blocks;
    size_t uses;                /* by leases that are not released */
    ptrdiff_t *slot;            /* of each block, or QN_NO_SLOT */
    bool *lost;                 /* neither copy is any good */
    struct qn_data *next;       /* of the cache */
};

struct qn_cache {
    struct qn_cache_settings settings;
    struct qn_mover mover;
    size_t count;               /* slots */
    struct qn__slot *slots;     /* and one more, the ends of the list */
    struct qn_data *data;
    size_t leases;              /* not released */
    struct qn__cost whole[2];   /* seconds of leases, for their work: [1] where
                                   blocks are reused */
    double owed;                /* see qn__trial_due */
    int trials;                 /* leases till the next trial may come, the
                                   first of them tried the other way */
    struct qn_cache_stats stats;
};

/* cache.c */

/* The first of the list, written back and free: QN_BUSY where none is. */
enum qn_status qn__slot_take(struct qn_cache *cache, size_t *slot);
/* Bytes of a block. */
size_t qn__block_size(const struct qn_data *data, size_t block);
/* Writes it back, if it is modified, and frees it. No lease pins it. */
enum qn_status qn__slot_clear(struct qn_cache *cache, size_t slot);
/* The owner's no more. */
void qn__slot_drop(struct qn_cache *cache, size_t slot);
void qn__slot_give(struct qn_cache *cache, size_t slot, struct qn_data *data,
                   size_t block);
void qn__slot_pin(struct qn_cache *cache, size_t slot);
/* Free, if it is empty or a copy and nobody's any more. */
void qn__slot_unpin(struct qn_cache *cache, size_t slot);
/* Moves a block of data; the state is the caller's to set. */
enum qn_status qn__slot_upload(struct qn_cache *cache, size_t slot,
                               const struct qn_data *data, size_t block);
enum qn_status qn__slot_download(struct qn_cache *cache, size_t slot);
bool qn__slot_modified(const struct qn_cache *cache, ptrdiff_t slot);

/* Destroys a cache without leases that cannot write back what was modified. */
void qn__cache_give_up(struct qn_cache *cache);

/* reuse.c */

double qn__lease_work(const struct qn_lease *lease);
bool qn__lease_reuses(struct qn_cache *cache, const struct qn_lease *lease);

/* lease.c, fresh.c: leases of blocks where they are, or side by side */

enum qn_status qn__lease_fresh(struct qn_cache *cache, struct qn_lease *lease);
enum qn_status qn__lease_end_fresh(struct qn_cache *cache,
                                   const struct qn_lease *lease,
                                   enum qn_status status);
/* The writers begin: all that could fail is done. */
void qn__lease_mark(struct qn_cache *cache, const struct qn_lease *lease);
/* A write came to nothing: which copy, if any, is still good? */
void qn__lease_spoil(struct qn_cache *cache, size_t slot);
/* QN_DEVICE: the block cannot be read, for what has been in it is lost. */
enum qn_status qn__lease_readable(const struct qn_use *use);

#endif
