/* What a server serves: the lists, scalars and kernels of a request, by the
 * names that the generator gives them. */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                      const char *name, bool ordered,
                      struct qn__served *list)
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
    const struct quern_kernel *const adds =
        ordered ? NULL : kernel_of(info, request, name, "_add");
    if (adds) {
        list->kernel[0] = adds;
        list->kernel[1] = NULL;
    }
    list->shared = list->kernel[0] && list->kernel[0]->share_items > 0;
}

/* The domain that a list is of. */
static enum qn_status find_domain(const struct quern_module *info,
                                  struct qn__served *list)
{
    const int table = list->point >= 0 ? list->point : list->read;
    if (table < 0)
        return qn__fail(QN_NOT_FOUND, "%s has no list '%s'", info->instance,
                        list->name);
    list->of = info->tables[table].to;
    return QN_OK;
}

static enum qn_status find_lists(struct qn_server *server, const char *request,
                                 const char *const *names)
{
    const struct quern_module *const info = server->module->info;
    bool served = false;
    for (size_t l = 0; l < server->list_count; l++) {
        struct qn__served *const list = &server->lists[l];
        find_list(info, request, names[l], server->ordered, list);
        served = served || list->kernel[0];
        const enum qn_status status = find_domain(info, list);
        if (status != QN_OK)
            return status;
    }
    return served ? QN_OK
         : qn__fail(QN_NOT_FOUND, "%s has no request '%s' with a formula"
                    " for one of the %zu lists", info->instance, request,
                    server->list_count);
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

/* --- which batch reads what another assigns ------------------------------- */

static bool reads(const struct quern_kernel *kernel, int field)
{
    for (int i = 0; kernel && i < kernel->access_count; i++)
        if (kernel->accesses[i].field == field && kernel->accesses[i].read)
            return true;
    return false;
}

static bool depends(const struct qn_server *server,
                    const struct quern_kernel *sum)
{
    for (int i = 0; sum && i < sum->access_count; i++)
        for (size_t l = 0; l < server->list_count; l++)
            if (sum->accesses[i].written
                && reads(server->lists[l].kernel[0], sum->accesses[i].field))
                return true;
    return false;
}

enum qn_status qn__server_find(struct qn_server *server,
                               const struct qn_server_settings *settings)
{
    server->request = axis_of(server->module->info, "request", "");
    enum qn_status status =
        find_lists(server, settings->request, settings->lists);
    if (status == QN_OK)
        status = find_scalars(server, settings->scalars);
    for (size_t l = 0; l < server->list_count && status == QN_OK; l++)
        server->dependent = server->dependent
            || depends(server, server->lists[l].kernel[1]);
    for (size_t l = 0; l < server->list_count && status == QN_OK; l++)
        server->sums = server->sums || server->lists[l].kernel[1];
    return status;
}
