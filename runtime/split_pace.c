/* Which of several ways batches go in is the fastest, by what whole runs of
 * them took: what both sides keep from each other no sum of their own times
 * tells. See split.h. */
#include "split.h"

#include <math.h>

enum {
    TURN = 48,                  /* batches of a run, where there is always work:
                                   the first and last ones take longer */
    KNOWN = 3,                  /* runs that tell of a way: one of them may be
                                   out of all reason */
    CRUMBS = 4                  /* the CPU's share is in no smaller parts */
};

/* Of what a run takes: what trying a way costs at least; what another way has
 * to gain. */
static const double TROUBLE = 0.02, GAIN = 0.01;

/* --- runs ----------------------------------------------------------------- */

static void close_run(struct qn_split *split, struct qn__run *run)
{
    if (split->run == run)
        split->run = NULL;
    if (!run->failed)
        qn__cost_add(&run->paces[run->way].runs, run->items, run->seconds);
    run->batches = 0;
}

void qn__pace_ended(struct qn_split *split, const struct qn__paced *batch,
                    bool failed)
{
    const double now = split->clock.now(split->clock.self);
    const double seconds = now - split->since;
    struct qn__run *const run = batch->run;
    split->since = now;
    if (!run)
        return;
    run->seconds += seconds;
    run->items += batch->items;
    run->failed = run->failed || failed;
    run->flying--;
    if (run->flying == 0 && (run != split->run || !split->flying))
        close_run(split, run);
}

struct qn__paced qn__pace_launched(struct qn_split *split, double began,
                                   double items, double given)
{
    struct qn__run *const run = split->run;
    if (!split->flying)
        split->since = began;
    if (run) {
        run->batches++;
        run->flying++;
        run->launched += items;
        run->given += given;
    }
    return (struct qn__paced){ run, items };
}

/* --- ways ----------------------------------------------------------------- */

/* Of which there were fewest runs. */
static enum qn__way least_known(const struct qn__pace *paces)
{
    enum qn__way least = QN_WHOLE;
    for (int way = 0; way < QN_WAYS; way++)
        if (paces[way].runs.count < paces[least].runs.count)
            least = (enum qn__way)way;
    return least;
}

static enum qn__way fastest(struct qn__pace *paces, double items)
{
    enum qn__way best = QN_WHOLE;
    double least = INFINITY;
    for (int way = 0; way < QN_WAYS; way++) {
        const double seconds = qn__cost_of(&paces[way].runs, items);
        if (seconds < (1 - GAIN) * least) {
            best = (enum qn__way)way;
            least = seconds;
        }
    }
    return best;
}

/* Half of a hundredth of all time goes into trying the others: those that are
 * nearly as fast more often. */
static enum qn__way choose(struct qn__pace *paces, double items)
{
    const enum qn__way new = least_known(paces);
    if (paces[new].runs.count < KNOWN)
        return new;
    const enum qn__way best = fastest(paces, items);
    const double least = qn__cost_of(&paces[best].runs, items);
    for (int way = 0; way < QN_WAYS; way++) {
        struct qn__pace *const pace = &paces[way];
        const double more = qn__cost_of(&pace->runs, items) - least;
        if (way != (int)best
            && qn__trial_due(&pace->owed, 0.5 / (QN_WAYS - 1) * least,
                             fmax(more, TROUBLE * least)))
            return (enum qn__way)way;
    }
    return best;
}

/* One that is over, of two. */
static struct qn__run *spare(struct qn_split *split)
{
    struct qn__run *const run = split->runs;
    return run[0].batches == 0 ? &run[0]
         : run[1].batches == 0 ? &run[1] : NULL;
}

static void open_run(struct qn_split *split, double items)
{
    struct qn__run *const run = spare(split);
    if (!run)
        return;
    struct qn__pace *const paces =
        split->paces[ilogb(fmax(1, items)) % QN_SIZES];
    *run = (struct qn__run){ .paces = paces, .way = choose(paces, items) };
    split->run = run;
}

enum qn__way qn__pace_way(struct qn_split *split, double items)
{
    if (!split->run || split->run->batches >= TURN)
        open_run(split, items);
    return split->run ? split->run->way : QN_WHOLE;
}

/* --- the CPU's share ------------------------------------------------------ */

/* So many times longer than usual the last one took, or 1: if the CPU has
 * become slow, it is not to have a large share till that is known. */
static double slowness(struct qn__cost *cost)
{
    const size_t last = (cost->count - 1) % QN_COST_SAMPLES;
    const double usual = qn__cost_of(cost, cost->n[last]);
    return cost->count > 0 && cost->seconds[last] > usual && usual > 0
        ? cost->seconds[last] / usual : 1;
}

/* Of so many items, with which it ends when the device does that has all
 * others: launching it keeps the device waiting, and it has something to do for
 * `ahead` seconds. */
static double even(struct qn_split *split, double ahead, double items)
{
    struct qn__cost *const cpu = &split->side[1].cost;
    const double slow = slowness(cpu);
    const double begins = slow * qn__cost_of(cpu, 0);
    const double each = (slow * qn__cost_of(cpu, items) - begins) / items;
    const double hold = qn__cost_of(&split->side[1].hold, items) / items;
    const double device =
        qn__cost_of(&split->run->paces[QN_WHOLE].runs, items) / items;
    const double left = device * items - begins - ahead;
    return left > 0 && hold < device ? left / (each + device - hold) : 0;
}

double qn__pace_share(struct qn_split *split, double ahead, double all,
                      double waiting)
{
    const struct qn__run *const run = split->run;
    const double part =
        (double)(run->way - QN_AHEAD + 1) / (QN_WAYS - QN_AHEAD);
    const double wanted = part * even(split, 0, run->launched + waiting);
    const double due = fmin(wanted - run->given, even(split, ahead, waiting));
    const double share = fmin(all, due);
    return share < fmin(all, wanted) / CRUMBS ? 0 : share;
}
