/* A batch of a server whose fields are at home on the host: which blocks its
 * lists name, and its lists as they are on the device. */
#include "server.h"

#include <string.h>

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
                          const struct qn_work *work)
{
    const struct qn_server *const server = flight->server;
    enum qn_status status = qn__work_check(server, work);
    for (size_t l = 0; l < server->list_count && status == QN_OK; l++) {
        size_t h;
        const struct qn__home *const home = home_of(server, l, &h);
        if (home)
            status = qn__lodging_use(home, &flight->lodgings[h],
                                     &work->lists[l],
                                     server->lists[l].kernel[0] != NULL);
    }
    return status;
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

/* As many requests as there is room for, one by one. */
static void use_some(struct qn__flight *flight)
{
    struct used used;
    size_t r = flight->first;
    for (; r < flight->batch->count; r++) {
        struct qn_request *const at = flight->all[r];
        note(flight, &used);
        at->status = use(flight, at->data);
        if (at->status == QN_OK && has_room(flight))
            continue;
        take_back(flight, &used);
        if (at->status == QN_OK && r > flight->first)
            break;
        if (at->status == QN_OK)
            at->status = qn__fail(QN_INVALID, "a request of more blocks than"
                                  " the device has room for");
    }
    flight->end = r;
}

/* --- all at once ---------------------------------------------------------- */

/* Blocks of the home that a request names; false: it names what is not there,
 * or nothing. */
static bool name_blocks(const struct qn_server *server,
                        const struct qn__home *home,
                        const struct qn_request *request, unsigned char *named,
                        size_t *points)
{
    const struct qn_work *const work = request->data;
    if (qn__work_check(server, work) != QN_OK)
        return false;
    for (size_t l = 0; l < server->list_count; l++) {
        const struct qn_points *const list = &work->lists[l];
        unsigned char *const own =
            named + (server->lists[l].kernel[0] ? home->blocks : 0);
        if (server->lists[l].of != home->axis)
            continue;
        if (!qn__all_there(list, home->points))
            return false;
        for (size_t i = 0; i < list->count; i++)
            own[list->point[i] >> home->shift] = 1;
        *points += list->count;
    }
    return true;
}

static void name_all(struct qn__flight *flight, struct qn__share *share,
                     size_t first, size_t end)
{
    const struct qn_server *const server = flight->server;
    unsigned char *named = share->named;
    share->odd = false;
    for (size_t h = 0; h < server->home_count; h++) {
        const struct qn__home *const home = &server->homes[h];
        const size_t size = 2 * (size_t)home->blocks;
        memset(named, 0, size);
        share->items[h] = 0;
        for (size_t r = first; r < end && !share->odd; r++)
            share->odd = !name_blocks(server, home, flight->all[r], named,
                                      &share->items[h]);
        named += size;
    }
}

/* What all shares have named of a home, from `at` on. */
static void use_named(struct qn__flight *flight, size_t number, size_t at)
{
    const struct qn__home *const home = &flight->server->homes[number];
    struct qn__lodging *const lodging = &flight->lodgings[number];
    for (int64_t b = 0; b < home->blocks; b++) {
        unsigned char read = 0, written = 0;
        for (int s = 0; s < flight->share_count; s++) {
            const unsigned char *const own = flight->shares[s].named + at;
            read |= own[b];
            written |= own[home->blocks + b];
        }
        if (read || written)
            qn__lodging_use_block(home, lodging, (int32_t)b, written != 0);
    }
    for (int s = 0; s < flight->share_count; s++)
        lodging->lease.work += flight->shares[s].items[number];
}

/* All requests: false, and none does, where some name what is not there, or
 * more than there is room for. */
static bool use_all(struct qn__flight *flight)
{
    const struct qn_server *const server = flight->server;
    size_t at = 0;
    qn__tables_share(flight, flight->first, flight->batch->count, name_all);
    for (int s = 0; s < flight->share_count; s++)
        if (flight->shares[s].odd)
            return false;
    for (size_t h = 0; h < server->home_count; h++) {
        use_named(flight, h, at);
        at += 2 * (size_t)server->homes[h].blocks;
    }
    flight->end = flight->batch->count;
    if (has_room(flight))
        return true;
    for (size_t h = 0; h < server->home_count; h++)
        qn__lodging_cut(&flight->lodgings[h], 0, 0);
    return false;
}

enum qn_status qn__flight_lodge(struct qn__flight *flight)
{
    struct qn_server *const server = flight->server;
    flight->end = flight->batch->count;
    flight->fired = false;
    if (server->home_count == 0)
        return QN_OK;
    if (!use_all(flight))
        use_some(flight);
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

void qn__flight_place(const struct qn__flight *flight, size_t list,
                      const struct qn_points *points, int32_t *places)
{
    size_t h;
    const struct qn__home *const home = home_of(flight->server, list, &h);
    if (home)
        qn__lodging_place(home, &flight->lodgings[h], points, places);
    else if (points->count > 0)
        memcpy(places, points->point, points->count * sizeof *places);
}
