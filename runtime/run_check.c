/* The requests "check", "bench" and "device". */
#include "run.h"

#include <float.h>
#include <math.h>

enum { MOST_KERNELS = 64 };     /* that are timed together */

static struct qn_context *host_context(struct request *request)
{
    struct session *const session = request->session;
    if (!session->host)
        run_status(request, qn_context_open("cpu", &session->host));
    return session->host;
}

static void put_point(struct request *request,
                      const struct qn_validation *result, int axes)
{
    json_t *const at = json_array();
    for (int axis = 0; axis < axes; axis++)
        json_array_append_new(at, json_integer(result->at[axis]));
    run_put(request, "field", json_string(result->field));
    run_put(request, "at", at);
    run_put(request, "got", run_real(result->got));
    run_put(request, "wanted", run_real(result->wanted));
    run_put(request, "bound", run_real(result->bound));
}

static void put_regular(struct request *request,
                        const struct qn_regular *regular)
{
    if (regular->table)
        run_put(request, "regular", json_pack(
            "{s:s, s:I, s:I}", "table", regular->table,
            "rows", (json_int_t)regular->rows,
            "regular", (json_int_t)regular->regular));
}

/* worst is a number always; one that cannot be written is the largest. */
static void put_validation(struct request *request,
                           const struct qn_validation *result)
{
    run_put(request, "points", json_integer(result->points));
    run_put(request, "wrong", json_integer(result->wrong));
    run_put(request, "worst", json_real(fmin(result->worst, DBL_MAX)));
    if (result->field[0])
        put_point(request, result, result->rank);
    put_regular(request, &result->regular);
}

/* What the formulas choose between, and the sides that were taken. */
static void put_choices(struct request *request, const struct qn_kernel *kernel,
                        const struct qn_module *reference)
{
    json_t *const list = json_array();
    struct qn_choice one;
    for (int i = 0; qn_kernel_choice(kernel, reference, i, &one) == QN_OK; i++)
        json_array_append_new(list, json_pack(
            "{s:s, s:s, s:b, s:b}", "word", one.word, "place", one.place,
            "held", one.held, "failed", one.failed));
    if (json_array_size(list) > 0)
        run_put(request, "choices", list);
    else
        json_decref(list);
}

static void check(struct request *request, struct qn_module *module,
                  struct qn_module *reference)
{
    struct qn_validation result;
    const double seed = run_number(request, "seed", 1);
    struct qn_kernel *const kernel = run_settings(request, module)
        ? run_kernel(request, module) : NULL;
    if (!kernel || !request->well)
        return;
    const enum qn_status status =
        qn_kernel_validate(kernel, reference, (uint64_t)seed, &result);
    if (status == QN_OK || status == QN_WRONG)
        put_validation(request, &result);
    run_status(request, status);
    if (status == QN_OK)
        put_choices(request, kernel, reference);
}

void run_check(struct request *request)
{
    struct qn_context *const context = run_context(request);
    struct qn_context *const host = host_context(request);
    struct qn_module *const module = run_module(request, "module", context);
    struct qn_module *const reference = run_module(request, "reference", host);
    if (module && reference)
        check(request, module, reference);
    qn_module_unload(module);
    qn_module_unload(reference);
}

static void put_tiles(struct request *request, const struct qn_tiles *tiles)
{
    if (tiles->count > 0)
        run_put(request, "tiles", json_pack(
                "{s:I, s:I, s:I, s:f, s:f, s:I, s:I}",
                "count", (json_int_t)tiles->count,
                "at_once", (json_int_t)tiles->at_once,
                "points", (json_int_t)tiles->points,
                "computed", tiles->computed, "copied", tiles->copied,
                "rows", (json_int_t)tiles->rows,
                "run", (json_int_t)tiles->run));
}

static void put_timing(struct request *request, const struct qn_timing *timing)
{
    run_put(request, "device",
            json_string(qn_context_device(request->session->context)));
    run_put(request, "repeats", json_integer(timing->repeats));
    run_put(request, "median", run_real(timing->median));
    run_put(request, "least", run_real(timing->least));
    run_put(request, "spread", run_real(timing->spread));
    run_put(request, "points_per_second", run_real(timing->points_per_second));
    run_put(request, "bytes_per_second", run_real(timing->bytes_per_second));
    run_put(request, "stream_bytes_per_second",
            run_real(timing->stream_bytes_per_second));
    run_put(request, "ratio", run_real(timing->ratio));
    put_tiles(request, &timing->tiles);
    put_regular(request, &timing->regular);
}

/* The kernel that is named, or all of a list of names; returns how many. */
static int find_kernels(struct request *request, struct qn_module *module,
                        struct qn_kernel **kernels)
{
    const json_t *const list = json_object_get(request->asked, "kernel");
    const size_t count = json_array_size(list);
    if (!json_is_array(list)) {
        kernels[0] = run_kernel(request, module);
        return 1;
    }
    if (count < 1 || count > MOST_KERNELS)
        run_fault(request, "error", "'kernel' must have 1 to %d names",
                  MOST_KERNELS);
    for (size_t i = 0; request->well && i < count; i++) {
        const char *const name = json_string_value(json_array_get(list, i));
        run_status(request, qn_module_kernel(module, name ? name : "",
                                             &kernels[i]));
    }
    return (int)count;
}

static void bench(struct request *request, struct qn_module *module)
{
    struct qn_timing timing;
    struct qn_kernel *kernels[MOST_KERNELS];
    const double repeats = run_number(request, "repeats", 11);
    const int count = run_settings(request, module)
        ? find_kernels(request, module, kernels) : 0;
    if (count > 0 && request->well
        && run_status(request, qn_kernels_bench(count, kernels, (int)repeats,
                                                &timing)))
        put_timing(request, &timing);
}

void run_device(struct request *request)
{
    if (run_context(request))
        run_put(request, "device",
                json_string(qn_context_device(request->session->context)));
}

void run_bench(struct request *request)
{
    struct qn_context *const context = run_context(request);
    struct qn_module *const module = run_module(request, "module", context);
    if (module)
        bench(request, module);
    qn_module_unload(module);
}
