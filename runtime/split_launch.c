/* A launcher made of two: each gets its part of every batch. */
#include "split.h"

#include <math.h>
#include <stdlib.h>

struct part {
    struct qn_batch batch;      /* count 0: there is none */
    double items;
    struct qn_request *last;    /* the device's, where the CPU has some, too */
    double began, launching;    /* when, and seconds that it took */
    bool launched, ended, failed;
    bool alone;                 /* launched when the other side had nothing */
    bool seen;                  /* asked after before it had ended: the time is
                                   exact, else it may have taken less */
};

/* A batch in flight. */
struct halves {
    struct part part[QN_SIDES];
    struct qn__paced paced;
    struct halves *next;        /* in flight, too */
};

static double now(const struct qn_split *split)
{
    return split->clock.now(split->clock.self);
}

/* --- a batch in two ------------------------------------------------------- */

/* The first `cut` requests are the device's, the others the CPU's: it goes no
 * further than there, as there may be many. */
static void divide(const struct qn_batch *batch, size_t cut, double items,
                   struct halves *halves)
{
    struct part *const device = &halves->part[0], *const cpu = device + 1;
    struct qn_request *at = batch->first;
    device->batch = cpu->batch = (struct qn_batch){
        .number = batch->number, .reason = batch->reason,
        .launched = batch->launched
    };
    device->batch.count = cut;
    device->batch.first = cut > 0 ? batch->first : NULL;
    for (size_t i = 0; i < cut && cut < batch->count; i++, at = at->next) {
        device->last = at;
        device->batch.blocks += qn__request_blocks(at);
        device->items += (double)qn__request_items(at);
    }
    if (cut == batch->count) {
        device->batch.blocks = batch->blocks;
        device->items = items;
        return;
    }
    cpu->batch.count = batch->count - cut;
    cpu->batch.first = at;
    cpu->batch.blocks = batch->blocks - device->batch.blocks;
    cpu->items = items - device->items;
    if (device->last)
        device->last->next = NULL;
}

/* The batch's list as it was. */
static void rejoin(const struct halves *halves)
{
    const struct part *const device = &halves->part[0];
    if (device->last)
        device->last->next = halves->part[1].batch.first;
}

/* --- each ----------------------------------------------------------------- */

/* What it took itself: not while those before it on its side did. */
static double own_seconds(const struct qn_split *split, const struct part *part,
                          int side)
{
    const double from = fmax(part->began, split->side[side].ended);
    return part->batch.seconds > 0 ? part->batch.seconds : now(split) - from;
}

static void learn(struct qn_split *split, const struct part *part, int index)
{
    struct qn__side *const side = &split->side[index];
    const double seconds = own_seconds(split, part, index);
    const double usual = qn__cost_of(&side->cost, part->items);
    const bool exact = part->seen || part->batch.seconds > 0;
    if (!exact && usual > 0 && seconds >= usual)
        return;
    qn__split_measured(side, part->batch.count, part->items, seconds);
    if (part->alone)
        qn__cost_add(&side->alone, part->items, seconds);
    else
        qn__cost_add(&side->rest, part->items,
                     fmax(0, seconds - part->launching));
}

/* A failure is that of its requests, and no time to learn from. */
static void end(struct qn_split *split, struct part *part, int index,
                enum qn_status status)
{
    struct qn__side *const side = &split->side[index];
    part->ended = true;
    part->failed = status != QN_OK;
    for (struct qn_request *at = part->batch.first; at && status != QN_OK;
         at = at->next)
        if (at->status == QN_OK)
            at->status = status;
    if (status == QN_OK)
        learn(split, part, index);
    side->flying--;
    side->ended = now(split);
}

static void expect(struct qn_split *split, const struct part *part, int index)
{
    struct qn__side *const side = &split->side[index];
    const double time = now(split);
    const double from = side->flying > 0 ? fmax(side->until, time) : time;
    if (!part->alone)
        qn__cost_add(&side->hold, part->items, part->launching);
    side->until = from + qn__cost_of(&side->rest, part->items);
    side->flying++;
}

/* QN_BUSY: it is to be tried again. */
static enum qn_status start(struct qn_split *split, struct part *part, int side)
{
    const struct qn_launcher *const launcher = &split->launcher[side];
    part->began = now(split);
    const enum qn_status status =
        launcher->launch(launcher->self, &part->batch);
    if (status == QN_BUSY)
        return status;
    part->launching = now(split) - part->began;
    part->launched = true;
    part->seen = !launcher->finished;
    expect(split, part, side);
    if (status != QN_OK || !launcher->finished)
        end(split, part, side, status);
    return QN_OK;
}

static void ask(struct qn_split *split, struct part *part, int side)
{
    const struct qn_launcher *const launcher = &split->launcher[side];
    enum qn_status status = QN_OK;
    if (part->ended)
        return;
    if (!part->launched)
        start(split, part, side);
    else if (launcher->finished(launcher->self, &part->batch, &status))
        end(split, part, side, status);
    else
        part->seen = true;
}

static void ask_both(struct qn_split *split, struct halves *halves)
{
    for (int side = 0; side < QN_SIDES; side++)
        ask(split, &halves->part[side], side);
}

/* --- both ----------------------------------------------------------------- */

static int first_side(struct qn_split *split, const struct halves *halves)
{
    return qn__split_first(split, halves->part[0].items, halves->part[1].items);
}

/* Nothing has been launched if the first part cannot be; a second one that
 * cannot is launched when it can. */
static enum qn_status launch(void *self, struct qn_batch *batch)
{
    struct qn_split *const split = self;
    struct halves *const halves = calloc(1, sizeof *halves);
    if (!halves)
        return qn__fail(QN_NO_MEMORY, "no memory for a batch");
    for (struct halves *at = split->flying; at; at = at->next)
        ask_both(split, at);    /* launching them all may take long */
    const double items = (double)batch->items;
    divide(batch, qn__split_cut(split, batch, items), items, halves);
    const int order = first_side(split, halves);
    const double began = now(split);
    bool first = true;
    for (int i = 0; i < QN_SIDES; i++) {
        const int side = i ^ order;
        struct part *const part = &halves->part[side];
        part->ended = part->batch.count == 0;
        if (part->ended)
            continue;
        part->alone = halves->part[!side].batch.count == 0
                   && split->side[!side].flying == 0;
        const enum qn_status status = start(split, part, side);
        if (status == QN_BUSY && first) {
            rejoin(halves);
            free(halves);
            return status;
        }
        first = false;
    }
    ask_both(split, halves);
    halves->paced =
        qn__pace_launched(split, began, items, halves->part[1].items);
    halves->next = split->flying;
    split->flying = halves;
    batch->data = halves;
    return QN_OK;
}

static int finished(void *self, struct qn_batch *batch, enum qn_status *status)
{
    struct qn_split *const split = self;
    struct halves *const halves = batch->data;
    struct halves **at = &split->flying;
    ask_both(split, halves);
    if (!halves->part[0].ended || !halves->part[1].ended)
        return 0;
    while (*at != halves)
        at = &(*at)->next;
    *at = halves->next;
    qn__pace_ended(split, &halves->paced,
                   halves->part[0].failed || halves->part[1].failed);
    rejoin(halves);
    free(halves);
    *status = QN_OK;
    return 1;
}

/* --- made and freed ------------------------------------------------------- */

enum qn_status qn_split_create(enum qn_split_policy policy,
                               const struct qn_launcher *device,
                               const struct qn_launcher *cpu,
                               const struct qn_clock *clock,
                               struct qn_split **split)
{
    *split = NULL;
    if (policy < QN_SPLIT_COST || policy > QN_SPLIT_CPU)
        return qn__fail(QN_INVALID, "a split of policy %d: there are 0 to %d",
                        (int)policy, (int)QN_SPLIT_CPU);
    if (!device->launch || !cpu->launch)
        return qn__fail(QN_INVALID, "a split needs two launchers that launch");
    struct qn_split *const made = calloc(1, sizeof *made);
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory for a split");
    made->policy = policy;
    made->launcher[0] = *device;
    made->launcher[1] = *cpu;
    made->clock = clock && clock->now ? *clock : qn__queue_clock;
    *split = made;
    return QN_OK;
}

void qn_split_free(struct qn_split *split)
{
    free(split);
}

static void attach(void *self, struct qn_queue *queue)
{
    struct qn_split *const split = self;
    split->queue = queue;
    for (int side = 0; side < QN_SIDES; side++) {
        const struct qn_launcher *const launcher = &split->launcher[side];
        if (launcher->attach)
            launcher->attach(launcher->self, queue);
    }
}

static int64_t least_limit(int64_t a, int64_t b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

struct qn_launcher qn_split_launcher(struct qn_split *split)
{
    const struct qn_launcher *const device = &split->launcher[0];
    const struct qn_launcher *const cpu = &split->launcher[1];
    return (struct qn_launcher){
        .self = split,
        .resident = device->resident,
        .limit = least_limit(device->limit, cpu->limit),
        .launch = launch,
        .finished = finished,
        .attach = attach,
        .wakes = (device->wakes || !device->finished)
              && (cpu->wakes || !cpu->finished)
    };
}

void qn_split_get_stats(const struct qn_split *split,
                        struct qn_split_stats *stats)
{
    for (int i = 0; i < QN_SIDES; i++) {
        struct qn__side side = split->side[i];
        stats->batches[i] = side.batches;
        stats->requests[i] = side.requests;
        stats->items[i] = side.items;
        stats->seconds[i] = side.seconds;
        stats->fixed[i] = qn__cost_of(&side.cost, 0);
        stats->item[i] = qn__cost_of(&side.cost, 1) - stats->fixed[i];
    }
}
