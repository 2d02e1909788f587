/* Lanes of a cuda context: streams, which are ordered with the default one. */
#include "lane.h"

#include "driver.h"

#include <stdint.h>

static enum qn_status check(const struct qn_context *context, int code)
{
    return qn__driver_check(context->cuda, code, "a batch on its lane");
}

static void cuda_close(struct qn_context *context, struct qn__lane *lane)
{
    const struct qn__cuda *const cuda = context->cuda;
    if (cuda->set_current(cuda->primary) != 0)
        return;
    if (lane->begin)
        cuda->event_destroy(lane->begin);
    if (lane->end)
        cuda->event_destroy(lane->end);
    if (lane->stream)
        cuda->stream_destroy(lane->stream);
    *lane = (struct qn__lane){ 0 };
}

static enum qn_status cuda_open(struct qn_context *context,
                                struct qn__lane *lane)
{
    const struct qn__cuda *const cuda = context->cuda;
    *lane = (struct qn__lane){ 0 };
    int code = cuda->set_current(cuda->primary);
    if (!code)
        code = cuda->stream_create(&lane->stream, 0);
    if (!code)
        code = cuda->event_create(&lane->begin, 0);
    if (!code)
        code = cuda->event_create(&lane->end, 0);
    const enum qn_status status = check(context, code);
    if (status != QN_OK)
        cuda_close(context, lane);
    return status;
}

static enum qn_status cuda_pin(struct qn_context *context, size_t size,
                               void **host)
{
    const struct qn__cuda *const cuda = context->cuda;
    *host = NULL;
    int code = cuda->set_current(cuda->primary);
    if (!code)
        code = cuda->alloc_host(host, size ? size : 1);
    return check(context, code);
}

static void cuda_unpin(struct qn_context *context, void *host)
{
    const struct qn__cuda *const cuda = context->cuda;
    if (host && cuda->set_current(cuda->primary) == 0)
        cuda->release_host(host);
}

static enum qn_status cuda_begin(struct qn_context *context,
                                 struct qn__lane *lane)
{
    const struct qn__cuda *const cuda = context->cuda;
    return check(context, cuda->event_record(lane->begin, lane->stream));
}

static enum qn_status cuda_send(struct qn_context *context,
                                struct qn__lane *lane, void *to,
                                const void *from, size_t size)
{
    const struct qn__cuda *const cuda = context->cuda;
    if (size == 0)
        return QN_OK;
    return check(context, cuda->to_device_async((driver_address)(uintptr_t)to,
                                                from, size, lane->stream));
}

static enum qn_status cuda_fetch(struct qn_context *context,
                                 struct qn__lane *lane, void *to,
                                 const void *from, size_t size)
{
    const struct qn__cuda *const cuda = context->cuda;
    if (size == 0)
        return QN_OK;
    return check(context,
                 cuda->to_host_async(to, (driver_address)(uintptr_t)from, size,
                                     lane->stream));
}

static enum qn_status cuda_end(struct qn_context *context,
                               struct qn__lane *lane)
{
    const struct qn__cuda *const cuda = context->cuda;
    return check(context, cuda->event_record(lane->end, lane->stream));
}

static enum qn_status cuda_follow(struct qn_context *context,
                                  struct qn__lane *lane,
                                  const struct qn__lane *other)
{
    const struct qn__cuda *const cuda = context->cuda;
    return check(context, cuda->stream_wait(lane->stream, other->end, 0));
}

static enum qn_status cuda_passed(struct qn_context *context,
                                  struct qn__lane *lane, bool *passed,
                                  double *seconds)
{
    const struct qn__cuda *const cuda = context->cuda;
    float milliseconds = 0;
    int code = cuda->set_current(cuda->primary);
    if (!code)
        code = cuda->event_query(lane->end);
    *passed = code != DRIVER_NOT_READY;
    if (!*passed)
        return QN_OK;
    if (!code)
        code = cuda->event_elapsed(&milliseconds, lane->begin, lane->end);
    *seconds = 1e-3 * (double)milliseconds;
    return check(context, code);
}

static enum qn_status cuda_between(struct qn_context *context,
                                   const struct qn__lane *from,
                                   const struct qn__lane *to, double *seconds)
{
    const struct qn__cuda *const cuda = context->cuda;
    float milliseconds = 0;
    const int code = cuda->event_elapsed(&milliseconds, from->end, to->end);
    *seconds = 1e-3 * (double)milliseconds;
    return check(context, code);
}

static enum qn_status cuda_wait(struct qn_context *context,
                                struct qn__lane *lane)
{
    const struct qn__cuda *const cuda = context->cuda;
    int code = cuda->set_current(cuda->primary);
    if (!code)
        code = cuda->stream_synchronize(lane->stream);
    return check(context, code);
}

static enum qn_status cuda_call(struct qn_context *context,
                                struct qn__lane *lane,
                                void (*function)(void *self), void *self)
{
    const struct qn__cuda *const cuda = context->cuda;
    return check(context, cuda->call_host(lane->stream, function, self));
}

const struct qn__lanes qn__cuda_lanes = {
    .open = cuda_open, .close = cuda_close, .pin = cuda_pin,
    .unpin = cuda_unpin, .begin = cuda_begin, .send = cuda_send,
    .fetch = cuda_fetch, .end = cuda_end, .follow = cuda_follow,
    .passed = cuda_passed, .between = cuda_between,
    .wait = cuda_wait, .call = cuda_call
};
