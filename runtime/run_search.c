/* Which candidate to time next. A pure function of what is known, so a search
 * that was cut short goes on as if it had not been. The list is in the order of
 * what the model promises. Every shape is tried once, by its first; then what
 * differs in one number from the fastest of the fastest shape, until nothing is
 * left there; then around the fastest of the next shape, and so on; then all
 * that over with two numbers; the rest as it comes. */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR = 2 };

static bool same_shape(const struct candidate *a, const struct candidate *b)
{
    return strcmp(a->shape, b->shape) == 0;
}

/* How many numbers of "32x4x4" and "32x8x4" differ. */
static int differing(const char *a, const char *b)
{
    int count = 0;
    while (a && b && *a && *b) {
        char *after_a, *after_b;
        count += strtol(a, &after_a, 10) != strtol(b, &after_b, 10);
        a = *after_a ? after_a + 1 : after_a;
        b = *after_b ? after_b + 1 : after_b;
    }
    return count;
}

/* In how many numbers two candidates of one shape differ. */
static int distance(const struct candidate *a, const struct candidate *b)
{
    const char *name;
    json_t *value;
    int count = 0;
    json_object_foreach((json_t *)a->params, name, value)
        count += differing(json_string_value(value), json_string_value(
                               json_object_get(b->params, name)));
    return count;
}

size_t run_fastest(const struct candidate *list, size_t count)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++)
        if (list[i].tried && isfinite(list[i].seconds)
            && (best == count || list[i].seconds < list[best].seconds))
            best = i;
    return best;
}

static bool shape_tried(const struct candidate *list, size_t count, size_t i)
{
    for (size_t j = 0; j < count; j++)
        if (list[j].tried && same_shape(&list[i], &list[j]))
            return true;
    return false;
}

/* The first whose shape nobody tried. */
static size_t new_shape(const struct candidate *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!shape_tried(list, count, i))
            return i;
    return count;
}

/* Whether one is faster than another; of two alike the first is. */
static bool is_before(const struct candidate *a, const struct candidate *b)
{
    return a->seconds < b->seconds || (a->seconds == b->seconds && a < b);
}

/* Whether a candidate is the fastest of its shape. */
static bool leads(const struct candidate *list, size_t count,
                  const struct candidate *one)
{
    if (!one->tried || !isfinite(one->seconds))
        return false;
    for (size_t i = 0; i < count; i++)
        if (list[i].tried && same_shape(one, &list[i])
            && is_before(&list[i], one))
            return false;
    return true;
}

/* The first untried so far from centre. */
static size_t neighbour(const struct candidate *list, size_t count,
                        size_t centre, int away)
{
    for (size_t i = 0; i < count; i++)
        if (!list[i].tried && same_shape(&list[i], &list[centre])
            && distance(&list[i], &list[centre]) == away)
            return i;
    return count;
}

/* Of those that lead, near the fastest that has somebody untried there. */
static size_t near_a_leader(const struct candidate *list, size_t count,
                            int away)
{
    size_t next = count;
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (!leads(list, count, &list[i]) || list[i].seconds >= least)
            continue;
        const size_t near = neighbour(list, count, i, away);
        if (near < count) {
            next = near;
            least = list[i].seconds;
        }
    }
    return next;
}

size_t run_search(const struct candidate *list, size_t count)
{
    size_t next = new_shape(list, count);
    for (int away = 1; next == count && away <= NEAR; away++)
        next = near_a_leader(list, count, away);
    for (size_t i = 0; next == count && i < count; i++)
        if (!list[i].tried)
            next = i;
    return next;
}
