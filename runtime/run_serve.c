/* One line of JSON in, one line out. */
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *verb;
    void (*serve)(struct request *request);
    const char *keys;               /* that it may have, each after a blank */
} verbs[] = {
    { "check", run_check,
      " do context module reference kernel size mesh reorder align range"
      " scalars seed " },
    { "bench", run_bench,
      " do context module kernel size mesh reorder align range scalars"
      " repeats " },
    { "list", run_list, " do module " },
    { "mesh", run_tables, " do mesh reorder tables " },
    { "device", run_device, " do context " },
    { "run", run_data,
      " do context module kernel size align range scalars steps fill read"
      " extend inject write " }
};

/* A key that means nothing is a mistake of the caller's. */
static void check_keys(struct request *request, const char *keys)
{
    const char *key;
    json_t *value;
    json_object_foreach(request->asked, key, value) {
        const char *const found = strstr(keys, key);
        const size_t length = strlen(key);
        if (!found || found[-1] != ' ' || found[length] != ' ')
            run_fault(request, "error", "the request has an unknown key '%s'",
                      key);
    }
}

static void dispatch(struct request *request)
{
    const char *const verb = run_text(request, "do");
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strcmp(verbs[i].verb, verb) != 0)
            continue;
        check_keys(request, verbs[i].keys);
        if (request->well)
            verbs[i].serve(request);
        return;
    }
    run_fault(request, "error",
              "'%s' is nothing to do: check, bench, list, mesh, device or run",
              verb);
}

/* What says which request this answers. */
static void repeat(struct request *request, const char *key)
{
    json_t *const value = json_object_get(request->asked, key);
    if (value)
        json_object_set(request->answer, key, value);
}

static void begin(struct request *request, const char *line,
                  json_error_t *error)
{
    request->well = true;
    request->answer = json_object();
    request->asked = json_loads(line, 0, error);
    repeat(request, "do");
    repeat(request, "kernel");
    repeat(request, "size");
}

static char *end(struct request *request)
{
    if (request->well)
        run_put(request, "status", json_string("ok"));
    char *const text = json_dumps(request->answer, JSON_COMPACT);
    json_decref(request->asked);
    json_decref(request->answer);
    return text;
}

char *run_serve(struct session *session, const char *line)
{
    json_error_t error;
    struct request request = { .session = session };
    begin(&request, line, &error);
    if (json_is_object(request.asked))
        dispatch(&request);
    else
        run_fault(&request, "error", "the request is no JSON object: %s",
                  error.text);
    if (!request.well)          /* what a fault left behind goes, too */
        run_drop(session);
    return end(&request);
}

char *run_excuse(const char *line, const char *problem)
{
    json_error_t error;
    struct request request = { 0 };
    begin(&request, line, &error);
    run_fault(&request, "error", "%s", problem);
    return end(&request);
}
