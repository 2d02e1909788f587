/* Requests are submitted: each gets a number, with it a slot of the ring. */
#include "queue.h"

/* Those of all that wait can be added up. */
static enum qn_status check_size(int64_t size, int64_t most, const char *what)
{
    if (size < 0 || size > most)
        return qn__fail(QN_INVALID, "a request of %lld %s to %lld",
                        (long long)size, what, (long long)most);
    return QN_OK;
}

static enum qn_status check(const struct qn_queue *queue,
                            const struct qn_request *request)
{
    const int state = __atomic_load_n(&request->state, __ATOMIC_ACQUIRE);
    const int64_t most = queue->most, limit = queue->launcher.limit;
    if (atomic_load_explicit(&queue->shut, memory_order_relaxed))
        return qn__fail(QN_INVALID, "the queue is being destroyed: it takes no"
                        " requests any more");
    if (state != QN_NEW && state != QN_DONE)
        return qn__fail(QN_INVALID, "the request was submitted before and is"
                        " not done");
    const enum qn_status status =
        check_size(request->blocks, limit > 0 && limit < most ? limit : most,
                   "blocks: it has 0 (one)");
    return status != QN_OK ? status
         : check_size(request->items, most, "items: it has 0 (its blocks)");
}

static enum qn_status refuse(struct qn_queue *queue, size_t count)
{
    atomic_fetch_add_explicit(&queue->refused, count, memory_order_relaxed);
    return qn__fail(QN_BUSY, "the queue has %zu requests that are not done, as"
                    " many as it can", queue->settings.capacity);
}

/* For so many more. `done` may be newer than `at`. */
static ptrdiff_t room(struct qn_queue *queue, size_t at)
{
    const size_t done = atomic_load_explicit(&queue->done,
                                             memory_order_acquire);
    return (ptrdiff_t)(queue->settings.capacity + done - at);
}

/* The next numbers, as many of `count` as there is room for. With room for more
 * than there can be producers one of them need not look twice: if meanwhile
 * others filled the queue, the ring is as much larger. */
static size_t numbers(struct qn_queue *queue, size_t count, size_t *first)
{
    *first = atomic_load_explicit(&queue->tail, memory_order_relaxed);
    if (count == 1 && room(queue, *first) > QN_MANY) {
        *first = atomic_fetch_add_explicit(&queue->tail, 1,
                                           memory_order_relaxed);
        return 1;
    }
    size_t taken;
    do {
        const ptrdiff_t left = room(queue, *first);
        taken = left <= 0 ? 0 : (size_t)left < count ? (size_t)left : count;
    } while (taken > 0 && !atomic_compare_exchange_weak_explicit(
        &queue->tail, first, *first + taken, memory_order_relaxed,
        memory_order_relaxed));
    return taken;
}

/* The slot of number `at` is empty: what it held had the number at - slots, and
 * at least at - slots + 1 requests, taken out in order, are done. */
static void put(struct qn_queue *queue, size_t at, struct qn_request *request,
                double now)
{
    request->status = QN_OK;
    request->arrived = now;
    request->next = NULL;
    __atomic_store_n(&request->state, QN_WAITING, __ATOMIC_RELAXED);
    atomic_store(qn__queue_slot(queue, at), request);
    if (at % QN_STRAND == QN_STRAND / 2)
        qn__strand_string(queue, at);
}

static void ring(struct qn_queue *queue)
{
    if (atomic_load(&queue->asleep))
        qn_queue_wake(queue);
}

enum qn_status qn_queue_submit(struct qn_queue *queue,
                               struct qn_request *request)
{
    const enum qn_status status = check(queue, request);
    size_t at;
    if (status != QN_OK)
        return status;
    const double now = qn__queue_now(queue);
    if (numbers(queue, 1, &at) == 0)
        return refuse(queue, 1);
    put(queue, at, request, now);
    ring(queue);
    return QN_OK;
}

/* The first that can be, each claimed, so that none is there twice. */
static size_t claim(const struct qn_queue *queue, size_t count,
                    struct qn_request *const requests[],
                    enum qn_status *status)
{
    size_t well = 0;
    while (well < count
           && (*status = check(queue, requests[well])) == QN_OK)
        __atomic_fetch_add(&requests[well++]->state, QN_CLAIMED,
                           __ATOMIC_RELAXED);
    return well;
}

enum qn_status qn_queue_submit_many(struct qn_queue *queue, size_t count,
                                    struct qn_request *const requests[],
                                    size_t *taken)
{
    enum qn_status status = QN_OK;
    const size_t well = claim(queue, count, requests, &status);
    const double now = qn__queue_now(queue);
    size_t first;
    *taken = numbers(queue, well, &first);
    if (*taken < well)
        status = refuse(queue, well - *taken);
    for (size_t i = *taken; i < well; i++)
        __atomic_fetch_sub(&requests[i]->state, QN_CLAIMED, __ATOMIC_RELAXED);
    for (size_t i = 0; i < *taken; i++)
        put(queue, first + i, requests[i], now);
    if (*taken > 0)
        ring(queue);
    return status;
}
