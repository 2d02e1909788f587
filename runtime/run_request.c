/* What requests share: contexts, modules, settings; faults as answers. */
#define _GNU_SOURCE
#include "run.h"

#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "abi.h"

void run_put(struct request *request, const char *key, json_t *value)
{
    json_object_set_new(request->answer, key, value);
}

json_t *run_real(double value)
{
    if (isfinite(value))
        return json_real(value);
    return json_string(isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

void run_fault(struct request *request, const char *status, const char *format,
               ...)
{
    char text[768];
    va_list arguments;
    if (!request->well)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    request->well = false;
    run_put(request, "status", json_string(status));
    run_put(request, "problem", json_string(text));
}

static const char *word_of(enum qn_status status)
{
    switch (status) {
    case QN_WRONG: return "wrong";
    case QN_INVALID: return "refused";
    default: return "error";
    }
}

bool run_status(struct request *request, enum qn_status status)
{
    if (status == QN_OK)
        return request->well;
    if (status == QN_DEVICE || status == QN_NO_DEVICE)
        request->session->failed = true;
    run_fault(request, word_of(status), "%s", qn_last_error());
    return false;
}

const char *run_text(struct request *request, const char *key)
{
    const char *const text = json_string_value(
        json_object_get(request->asked, key));
    if (!text)
        run_fault(request, "error", "the request has no text '%s'", key);
    return text ? text : "";
}

double run_number(struct request *request, const char *key, double otherwise)
{
    const json_t *const value = json_object_get(request->asked, key);
    if (value && !json_is_number(value))
        run_fault(request, "error", "'%s' is not a number", key);
    return value ? json_number_value(value) : otherwise;
}

static void forget(struct session *session)
{
    qn_context_close(session->context);
    session->context = NULL;
    session->name[0] = 0;
}

struct qn_context *run_context(struct request *request)
{
    struct session *const session = request->session;
    const char *const name = run_text(request, "context");
    if (!request->well
        || (session->context && strcmp(session->name, name) == 0))
        return session->context;
    forget(session);
    if (!run_status(request, qn_context_open(name, &session->context)))
        return NULL;
    snprintf(session->name, sizeof session->name, "%s", name);
    return session->context;
}

/* Whole numbers of a list into n; false, and a fault, when they are not so. */
static bool whole_numbers(struct request *request, const json_t *list,
                          const char *key, int count, int64_t *n)
{
    bool good = json_is_array(list) && json_array_size(list) == (size_t)count;
    for (int i = 0; good && i < count; i++) {
        const json_t *const value = json_array_get(list, (size_t)i);
        const double real = json_number_value(value);
        good = json_is_number(value) && real == floor(real)
            && fabs(real) < 0x1p53;
        n[i] = good ? (int64_t)real : 0;
    }
    if (!good)
        run_fault(request, "error", "'%s' must be a list of %d whole numbers",
                  key, count);
    return good;
}

static bool set_size(struct request *request, struct qn_module *module)
{
    const int axes = qn_module_describe(module)->axes;
    int64_t n[QUERN_MAX_AXES];
    const json_t *const mesh = json_object_get(request->asked, "mesh");
    if (!whole_numbers(request, json_object_get(request->asked, "size"),
                       "size", axes, n))
        return false;
    return mesh && !json_is_null(mesh) ? run_mesh(request, module, n)
        : run_status(request, qn_module_resize(module, n));
}

/* [[low, high], ..], half open, one pair per axis. */
static bool set_range(struct request *request, struct qn_module *module)
{
    const json_t *const range = json_object_get(request->asked, "range");
    const int axes = qn_module_describe(module)->axes;
    int64_t lower[QUERN_MAX_AXES], upper[QUERN_MAX_AXES], pair[2];
    if (!range || json_is_null(range))
        return true;
    if (json_array_size(range) != (size_t)axes)
        run_fault(request, "error", "'range' must have %d pairs", axes);
    for (int axis = 0; request->well && axis < axes; axis++) {
        if (!whole_numbers(request, json_array_get(range, (size_t)axis),
                           "range", 2, pair))
            return false;
        lower[axis] = pair[0];
        upper[axis] = pair[1];
    }
    return request->well
        && run_status(request, qn_module_restrict(module, lower, upper));
}

static bool set_scalars(struct request *request, struct qn_module *module)
{
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(request->asked, "scalars"), name, value)
    {
        if (!json_is_number(value))
            run_fault(request, "error", "scalar '%s' is not a number", name);
        else
            run_status(request,
                       qn_module_set(module, name, json_number_value(value)));
    }
    return request->well;
}

static bool set_align(struct request *request, struct qn_module *module)
{
    const int64_t index = (int64_t)run_number(request, "align", 0);
    return request->well && run_status(request, qn_module_align(module, index));
}

bool run_settings(struct request *request, struct qn_module *module)
{
    return set_align(request, module) && set_size(request, module)
        && set_range(request, module) && set_scalars(request, module);
}

static void drop(struct loaded *loaded)
{
    if (loaded->handle)
        dlclose(loaded->handle);
    *loaded = (struct loaded){ 0 };
}

void run_drop(struct session *session)
{
    drop(&session->module);
    drop(&session->reference);
}

/* By their names alone the loader would take a file that was replaced for the
 * one that it has. */
static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino
        && a->st_size == b->st_size
        && a->st_mtim.tv_sec == b->st_mtim.tv_sec
        && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

struct qn_module *run_module(struct request *request, const char *key,
                             struct qn_context *context)
{
    struct session *const session = request->session;
    struct loaded *const last = strcmp(key, "reference") == 0
        ? &session->reference : &session->module;
    struct qn_module *module = NULL;
    struct stat file = { 0 };
    const char *const path = run_text(request, key);
    if (!request->well)
        return NULL;
    if (stat(path, &file) != 0 || !is_same(&file, &last->file))
        drop(last);
    if (!run_status(request, qn_module_load(context, path, &module)))
        return NULL;
    if (!last->handle) {
        last->handle = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
        last->file = file;
    }
    return module;
}

struct qn_kernel *run_kernel(struct request *request, struct qn_module *module)
{
    struct qn_kernel *kernel = NULL;
    const char *const name = run_text(request, "kernel");
    if (request->well)
        run_status(request, qn_module_kernel(module, name, &kernel));
    return kernel;
}

void run_close(struct session *session)
{
    run_drop(session);
    forget(session);
    qn_context_close(session->host);
    session->host = NULL;
}
