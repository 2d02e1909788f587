/* A batch of a server whose fields are at home on the host: which blocks its
 * lists name, and its lists as they are on the device. */
#include "server.h"

#include <stdlib.h>

/* The home of a list's points, or NULL. */
static struct qn__home *home_of(const struct qn_server *server, size_t list,
                                size_t *number)
{
    for (*number = 0; *number < server->home_count; ++*number)
        if (server->homes[*number].axis == server->lists[list].of)
            return &server->homes[*number];
    return NULL;
}

const struct qn__home *qn__flight_home(const struct qn__flight *flight,
                                       size_t list)
{
    size_t number;
    return home_of(flight->server, list, &number);
}

bool qn__flight_run_of(const struct qn__flight *flight, size_t list,
                       size_t *next, int64_t *low, int64_t *high)
{
    size_t h;
    const struct qn__home *const home = home_of(flight->server, list, &h);
    const struct qn__lodging *const lodging = &flight->lodgings[h];
    if (*next == lodging->written_count)
        return false;
    *low = lodging->written[*next] * home->block;
    do
        *high = (lodging->written[(*next)++] + 1) * home->block;
    while (*next < lodging->written_count
           && lodging->written[*next] * home->block == *high);
    return true;
}

static enum qn_status use(struct qn__flight *flight,
                          const struct qn_points *lists)
{
    const struct qn_server *const server = flight->server;
    for (size_t l = 0; l < server->list_count; l++) {
        size_t h;
        const struct qn__home *const home = home_of(server, l, &h);
        if (!home)
            continue;
        const enum qn_status status =
            qn__lodging_use(home, &flight->lodgings[h], &lists[l],
                            server->lists[l].kernel[0] != NULL);
        if (status != QN_OK)
            return status;
    }
    return QN_OK;
}

static bool has_room(const struct qn__flight *flight)
{
    const struct qn_server *const server = flight->server;
    for (size_t h = 0; h < server->home_count; h++)
        if (flight->lodgings[h].lease.count > (size_t)server->homes[h].room)
            return false;
    return true;
}

/* What homes had before a request. */
struct used {
    size_t count[QUERN_MAX_AXES], work[QUERN_MAX_AXES];
};

static void note(const struct qn__flight *flight, struct used *used)
{
    for (size_t h = 0; h < flight->server->home_count; h++) {
        used->count[h] = flight->lodgings[h].lease.count;
        used->work[h] = flight->lodgings[h].lease.work;
    }
}

/* From there on it is the last request's: it does not use it. */
static void take_back(struct qn__flight *flight, const struct used *used)
{
    for (size_t h = 0; h < flight->server->home_count; h++)
        qn__lodging_cut(&flight->lodgings[h], used->count[h], used->work[h]);
}

/* As many requests as there is room for. */
static void use_all(struct qn__flight *flight)
{
    struct qn_request *at = flight->at;
    struct used used;
    for (; at; at = at->next) {
        note(flight, &used);
        at->status = use(flight, ((const struct qn_work *)at->data)->lists);
        if (at->status == QN_OK && has_room(flight))
            continue;
        take_back(flight, &used);
        if (at->status == QN_OK && at != flight->at)
            break;
        if (at->status == QN_OK)
            at->status = qn__fail(QN_INVALID, "a request of more blocks than"
                                  " the device has room for");
    }
    flight->stop = at;
}

enum qn_status qn__flight_lodge(struct qn__flight *flight)
{
    struct qn_server *const server = flight->server;
    flight->stop = NULL;
    flight->fired = false;
    if (server->home_count == 0)
        return QN_OK;
    use_all(flight);
    for (size_t h = 0; h < server->home_count; h++) {
        const enum qn_status status =
            qn__lodging_take(&server->homes[h], &flight->lodgings[h]);
        if (status == QN_OK)
            continue;
        return qn__flight_leave(flight, status, 0);
    }
    return QN_OK;
}

/* What is put on the batch's lane comes after its blocks. */
enum qn_status qn__flight_arrive(struct qn__flight *flight)
{
    struct qn_server *const server = flight->server;
    struct qn_context *const context = server->module->context;
    enum qn_status status = QN_OK;
    for (size_t h = 0; h < server->home_count && status == QN_OK; h++) {
        struct qn__lane *const lane = &server->homes[h].lane;
        status = server->lanes->end(context, lane);
        if (status == QN_OK)
            status = server->lanes->follow(context, &flight->lane, lane);
    }
    return status;
}

enum qn_status qn__flight_leave(struct qn__flight *flight,
                                enum qn_status status, double seconds)
{
    struct qn_server *const server = flight->server;
    enum qn_status first = status;
    for (size_t h = 0; h < server->home_count; h++) {
        const enum qn_status own = qn__lodging_leave(
            &server->homes[h], &flight->lodgings[h],
            flight->fired ? status : QN_OK, seconds);
        first = first == QN_OK ? own : first;
    }
    return first;
}

static bool make_room(struct qn__flight *flight, size_t count)
{
    if (count <= flight->place_room)
        return true;
    int32_t *const made =
        realloc(flight->places, 2 * count * sizeof *made);
    if (!made)
        return false;
    flight->places = made;
    flight->place_room = 2 * count;
    return true;
}

/* The lists with places for points; NULL: no memory. */
const struct qn_points *qn__flight_place(struct qn__flight *flight,
                                         const struct qn_points *lists)
{
    const struct qn_server *const server = flight->server;
    size_t count = 0, h;
    if (server->home_count == 0)
        return lists;
    for (size_t l = 0; l < server->list_count; l++)
        count += lists[l].count;
    if (!make_room(flight, count))
        return NULL;
    int32_t *to = flight->places;
    for (size_t l = 0; l < server->list_count; l++) {
        const struct qn__home *const home = home_of(server, l, &h);
        flight->placed[l] = lists[l];
        if (!home)
            continue;
        flight->placed[l].point = to;
        qn__lodging_place(home, &flight->lodgings[h], &lists[l], to);
        to += lists[l].count;
    }
    return flight->placed;
}
