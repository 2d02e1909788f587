/* A batch: taken out of the ring, launched, ended, its requests told. */
#include "queue.h"

/* The queue that this thread polls, itself perhaps in a callback of another:
 * its `outer`. */
static _Thread_local const struct qn_queue *serving;

void qn__queue_enter(struct qn_queue *queue)
{
    queue->outer = serving;
    serving = queue;
}

void qn__queue_leave(const struct qn_queue *queue)
{
    serving = queue->outer;
}

bool qn__queue_inside(const struct qn_queue *queue)
{
    const struct qn_queue *at = serving;
    while (at && at != queue)
        at = at->outer;
    return at != NULL;
}

static struct qn_request *waiting(struct qn_queue *queue, size_t number)
{
    return atomic_load_explicit(qn__queue_slot(queue, number),
                                memory_order_relaxed);
}

/* So many of the first as are within the launcher's limit. */
static void fit(struct qn_queue *queue, size_t count, struct qn_batch *batch)
{
    const int64_t limit = queue->launcher.limit;
    batch->blocks = batch->items = 0;
    for (batch->count = 0; batch->count < count; batch->count++) {
        const struct qn_request *const request =
            waiting(queue, queue->head + batch->count);
        const int64_t blocks = qn__request_blocks(request);
        if (limit > 0 && blocks > limit - batch->blocks)
            break;
        batch->blocks += blocks;
        batch->items += qn__request_items(request);
    }
}

/* The first that wait, no more than the launcher's limit, are strung together
 * alone. They stay in the ring: it may be too busy for them. */
static void form(struct qn_queue *queue, size_t count, struct qn_batch *batch)
{
    const size_t waits = atomic_load(&queue->seen) - queue->head;
    batch->count = count;
    batch->blocks = queue->blocks;
    batch->items = queue->items;
    if (count < waits || queue->launcher.limit > 0)
        fit(queue, count, batch);
    batch->first = batch->count ? waiting(queue, queue->head) : NULL;
    if (batch->count > 0)       /* the next one may be strung to it unseen */
        waiting(queue, queue->head + batch->count - 1)->next = NULL;
}

/* They wait on, with those behind them. */
static void put_back(struct qn_queue *queue, const struct qn_batch *batch)
{
    const size_t waits = atomic_load(&queue->seen) - queue->head;
    if (batch->count > 0 && batch->count < waits)
        waiting(queue, queue->head + batch->count - 1)->next =
            waiting(queue, queue->head + batch->count);
}

/* Takes them out: it is decided what becomes of them. Not by the list: that is
 * the launcher's while the batch is in flight. */
static void take(struct qn_queue *queue, struct qn_batch *batch)
{
    struct qn__tally wait = queue->wait;
    size_t number = batch->from;
    for (size_t i = 0; i < batch->count; i++) {
        struct qn_request *const request = waiting(queue, number);
        request->launched = batch->launched;
        qn__tally_add(&wait, batch->launched - request->arrived);
        __atomic_store_n(&request->state, QN_LAUNCHED, __ATOMIC_RELEASE);
        atomic_store_explicit(qn__queue_slot(queue, number++), NULL,
                              memory_order_relaxed);
    }
    queue->wait = wait;
    batch->taken = 1;
}

void qn__queue_take(struct qn_queue *queue)
{
    for (struct qn_batch *at = queue->flying; at; at = at->next)
        if (!at->taken)
            take(queue, at);
}

/* What must be before the batch is told: it is taken out, and the oldest, as
 * many as will be done then, as slots of the ring are free by the count. The
 * others can wait till there is time. */
static void take_for(struct qn_queue *queue, struct qn_batch *batch)
{
    const size_t done = atomic_load(&queue->done) + batch->count;
    for (struct qn_batch *at = queue->flying; at; at = at->next)
        if (!at->taken && (ptrdiff_t)(at->from - done) < 0)
            take(queue, at);
    if (!batch->taken)
        take(queue, batch);
}

/* They wait no more. */
static void leave(struct qn_queue *queue, const struct qn_batch *batch)
{
    queue->head += batch->count;
    if (atomic_load(&queue->seen) == queue->head)
        queue->newest = NULL;
    queue->blocks -= batch->blocks;
    queue->items -= batch->items;
    queue->launched = batch->launched;
    queue->stats.batches++;
    queue->stats.by[batch->reason]++;
    qn__tally_add(&queue->size, (double)batch->count);
    qn__tally_add(&queue->weight, (double)batch->blocks);
}

/* The request is the caller's again: it is not touched after this. */
static void tell(struct qn_queue *queue, struct qn_request *request,
                 enum qn_status status, double now)
{
    void (*const done)(struct qn_request *) = request->done;
    if (request->status == QN_OK)
        request->status = status;
    if (request->status != QN_OK)
        queue->stats.failed++;
    request->finished = now;
    qn__tally_add(&queue->latency, now - request->arrived);
    __atomic_store_n(&request->state, QN_DONE, __ATOMIC_RELEASE);
    if (done)
        done(request);
}

/* The batch, which is in no list, is spare again. */
static void end(struct qn_queue *queue, struct qn_batch *batch,
                enum qn_status status)
{
    const double now = qn__queue_now(queue);
    struct qn_request *request = batch->first;
    queue->ended_at = now;
    qn__tally_add(&queue->service, now - batch->launched);
    queue->stats.completed += batch->count;
    queue->stats.failed_batches += status != QN_OK;
    atomic_fetch_add_explicit(&queue->done, batch->count,
                              memory_order_release);
    batch->next = queue->spare;
    queue->spare = batch;
    while (request) {
        struct qn_request *const next = request->next;
        tell(queue, request, status, now);
        request = next;
    }
}

static void fly(struct qn_queue *queue, struct qn_batch *batch)
{
    batch->next = NULL;
    *queue->last = batch;
    queue->last = &batch->next;
    queue->in_flight++;
    queue->flying_blocks += batch->blocks;
}

bool qn__queue_launch(struct qn_queue *queue, size_t count,
                      enum qn_reason reason)
{
    const struct qn_launcher *const launcher = &queue->launcher;
    struct qn_batch *const batch = queue->spare;
    batch->number = queue->stats.batches;
    batch->reason = reason;
    batch->from = queue->head;
    batch->launched = qn__queue_now(queue);
    batch->seconds = 0;
    batch->taken = 0;
    form(queue, count, batch);
    const enum qn_status status = launcher->launch(launcher->self, batch);
    if (status == QN_BUSY) {
        queue->stats.postponed++;
        put_back(queue, batch);
        return false;
    }
    queue->spare = batch->next;
    leave(queue, batch);
    if (status == QN_OK && launcher->finished) {
        queue->launching = qn__queue_launching(
            launcher->resident, batch->blocks,
            qn__queue_now(queue) - batch->launched, queue->launching);
        fly(queue, batch);
        return true;
    }
    take_for(queue, batch);
    end(queue, batch, status);
    return true;
}

bool qn__queue_end(struct qn_queue *queue, struct qn_batch ***next)
{
    const struct qn_launcher *const launcher = &queue->launcher;
    struct qn_batch **link = *next ? *next : &queue->flying;
    for (; *link; link = &(*link)->next) {
        struct qn_batch *const batch = *link;
        enum qn_status status = QN_OK;
        if (!launcher->finished(launcher->self, batch, &status))
            continue;
        take_for(queue, batch);
        *link = batch->next;
        if (!*link)
            queue->last = link;
        queue->in_flight--;
        queue->flying_blocks -= batch->blocks;
        *next = link;
        end(queue, batch, status);
        return true;
    }
    return false;
}
