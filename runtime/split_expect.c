/* What a batch of a split is expected to take: see split.h. */
#include "split.h"

#include <math.h>

static double cost(struct qn__cost *cost, double items)
{
    return items > 0 ? qn__cost_of(cost, items) : 0;
}

int qn__split_first(struct qn_split *split, double device, double cpu)
{
    return cost(&split->side[1].hold, cpu) < cost(&split->side[0].hold, device);
}

struct qn__ahead qn__split_ahead(const struct qn_split *split)
{
    const double now = split->clock.now(split->clock.self);
    struct qn__ahead ahead = { { 0 } };
    for (int i = 0; i < QN_SIDES; i++)
        if (split->side[i].flying > 0)
            ahead.of[i] = split->side[i].until - now;
    return ahead;
}

/* When it ends, in seconds from now: it is launched when the poller is free of
 * the other one, and behind what it has in flight. */
static double expected_end(struct qn__side *side, double ahead, double free,
                           double items)
{
    const double launched = free + cost(&side->hold, items);
    return items > 0 ? fmax(ahead, launched) + cost(&side->rest, items) : 0;
}

/* When both end. */
static void expect_ends(struct qn_split *split, struct qn__ahead ahead,
                        double device, double cpu, double *ends)
{
    struct qn__side *const side = split->side;
    const int first = qn__split_first(split, device, cpu);
    const double free[QN_SIDES] = {
        first == 1 ? cost(&side[1].hold, cpu) : 0,
        first == 0 ? cost(&side[0].hold, device) : 0
    };
    ends[0] = expected_end(&side[0], ahead.of[0], free[0], device);
    ends[1] = expected_end(&side[1], ahead.of[1], free[1], cpu);
}

/* When the later of the two ends. */
static double expected(struct qn_split *split, struct qn__ahead ahead,
                       double device, double cpu)
{
    double ends[QN_SIDES];
    expect_ends(split, ahead, device, cpu, ends);
    return fmax(ends[0], ends[1]);
}

/* So many items for the device that both end at once. */
static double even_share(struct qn_split *split, struct qn__ahead ahead,
                         double all)
{
    double least = 0, most = all, ends[QN_SIDES];
    for (int i = 0; i < 24; i++) {
        const double device = 0.5 * (least + most);
        expect_ends(split, ahead, device, all - device, ends);
        if (ends[0] < ends[1])
            least = device;
        else
            most = device;
    }
    return most;
}

double qn__split_alone(struct qn_split *split, struct qn__ahead ahead,
                       int index, double all)
{
    struct qn__side *const side = &split->side[index];
    const double whole = qn__cost_of(&side->alone, all);
    const double rest = fmin(whole, qn__cost_of(&side->rest, all));
    if (side->alone.count == 0)
        return expected(split, ahead, index == 0 ? all : 0,
                        index == 0 ? 0 : all);
    return fmax(ahead.of[index], whole - rest) + rest;
}

double qn__split_both(struct qn_split *split, struct qn__ahead ahead,
                      double all)
{
    const double device = even_share(split, ahead, all);
    return expected(split, ahead, device, all - device);
}

double qn__split_end(struct qn_split *split, struct qn__ahead ahead,
                     const struct qn_batch *batch, size_t cut, double items,
                     double all)
{
    return cut == 0 ? qn__split_alone(split, ahead, 1, all)
         : cut == batch->count ? qn__split_alone(split, ahead, 0, all)
         : expected(split, ahead, items, all - items);
}

size_t qn__split_even(struct qn_split *split, struct qn__ahead ahead,
                      const struct qn_batch *batch, double all, double *least)
{
    const double even = even_share(split, ahead, all);
    const struct qn_request *at = batch->first;
    double items = 0;
    size_t cut = 0;
    for (; cut < batch->count; cut++, at = at->next) {
        if (items + (double)qn__request_items(at) > even)
            break;
        items += (double)qn__request_items(at);
    }
    const double below = qn__split_end(split, ahead, batch, cut, items, all);
    if (at)
        items += (double)qn__request_items(at);
    const double above =
        at ? qn__split_end(split, ahead, batch, cut + 1, items, all) : INFINITY;
    *least = fmin(below, above);
    return above < below ? cut + 1 : cut;
}
