/* Lists of items in ascending order: by insertion, as G-Charm keeps them, or by
 * one sort when a batch is formed. */
#include "server.h"

#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, PASSES = 3 };

/* Index and owner in one number: the index above. */
struct qn_items {
    enum qn_order order;
    size_t count, room;
    uint64_t *list, *other;     /* of `room` */
    uint32_t *index, *owner;    /* of `room`: what take gives */
};

enum qn_status qn_items_create(enum qn_order order, struct qn_items **items)
{
    *items = NULL;
    if (order < QN_ORDER_FLUSH || order > QN_ORDER_NONE)
        return qn__fail(QN_INVALID, "items in order %d: there are 0 to %d",
                        (int)order, (int)QN_ORDER_NONE);
    *items = calloc(1, sizeof **items);
    if (!*items)
        return qn__fail(QN_NO_MEMORY, "no memory for a list of items");
    (*items)->order = order;
    return QN_OK;
}

void qn_items_free(struct qn_items *items)
{
    if (!items)
        return;
    free(items->list);
    free(items->other);
    free(items->index);
    free(items->owner);
    free(items);
}

/* --- room ---------------------------------------------------------------- */

/* Where there is no memory for the new array, the old one stays. */
static bool widen_list(uint64_t **array, size_t room)
{
    uint64_t *const made = realloc(*array, room * sizeof **array);
    if (!made)
        return false;
    *array = made;
    return true;
}

static bool widen_half(uint32_t **array, size_t room)
{
    uint32_t *const made = realloc(*array, room * sizeof **array);
    if (!made)
        return false;
    *array = made;
    return true;
}

static enum qn_status make_room(struct qn_items *items, size_t more)
{
    size_t room = items->room ? items->room : 1024;
    if (more <= items->room - items->count)
        return QN_OK;
    while (room - items->count < more && room < SIZE_MAX / 32)
        room *= 2;
    if (room - items->count < more || !widen_list(&items->list, room)
        || !widen_list(&items->other, room) || !widen_half(&items->index, room)
        || !widen_half(&items->owner, room))
        return qn__fail(QN_NO_MEMORY, "no memory for %zu items more", more);
    items->room = room;
    return QN_OK;
}

/* --- order --------------------------------------------------------------- */

/* Behind all that are not greater. */
static void insert(struct qn_items *items, uint64_t item)
{
    size_t low = 0, high = items->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (items->list[middle] >> 32 <= item >> 32)
            low = middle + 1;
        else
            high = middle;
    }
    memmove(&items->list[low + 1], &items->list[low],
            (items->count - low) * sizeof *items->list);
    items->list[low] = item;
    items->count++;
}

static void count_digits(const struct qn_items *items,
                         size_t (*counts)[DIGITS])
{
    memset(counts, 0, PASSES * sizeof *counts);
    for (size_t i = 0; i < items->count; i++)
        for (int pass = 0; pass < PASSES; pass++)
            counts[pass][items->list[i] >> (32 + pass * DIGIT_BITS)
                         & (DIGITS - 1)]++;
}

/* By one digit, those of equal ones in the order that they had. */
static void sort_digit(struct qn_items *items, int shift, size_t *starts)
{
    size_t sum = 0;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        const size_t count = starts[digit];
        starts[digit] = sum;
        sum += count;
    }
    for (size_t i = 0; i < items->count; i++) {
        const uint64_t item = items->list[i];
        items->other[starts[item >> shift & (DIGITS - 1)]++] = item;
    }
    uint64_t *const sorted = items->other;
    items->other = items->list;
    items->list = sorted;
}

/* From the least digit on; one that all have in common moves nothing. */
static void sort(struct qn_items *items)
{
    size_t counts[PASSES][DIGITS];
    if (items->count == 0)
        return;
    count_digits(items, counts);
    for (int pass = 0; pass < PASSES; pass++) {
        const int shift = 32 + pass * DIGIT_BITS;
        const size_t first = items->list[0] >> shift & (DIGITS - 1);
        if (counts[pass][first] < items->count)
            sort_digit(items, shift, counts[pass]);
    }
}

void qn__items_clear(struct qn_items *items)
{
    items->count = 0;
}

/* --- used ---------------------------------------------------------------- */

enum qn_status qn_items_add(struct qn_items *items, size_t count,
                            const uint32_t *index, uint32_t owner)
{
    const enum qn_status status = make_room(items, count);
    if (status != QN_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        const uint64_t item = (uint64_t)index[i] << 32 | owner;
        if (items->order == QN_ORDER_INSERT)
            insert(items, item);
        else
            items->list[items->count++] = item;
    }
    return QN_OK;
}

enum qn_status qn_items_take(struct qn_items *items, size_t *count,
                             const uint32_t **index, const uint32_t **owner)
{
    if (items->order == QN_ORDER_FLUSH)
        sort(items);
    for (size_t i = 0; i < items->count; i++) {
        items->index[i] = (uint32_t)(items->list[i] >> 32);
        items->owner[i] = (uint32_t)items->list[i];
    }
    *count = items->count;
    *index = items->index;
    *owner = items->owner;
    items->count = 0;
    return QN_OK;
}
