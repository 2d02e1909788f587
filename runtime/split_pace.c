/* Which of two ways whole batches are faster in, by what they took: what both
 * sides keep from each other no sum of their own times tells. See split.h. */
#include "split.h"

#include <math.h>

enum {
    TURN = 24,                  /* batches that try a way: how many are
                                   submitted at once, whose first and last ones
                                   take longer, is not to decide */
    KNOWN = 8                   /* that tell of it, at least */
};

/* Of what its batches take, what trying a way costs at least. */
static const double TROUBLE = 0.02;

void qn__pace_add(struct qn_split *split, const struct qn__paced *batch)
{
    const double now = split->clock.now(split->clock.self);
    const double from = fmax(batch->launched, split->ended);
    struct qn__pace *const pace = &split->pace[batch->way];
    split->ended = now;
    if (!batch->among)
        return;
    if (pace->batches >= 2 * TURN) {
        pace->batches /= 2;
        pace->seconds /= 2;
        pace->items /= 2;
    }
    pace->batches++;
    pace->seconds += now - from;
    pace->items += batch->items;
}

/* Seconds for an item; 0: not known. */
static double pace_of(const struct qn__pace *pace)
{
    return pace->batches >= KNOWN && pace->items > 0
        ? pace->seconds / pace->items : 0;
}

static enum qn__way try_way(struct qn_split *split, enum qn__way way)
{
    split->pace[way] = (struct qn__pace){ .tried = true };
    split->trying = way;
    split->left = TURN - 1;
    return way;
}

/* The way that is slower, if it is time to try it again, in `batches` as long
 * as this one; else the other way. */
static enum qn__way known_way(struct qn_split *split, double whole,
                              double both, double batches)
{
    const enum qn__way best = whole < both ? QN_WHOLE : QN_CUT;
    const double least = fmin(whole, both);
    const double more =
        batches * fmax(fmax(whole, both) - least, TROUBLE * least);
    return split->flying && qn__trial_due(&split->owed_turn, least / 2, more)
        ? try_way(split, best == QN_WHOLE ? QN_CUT : QN_WHOLE) : best;
}

enum qn__way qn__pace_way(struct qn_split *split, double items, double whole,
                          double both)
{
    const struct qn__pace *const pace = split->pace;
    const double paces[QN_WAYS] = { pace_of(&pace[QN_WHOLE]),
                                    pace_of(&pace[QN_CUT]) };
    if (split->left > 0) {
        split->left--;
        return split->trying;
    }
    for (int way = 0; way < QN_WAYS && split->flying; way++)
        if (!pace[way].tried)
            return try_way(split, (enum qn__way)way);
    if (!(paces[QN_WHOLE] > 0 && paces[QN_CUT] > 0))
        return known_way(split, whole, both, TURN);
    const double usual = (pace[QN_WHOLE].items + pace[QN_CUT].items)
                       / (pace[QN_WHOLE].batches + pace[QN_CUT].batches);
    return known_way(split, items * paces[QN_WHOLE], items * paces[QN_CUT],
                     TURN * usual / fmax(1, items));
}
