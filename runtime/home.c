/* A home: its cache, and what moves blocks between the host's arrays and those
 * of the module. */
#define _POSIX_C_SOURCE 200809L
#include "cache.h"
#include "server.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- moving --------------------------------------------------------------- */

/* The cache thinks of a block as bytes of one array: which block is it? */
static int64_t block_of(const struct qn__home *home, const void *host)
{
    return (int64_t)((uintptr_t)host / home->bytes) - 1;
}

static int64_t points_of(const struct qn__home *home, int64_t block)
{
    const int64_t left = home->points - block * home->block;
    return left < home->block ? left : home->block;
}

static char *on_device(const struct qn__home *home,
                       const struct qn__homed *field, size_t offset)
{
    const struct qn_module *const module = home->module;
    char *const array = qn__field_origin(module->state.fields[field->field], 0);
    return array + offset / home->bytes * (size_t)home->block * field->size;
}

static enum qn_status upload(void *self, size_t offset, const void *host,
                             size_t size)
{
    struct qn__home *const home = self;
    struct qn_context *const context = home->module->context;
    const int64_t block = block_of(home, host);
    const size_t points = (size_t)points_of(home, block);
    enum qn_status status = context->backend->enter(context);
    (void)size;
    for (size_t f = 0; f < home->field_count && status == QN_OK; f++) {
        const struct qn__homed *const field = &home->fields[f];
        const char *const from = field->sum ? home->zeros
            : field->host + (size_t)(block * home->block) * field->size;
        status = home->lanes->send(context, &home->lane,
                                   on_device(home, field, offset), from,
                                   points * field->size);
    }
    return status;
}

static void add_up(enum quern_type type, void *to, const void *what,
                   int64_t count)
{
    float *const floats = to;
    double *const doubles = to;
    const float *const more_floats = what;
    const double *const more_doubles = what;
    if (type == QUERN_FLOAT)
        for (int64_t i = 0; i < count; i++)
            floats[i] += more_floats[i];
    else if (type == QUERN_DOUBLE)
        for (int64_t i = 0; i < count; i++)
            doubles[i] += more_doubles[i];
    else
        for (int64_t i = 0; i < count; i++)
            qn__value_set(type, to, i, qn__value_get(type, to, i)
                                           + qn__value_get(type, what, i));
}

/* In `back`. */
static size_t room_of_field(const struct qn__home *home)
{
    return (size_t)home->block * sizeof(double);
}

/* What the device has of a field is on its way to the host's array, what it
 * added to `back`, at *at. */
static enum qn_status fetch(struct qn__home *home,
                            const struct qn__homed *field, size_t offset,
                            int64_t block, size_t *at)
{
    const size_t size = (size_t)points_of(home, block) * field->size;
    char *to = field->host + (size_t)(block * home->block) * field->size;
    if (!field->written)
        return QN_OK;
    if (field->sum) {
        to = (char *)home->back + *at;
        *at += room_of_field(home);
    }
    home->fetched += size;
    return home->lanes->fetch(home->module->context, &home->lane, to,
                              on_device(home, field, offset), size);
}

/* What came to `back` goes into the host's sums, and is none any more. */
static enum qn_status add_all(struct qn__home *home, size_t offset,
                              int64_t block)
{
    const char *from = home->back;
    enum qn_status status = QN_OK;
    for (size_t f = 0; f < home->field_count && status == QN_OK; f++) {
        const struct qn__homed *const field = &home->fields[f];
        const size_t size = (size_t)points_of(home, block) * field->size;
        if (!field->sum)
            continue;
        add_up(home->module->info->fields[field->field].type,
               field->host + (size_t)(block * home->block) * field->size, from,
               points_of(home, block));
        from += room_of_field(home);
        status = home->lanes->send(home->module->context, &home->lane,
                                   on_device(home, field, offset), home->zeros,
                                   size);
    }
    return status;
}

static enum qn_status download(void *self, void *host, size_t offset,
                               size_t size)
{
    struct qn__home *const home = self;
    struct qn_context *const context = home->module->context;
    const int64_t block = block_of(home, host);
    enum qn_status status = context->backend->enter(context);
    size_t at = 0;
    (void)size;
    for (size_t f = 0; f < home->field_count && status == QN_OK; f++)
        status = fetch(home, &home->fields[f], offset, block, &at);
    if (status == QN_OK)
        status = home->lanes->wait(context, &home->lane);
    return status == QN_OK ? add_all(home, offset, block) : status;
}

static double now(void *self)
{
    struct timespec time;
    (void)self;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* --- made and freed ------------------------------------------------------- */

static int find(const struct quern_module *info, const char *name, int axis)
{
    for (int i = 0; i < info->field_count; i++)
        if (strcmp(info->fields[i].name, name) == 0
            && info->fields[i].rank == 1 && info->fields[i].axis[0] == axis)
            return i;
    return -1;
}

/* By a kernel of the request's, or written by one? */
static bool is_used(const struct qn_server *server, int field, bool written)
{
    for (size_t l = 0; l < server->list_count; l++)
        for (int k = 0; k < QN_LIST_KERNELS; k++) {
            const struct quern_kernel *const kernel =
                server->lists[l].kernel[k];
            for (int i = 0; kernel && i < kernel->access_count; i++)
                if (kernel->accesses[i].field == field
                    && (kernel->accesses[i].written || !written))
                    return true;
        }
    return false;
}

static enum qn_status open_field(const struct qn_server *server,
                                 const struct qn_home_field *settings,
                                 struct qn__home *home,
                                 struct qn__homed *field)
{
    const struct quern_module *const info = home->module->info;
    const int at = find(info, settings->name, home->axis);
    if (at < 0)
        return qn__fail(QN_NOT_FOUND, "%s has no field '%s' on '%s'",
                        info->instance, settings->name,
                        info->axis[home->axis]);
    if (!home->module->state.fields[at])
        return qn__fail(QN_INVALID, "field '%s' of %s has not been created yet",
                        settings->name, info->instance);
    *field = (struct qn__homed){
        .field = at, .host = settings->host, .sum = settings->sum != 0,
        .size = qn__type_size(info->fields[at].type),
        .written = is_used(server, at, true)
    };
    if (field->sum && !field->written)
        return qn__fail(QN_INVALID, "nothing is added to '%s', which is to be"
                        " a sum", settings->name);
    home->bytes += (size_t)home->block * field->size;
    return QN_OK;
}

static bool has_field(const struct qn__home *home, int field)
{
    for (size_t f = 0; f < home->field_count; f++)
        if (home->fields[f].field == field)
            return true;
    return false;
}

/* Places of the device are not points: whatever is looked up by them has to be
 * at home here, and once. */
static enum qn_status check_home(const struct qn_server *server,
                                 const struct qn__home *home)
{
    const struct quern_module *const info = home->module->info;
    const char *const domain = info->axis[home->axis];
    for (const struct qn__home *at = server->homes; at < home; at++)
        if (at->axis == home->axis)
            return qn__fail(QN_INVALID, "two homes for '%s'", domain);
    for (int f = 0; f < info->field_count; f++)
        if (info->fields[f].axis[0] == home->axis && is_used(server, f, false)
            && !has_field(home, f))
            return qn__fail(QN_INVALID, "the request uses '%s', which is not"
                            " among the fields at home on '%s'",
                            info->fields[f].name, domain);
    return QN_OK;
}

static enum qn_status open_cache(struct qn__home *home, enum qn_reuse reuse)
{
    const struct qn_mover mover = { home, upload, download, now };
    const struct qn_cache_settings settings = {
        home->bytes, (size_t)home->room * home->bytes, reuse
    };
    struct qn_context *const context = home->module->context;
    const size_t most = room_of_field(home);
    enum qn_status status = home->lanes->open(context, &home->lane);
    if (status == QN_OK)
        status = home->lanes->pin(context, most, &home->zeros);
    if (status == QN_OK)
        status = home->lanes->pin(context, home->field_count * most,
                                  &home->back);
    if (status != QN_OK)
        return status;
    memset(home->zeros, 0, most);
    status = qn_cache_create(&settings, &mover, &home->cache);
    return status != QN_OK ? status
         : qn_data_create(home->cache, (void *)(uintptr_t)home->bytes,
                          (size_t)home->points
                              * (home->bytes / (size_t)home->block),
                          &home->data);
}

enum qn_status qn__home_open(struct qn_server *server,
                             const struct qn_home *settings,
                             struct qn__home *home)
{
    const struct quern_module *const info = server->module->info;
    home->module = server->module;
    home->lanes = server->lanes;
    home->points = settings->points;
    home->block = 1;
    while (home->block < (settings->block > 0 ? settings->block : 1024)
           && home->shift < 31)
        home->block = (int64_t)1 << ++home->shift;
    home->blocks = (home->points + home->block - 1) / home->block;
    home->field_count = settings->field_count;
    home->axis = 0;
    while (home->axis < info->axes
           && strcmp(info->axis[home->axis], settings->domain) != 0)
        home->axis++;
    if (home->axis == info->axes)
        return qn__fail(QN_NOT_FOUND, "%s has no domain '%s'", info->instance,
                        settings->domain);
    home->room = qn__args_int(&server->module->state,
                              info->extent)[home->axis] / home->block;
    if (home->points < 1 || home->points > INT32_MAX || home->room < 1)
        return qn__fail(QN_INVALID, "a home of %lld points in blocks of %lld,"
                        " %lld of which have room on the device",
                        (long long)home->points, (long long)home->block,
                        (long long)home->room);
    home->fields = calloc(home->field_count + 1, sizeof *home->fields);
    if (!home->fields)
        return qn__fail(QN_NO_MEMORY, "no memory for a home");
    for (size_t f = 0; f < home->field_count; f++) {
        const enum qn_status status = open_field(
            server, &settings->fields[f], home, &home->fields[f]);
        if (status != QN_OK)
            return status;
    }
    const enum qn_status status = check_home(server, home);
    return status != QN_OK ? status : open_cache(home, settings->reuse);
}

enum qn_status qn__home_close(struct qn__home *home)
{
    const enum qn_status status = qn_cache_destroy(home->cache);
    if (status != QN_OK)
        qn__cache_give_up(home->cache);
    if (home->lanes && home->lanes->wait) {
        struct qn_context *const context = home->module->context;
        if (home->lane.stream || home->lanes->at_once)
            home->lanes->wait(context, &home->lane);
        home->lanes->unpin(context, home->zeros);
        home->lanes->unpin(context, home->back);
        home->lanes->close(context, &home->lane);
    }
    free(home->fields);
    return status;
}
