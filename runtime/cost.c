/* A line through what was measured: see cost.h. */
#include "cost.h"

#include <math.h>
#include <stddef.h>

enum {
    PAIRS = QN_COST_SAMPLES * (QN_COST_SAMPLES - 1) / 2,
    FEW = QN_COST_SAMPLES / 2   /* one that is wrong would tilt their line */
};

static const double PUT_BY = 0.01;

static void swap(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

/* Reorders values: none before `at` is larger than that one, none behind it
 * smaller. A batch waits for several medians, and sorting takes three times as
 * long. */
static void select_value(double *values, ptrdiff_t count, ptrdiff_t at)
{
    ptrdiff_t low = 0, high = count - 1;
    while (low < high) {
        const double pivot = values[low + (high - low) / 2];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i <= j)
                swap(&values[i++], &values[j--]);
        }
        if (at > j && at < i)
            return;
        if (at <= j)
            high = j;
        else
            low = i;
    }
}

static double median(double *values, size_t count)
{
    const size_t below = (count - 1) / 2, above = count / 2;
    select_value(values, (ptrdiff_t)count, (ptrdiff_t)below);
    double next = values[below];
    for (size_t i = above; above > below && i < count; i++)
        next = i == above ? values[i] : fmin(next, values[i]);
    return 0.5 * (values[below] + next);
}

/* Of the lines through two of them. */
static double slope(const struct qn__cost *cost, size_t samples)
{
    double slopes[PAIRS] = { 0 };
    size_t pairs = 0;
    for (size_t i = 0; i < samples; i++)
        for (size_t j = 0; j < i; j++)
            if (cost->n[i] != cost->n[j])
                slopes[pairs++] = (cost->seconds[i] - cost->seconds[j])
                                / (cost->n[i] - cost->n[j]);
    return pairs > 0 ? fmax(0, median(slopes, pairs)) : INFINITY;
}

/* Of those through one of them and the origin. */
static double from_origin(const struct qn__cost *cost, size_t samples)
{
    double slopes[QN_COST_SAMPLES] = { 0 };
    for (size_t i = 0; i < samples; i++)
        slopes[i] = cost->n[i] > 0 ? cost->seconds[i] / cost->n[i] : 0;
    return median(slopes, samples);
}

/* Of a few, of those that are all of one n, and where no pieces would take less
 * than no time, the line goes through the origin. */
static void fit(struct qn__cost *cost)
{
    const size_t samples = cost->count < QN_COST_SAMPLES ? cost->count
                                                         : QN_COST_SAMPLES;
    double rest[QN_COST_SAMPLES] = { 0 };
    const double steep = from_origin(cost, samples);
    const double flat = samples >= FEW ? slope(cost, samples) : steep;
    cost->b = fmin(flat, steep);
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
