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
    struct qn__memory memory;   /* of all tables */
    size_t count;               /* lists */
    size_t requests, room;
    struct list *list;
};

/* --- made and freed ------------------------------------------------------- */

void qn_record_free(struct qn_record *record)
{
    for (size_t l = 0; record && l < record->count; l++) {
        struct list *const list = &record->list[l];
        void *const tables[] = { list->start, list->point, list->request,
                                 list->item, list->items_start };
        for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
            record->memory.give(record->memory.self, tables[t]);
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

void qn__record_read(struct qn_record *record, size_t list)
{
    record->list[list].read = true;
}

static enum qn_status no_memory(void)
{
    return qn__fail(QN_NO_MEMORY, "no memory for a batch of requests");
}

static void *new_table(const struct qn_record *record, size_t count,
                       size_t size)
{
    return record->memory.take(record->memory.self, count * size);
}

/* Of a list that has nothing yet. */
static bool make_list(const struct qn_record *record, struct list *list)
{
    list->start = new_table(record, 1, sizeof *list->start);
    list->items_start = new_table(record, (size_t)list->domain + 2,
                                  sizeof *list->items_start);
    if (list->start)
        list->start[0] = 0;
    return list->start && list->items_start;
}

enum qn_status qn__record_create(size_t lists, const int64_t *domain,
                                 const struct qn__memory *memory,
                                 struct qn_record **record)
{
    *record = NULL;
    if (lists > QUERN_MAX_AXES)
        return qn__fail(QN_INVALID, "a record of %zu lists: %d at most", lists,
                        QUERN_MAX_AXES);
    for (size_t l = 0; l < lists; l++)
        if (domain[l] < 0 || domain[l] > INT32_MAX)
            return qn__fail(QN_INVALID, "list %zu is of %lld points: 0 to %d",
                            l, (long long)domain[l], INT32_MAX);
    struct qn_record *const made = calloc(1, sizeof *made);
    if (!made)
        return no_memory();
    made->memory = *memory;
    made->list = calloc(lists + 1, sizeof *made->list);
    made->count = made->list ? lists : 0;
    bool well = made->list != NULL;
    for (size_t l = 0; l < made->count; l++) {
        made->list[l].domain = domain[l];
        well = well && make_list(made, &made->list[l]);
    }
    if (!well) {
        qn_record_free(made);
        return no_memory();
    }
    *record = made;
    return QN_OK;
}

enum qn_status qn_record_create(size_t lists, const int64_t *domain,
                                struct qn_record **record)
{
    static const struct qn__memory memory = { NULL, take, give };
    return qn__record_create(lists, domain, &memory, record);
}

void qn_record_clear(struct qn_record *record)
{
    record->requests = 0;
    for (size_t l = 0; l < record->count; l++)
        record->list[l].items = 0;
}

/* --- filled --------------------------------------------------------------- */

/* Room for so many, of which `count` stay. */
static bool widen(const struct qn_record *record, void *table, size_t count,
                  size_t room, size_t size)
{
    void **const at = table;
    void *const made = new_table(record, room, size);
    if (!made)
        return false;
    if (count > 0)
        memcpy(made, *at, count * size);
    record->memory.give(record->memory.self, *at);
    *at = made;
    return true;
}

static bool make_items(const struct qn_record *record, struct list *list,
                       size_t more)
{
    const size_t size = sizeof *list->point;
    size_t room = list->room ? list->room : 256;
    if (more <= list->room - list->items)
        return true;
    while (room - list->items < more && room < SIZE_MAX / 16)
        room *= 2;
    if (room - list->items < more
        || !widen(record, &list->point, list->items, room, size))
        return false;
    if (!list->read
        && (!widen(record, &list->request, list->items, room, size)
            || !widen(record, &list->item, 0, room, size)))
        return false;
    list->room = room;
    return true;
}

static bool make_requests(struct qn_record *record, size_t more)
{
    size_t room = record->room ? record->room : 64;
    if (more <= record->room - record->requests)
        return true;
    while (room - record->requests < more)
        room *= 2;
    for (size_t l = 0; l < record->count; l++)
        if (!widen(record, &record->list[l].start, record->requests + 1,
                   room + 1, sizeof *record->list[l].start))
            return false;
    record->room = room;
    return true;
}

/* All at once, which is quick. */
bool qn__all_there(const struct qn_points *points, int64_t domain)
{
    const int32_t *const point = points->point;
    const int32_t end = (int32_t)domain;
    int32_t odd = 0;
    #pragma omp simd reduction(| : odd)
    for (size_t i = 0; i < points->count; i++)
        odd |= (point[i] < 0) | (point[i] >= end);
    return odd == 0;
}

enum qn_status qn__record_check(const struct qn_record *record, size_t list,
                                const struct qn_points *points)
{
    const int64_t domain = record->list[list].domain;
    size_t i = 0;
    if (qn__all_there(points, domain))
        return QN_OK;
    while (points->point[i] >= 0 && points->point[i] < domain)
        i++;
    return qn__fail(QN_INVALID, "point %zu of list %zu is %d, wanted 0 to %lld",
                    i, list, (int)points->point[i], (long long)domain - 1);
}

enum qn_status qn__record_extend(struct qn_record *record, size_t requests,
                                 const size_t *items)
{
    bool well = requests <= INT32_MAX - record->requests
             && make_requests(record, requests);
    for (size_t l = 0; l < record->count && well; l++)
        well = items[l] <= INT32_MAX - record->list[l].items
            && make_items(record, &record->list[l], items[l]);
    if (!well)
        return no_memory();
    record->requests += requests;
    for (size_t l = 0; l < record->count; l++) {
        record->list[l].start[0] = 0;
        record->list[l].items += items[l];
    }
    return QN_OK;
}

int32_t *qn__record_row(struct qn_record *record, size_t number, size_t request,
                        size_t at, size_t count)
{
    struct list *const list = &record->list[number];
    for (size_t i = 0; i < count && !list->read; i++)
        list->request[at + i] = (int32_t)request;
    list->start[request + 1] = (int64_t)(at + count);
    return list->point + at;
}

static void append(struct qn_record *record, size_t request, size_t number,
                   const struct qn_points *points)
{
    const size_t at = record->list[number].items - points->count;
    int32_t *const row =
        qn__record_row(record, number, request, at, points->count);
    if (points->count > 0)
        memcpy(row, points->point, points->count * sizeof *row);
}

enum qn_status qn_record_add(struct qn_record *record,
                             const struct qn_points *lists)
{
    size_t items[QUERN_MAX_AXES];
    enum qn_status status = QN_OK;
    for (size_t l = 0; l < record->count && status == QN_OK; l++) {
        status = qn__record_check(record, l, &lists[l]);
        items[l] = lists[l].count;
    }
    if (status == QN_OK)
        status = qn__record_extend(record, 1, items);
    for (size_t l = 0; l < record->count && status == QN_OK; l++)
        append(record, record->requests - 1, l, &lists[l]);
    return status;
}

/* --- read ----------------------------------------------------------------- */

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

/* The same, of items whose points ascend: they are in that order. */
static void turn_ascending(struct list *list, const int32_t *point, int64_t low,
                           int64_t high)
{
    int64_t *const start = list->items_start;
    int64_t next = low;
    for (size_t i = 0; i < list->items; i++) {
        list->item[i] = (int32_t)i;
        while (next <= point[i])
            start[next++] = (int64_t)i;
    }
    while (next <= high)
        start[next++] = (int64_t)list->items;
}

void qn__record_turn(struct qn_record *record, size_t number,
                     const int32_t *points, int64_t *low, int64_t *high)
{
    struct list *const list = &record->list[number];
    int32_t least = INT32_MAX, most = -1, falls = 0;
    for (size_t i = 0; i < list->items; i++) {
        least = points[i] < least ? points[i] : least;
        most = points[i] > most ? points[i] : most;
        falls |= i > 0 && points[i] < points[i - 1];
    }
    *low = list->items > 0 ? least : 0;
    *high = (int64_t)most + 1;
    if (falls)
        turn(list, points, *low, *high);
    else
        turn_ascending(list, points, *low, *high);
}

void qn__record_view(struct qn_record *record, size_t number,
                     struct qn_record_list *view)
{
    const struct list *const list = &record->list[number];
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
