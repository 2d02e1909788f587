/* TAP, and pairs of hand-written modules: see lib.h. */
#include "lib.h"

#include "tap.c"

const char *folder;
const char *where = "cpu";

const char *path_of(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s.so", folder, name);
    return path;
}

struct pair open_pair(const char *name, const char *reference, const int64_t *n)
{
    struct pair pair = { 0 };
    char full[64];
    snprintf(full, sizeof full, "%s%s", name, strcmp(where, "simt") == 0 ? "_simt" : "");
    must(qn_context_open(where, &pair.context));
    must(qn_context_open("cpu", &pair.host));
    must(qn_context_runtime(pair.context, folder));
    must(qn_module_load(pair.context, path_of(full), &pair.module));
    must(qn_module_load(pair.host, path_of(reference), &pair.reference));
    must(qn_module_resize(pair.module, n));
    return pair;
}

void close_pair(struct pair *pair)
{
    qn_module_unload(pair->module);
    qn_module_unload(pair->reference);
    qn_context_close(pair->context);
    qn_context_close(pair->host);
}

struct qn_kernel *kernel_of(struct qn_module *module, const char *name)
{
    struct qn_kernel *kernel = NULL;
    must(qn_module_kernel(module, name, &kernel));
    return kernel;
}

struct qn_field *field_of(struct qn_module *module, const char *name)
{
    struct qn_field *field = NULL;
    must(qn_field_create(module, name, &field));
    return field;
}
