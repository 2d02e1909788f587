/* One array after a launch against the reference: results within their bounds,
 * everything else bit for bit as before, no NaN ever equal. */
#include "internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char UNSUITED[] = "the data's range does not suit it";

/* A point in indices of the domain. */
static void find(const struct qn__layout *layout, const struct qn__row *row,
                 int64_t x, int64_t *at)
{
    memcpy(at, row->at, sizeof row->at);
    at[0] = x;
    for (int axis = 0; axis < layout->rank; axis++)
        at[axis] = qn__layout_unfold(layout, axis, at[axis]);
}

/* The first problem found is the one that is told. */
static void tell(const struct qn__comparison *comparison,
                 const struct qn__row *row, int64_t x, const char *what,
                 struct qn_validation *result)
{
    const struct qn__layout *const layout = &comparison->field->layout;
    char place[96];
    int64_t at[QUERN_MAX_RANK];
    if (result->problem[0])
        return;
    find(layout, row, x, at);
    int length = snprintf(place, sizeof place, "(%" PRId64, at[0]);
    for (int axis = 1; axis < layout->rank; axis++)
        length += snprintf(place + length, sizeof place - (size_t)length,
                           ", %" PRId64, at[axis]);
    snprintf(result->problem, sizeof result->problem, "%s%s): %s",
             comparison->field->info->name, place, what);
}

static bool same(const struct qn__comparison *comparison, int64_t from,
                 int64_t count)
{
    const size_t size = comparison->field->layout.size;
    const size_t start = (size_t)from * size;
    const size_t bytes = count > 0 ? (size_t)count * size : 0;
    return memcmp(comparison->before + start, comparison->after + start,
                  bytes) == 0;
}

/* Points [from, to) of the row, outside the domain: none may have changed. */
static void compare_outside(const struct qn__comparison *comparison,
                            const struct qn__row *row, int64_t from, int64_t to,
                            struct qn_validation *result)
{
    if (same(comparison, row->start + from, to - from))
        return;
    int64_t x = from;
    while (same(comparison, row->start + x, 1))
        x++;
    tell(comparison, row, x, "written, outside the domain", result);
}

static void note_worst(const struct qn__comparison *comparison,
                       const struct qn__row *row, int64_t x, int64_t point,
                       double got, double ratio, struct qn_validation *result)
{
    result->worst = ratio;
    snprintf(result->field, sizeof result->field, "%s",
             comparison->field->info->name);
    result->rank = comparison->field->layout.rank;
    find(&comparison->field->layout, row, x, result->at);
    result->got = got;
    result->wanted = comparison->value[point];
    result->bound = comparison->bound[point];
}

/* Error over bound; infinity whenever that says nothing. */
static double ratio_of(double got, double wanted, double bound)
{
    const double error = fabs(got - wanted);
    if (!isfinite(error) || !isfinite(bound))
        return (double)INFINITY;
    if (bound > 0)
        return error / bound;
    return error > 0 ? (double)INFINITY : 0;
}

/* Why a point is wrong, in a few words; nothing where the numbers say all. */
static void explain(const struct qn__comparison *comparison, int64_t element,
                    double got, int64_t point, char *why, size_t room)
{
    const struct qn_field *const field = comparison->field;
    const enum quern_type type = field->info->type;
    const uint64_t poison = qn__value_nan(type, 0);
    const size_t size = field->layout.size;
    const double wanted = comparison->value[point];
    const double most = fabs(wanted) + comparison->bound[point];
    const double largest = qn__type_largest(type);
    why[0] = '\0';
    if (memcmp(comparison->after + (size_t)element * size, &poison, size) == 0)
        snprintf(why, room, "never written");
    else if (isnan(wanted))
        snprintf(why, room, "the reference is NaN: %s", UNSUITED);
    else if (most > largest && (isinf(got) || type == QUERN_INT))
        snprintf(why, room, "%.6g is beyond %.6g, the largest %s: %s", wanted,
                 largest, qn__type_name(type), UNSUITED);
    else if (isnan(got))
        snprintf(why, room, "NaN");
}

static void compare_point(const struct qn__comparison *comparison,
                          const struct qn__row *row, int64_t x, int64_t point,
                          struct qn_validation *result)
{
    const int64_t element = row->start + x;
    const double bound = comparison->bound ? comparison->bound[point] : -1;
    if (bound < 0) {
        if (!same(comparison, element, 1)) {
            result->wrong++;
            tell(comparison, row, x, "changed, and should not be", result);
        }
        return;
    }
    const double wanted = comparison->value[point];
    const double got = qn__value_get(comparison->field->info->type,
                                     comparison->after, element);
    const double ratio = ratio_of(got, wanted, bound);
    result->points++;
    if (ratio > result->worst)
        note_worst(comparison, row, x, point, got, ratio, result);
    if (ratio <= 1)
        return;
    result->wrong++;
    char why[128];
    explain(comparison, element, got, point, why, sizeof why);
    if (why[0])
        tell(comparison, row, x, why, result);
}

static void compare_row(const struct qn__comparison *comparison, int64_t index,
                        struct qn_validation *result)
{
    const struct qn__layout *const layout = &comparison->field->layout;
    const int64_t before = -layout->margin;
    const int64_t behind = layout->full[0] - layout->margin;
    struct qn__row row;
    qn__layout_row(layout, index, &row);
    if (!row.inside) {
        compare_outside(comparison, &row, before, behind, result);
        return;
    }
    compare_outside(comparison, &row, before, 0, result);
    compare_outside(comparison, &row, layout->n[0], behind, result);
    if (!comparison->bound && same(comparison, row.start, layout->n[0]))
        return;
    const int64_t point = qn__layout_dense(layout, &row);
    for (int64_t x = 0; x < layout->n[0]; x++)
        compare_point(comparison, &row, x, point + x, result);
}

/* What was found further on; of equals the first is kept. */
static void merge(const struct qn_validation *part,
                  struct qn_validation *result)
{
    const struct qn_validation old = *result;
    if (part->worst > old.worst)
        *result = *part;
    result->points = old.points + part->points;
    result->wrong = old.wrong + part->wrong;
    result->regular = old.regular;
    memcpy(result->problem, old.problem[0] ? old.problem : part->problem,
           sizeof result->problem);
}

/* In parts, side by side; the result does not depend on how many threads. */
void qn__compare(struct qn__comparison *comparison,
                 struct qn_validation *result)
{
    enum { PARTS = 64 };
    const struct qn__layout *const layout = &comparison->field->layout;
    const int64_t rows = layout->rows;
    const int64_t step = (rows + PARTS - 1) / PARTS;
    struct qn_validation parts[PARTS];
#pragma omp parallel for schedule(dynamic) \
    if (layout->count > QN__FEW)
    for (int64_t p = 0; p < PARTS; p++) {
        const int64_t end = (p + 1) * step < rows ? (p + 1) * step : rows;
        parts[p] = (struct qn_validation){ .worst = -1 };
        for (int64_t r = p * step; r < end; r++)
            compare_row(comparison, r, &parts[p]);
    }
    comparison->compared = 0;
    for (int p = 0; p < PARTS; p++) {
        comparison->compared += parts[p].points;
        merge(&parts[p], result);
    }
}
