/* TAP, and pairs of hand-written modules: see lib.h. */
#include "lib.h"

#include <stdarg.h>

static int tests_run, tests_failed;

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

void ok(bool good, const char *format, ...)
{
    va_list arguments;
    printf("%s %d - ", good ? "ok" : "not ok", ++tests_run);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    fflush(stdout);
    if (!good)
        tests_failed++;
}

void must(enum qn_status status)
{
    if (status == QN_OK)
        return;
    printf("Bail out! %s: %s\n", qn_status_name(status), qn_last_error());
    exit(1);
}

void fails(enum qn_status status, enum qn_status wanted, const char *sentence,
           const char *what)
{
    const bool good = status == wanted && strstr(qn_last_error(), sentence);
    ok(good, "%s: \"%s\"", what, status == QN_OK ? "" : qn_last_error());
    if (!good)
        printf("# got %s, wanted %s and \"%s\"\n", qn_status_name(status),
               qn_status_name(wanted), sentence);
}

int done(void)
{
    printf("1..%d\n", tests_run);
    return tests_failed > 0;
}
