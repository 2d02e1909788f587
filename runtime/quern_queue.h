/* libquern's queue: many small requests, launched together as batches.
 *
 * Producers submit from any thread and never wait for a device; a policy says
 * when what waits becomes a batch; a launcher runs it. Each request ends in
 * exactly one way, and says in which: a launch that fails, a full queue and
 * qn_queue_destroy lose none. quern.h includes this file. */
#ifndef QUERN_QUEUE_H
#define QUERN_QUEUE_H

#include "quern.h"

#ifdef __cplusplus
extern "C" {
#endif

enum qn_state {
    QN_NEW,                     /* never submitted: all zero */
    QN_WAITING,
    QN_LAUNCHED,
    QN_DONE                     /* status is final; it can be submitted again */
};

/* A piece of work. It is the caller's, who keeps it until it is done; all that
 * is not set is zero. */
struct qn_request {
    int64_t blocks;             /* of threads that it needs; 0: one */
    int64_t items;              /* that it works on; 0: as many as blocks. Of
                                   either, INT64_MAX / capacity at most */
    const void *data;           /* what it is about: the launcher knows */
    /* NULL, or called once when it is done, by the thread that polls. The
     * request is then the caller's again, to free or to submit. It may submit,
     * flush and ask for statistics; it may not poll, drain or destroy. */
    void (*done)(struct qn_request *request);
    void *user;                 /* the caller's own */
    /* Set by the queue; times are its clock's, in seconds. */
    enum qn_status status;      /* once it is done. A launcher may set it, of
                                   one request in a batch that else went well */
    double arrived, launched, finished;
    struct qn_request *next;    /* in its batch, in order of submission; the
                                   launcher's, till the batch has ended */
    int state;                  /* ask qn_request_state */
};

/* Of a request that has no `done`, from any thread. */
enum qn_state qn_request_state(const struct qn_request *request);

/* Why a batch was launched. */
enum qn_reason {
    QN_BY_SIZE,                 /* FIXED: so many wait; OCCUPANCY: they fill the
                                   device */
    QN_BY_PAUSE,                /* OCCUPANCY: none came for so long */
    QN_BY_AGE,                  /* the oldest has waited for max_delay */
    QN_BY_IDLENESS,             /* IDLE: few batches were in flight */
    QN_BY_FLUSH,                /* qn_queue_flush, drain, destroy */
    QN_REASONS
};

struct qn_queue;

struct qn_batch {
    uint64_t number;            /* from 0 */
    enum qn_reason reason;
    size_t count;               /* requests */
    int64_t blocks, items;      /* in all */
    struct qn_request *first;   /* then next */
    double launched;
    double seconds;             /* a launcher that knows what it took says so;
                                   0: it does not */
    void *data;                 /* the launcher's own */
    struct qn_batch *next;      /* the queue's own */
    size_t from;
    int taken;
};

/* What runs batches. Called by one thread at a time. Its functions may do what
 * callbacks may. */
struct qn_launcher {
    void *self;
    int64_t resident;           /* blocks that run at once; 0: not known */
    int64_t limit;              /* blocks of one launch; 0: any number */
    /* Starts it. QN_BUSY: not now; its requests wait on, the first of all. Any
     * other failure is that of its requests. */
    enum qn_status (*launch)(void *self, struct qn_batch *batch);
    /* NULL: launch returns when all is done. Else: has it ended, and how? Asked
     * of every batch in flight, oldest first. */
    int (*finished)(void *self, struct qn_batch *batch, enum qn_status *status);
    int wakes;                  /* 1: calls qn_queue_wake when one has ended, so
                                   that the queue's thread need not ask */
    /* NULL, or told which queue to wake: when it has been made, and NULL before
     * it is freed. */
    void (*attach)(void *self, struct qn_queue *queue);
};

/* NULL functions: the machine's steady clock. */
struct qn_clock {
    void *self;
    double (*now)(void *self);              /* from any thread; never falls */
    void (*pause)(void *self, double until);    /* drain has nothing to do
                                                   before; it may return soon */
};

enum qn_policy {
    QN_IDLE,                    /* what waits, as soon as fewer batches than
                                   `flights` are in flight: at once about as
                                   much as is in flight, or as fills the device
                                   in three batches, in more where launching
                                   takes long, but half the `resident` blocks at
                                   most, if they are known; one by one what the
                                   device hardly feels, in twice the flights */
    QN_FIXED,                   /* every `count` requests */
    QN_OCCUPANCY,               /* all, when they have the launcher's `resident`
                                   blocks, or when none has come for twice the
                                   longest interval between two of them */
    QN_DEADLINE                 /* all, when the oldest has waited max_delay */
};

/* Zero: what is said in brackets. */
struct qn_queue_settings {
    enum qn_policy policy;
    size_t capacity;            /* requests waiting or in flight (65536) */
    size_t count;               /* FIXED (100) */
    int flights;                /* IDLE (8) */
    /* None waits longer while a batch can be launched, whatever the policy; by
     * QN_DEADLINE just so long (DEADLINE 1e-4, FIXED INFINITY, else 1e-2). */
    double max_delay;           /* seconds */
    /* OCCUPANCY: 1: intervals in which a launch falls count too, and nothing
     * waits for max_delay only. Producers that wait for results then make the
     * longest interval grow with every batch, without end. */
    int bare;
    int most_flights;           /* batches in flight at most, whatever the
                                   policy (64) */
    int thread;                 /* 1: a thread of the queue polls */
    struct qn_clock clock;      /* not with a thread */
};

enum qn_status qn_queue_create(const struct qn_queue_settings *settings,
                               const struct qn_launcher *launcher,
                               struct qn_queue **queue);
/* Drains it first: requests that are not done are launched. What callbacks
 * submit meanwhile is refused (QN_INVALID); other threads are through with it.
 * From what the queue calls: nothing is done. */
void qn_queue_destroy(struct qn_queue *queue);
/* From any thread. QN_BUSY: so many wait or are in flight as can; the request
 * was not taken: poll, or wait, and submit it again. QN_INVALID: it is not done
 * since it was submitted before, its numbers cannot be, or the queue goes. */
enum qn_status qn_queue_submit(struct qn_queue *queue,
                               struct qn_request *request);
/* All of them, in that order, with nothing in between; the first *taken were
 * taken. QN_BUSY: there was room for no more. QN_INVALID: the one behind them
 * cannot be submitted, or is among them. Without either, all. */
enum qn_status qn_queue_submit_many(struct qn_queue *queue, size_t count,
                                    struct qn_request *const requests[],
                                    size_t *taken);
/* Ends what has ended, launches what is due. *due, if not NULL: when, by the
 * queue's clock, it wants to be called again if nothing happens till then;
 * INFINITY: not before a request comes or a batch ends. From any thread; while
 * one polls others return. */
enum qn_status qn_queue_poll(struct qn_queue *queue, double *due);
/* All that waits now is launched by whoever polls next, whatever the policy. */
void qn_queue_flush(struct qn_queue *queue);
/* Flushes, and polls until all that was submitted before is done, or waits till
 * the queue's thread has. */
enum qn_status qn_queue_drain(struct qn_queue *queue);
/* From any thread: something has happened that the queue's thread must see. */
void qn_queue_wake(struct qn_queue *queue);

struct qn_spread {
    double least, mean, most;   /* 0 of nothing */
};

struct qn_queue_stats {
    uint64_t submitted;
    uint64_t refused;           /* QN_BUSY at submit */
    uint64_t completed;         /* well or not */
    uint64_t failed;            /* of them */
    uint64_t batches;           /* launched or tried */
    uint64_t by[QN_REASONS];    /* of them */
    uint64_t failed_batches;
    uint64_t postponed;         /* launches that were QN_BUSY */
    size_t waiting;             /* requests, now */
    int in_flight;              /* batches, now */
    struct qn_spread size;      /* requests of a batch */
    struct qn_spread blocks;    /* of a batch */
    struct qn_spread wait;      /* of a request, from arrival to launch */
    struct qn_spread service;   /* of a batch, from launch to end */
    struct qn_spread latency;   /* of a request, from arrival to end */
};
void qn_queue_get_stats(struct qn_queue *queue, struct qn_queue_stats *stats);
/* A table of them, as snprintf: its length, of which size - 1 are written. */
size_t qn_queue_report(const struct qn_queue_stats *stats, char *text,
                       size_t size);

/* --- two devices ---------------------------------------------------------- */

/* Who gets which requests of a batch: the device the first ones, the CPU the
 * rest. */
enum qn_split_policy {
    QN_SPLIT_COST,              /* so that both end as soon as can be, each
                                   taking a + b * items, by medians, where that
                                   gains a twentieth; where many batches wait,
                                   in the way whose runs were the fastest. A
                                   hundredth of the time goes into trying */
    QN_SPLIT_ITEMS,             /* as many items as the average time of an item
                                   on each says (G-Charm) */
    QN_SPLIT_COUNT,             /* requests likewise: its baseline */
    QN_SPLIT_DEVICE, QN_SPLIT_CPU       /* all */
};

/* A launcher made of two. One of them that has no `finished` holds the poller
 * up while it runs: it should be the CPU's, which is launched second. */
struct qn_split;
enum qn_status qn_split_create(enum qn_split_policy policy,
                               const struct qn_launcher *device,
                               const struct qn_launcher *cpu,
                               const struct qn_clock *clock,
                               struct qn_split **split);
/* After the queue. */
void qn_split_free(struct qn_split *split);
/* For qn_queue_create. A failure of one is that of its requests alone. */
struct qn_launcher qn_split_launcher(struct qn_split *split);

/* [0]: the device; [1]: the CPU. */
struct qn_split_stats {
    uint64_t batches[2], requests[2], items[2];
    double seconds[2];          /* in all */
    double fixed[2], item[2];   /* of the lines: seconds of a launch, and more
                                   for an item */
};
/* From a callback, or when nothing polls. */
void qn_split_get_stats(const struct qn_split *split,
                        struct qn_split_stats *stats);
/* A table of them, as snprintf. */
size_t qn_split_report(const struct qn_split_stats *stats, char *text,
                       size_t size);

#ifdef __cplusplus
}
#endif
#endif
