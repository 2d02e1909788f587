/* Lanes: what a device does in order, beside what is on other lanes and while
 * the host goes on. What the context does otherwise is ordered with all. What
 * puts something on one has entered the context; who asks or waits need not. */
#ifndef QUERN_LANE_H
#define QUERN_LANE_H

#include "internal.h"

struct qn__lane {
    void *stream;               /* for launches */
    void *begin, *end;          /* events */
    double started, ended;      /* where all is done at once */
};

struct qn__lanes {
    enum qn_status (*open)(struct qn_context *context, struct qn__lane *lane);
    void (*close)(struct qn_context *context, struct qn__lane *lane);
    /* Memory of the host that `send` and `fetch` are fast with. */
    enum qn_status (*pin)(struct qn_context *context, size_t size, void **host);
    void (*unpin)(struct qn_context *context, void *host);
    /* The lane is empty; its time counts from here. */
    enum qn_status (*begin)(struct qn_context *context, struct qn__lane *lane);
    /* `from` stays as it is until it is done. */
    enum qn_status (*send)(struct qn_context *context, struct qn__lane *lane,
                           void *to, const void *from, size_t size);
    enum qn_status (*fetch)(struct qn_context *context, struct qn__lane *lane,
                            void *to, const void *from, size_t size);
    /* All that was put on it is in between. */
    enum qn_status (*end)(struct qn_context *context, struct qn__lane *lane);
    /* What is put on it now comes after what the other was ended with. */
    enum qn_status (*follow)(struct qn_context *context, struct qn__lane *lane,
                             const struct qn__lane *other);
    /* Has it come to its end, and how long did it take? */
    enum qn_status (*passed)(struct qn_context *context, struct qn__lane *lane,
                             bool *passed, double *seconds);
    /* From the end of one that has passed to that of another. */
    enum qn_status (*between)(struct qn_context *context,
                              const struct qn__lane *from,
                              const struct qn__lane *to, double *seconds);
    enum qn_status (*wait)(struct qn_context *context, struct qn__lane *lane);
    /* Calls a function, on a thread of the device's, once what was put on the
     * lane is done; it may not use the context. */
    enum qn_status (*call)(struct qn_context *context, struct qn__lane *lane,
                           void (*function)(void *self), void *self);
    bool at_once;               /* all is done when it has been put there */
};

extern const struct qn__lanes qn__host_lanes, qn__cuda_lanes;

#endif
