/* Where a batch is cut in two: see enum qn_split_policy. */
#include "split.h"

#include <math.h>

/* A cut is to be expected to gain so much: what is known of both sides is not
 * exact, and both keep each other from memory and processors. */
static const double WORTH = 1.05;

/* Of what a batch takes, what trying the other side costs at least, even where
 * it has nothing else to do. */
static const double DISTURBS = 0.3;

void qn__split_measured(struct qn__side *side, size_t requests, double items,
                        double seconds)
{
    side->batches++;
    side->requests += requests;
    side->items += (uint64_t)items;
    side->seconds += seconds;
    qn__cost_add(&side->cost, items, seconds);
}

/* --- the paper's ---------------------------------------------------------- */

/* Of what there is of work, by the average time of a piece on each. */
static double share(double device_seconds, double device_pieces,
                    double cpu_seconds, double cpu_pieces)
{
    if (!(device_seconds > 0 && cpu_seconds > 0))
        return 0.5;
    const double device = device_pieces / device_seconds;
    const double cpu = cpu_pieces / cpu_seconds;
    return device / (device + cpu);
}

static size_t cut_count(struct qn_split *split, const struct qn_batch *batch,
                        double all)
{
    (void)all;
    const struct qn__side *const side = split->side;
    const double part = share(side[0].seconds, (double)side[0].requests,
                              side[1].seconds, (double)side[1].requests);
    return (size_t)round(part * (double)batch->count);
}

/* Behind the request that the device's share of the items ends in. */
static size_t cut_items(struct qn_split *split, const struct qn_batch *batch,
                        double all)
{
    const struct qn__side *const side = split->side;
    const double part = share(side[0].seconds, (double)side[0].items,
                              side[1].seconds, (double)side[1].items);
    const double wanted = part * all;
    double items = 0;
    size_t cut = 0;
    for (const struct qn_request *at = batch->first; at && items < wanted;
         at = at->next, cut++)
        items += (double)qn__request_items(at);
    return cut;
}

/* --- ours ----------------------------------------------------------------- */

static const struct qn__ahead nothing;

static double items_before(const struct qn_batch *batch, size_t cut)
{
    double items = 0;
    for (const struct qn_request *at = batch->first; cut > 0;
         at = at->next, cut--)
        items += (double)qn__request_items(at);
    return items;
}

/* Those of the batch and, as they are like these, of all behind it. */
static double waiting(const struct qn_split *split,
                      const struct qn_batch *batch, double all)
{
    const size_t behind = split->queue ? qn__queue_behind(split->queue) : 0;
    return behind > batch->count
        ? all * (double)behind / (double)batch->count : all;
}

/* The CPU gets the last ones, of so many items. */
static size_t cut_off(const struct qn_batch *batch, double all, double share)
{
    const struct qn_request *at = batch->first;
    size_t cut = 0;
    for (double items = 0; cut < batch->count && items < all - share; cut++) {
        items += (double)qn__request_items(at);
        at = at->next;
    }
    return share > 0 ? cut : batch->count;
}

/* What is expected to gain by a cut is tried, and where batches wait for others
 * or a run of them goes on, all ways are. While one batch is in flight at a
 * time what is expected is exact. */
static enum qn__way way_of(struct qn_split *split, double waits, double all,
                           bool gains)
{
    if (split->run || waits > all || (gains && split->flying))
        return qn__pace_way(split, waits);
    return gains ? QN_CUT : QN_WHOLE;
}

/* All for one of them, or a cut: which it is does not depend on what is in
 * flight, as batches that are cut keep those up that are not. Is it known that
 * both are of use: `*tried`? */
static size_t best_cut(struct qn_split *split, const struct qn_batch *batch,
                       double all, double *least, bool *tried)
{
    const struct qn__ahead ahead = qn__split_ahead(split);
    const double device = qn__split_alone(split, nothing, 0, all);
    const double cpu = qn__split_alone(split, nothing, 1, all);
    const double both = qn__split_both(split, nothing, all);
    const double waits = waiting(split, batch, all);
    const bool gains = fmin(device, cpu) > WORTH * both;
    const enum qn__way way = way_of(split, waits, all, gains);
    *tried = gains || way != QN_WHOLE;
    if (way == QN_CUT || (way >= QN_AHEAD && cpu <= device))
        return qn__split_even(split, ahead, batch, all, least);
    if (way >= QN_AHEAD)
        return cut_off(batch, all,
                       qn__pace_share(split, ahead.of[1], all, waits));
    *least = qn__split_alone(split, ahead, device <= cpu ? 0 : 1, all);
    return device <= cpu ? batch->count : 0;
}

/* Some requests for the one that would get none: one, twice as many, .. as far
 * as the time allows that was put by for it. */
static size_t try_other(struct qn_split *split, const struct qn_batch *batch,
                        double all, size_t cut, double least, double *more)
{
    const struct qn__ahead ahead = qn__split_ahead(split);
    size_t other = cut;
    *more = 0;
    for (size_t part = 1; part <= (batch->count + 1) / 2; part *= 2) {
        const size_t at = cut == 0 ? part : batch->count - part;
        const double items = items_before(batch, at);
        const double ends =
            qn__split_end(split, ahead, batch, at, items, all);
        const double extra = DISTURBS * least + fmax(0, ends - least);
        if (part > 1 && extra > split->owed)
            break;
        other = at;
        *more = extra;
    }
    return other;
}

/* Till it is known what the device takes alone, if that can be. */
static bool alone_first(const struct qn_split *split)
{
    const struct qn__side *const device = &split->side[0];
    return device->alone.count < QN_LEARN && split->cuts < 4 * QN_LEARN;
}

/* At first the device gets all, then most: the CPU one request, then twice as
 * many each time, while it takes no longer than the device. */
static size_t cut_to_learn(struct qn_split *split, const struct qn_batch *batch,
                           double all)
{
    struct qn__side *const side = split->side;
    if (alone_first(split))
        return batch->count;
    const uint64_t doubled =
        side[1].batches < QN_LEARN ? side[1].batches : QN_LEARN;
    size_t cpu = (size_t)1 << doubled;
    if (batch->count == 1)
        return split->cuts % 2 == 0;
    if (cpu > batch->count / 2)
        cpu = batch->count / 2;
    const double items = all - items_before(batch, batch->count - cpu);
    if (qn__cost_of(&side[1].cost, items) > qn__cost_of(&side[0].cost, all))
        cpu = 1;
    return batch->count - cpu;
}

static size_t cut_cost(struct qn_split *split, const struct qn_batch *batch,
                       double all)
{
    const struct qn__side *const side = split->side;
    double least = 0, more;
    bool tried;
    if (alone_first(split) || side[1].batches < QN_LEARN)
        return cut_to_learn(split, batch, all);
    const size_t cut = best_cut(split, batch, all, &least, &tried);
    if (tried)
        return cut;
    const size_t other = try_other(split, batch, all, cut, least, &more);
    return qn__trial_due(&split->owed, least, more) ? other : cut;
}

static size_t cut_device(struct qn_split *split, const struct qn_batch *batch,
                         double all)
{
    (void)split;
    (void)all;
    return batch->count;
}

static size_t cut_cpu(struct qn_split *split, const struct qn_batch *batch,
                      double all)
{
    (void)split;
    (void)batch;
    (void)all;
    return 0;
}

size_t qn__split_cut(struct qn_split *split, const struct qn_batch *batch,
                     double items)
{
    static size_t (*const cuts[])(struct qn_split *,
                                  const struct qn_batch *, double) = {
        [QN_SPLIT_COST] = cut_cost, [QN_SPLIT_ITEMS] = cut_items,
        [QN_SPLIT_COUNT] = cut_count, [QN_SPLIT_DEVICE] = cut_device,
        [QN_SPLIT_CPU] = cut_cpu
    };
    const size_t cut = cuts[split->policy](split, batch, items);
    split->cuts++;
    return cut;
}
