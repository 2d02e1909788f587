/* What the files of the queue share.
 *
 * Producers put requests into a ring of pointers: one compare-and-swap of
 * `tail`, and nothing else that they share but the count of what is done, which
 * bounds the ring, and who strings 64 of them together. All else is the
 * poller's, one thread at a time, under `lock`: it sees requests in order of
 * submission, strings those together that are not, decides, takes those of a
 * batch out of the ring. Nothing is allocated after qn_queue_create. */
#ifndef QUERN_QUEUE_INTERNAL_H
#define QUERN_QUEUE_INTERNAL_H

#include "internal.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
    QN_LINE = 64,               /* bytes of a line of the cache */
    QN_SPREAD = QN_LINE / sizeof(void *),       /* slots of one */
    QN_STRAND = QN_SPREAD * QN_SPREAD,     /* slots of a strand of the ring */
    QN_MANY = 1 << 15,          /* producers, more than there can be at once */
    QN_CLAIMED = 8              /* and its state: by who is submitting it */
};

/* The requests of a strand are strung together by a producer, who has them at
 * hand, unless the poller, to whom each is a line of memory to wait for, has
 * begun with them: it takes those that are strung as one. */
enum qn__stringing {
    QN_LOOSE, QN_BEGUN, QN_STRINGING, QN_STRUNG
};
struct qn__strand {
    atomic_size_t state;        /* the number of its first request, a multiple
                                   of QN_STRAND, + its enum qn__stringing */
    int64_t blocks, items;      /* of all, when it is strung */
    struct qn_request *last;
};

/* Sum, least and most of what was seen. */
struct qn__tally {
    uint64_t count;
    double sum, least, most;
};

/* What a policy decides from. */
struct qn__view {
    double now;
    size_t waiting;             /* > 0 */
    size_t flushed;             /* the first of them that were flushed */
    int64_t blocks;             /* of them all */
    double oldest, newest;      /* when the first and the last one came */
    double longest;             /* interval between two, since the beginning */
    int in_flight;
    size_t behind;              /* requests submitted and not launched: those
                                   that wait, and those not seen yet */
    double flying;              /* blocks of the batches in flight */
    double launching;           /* seconds that a block of a large batch took to
                                   be launched, the last time; 0: not known */
};

struct qn__decision {
    size_t count;               /* to be launched now, 0: none */
    enum qn_reason reason;
    double due;                 /* none: when to decide again, or INFINITY */
};

struct qn_queue {
    struct qn_queue_settings settings;  /* with nothing left to default */
    struct qn_launcher launcher;
    int64_t most;               /* blocks, and items, of one request: those of
                                   all are no more than an int64_t is */
    size_t mask;                        /* slots in the ring - 1 */
    _Atomic(struct qn_request *) *ring; /* NULL: not there yet, or taken out */
    struct qn__strand *strands;               /* of it */
    char apart[QN_LINE];        /* a line of the cache for what all producers
                                   write, one for what they only read, lest
                                   they wait for each other or the poller */
    atomic_size_t tail;                 /* requests submitted */
    char apart_too[QN_LINE];
    atomic_size_t done;                 /* of them */
    atomic_int asleep;                  /* the thread, or about to */
    atomic_int shut;                    /* no more are taken */
    char apart_again[QN_LINE];
    atomic_size_t flushed;              /* of them: none before it waits on */
    atomic_size_t seen;                 /* of them, by the poller */
    atomic_uint_fast64_t refused;
    atomic_int sated;           /* the poller has seen as much as can be of use
                                   before a batch ends */

    pthread_mutex_t lock;               /* of all that follows */
    size_t head;                /* requests launched: head .. seen - 1 wait */
    int64_t blocks, items;      /* of those that wait */
    struct qn_request *newest;  /* of those that wait, each of which has the
                                   next one; NULL: none waits */
    double arrived;             /* when the last one seen came */
    double launched;            /* when the last batch was */
    double asked;               /* when batches in flight were, whether ended */
    double ended_at;            /* when the last batch had */
    double launching;           /* as in a view */
    double longest;
    int in_flight;
    int64_t flying_blocks;              /* of what is in flight */
    struct qn_batch *batches;           /* all */
    struct qn_batch *spare;
    struct qn_batch *flying, **last;    /* in flight, in order */
    int drains;                 /* so many wait for batches that end */
    const struct qn_queue *outer;       /* that calls what polls this one */
    struct qn_queue_stats stats;        /* its counts */
    struct qn__tally size, weight, wait, service, latency;

    pthread_t thread;
    pthread_cond_t ended;       /* under lock: a batch has */
    pthread_mutex_t bed;                /* of the thread that sleeps */
    pthread_cond_t bell;
    int rung;                           /* under bed */
    atomic_int stopping;
};

/* Where the request of that number is in the ring. One after the other is in
 * lines of its own, eight in eight lines: producers that come at once do not
 * wait for one line. */
static inline _Atomic(struct qn_request *) *
qn__queue_slot(const struct qn_queue *queue, size_t number)
{
    const size_t at = number & queue->mask, first = at / QN_STRAND * QN_STRAND;
    const size_t line = at % QN_SPREAD, in_line = at % QN_STRAND / QN_SPREAD;
    return &queue->ring[first + line * QN_SPREAD + in_line];
}

static inline struct qn__strand *qn__queue_strand(const struct qn_queue *queue,
                                            size_t number)
{
    return &queue->strands[(number & queue->mask) / QN_STRAND];
}

/* queue.c */

/* The machine's. */
extern const struct qn_clock qn__queue_clock;

double qn__queue_now(const struct qn_queue *queue);

/* Requests that are submitted and not launched. Of the poller. */
static inline size_t qn__queue_behind(const struct qn_queue *queue)
{
    return atomic_load_explicit(&queue->tail, memory_order_relaxed)
         - queue->head;
}

/* queue_strand.c */

/* Strings the strand before that number together, if all of it is there and the
 * poller has not begun with it. By the thread that submitted the number. */
void qn__strand_string(struct qn_queue *queue, size_t number);
/* The poller begins with the strand that begins there, none of it seen yet:
 * QN_STRUNG, QN_BEGUN or, not yet, QN_STRINGING. */
enum qn__stringing qn__strand_begin(struct qn_queue *queue, size_t first);
/* The poller has seen all before that number, the end of a strand. */
void qn__strand_leave(struct qn_queue *queue, size_t end);

/* queue_poll.c */

/* Under the lock: ends, sees, launches; when to do so again. */
double qn__queue_turn(struct qn_queue *queue);
/* Is there a request that a poller should see? From any thread. */
bool qn__queue_news(struct qn_queue *queue);

/* queue_policy.c */

struct qn__decision qn__queue_decide(const struct qn_queue_settings *settings,
                                     int64_t resident,
                                     const struct qn__view *view);
/* Blocks of one batch at most: what is submitted behind them need not be seen
 * before it is launched. */
int64_t qn__queue_most(const struct qn_queue_settings *settings,
                       int64_t resident, const struct qn__view *view);
/* What launching a batch teaches that took so long; a small one, nothing. */
double qn__queue_launching(int64_t resident, int64_t blocks, double seconds,
                           double before);
/* Replaces zeros by defaults; QN_INVALID: what cannot be. */
enum qn_status qn__queue_settle(struct qn_queue_settings *settings,
                                const struct qn_launcher *launcher);

/* queue_batch.c */

/* Launches the first `count` that wait: false if the launcher could not. */
bool qn__queue_launch(struct qn_queue *queue, size_t count,
                      enum qn_reason reason);
/* Takes out of the ring what was launched, when all that is due has been, as
 * the device is to begin. */
void qn__queue_take(struct qn_queue *queue);
/* Ends the next batch that has ended: false where none has. *next: where to go
 * on, NULL at first; batches may be launched in between. */
bool qn__queue_end(struct qn_queue *queue, struct qn_batch ***next);
/* This thread polls it, under the lock, till it leaves. Is it in a function
 * that the queue called: a callback, or the launcher's? */
void qn__queue_enter(struct qn_queue *queue);
void qn__queue_leave(const struct qn_queue *queue);
bool qn__queue_inside(const struct qn_queue *queue);
/* Of a request: what counts against the device, and as work. */
static inline int64_t qn__request_blocks(const struct qn_request *request)
{
    return request->blocks > 0 ? request->blocks : 1;
}
static inline int64_t qn__request_items(const struct qn_request *request)
{
    return request->items > 0 ? request->items : qn__request_blocks(request);
}

/* queue_thread.c */

enum qn_status qn__queue_start(struct qn_queue *queue);
void qn__queue_stop(struct qn_queue *queue);

/* queue_stats.c */

/* Without comparisons that a NaN would need: this runs for every request. */
static inline void qn__tally_add(struct qn__tally *tally, double value)
{
    if (tally->count == 0 || value < tally->least)
        tally->least = value;
    if (tally->count == 0 || value > tally->most)
        tally->most = value;
    tally->sum += value;
    tally->count++;
}

#endif
