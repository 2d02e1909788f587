/* The requests of a batch as tables: shared out, each share counted, then
 * filled in behind those before it, by whichever thread of the crew is free. */
#include "server.h"

#include <stdlib.h>
#include <string.h>

enum { WORTH = 16 };            /* requests that are worth another share */

/* --- shares --------------------------------------------------------------- */

struct sharing {
    struct qn__flight *flight;
    size_t first, end;
    void (*what)(struct qn__flight *flight, struct qn__share *share,
                 size_t first, size_t end);
};

/* Two for each thread: requests are of many sizes. */
static int most_shares(const struct qn_server *server)
{
    const int helpers = qn__crew_helpers(server->crew);
    return helpers > 0 ? 2 * (helpers + 1) : 1;
}

static size_t border(const struct sharing *sharing, int share)
{
    return sharing->first + (sharing->end - sharing->first) * (size_t)share
                                / (size_t)sharing->flight->share_count;
}

static void do_share(void *self, int share)
{
    const struct sharing *const sharing = self;
    sharing->what(sharing->flight, &sharing->flight->shares[share],
                  border(sharing, share), border(sharing, share + 1));
}

void qn__tables_share(struct qn__flight *flight, size_t first, size_t end,
                      void (*what)(struct qn__flight *flight,
                                   struct qn__share *share, size_t first,
                                   size_t end))
{
    struct sharing sharing = { flight, first, end, what };
    const size_t most = (size_t)most_shares(flight->server);
    const size_t worth = (end - first) / WORTH;
    flight->share_count = worth < 1 ? 1 : (int)(worth < most ? worth : most);
    qn__crew_do(flight->server->crew, do_share, &sharing, flight->share_count);
}

/* --- counted, filled in --------------------------------------------------- */

static const struct qn_work *work_of(const struct qn_request *request)
{
    return request->data;
}

enum qn_status qn__work_check(const struct qn_server *server,
                              const struct qn_work *work)
{
    if (!work)
        return qn__fail(QN_INVALID, "a request without data: a struct qn_work");
    if (!work->lists || (server->scalar_count > 0 && !work->scalars))
        return qn__fail(QN_INVALID, "a request without %s",
                        work->lists ? "scalars" : "lists");
    for (size_t l = 0; l < server->list_count; l++)
        if (work->lists[l].count > 0 && !work->lists[l].point)
            return qn__fail(QN_INVALID, "list %zu of a request has %zu points"
                            " and does not say where", l,
                            work->lists[l].count);
    return QN_OK;
}

/* What is at home on the host has been looked at when it moved in. */
static enum qn_status check_points(const struct qn__flight *flight,
                                   const struct qn_work *work)
{
    enum qn_status status = QN_OK;
    for (size_t l = 0; l < flight->server->list_count && status == QN_OK; l++)
        if (!qn__flight_home(flight, l))
            status = qn__record_check(flight->record, l, &work->lists[l]);
    return status;
}

static void count(struct qn__flight *flight, struct qn__share *share,
                  size_t first, size_t end)
{
    const size_t lists = flight->server->list_count;
    share->requests = 0;
    share->odd = false;
    memset(share->items, 0, lists * sizeof *share->items);
    for (size_t r = first; r < end; r++) {
        struct qn_request *const request = flight->all[r];
        if (request->status == QN_OK) {
            request->status = qn__work_check(flight->server, work_of(request));
            share->odd = share->odd || request->status != QN_OK;
        }
        if (request->status != QN_OK)
            continue;
        for (size_t l = 0; l < lists; l++)
            share->items[l] += work_of(request)->lists[l].count;
        share->requests++;
    }
}

/* Shares have what is before them instead; all is counted in `sum`. */
static void add_up(struct qn__flight *flight, struct qn__share *sum)
{
    memset(sum, 0, sizeof *sum);
    for (int s = 0; s < flight->share_count; s++) {
        struct qn__share *const share = &flight->shares[s];
        const struct qn__share before = *sum;
        sum->requests += share->requests;
        for (size_t l = 0; l < flight->server->list_count; l++) {
            sum->items[l] += share->items[l];
            share->items[l] = before.items[l];
        }
        share->requests = before.requests;
    }
}

/* Looks at points when they have just been read: they are many. */
static void fill_in(struct qn__flight *flight, struct qn__share *share,
                    size_t first, size_t end)
{
    const size_t scalars = flight->server->scalar_count;
    for (size_t r = first; r < end; r++) {
        struct qn_request *const request = flight->all[r];
        const struct qn_work *const work = work_of(request);
        if (request->status != QN_OK)
            continue;
        for (size_t l = 0; l < flight->server->list_count; l++) {
            const size_t items = work->lists[l].count;
            qn__flight_place(flight, l, &work->lists[l],
                             qn__record_row(flight->record, l, share->requests,
                                            share->items[l], items));
            share->items[l] += items;
        }
        if (scalars > 0)
            memcpy(&flight->values[share->requests * scalars], work->scalars,
                   scalars * sizeof *work->scalars);
        request->status = check_points(flight, work);
        share->odd = share->odd || request->status != QN_OK;
        share->requests++;
    }
}

/* Sentences are the thread's that makes them: here is one for who asks. */
static bool is_odd(const struct qn__flight *flight)
{
    bool odd = false, said = false;
    for (int s = 0; s < flight->share_count; s++)
        odd = odd || flight->shares[s].odd;
    for (size_t r = flight->first; r < flight->end && odd && !said; r++) {
        const struct qn_work *const work = work_of(flight->all[r]);
        said = qn__work_check(flight->server, work) != QN_OK
            || check_points(flight, work) != QN_OK;
    }
    return odd;
}

/* --- made ----------------------------------------------------------------- */

static enum qn_status no_memory(void)
{
    return qn__fail(QN_NO_MEMORY, "no memory for a batch of requests");
}

static bool make_values(struct qn__flight *flight, size_t requests)
{
    const size_t size = flight->server->scalar_count + 1;
    if (requests <= flight->room)
        return true;
    free(flight->values);
    flight->values = malloc(2 * requests * size * sizeof *flight->values);
    flight->room = flight->values ? 2 * requests : 0;
    return flight->values != NULL;
}

/* Items that are to be in order. */
static enum qn_status add_items(struct qn__flight *flight, size_t number)
{
    struct qn_record_list view;
    enum qn_status status = QN_OK;
    qn__record_view(flight->record, number, &view);
    for (int64_t r = 0; r < view.requests && status == QN_OK; r++)
        status = qn_items_add(
            flight->items[number], (size_t)(view.start[r + 1] - view.start[r]),
            (const uint32_t *)view.point + view.start[r], (uint32_t)r);
    return status;
}

/* What is left of a batch that was refused, too. */
static void clear(struct qn__flight *flight)
{
    qn_record_clear(flight->record);
    for (size_t l = 0; l < flight->server->list_count; l++)
        if (flight->items[l])
            qn__items_clear(flight->items[l]);
}

static enum qn_status fill(struct qn__flight *flight)
{
    struct qn__share sum;
    clear(flight);
    qn__tables_share(flight, flight->first, flight->end, count);
    add_up(flight, &sum);
    flight->requests = (int64_t)sum.requests;
    if (!make_values(flight, sum.requests))
        return no_memory();
    const enum qn_status status =
        qn__record_extend(flight->record, sum.requests, sum.items);
    if (status == QN_OK)
        qn__tables_share(flight, flight->first, flight->end, fill_in);
    return status;
}

/* Once more, if some cannot be: without these. */
enum qn_status qn__tables_make(struct qn__flight *flight)
{
    enum qn_status status = fill(flight);
    while (status == QN_OK && is_odd(flight))
        status = fill(flight);
    for (size_t l = 0; l < flight->server->list_count && status == QN_OK; l++)
        if (flight->items[l])
            status = add_items(flight, l);
    return status;
}

enum qn_status qn__tables_begin(struct qn__flight *flight)
{
    const size_t requests = flight->batch->count;
    size_t r = 0;
    if (requests > flight->all_room) {
        free(flight->all);
        flight->all = malloc(2 * requests * sizeof *flight->all);
        flight->all_room = flight->all ? 2 * requests : 0;
    }
    if (!flight->all)
        return no_memory();
    for (struct qn_request *at = flight->batch->first; at; at = at->next)
        flight->all[r++] = at;
    flight->first = 0;
    flight->end = requests;
    return QN_OK;
}

/* --- opened, closed ------------------------------------------------------- */

/* Of each home, twice as many bytes as it has blocks. */
static size_t blocks_of(const struct qn_server *server)
{
    size_t blocks = 0;
    for (size_t h = 0; h < server->home_count; h++)
        blocks += 2 * (size_t)server->homes[h].blocks;
    return blocks;
}

enum qn_status qn__tables_open(struct qn__flight *flight)
{
    const size_t blocks = blocks_of(flight->server);
    const int most = most_shares(flight->server);
    bool well = true;
    flight->shares = calloc((size_t)most, sizeof *flight->shares);
    for (int s = 0; flight->shares && s < most && well && blocks > 0; s++) {
        flight->shares[s].named = malloc(blocks);
        well = flight->shares[s].named != NULL;
    }
    return flight->shares && well ? QN_OK
         : qn__fail(QN_NO_MEMORY, "no memory for a server");
}

void qn__tables_close(struct qn__flight *flight)
{
    for (int s = 0; flight->shares && s < most_shares(flight->server); s++)
        free(flight->shares[s].named);
    free(flight->shares);
    free(flight->all);
    free(flight->values);
}
