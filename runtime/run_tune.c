/* quern-run --tune: validates and times the candidates of a folder that `quern
 * tune` prepared. Every answer is a line of results.jsonl as soon as it is
 * there: a run that ends early, however, goes on where it was. */
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run_results.h"

enum { WELL, WRONG_COMMAND = 2, FAILED = 3, PATIENCE = 300, FORMAT = 1 };

/* One kernel or region of the folder: what may be timed. */
struct task {
    const char *kernel, *region;            /* region: NULL if none */
    struct candidate *list;
    size_t count, most, tried;
};

struct tune {
    struct worker *worker;
    json_t *plan;                           /* tune.json */
    struct results results;
    bool replay;                            /* nothing is timed */
    bool wrong;                             /* some kernel is */
    double start;                           /* when the first was timed */
    size_t timed;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int complain(const char *format, const char *what, int code)
{
    fprintf(stderr, "quern-run: ");
    fprintf(stderr, format, what);
    fprintf(stderr, "\n");
    return code;
}

/* The answer to a request, or NULL. The request is released. */
static json_t *ask(struct tune *tune, json_t *request)
{
    bool failed;
    char *const line = json_dumps(request, JSON_COMPACT);
    char *const text = line ? run_ask(tune->worker, line, &failed) : NULL;
    json_t *const answer = text ? json_loads(text, 0, NULL) : NULL;
    free(line);
    free(text);
    json_decref(request);
    return answer;
}

static bool is_ok(const json_t *answer)
{
    const char *const status =
        json_string_value(json_object_get(answer, "status"));
    return status && strcmp(status, "ok") == 0;
}

/* What every request says: what it is about, and the keys that it has of the
 * folder's own. */
static json_t *request_for(const struct tune *tune, const char *verb,
                           const struct candidate *candidate,
                           const char *size_key, const char *mesh_key,
                           const char *key)
{
    json_t *const request = json_pack("{ssssss}", "do", verb, "module",
                                      candidate->module, "kernel",
                                      candidate->name);
    const char *const keys[] = { "context", "scalars", "align", key };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        json_object_set(request, keys[i], json_object_get(tune->plan, keys[i]));
    json_object_set(request, "size", json_object_get(tune->plan, size_key));
    json_object_set(request, "mesh", json_object_get(tune->plan, mesh_key));
    return request;
}

/* The line of results for a candidate: first whether it is right, then how
 * fast. */
static json_t *measure(struct tune *tune, const struct candidate *candidate)
{
    json_t *const check = ask(tune, request_for(tune, "check", candidate,
                                                "check_size", "check_mesh",
                                                "reference"));
    if (!is_ok(check))
        return check;
    json_t *const bench = ask(tune, request_for(tune, "bench", candidate,
                                                "size", "mesh", "repeats"));
    json_object_set(bench, "worst", json_object_get(check, "worst"));
    json_decref(check);
    return bench;
}

/* Fills in what a line says of its candidate. */
static void learn(struct tune *tune, struct candidate *candidate,
                  const json_t *line)
{
    const char *const status =
        json_string_value(json_object_get(line, "status"));
    const double median =
        json_number_value(json_object_get(line, "median"));
    candidate->seconds = is_ok(line) && median > 0 ? median : INFINITY;
    if (status && strcmp(status, "wrong") == 0)
        tune->wrong = true;
}

static void show_time(double seconds)
{
    const int whole = (int)fmin(seconds + 0.5, 359999);
    printf("%3d:%02d left", whole / 60, whole % 60);
}

static void show(const struct tune *tune, const struct task *task,
                 const struct candidate *candidate, const json_t *line)
{
    printf("%4zu of %zu  ", task->tried, task->most);
    if (tune->timed > 0)
        show_time((now() - tune->start) / (double)tune->timed
                  * (double)(task->most - task->tried));
    else
        printf("     known");
    if (isfinite(candidate->seconds))
        printf("  %10.3f ms  %s\n", 1e3 * candidate->seconds, candidate->name);
    else
        printf("  %13s  %s: %s\n", "none", candidate->name,
               json_string_value(json_object_get(line, "problem")));
    fflush(stdout);
}

/* An answer that says why there is none. */
static json_t *no_answer(const struct candidate *candidate, const char *why)
{
    return json_pack("{ssssss}", "kernel", candidate->name, "status", "error",
                     "problem", why);
}

/* Tries one candidate, or takes what is known of it. False when nothing can be
 * written. */
static bool try_one(struct tune *tune, struct task *task, size_t index)
{
    struct candidate *const candidate = &task->list[index];
    json_t *line = results_find(&tune->results, candidate->name);
    bool written = true;
    if (!line && !tune->replay) {
        if (tune->timed++ == 0)
            tune->start = now();
        line = run_make(candidate) ? measure(tune, candidate)
                                   : no_answer(candidate, "is not compiled");
        if (!line)
            line = no_answer(candidate, "there is no answer");
        written = results_add(&tune->results, line);
    } else if (!line) {
        line = no_answer(candidate, "there is no answer");
    }
    candidate->tried = true;
    task->tried++;
    learn(tune, candidate, line);
    show(tune, task, candidate, line);
    json_decref(line);
    return written;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *const text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool read_task(const json_t *said, int most, struct task *task)
{
    const json_t *const list = json_object_get(said, "candidates");
    const json_int_t own = json_integer_value(json_object_get(said, "most"));
    task->count = json_array_size(list);
    task->list = calloc(task->count + 1, sizeof *task->list);
    task->kernel = text_of(said, "kernel");
    task->region = json_string_value(json_object_get(said, "region"));
    task->most = most > 0 ? (size_t)most : (size_t)own;
    if (task->most > task->count)
        task->most = task->count;
    for (size_t i = 0; task->list && i < task->count; i++) {
        const json_t *const one = json_array_get(list, i);
        task->list[i] = (struct candidate){ .name = text_of(one, "name"),
            .shape = text_of(one, "shape"), .module = text_of(one, "module"),
            .params = json_object_get(one, "params") };
    }
    return task->list != NULL;
}

static void show_fastest(const struct task *task)
{
    const size_t best = run_fastest(task->list, task->count);
    printf("%s%s%s: %zu of %zu tried, ", task->kernel, task->region ? ", " : "",
           task->region ? task->region : "", task->tried, task->count);
    if (best == task->count)
        printf("none can be had\n");
    else
        printf("the fastest: %s, %.6g ms\n", task->list[best].name,
               1e3 * task->list[best].seconds);
    fflush(stdout);
}

/* Searches one task. An exit code. */
static int search(struct tune *tune, const json_t *said, int most)
{
    struct task task = { 0 };
    int code = read_task(said, most, &task) ? WELL : FAILED;
    while (code == WELL && task.tried < task.most)
        if (!try_one(tune, &task, run_search(task.list, task.count)))
            code = complain("%s", "results.jsonl cannot be written",
                            WRONG_COMMAND);
    if (code == WELL) {
        show_fastest(&task);
        if (run_fastest(task.list, task.count) == task.count)
            code = FAILED;
    }
    free(task.list);
    return code;
}

/* Asks what the device is called; an exit code. */
static int find_device(struct tune *tune, char *device, size_t size)
{
    json_t *const answer = ask(tune, json_pack("{ssss}", "do", "device",
        "context", text_of(tune->plan, "context")));
    const bool well = is_ok(answer);
    if (well)
        snprintf(device, size, "%s", text_of(answer, "device"));
    else
        complain("%s", text_of(answer, "problem"), FAILED);
    json_decref(answer);
    return well ? WELL : FAILED;
}

/* Reads tune.json, takes the results for itself, knows the device. */
static int begin(struct tune *tune, const char *folder)
{
    if (chdir(folder) != 0)
        return complain("%s is no folder", folder, WRONG_COMMAND);
    tune->plan = json_load_file("tune.json", 0, NULL);
    if (json_integer_value(json_object_get(tune->plan, "format")) != FORMAT)
        return complain("%s has no tune.json of this version of Quern", folder,
                        WRONG_COMMAND);
    char device[128] = "";
    const int code =
        tune->replay ? WELL : find_device(tune, device, sizeof device);
    if (code != WELL)
        return code;
    const char *const problem = results_open(
        &tune->results, text_of(tune->plan, "id"), device);
    return problem ? complain(problem, folder, WRONG_COMMAND) : WELL;
}

/* Searches all tasks; stops where nothing can be written. An exit code. */
static int search_all(struct tune *tune, int most)
{
    int code = WELL;
    size_t index;
    json_t *task;
    json_array_foreach(json_object_get(tune->plan, "tasks"), index, task) {
        if (code == WRONG_COMMAND)
            break;
        const int one = search(tune, task, most);
        code = one == WELL ? code : one;
    }
    return code;
}

int run_tune(struct worker *worker, const char *folder, int most, bool replay)
{
    struct tune tune = { .worker = worker, .replay = replay };
    if (worker->patience == 0)
        worker->patience = PATIENCE;
    int code = begin(&tune, folder);
    if (code == WELL) {
        printf("%s\n", tune.results.device);
        code = search_all(&tune, most);
    }
    results_close(&tune.results);
    run_finish(worker);
    json_decref(tune.plan);
    return tune.wrong ? FAILED : code;
}
