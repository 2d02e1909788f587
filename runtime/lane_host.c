/* Lanes of contexts whose memory is the host's: all is done at once. */
#define _POSIX_C_SOURCE 200809L
#include "lane.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static enum qn_status host_open(struct qn_context *context,
                                struct qn__lane *lane)
{
    *lane = (struct qn__lane){ .stream = context->stream };
    return QN_OK;
}

static void host_close(struct qn_context *context, struct qn__lane *lane)
{
    (void)context;
    (void)lane;
}

static enum qn_status host_pin(struct qn_context *context, size_t size,
                               void **host)
{
    (void)context;
    *host = malloc(size ? size : 1);
    return *host ? QN_OK
         : qn__fail(QN_NO_MEMORY, "no memory for %zu bytes", size);
}

static void host_unpin(struct qn_context *context, void *host)
{
    (void)context;
    free(host);
}

static enum qn_status host_begin(struct qn_context *context,
                                 struct qn__lane *lane)
{
    (void)context;
    lane->started = now();
    return QN_OK;
}

static enum qn_status host_copy(struct qn_context *context,
                                struct qn__lane *lane, void *to,
                                const void *from, size_t size)
{
    (void)context;
    (void)lane;
    if (size > 0)
        memcpy(to, from, size);
    return QN_OK;
}

static enum qn_status host_end(struct qn_context *context,
                               struct qn__lane *lane)
{
    (void)context;
    lane->ended = now();
    return QN_OK;
}

static enum qn_status host_follow(struct qn_context *context,
                                  struct qn__lane *lane,
                                  const struct qn__lane *other)
{
    (void)context;
    (void)lane;
    (void)other;
    return QN_OK;
}

static enum qn_status host_passed(struct qn_context *context,
                                  struct qn__lane *lane, bool *passed,
                                  double *seconds)
{
    (void)context;
    *passed = true;
    *seconds = lane->ended - lane->started;
    return QN_OK;
}

static enum qn_status host_between(struct qn_context *context,
                                   const struct qn__lane *from,
                                   const struct qn__lane *to, double *seconds)
{
    (void)context;
    *seconds = to->ended - from->ended;
    return QN_OK;
}

static enum qn_status host_wait(struct qn_context *context,
                                struct qn__lane *lane)
{
    (void)context;
    (void)lane;
    return QN_OK;
}

static enum qn_status host_call(struct qn_context *context,
                                struct qn__lane *lane,
                                void (*function)(void *self), void *self)
{
    (void)context;
    (void)lane;
    function(self);
    return QN_OK;
}

const struct qn__lanes qn__host_lanes = {
    .open = host_open, .close = host_close, .pin = host_pin,
    .unpin = host_unpin, .begin = host_begin, .send = host_copy,
    .fetch = host_copy, .end = host_end, .follow = host_follow,
    .passed = host_passed, .between = host_between,
    .wait = host_wait, .call = host_call,
    .at_once = true
};
