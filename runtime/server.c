/* A launcher of a module's requests: it makes the tables of a batch, has them
 * on the device and launches the kernels of the request one after the other. */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- names ---------------------------------------------------------------- */

static int axis_of(const struct quern_module *info, const char *list,
                   const char *ending)
{
    char name[96];
    snprintf(name, sizeof name, "%s%s", list, ending);
    for (int i = 0; i < info->axes; i++)
        if (strcmp(info->axis[i], name) == 0)
            return i;
    return -1;
}

static int table_of(const struct quern_module *info, const char *list,
                    const char *ending)
{
    char name[96];
    snprintf(name, sizeof name, "%s%s", list, ending);
    for (int i = 0; i < info->table_count; i++)
        if (strcmp(info->tables[i].name, name) == 0)
            return i;
    return -1;
}

static const struct quern_kernel *kernel_of(const struct quern_module *info,
                                            const char *request,
                                            const char *list,
                                            const char *ending)
{
    char name[160];
    snprintf(name, sizeof name, "%s_%s%s", request, list, ending);
    for (int i = 0; i < info->kernel_count; i++)
        if (strcmp(info->kernels[i].kernel, name) == 0)
            return &info->kernels[i];
    return NULL;
}

static void find_list(const struct quern_module *info, const char *request,
                      const char *name, struct qn__served *list)
{
    *list = (struct qn__served){
        .name = name,
        .item = axis_of(info, name, "_item"),
        .items = axis_of(info, name, "_items"),
        .own = axis_of(info, name, ""),
        .point = table_of(info, name, "_point"),
        .request = table_of(info, name, "_request"),
        .turned = table_of(info, name, "_items"),
        .read = table_of(info, name, ""),
        .kernel = { kernel_of(info, request, name, ""),
                    kernel_of(info, request, name, "_sum") }
    };
}

/* The points of the domain that a list is of. */
static enum qn_status domain_of(const struct qn_module *module,
                                const struct qn__served *list, int64_t *points)
{
    const struct quern_module *const info = module->info;
    const int table = list->point >= 0 ? list->point : list->read;
    if (table < 0)
        return qn__fail(QN_NOT_FOUND, "%s has no list '%s'", info->instance,
                        list->name);
    const int of = info->tables[table].to;
    *points = qn__args_int(&module->state, info->extent)[of];
    return QN_OK;
}

static enum qn_status find_lists(struct qn_server *server, const char *request,
                                 const char *const *names)
{
    int64_t *const points = calloc(server->list_count + 1, sizeof *points);
    enum qn_status status = QN_OK;
    bool served = false;
    if (!points)
        return qn__fail(QN_NO_MEMORY, "no memory for a server");
    for (size_t l = 0; l < server->list_count && status == QN_OK; l++) {
        struct qn__served *const list = &server->lists[l];
        find_list(server->module->info, request, names[l], list);
        served = served || list->kernel[0];
        status = domain_of(server->module, list, &points[l]);
    }
    if (status == QN_OK && !served)
        status = qn__fail(QN_NOT_FOUND, "%s has no request '%s' with a formula"
                          " for one of the %zu lists",
                          server->module->info->instance, request,
                          server->list_count);
    if (status == QN_OK)
        status = qn_record_create(server->list_count, points, &server->record);
    free(points);
    return status;
}

static enum qn_status find_scalars(struct qn_server *server,
                                   const char *const *names)
{
    const struct quern_module *const info = server->module->info;
    for (size_t s = 0; s < server->scalar_count; s++) {
        int at = 0;
        while (at < info->field_count
               && (strcmp(info->fields[at].name, names[s]) != 0
                   || info->fields[at].axis[0] != server->request))
            at++;
        if (at == info->field_count)
            return qn__fail(QN_NOT_FOUND, "%s has no scalar '%s' that comes"
                            " with a request", info->instance, names[s]);
        server->scalars[s] = at;
    }
    return QN_OK;
}

/* --- a batch -------------------------------------------------------------- */

/* A request that cannot be has its own status, and no part in the batch. */
static int64_t collect(struct qn_server *server, struct qn_batch *batch)
{
    int64_t requests = 0;
    qn_record_clear(server->record);
    for (struct qn_request *at = batch->first; at; at = at->next) {
        const struct qn_work *const work = at->data;
        at->status = qn_record_add(server->record, work->lists);
        if (at->status != QN_OK)
            continue;
        for (size_t s = 0; s < server->scalar_count; s++)
            server->values[(size_t)requests * server->scalar_count + s] =
                work->scalars[s];
        requests++;
    }
    return requests;
}

static enum qn_status make_values(struct qn_server *server, size_t requests)
{
    if (requests <= server->room)
        return QN_OK;
    double *const made = realloc(server->values, 2 * requests
                                 * (server->scalar_count + 1) * sizeof *made);
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory for a batch of requests");
    server->values = made;
    server->room = 2 * requests;
    return QN_OK;
}

static enum qn_status fire(struct qn_server *server,
                           const struct quern_kernel *kernel)
{
    struct qn_context *const context = server->module->context;
    char why[320] = "";
    if (kernel->check
        && kernel->check(server->state.args, why, sizeof why) != 0)
        return qn__fail(QN_INVALID, "%s: %s", kernel->name, why);
    const int code = kernel->launch(server->state.args, context->stream);
    return code == 0 ? QN_OK
         : context->backend->explain(context, &server->module->library, code,
                                     kernel->name);
}

/* The check that can be switched on. */
static enum qn_status check_points(const struct qn_server *server)
{
    enum qn_status status = QN_OK;
    for (size_t l = 0; l < server->list_count && status == QN_OK; l++)
        if (server->distinct && server->lists[l].kernel[0])
            status = qn_record_distinct(server->record, l);
    return status;
}

static enum qn_status launch(void *self, struct qn_batch *batch)
{
    struct qn_server *const server = self;
    struct qn_context *const context = server->module->context;
    enum qn_status status = make_values(server, batch->count);
    if (status == QN_OK)
        status = context->backend->enter(context);
    if (status != QN_OK)
        return status;
    const int64_t requests = collect(server, batch);
    if (requests == 0)
        return QN_OK;
    status = check_points(server);
    if (status == QN_OK)
        status = qn__server_set(server, requests);
    for (size_t l = 0; l < server->list_count; l++)
        for (int k = 0; k < QN_LIST_KERNELS && status == QN_OK; k++)
            if (server->lists[l].kernel[k])
                status = fire(server, server->lists[l].kernel[k]);
    return status == QN_OK ? context->backend->synchronize(context) : status;
}

/* --- made and freed ------------------------------------------------------- */

void qn_server_free(struct qn_server *server)
{
    if (!server)
        return;
    for (size_t i = 0; server->buffers && i < server->buffer_count; i++)
        qn__module_release(server->module, server->buffers[i].data);
    qn_record_free(server->record);
    free(server->buffers);
    free(server->lists);
    free(server->scalars);
    free(server->values);
    free(server->image);
    free(server->state.args);
    free(server);
}

static enum qn_status make(struct qn_server *server,
                           const struct qn_server_settings *settings)
{
    const struct quern_module *const info = server->module->info;
    server->request = axis_of(info, "request", "");
    server->distinct = settings->distinct != 0;
    server->list_count = settings->list_count;
    server->scalar_count = settings->scalar_count;
    server->buffer_count = qn__server_buffers(server);
    server->lists = calloc(settings->list_count + 1, sizeof *server->lists);
    server->scalars = calloc(settings->scalar_count + 1,
                             sizeof *server->scalars);
    server->buffers = calloc(server->buffer_count + 1, sizeof *server->buffers);
    server->state.args = calloc(1, info->args_size);
    if (!server->lists || !server->scalars || !server->buffers
        || !server->state.args)
        return qn__fail(QN_NO_MEMORY, "no memory for a server");
    if (!server->module->state.sized)
        return qn__fail(QN_INVALID, "%s has no extents yet: qn_module_resize",
                        info->instance);
    const enum qn_status status = find_lists(server, settings->request,
                                             settings->lists);
    return status == QN_OK ? find_scalars(server, settings->scalars) : status;
}

enum qn_status qn_server_create(struct qn_module *module,
                                const struct qn_server_settings *settings,
                                struct qn_server **server)
{
    *server = NULL;
    struct qn_server *const made = calloc(1, sizeof *made);
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory for a server");
    made->module = module;
    const enum qn_status status = make(made, settings);
    if (status != QN_OK) {
        qn_server_free(made);
        return status;
    }
    *server = made;
    return QN_OK;
}

struct qn_launcher qn_server_launcher(struct qn_server *server)
{
    return (struct qn_launcher){ .self = server, .launch = launch };
}
