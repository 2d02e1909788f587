/* What the files of the server share. */
#ifndef QUERN_SERVER_H
#define QUERN_SERVER_H

#include "crew.h"
#include "home.h"
#include "lane.h"

#include <pthread.h>

enum { QN_LIST_KERNELS = 2 };   /* the items of a list, and their sum */

/* A list of a request, by the names that the generator gives. */
struct qn__served {
    const char *name;
    int item, items, own;       /* axes L_item, L_items, L; -1: there is none */
    int of;                     /* the axis of its points */
    int point, request, turned, read;       /* tables L_point, L_request,
                                               L_items, L; likewise */
    /* Or NULL, the second also where the first adds to points itself. */
    const struct quern_kernel *kernel[QN_LIST_KERNELS];
    bool shared;                /* the blocks of the first serve requests */
};

/* Memory, kept from batch to batch. */
struct qn__buffer {
    void *data;
    size_t size;
};

/* An array of a batch, in one buffer with the others. */
struct qn__piece {
    const void *host;           /* NULL: nothing is to be moved */
    int scalar;                 /* written from the values; -1: it is not */
    bool direct;                /* it is sent from where it is */
    bool there;                 /* kernels read it where it is */
    size_t size, at;
    size_t pointer;             /* offset in the arguments */
    ptrdiff_t before;           /* bytes before it that are not there, though
                                   the pointer counts from their beginning */
};

/* The items of a list, as the kernels of a batch read them. */
struct qn__listed {
    struct qn_record_list view;
    int32_t *firsts;            /* block and item of each request, where its
                                   kernel's blocks serve one: .. */
    size_t room;                /* .. requests that it has room for */
    int64_t low, high;          /* points that have items are among these */
};

/* What one thread has of a batch's requests: so many that are well, with so
 * many items in each list; later, how many there are before them. */
struct qn__share {
    size_t requests, items[QUERN_MAX_AXES];
    bool odd;                   /* some have points that are not there */
    unsigned char *named;       /* of each home: its blocks whose points are
                                   named, then those that are written */
};

/* A batch's place: what it needs until it has ended. */
struct qn__flight {
    struct qn_server *server;
    struct qn_batch *batch;     /* NULL: none */
    struct qn_request **all;    /* its requests */
    size_t all_room;
    /* What of it is served at once, as far as homes have room: first <= r <
     * end of `all`. */
    size_t first, end;
    struct qn__share *shares;   /* of each thread */
    int share_count;
    bool put_off;               /* the part waits for room that others have */
    bool fired;                 /* a kernel of the part was: it may have written
                                   what it has of homes */
    struct qn__lane lane;
    struct qn_record *record;
    struct qn_items **items;    /* of each list with a formula; else NULL */
    struct qn__listed *lists;
    double *values;             /* of the scalars, request by request */
    size_t room;                /* requests in values */
    int64_t requests;
    struct qn__lodging *lodgings;       /* of each home */
    struct qn__state state;     /* only args */
    struct qn__piece *pieces;
    size_t piece_count;
    size_t moved;               /* bytes */
    double hosted;              /* seconds of the thread that launched it */
    uint64_t runs;              /* times that its lane was begun */
    struct qn__buffer host, device;
    bool done;                  /* by the server's thread; under its lock */
    enum qn_status status;
    char why[320];              /* the sentence, for the thread that polls */
};

struct qn_server {
    struct qn_module *module;
    const struct qn__lanes *lanes;
    int request;                /* the axis */
    bool distinct, ordered, threaded, sleeps;
    bool sums;                  /* some list has a second kernel */
    bool dependent;             /* a batch reads what the one before assigns */
    struct qn__crew *crew;      /* makes tables */
    enum qn_order order;
    int64_t resident;
    size_t list_count, scalar_count;
    struct qn__served *lists;
    int *scalars;               /* fields */
    size_t home_count;
    struct qn__home *homes;
    int flight_count;
    struct qn__flight *flights;
    const struct qn__flight *before;    /* of the batch launched last */
    const struct qn__flight *ended;     /* of the part that ended last: .. */
    uint64_t ended_run;         /* .. its run .. */
    double ended_at;            /* .. and when that was seen */
    struct qn_server_stats stats;

    pthread_mutex_t lock;       /* of all that follows, and of `done` */
    pthread_cond_t handed;
    struct qn_queue *queue;     /* to be woken */
    struct qn__flight **turn;   /* what the thread is to run: a ring */
    int first, count;
    bool stopping;
    pthread_t thread;
};

/* server_find.c: lists, scalars and kernels by their names */

enum qn_status qn__server_find(struct qn_server *server,
                               const struct qn_server_settings *settings);

/* server_tables.c */

enum qn_status qn__tables_open(struct qn__flight *flight);
void qn__tables_close(struct qn__flight *flight);
/* Whether a request's data has all that it is to point to. */
enum qn_status qn__work_check(const struct qn_server *server,
                              const struct qn_work *work);
/* All requests of the batch are in an array. */
enum qn_status qn__tables_begin(struct qn__flight *flight);
/* Those of the part are in the record; one that cannot be has its own status,
 * and no part in the batch. */
enum qn_status qn__tables_make(struct qn__flight *flight);
/* The requests from `first` to before `end`, shared out among the crew. */
void qn__tables_share(struct qn__flight *flight, size_t first, size_t end,
                      void (*what)(struct qn__flight *flight,
                                   struct qn__share *share, size_t first,
                                   size_t end));

/* server_flight.c */

enum qn_status qn__flight_open(struct qn_server *server,
                               struct qn__flight *flight);
void qn__flight_close(struct qn__flight *flight);
/* Puts the batch on its lane: what it came to, if it could not be. */
enum qn_status qn__flight_run(struct qn__flight *flight);

/* server_home.c */

/* The blocks that its requests name are its own, or why not. */
enum qn_status qn__flight_lodge(struct qn__flight *flight);
enum qn_status qn__flight_arrive(struct qn__flight *flight);
/* The part has come to this: or what leaving came to, if that is worse. */
enum qn_status qn__flight_leave(struct qn__flight *flight,
                                enum qn_status status, double seconds);
/* The home of a list's points, or NULL. */
const struct qn__home *qn__flight_home(const struct qn__flight *flight,
                                       size_t list);
/* Its points, where they are on the device. */
void qn__flight_place(const struct qn__flight *flight, size_t list,
                      const struct qn_points *points, int32_t *places);
/* The next of the ranges of points that it may write, on the device; *next: 0
 * before the first. */
bool qn__flight_run_of(const struct qn__flight *flight, size_t list,
                       size_t *next, int64_t *low, int64_t *high);

/* server_args.c */

/* The module's arguments, with the batch's tables and fields, on their way. */
enum qn_status qn__flight_set(struct qn__flight *flight);
/* Pieces that this needs at most. */
size_t qn__server_pieces(const struct qn_server *server);

/* server_thread.c: contexts that do all at once have a thread to do it on */

enum qn_status qn__server_start(struct qn_server *server);
void qn__server_stop(struct qn_server *server);
void qn__server_hand(struct qn_server *server, struct qn__flight *flight);
bool qn__server_done(struct qn_server *server, struct qn__flight *flight);
/* For lanes: wakes the queue. */
void qn__server_ring(void *server);

/* items.c: none are in the list any more */

void qn__items_clear(struct qn_items *items);

/* record.c: without the items of each point; or those of the points from low
 * to high alone, of a list whose items are of these points */

/* Memory that the device reads fast; NULL: there is none. */
struct qn__memory {
    void *self;
    void *(*take)(void *self, size_t size);
    void (*give)(void *self, void *data);
};

enum qn_status qn__record_create(size_t lists, const int64_t *domain,
                                 const struct qn__memory *memory,
                                 struct qn_record **record);
bool qn__all_there(const struct qn_points *points, int64_t domain);
/* Of a list: has it a point that is not there? */
enum qn_status qn__record_check(const struct qn_record *record, size_t list,
                                const struct qn_points *points);
/* So many more, with so many items in each list, all to be filled in. */
enum qn_status qn__record_extend(struct qn_record *record, size_t requests,
                                 const size_t *items);
/* Fills in which items of a list a request has, `count` from `at` on, and has
 * their points to be: from any thread. */
int32_t *qn__record_row(struct qn_record *record, size_t list, size_t request,
                        size_t at, size_t count);
/* Of this list the rows are read, and nothing else. */
void qn__record_read(struct qn_record *record, size_t list);
void qn__record_view(struct qn_record *record, size_t list,
                     struct qn_record_list *view);
void qn__record_turn(struct qn_record *record, size_t list,
                     const int32_t *points, int64_t *low, int64_t *high);

#endif
