/* A batch as the kernels of requests read it: each list of its requests as the
 * tables that the generator makes of it (gen/lower/requests.lua). */
#include "server.h"

#include <stdlib.h>
#include <string.h>

struct list {
    int64_t domain;             /* points of the domain that it is of */
    size_t items, room;
    bool read;                  /* its rows alone are of use */
    int64_t *start;             /* as many as record->room + 1 */
    int32_t *point, *request, *item;
    int64_t *items_start;       /* domain + 1 */
};

struct qn_record {
    struct qn__memory memory;   /* of all `point` */
    size_t count;               /* lists */
    size_t requests, room;
    struct list *list;
};

/* --- made and freed ------------------------------------------------------- */

void qn_record_free(struct qn_record *record)
{
    for (size_t l = 0; record && l < record->count; l++) {
        struct list *const list = &record->list[l];
        free(list->start);
        record->memory.give(record->memory.self, list->point);
        free(list->request);
        free(list->item);
        free(list->items_start);
    }
    if (record)
        free(record->list);
    free(record);
}

static void *take(void *self, size_t size)
{
    (void)self;
    return malloc(size);
}

static void give(void *self, void *data)
{
    (void)self;
    free(data);
}

void qn__record_memory(struct qn_record *record,
                       const struct qn__memory *memory)
{
    record->memory = *memory;
}

void qn__record_read(struct qn_record *record, size_t list)
{
    record->list[list].read = true;
}

static enum qn_status no_memory(void)
{
    return qn__fail(QN_NO_MEMORY, "no memory for a batch of requests");
}

enum qn_status qn_record_create(size_t lists, const int64_t *domain,
                                struct qn_record **record)
{
    *record = NULL;
    for (size_t l = 0; l < lists; l++)
        if (domain[l] < 0 || domain[l] > INT32_MAX)
            return qn__fail(QN_INVALID, "list %zu is of %lld points: 0 to %d",
                            l, (long long)domain[l], INT32_MAX);
    struct qn_record *const made = calloc(1, sizeof *made);
    if (!made)
        return no_memory();
    made->memory = (struct qn__memory){ NULL, take, give };
    made->list = calloc(lists + 1, sizeof *made->list);
    made->count = made->list ? lists : 0;
    bool well = made->list != NULL;
    for (size_t l = 0; l < made->count; l++) {
        struct list *const list = &made->list[l];
        list->domain = domain[l];
        list->start = calloc(1, sizeof *list->start);
        list->items_start = calloc((size_t)domain[l] + 2,
                                   sizeof *list->items_start);
        well = well && list->start && list->items_start;
    }
    if (!well) {
        qn_record_free(made);
        return no_memory();
    }
    *record = made;
    return QN_OK;
}

void qn_record_clear(struct qn_record *record)
{
    record->requests = 0;
    for (size_t l = 0; l < record->count; l++)
        record->list[l].items = 0;
}

/* --- filled --------------------------------------------------------------- */

static bool widen(int32_t **array, size_t room)
{
    int32_t *const made = realloc(*array, room * sizeof *made);
    if (!made)
        return false;
    *array = made;
    return true;
}

static bool widen_points(struct qn_record *record, struct list *list,
                         size_t room)
{
    const struct qn__memory *const memory = &record->memory;
    int32_t *const made = memory->take(memory->self, room * sizeof *made);
    if (!made)
        return false;
    if (list->items > 0)
        memcpy(made, list->point, list->items * sizeof *made);
    memory->give(memory->self, list->point);
    list->point = made;
    return true;
}

static bool make_items(struct qn_record *record, struct list *list,
                       size_t more)
{
    size_t room = list->room ? list->room : 256;
    if (more <= list->room - list->items)
        return true;
    while (room - list->items < more && room < SIZE_MAX / 16)
        room *= 2;
    if (room - list->items < more || !widen_points(record, list, room))
        return false;
    if (!list->read
        && (!widen(&list->request, room) || !widen(&list->item, room)))
        return false;
    list->room = room;
    return true;
}

static bool make_requests(struct qn_record *record)
{
    const size_t room = record->room ? 2 * record->room : 64;
    if (record->requests < record->room)
        return true;
    for (size_t l = 0; l < record->count; l++) {
        struct list *const list = &record->list[l];
        int64_t *const made = realloc(list->start, (room + 1) * sizeof *made);
        if (!made)
            return false;
        list->start = made;
    }
    record->room = room;
    return true;
}

/* All at once, which is quick; and the first that is not there. */
static bool all_there(const struct qn_points *points, int64_t domain)
{
    uint32_t most = 0;
    for (size_t i = 0; i < points->count; i++) {
        const uint32_t point = (uint32_t)points->point[i];
        most = point > most ? point : most;
    }
    return points->count == 0 || most < (uint64_t)domain;
}

static enum qn_status check(const struct qn_record *record,
                            const struct qn_points *lists)
{
    for (size_t l = 0; l < record->count; l++) {
        const int64_t domain = record->list[l].domain;
        size_t i = 0;
        if (all_there(&lists[l], domain))
            continue;
        while (lists[l].point[i] >= 0 && lists[l].point[i] < domain)
            i++;
        return qn__fail(QN_INVALID, "point %zu of list %zu is %d,"
                        " wanted 0 to %lld", i, l, (int)lists[l].point[i],
                        (long long)domain - 1);
    }
    return QN_OK;
}

static void append(struct list *list, const struct qn_points *points,
                   int32_t request)
{
    if (points->count > 0)
        memcpy(list->point + list->items, points->point,
               points->count * sizeof *list->point);
    for (size_t i = 0; i < points->count && !list->read; i++)
        list->request[list->items + i] = request;
    list->items += points->count;
    list->start[request + 1] = (int64_t)list->items;
}

enum qn_status qn_record_add(struct qn_record *record,
                             const struct qn_points *lists)
{
    const enum qn_status status = check(record, lists);
    if (status != QN_OK)
        return status;
    bool well = record->requests < INT32_MAX && make_requests(record);
    for (size_t l = 0; l < record->count && well; l++)
        well = lists[l].count <= INT32_MAX - record->list[l].items
            && make_items(record, &record->list[l], lists[l].count);
    if (!well)
        return no_memory();
    for (size_t l = 0; l < record->count; l++)
        append(&record->list[l], &lists[l], (int32_t)record->requests);
    record->requests++;
    return QN_OK;
}

/* --- read ----------------------------------------------------------------- */

size_t qn__record_requests(const struct qn_record *record)
{
    return record->requests;
}

/* The items of each point from low to high - 1, in order of submission:
 * counted, then placed. */
static void turn(struct list *list, const int32_t *point, int64_t low,
                 int64_t high)
{
    int64_t *const start = list->items_start;
    memset(start + low, 0, (size_t)(high - low + 2) * sizeof *start);
    for (size_t i = 0; i < list->items; i++)
        start[point[i] + 2]++;
    for (int64_t p = low + 2; p < high + 2; p++)
        start[p] += start[p - 1];
    for (size_t i = 0; i < list->items; i++)
        list->item[start[point[i] + 1]++] = (int32_t)i;
}

void qn__record_turn(struct qn_record *record, size_t number,
                     const int32_t *points, int64_t *low, int64_t *high)
{
    struct list *const list = &record->list[number];
    *low = list->items > 0 ? points[0] : 0;
    *high = *low;
    for (size_t i = 0; i < list->items; i++) {
        *low = points[i] < *low ? points[i] : *low;
        *high = points[i] >= *high ? points[i] + 1 : *high;
    }
    turn(list, points, *low, *high);
}

void qn__record_view(struct qn_record *record, size_t number,
                     struct qn_record_list *view)
{
    struct list *const list = &record->list[number];
    list->start[0] = 0;
    *view = (struct qn_record_list){
        .requests = (int64_t)record->requests,
        .points = list->domain,
        .items = (int64_t)list->items,
        .start = list->start,
        .point = list->point,
        .request = list->request,
        .items_start = list->items_start,
        .item = list->item
    };
}

void qn_record_list(struct qn_record *record, size_t number,
                    struct qn_record_list *view)
{
    struct list *const list = &record->list[number];
    turn(list, list->point, 0, list->domain);
    qn__record_view(record, number, view);
}

enum qn_status qn_record_distinct(struct qn_record *record, size_t number)
{
    struct qn_record_list view;
    int64_t low, high;
    qn__record_view(record, number, &view);
    qn__record_turn(record, number, view.point, &low, &high);
    for (int64_t p = low; p < high; p++)
        if (view.items_start[p + 1] - view.items_start[p] > 1) {
            const int32_t *const item = view.item + view.items_start[p];
            return qn__fail(QN_INVALID, "point %lld is in list %zu of request"
                            " %d and of request %d of one batch", (long long)p,
                            number, (int)view.request[item[0]],
                            (int)view.request[item[1]]);
        }
    return QN_OK;
}
