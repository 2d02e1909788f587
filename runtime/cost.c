/* A line through what was measured: see cost.h. */
#include "cost.h"

#include <math.h>
#include <stdlib.h>

enum {
    PAIRS = QN_COST_SAMPLES * (QN_COST_SAMPLES - 1) / 2,
    FEW = QN_COST_SAMPLES / 2   /* one that is wrong would tilt their line */
};

static const double PUT_BY = 0.01;

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

/* Of the lines through two of them; of a few, or where all are of one n, of
 * those through one of them and the origin. */
static double slope(const struct qn__cost *cost, size_t samples)
{
    double slopes[PAIRS] = { 0 };
    size_t pairs = 0;
    for (size_t i = 0; i < samples && samples >= FEW; i++)
        for (size_t j = 0; j < i; j++)
            if (cost->n[i] != cost->n[j])
                slopes[pairs++] = (cost->seconds[i] - cost->seconds[j])
                                / (cost->n[i] - cost->n[j]);
    for (size_t i = 0; pairs == 0 && i < samples; i++)
        slopes[i] = cost->n[i] > 0 ? cost->seconds[i] / cost->n[i] : 0;
    return fmax(0, median(slopes, pairs > 0 ? pairs : samples));
}

static void fit(struct qn__cost *cost)
{
    const size_t samples = cost->count < QN_COST_SAMPLES ? cost->count
                                                         : QN_COST_SAMPLES;
    double rest[QN_COST_SAMPLES] = { 0 };
    cost->b = slope(cost, samples);
    for (size_t i = 0; i < samples; i++)
        rest[i] = cost->seconds[i] - cost->b * cost->n[i];
    cost->a = fmax(0, median(rest, samples));
    cost->fitted = cost->count;
}

void qn__cost_add(struct qn__cost *cost, double n, double seconds)
{
    const size_t at = cost->count++ % QN_COST_SAMPLES;
    cost->n[at] = n;
    cost->seconds[at] = seconds;
}

double qn__cost_of(struct qn__cost *cost, double n)
{
    if (cost->count == 0)
        return 0;
    if (cost->fitted != cost->count)
        fit(cost);
    return cost->a + cost->b * n;
}

bool qn__trial_due(double *owed, double least, double more)
{
    *owed += PUT_BY * least;
    if (more > *owed)
        return false;
    *owed -= fmax(0, more);
    return true;
}
