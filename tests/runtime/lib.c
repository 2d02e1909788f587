/* Tests of libquern through its public interface, on modules written by hand
 * (lib_module.c) that lib.t compiles into the folder given as argument. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "lib_tap.h"

static const char *folder;
static const char *where = "cpu";         /* the context of open_pair */

static const char *path_of(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s.so", folder, name);
    return path;
}

struct pair {
    struct qn_context *context, *host;
    struct qn_module *module, *reference;
};

static struct pair open_pair(const char *name, const char *reference, const int64_t *n)
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

static void close_pair(struct pair *pair)
{
    qn_module_unload(pair->module);
    qn_module_unload(pair->reference);
    qn_context_close(pair->context);
    qn_context_close(pair->host);
}

static struct qn_kernel *kernel_of(struct qn_module *module, const char *name)
{
    struct qn_kernel *kernel = NULL;
    must(qn_module_kernel(module, name, &kernel));
    return kernel;
}

static struct qn_field *field_of(struct qn_module *module, const char *name)
{
    struct qn_field *field = NULL;
    must(qn_field_create(module, name, &field));
    return field;
}

/* --- arithmetic of layouts ---------------------------------------------------- */

static void test_layout(void)
{
    const int64_t big[] = { 1295, 1295, 1295 }, halo[] = { 4, 4, 4 };
    const int64_t odd[] = { 5, 3 }, none[] = { 0, 0 }, huge[] = { 1 << 30, 1 << 30, 16 };
    struct qn__layout layout;
    must(qn__layout_make(QUERN_DOUBLE, 3, big, halo, 0, &layout));
    /* 32 before index 0 (256 bytes), 1295 + 4 after: a pitch of 1344. */
    ok(layout.stride[1] == 1344 && layout.stride[2] == INT64_C(1344) * 1303,
       "1295^3 doubles: strides");
    ok(layout.count == INT64_C(1344) * 1303 * 1303, "1295^3 doubles: elements");
    ok(layout.bytes == (size_t)8 * 1344 * 1303 * 1303 && layout.bytes > UINT32_MAX,
       "1295^3 doubles: bytes, which do not fit in 32 bits");
    ok(layout.origin == 32 + 4 * layout.stride[1] + 4 * layout.stride[2],
       "1295^3 doubles: the point 0");
    ok(qn__layout_points(&layout) == INT64_C(2171747375), "1295^3: points");
    must(qn__layout_make(QUERN_FLOAT, 2, odd, none, 0, &layout));
    ok(layout.stride[1] == 64 && layout.origin == 0, "5 floats: a pitch of 256 bytes");
    must(qn__layout_make(QUERN_HALF, 2, odd, halo, 3, &layout));
    ok(layout.origin * 2 % 256 == 0 && layout.stride[1] * 2 % 256 == 0,
       "16-bit elements: rows start on 256 bytes too");
    fails(qn__layout_make(QUERN_DOUBLE, 3, huge, halo, 0, &layout), QN_INVALID,
          "do not fit in 64 bits", "2^64 points are refused");
}

static void test_values(void)
{
    const double halves[] = { 0, 1, -2.5, 65504, 0x1p-24, 0x1.8p-15, 1.0 / 3 };
    uint16_t cell;
    bool good = true;
    for (size_t i = 0; i < sizeof halves / sizeof halves[0]; i++) {
        qn__value_set(QUERN_HALF, &cell, 0, halves[i]);
        good = good && fabs(qn__value_get(QUERN_HALF, &cell, 0) - halves[i])
            <= fabs(halves[i]) * 0x1p-11;
    }
    ok(good, "half: values come back to within half a digit");
    qn__value_set(QUERN_HALF, &cell, 0, 65520);
    ok(cell == 0x7c00, "half: 65520 rounds to infinity");
    qn__value_set(QUERN_HALF, &cell, 0, 1 + 0x1p-11);
    ok(cell == 0x3c00, "half: ties go to even");
    qn__value_set(QUERN_BFLOAT16, &cell, 0, -3.0);
    ok(cell == 0xc040, "bfloat16: the bits of -3");
    qn__value_set(QUERN_BFLOAT16, &cell, 0, (double)NAN);
    ok(isnan(qn__value_get(QUERN_BFLOAT16, &cell, 0)), "bfloat16: NaN stays NaN");
}

/* --- loading ------------------------------------------------------------------- */

static void test_contexts(void)
{
    struct qn_context *context = NULL;
    fails(qn_context_open("gpu", &context), QN_INVALID, "'gpu' is no context", "a context"
          " of no such name");
    fails(qn_context_open("cpu:1", &context), QN_INVALID, "no context", "a cpu has no number");
    fails(qn_context_open("cuda:x", &context), QN_INVALID, "no context", "cuda:x");
    const enum qn_status status = qn_context_open("cuda:900", &context);
    ok(status == QN_NO_DEVICE && strncmp(qn_last_error(), "there is no CUDA d", 18) == 0,
       "without such a device: one plain sentence");
    must(qn_context_open("cpu", &context));
    ok(strncmp(qn_context_device(context), "cpu, ", 5) == 0, "a cpu says what it is");
    qn_context_close(context);
}

static void test_loading(void)
{
    struct qn_context *context;
    struct qn_module *module = NULL;
    must(qn_context_open("cpu", &context));
    fails(qn_module_load(context, path_of("nowhere"), &module), QN_NOT_FOUND,
          "there is no file", "a missing file");
    fails(qn_module_load(context, path_of("text"), &module), QN_NOT_FOUND,
          "cannot load the module", "a file that is no shared object");
    fails(qn_module_load(context, path_of("empty"), &module), QN_NOT_FOUND,
          "no symbol quern_module", "a shared object without a descriptor");
    fails(qn_module_load(context, path_of("abi"), &module), QN_MISMATCH, "ABI 99",
          "a module of another ABI");
    fails(qn_module_load(context, path_of("cuda"), &module), QN_MISMATCH,
          "is for backend 'cuda', which a cpu context cannot launch", "another backend");
    ok(module == NULL, "no module comes out of a failure");
    must(qn_module_load(context, path_of("tiny1"), &module));
    ok(strcmp(qn_module_describe(module)->instance, "tiny") == 0, "the descriptor");
    struct qn_kernel *kernel;
    fails(qn_module_kernel(module, "stop", &kernel), QN_NOT_FOUND, "no kernel 'stop'",
          "a kernel of no such name");
    ok(qn_module_kernel(module, "tiny_damp", &kernel) == QN_OK, "a kernel by its full name");
    fails(qn_module_set(module, "q", 1), QN_NOT_FOUND, "no scalar 'q'", "no such scalar");
    fails(qn_module_set(module, "k", 1.5), QN_INVALID, "whole", "half an integer");
    struct qn_field *field;
    fails(qn_field_create(module, "u", &field), QN_INVALID, "no extents", "fields before"
          " extents");
    const int64_t negative[] = { -1 };
    fails(qn_module_resize(module, negative), QN_INVALID, "extent of x is -1", "extent -1");
    qn_module_unload(module);
    qn_context_close(context);
}

/* --- launching ------------------------------------------------------------------ */

static void test_launch_conditions(void)
{
    const int64_t n[] = { 6 }, too_many[] = { 5001 };
    const int64_t low[] = { 0 }, high[] = { 7 };
    struct pair pair = open_pair("tiny1", "tiny1_reference", n);
    struct qn_kernel *const step = kernel_of(pair.module, "step");
    struct qn_field *again;
    fails(qn_kernel_launch(step), QN_INVALID, "scalar 's'", "a scalar without a value");
    must(qn_module_set(pair.module, "s", 0.5));
    must(qn_module_set(pair.module, "k", 2));
    must(qn_module_set(pair.module, "d", 1));
    fails(qn_kernel_launch(step), QN_INVALID, "field 'u'", "a field that is not there");
    for (int i = 0; i < 3; i++)
        field_of(pair.module, i == 0 ? "u" : i == 1 ? "c" : "m");
    ok(qn_kernel_launch(step) == QN_OK, "a launch with all that it needs");
    fails(qn_field_create(pair.module, "u", &again), QN_INVALID, "before", "a field twice");
    fails(qn_field_create(pair.module, "v", &again), QN_NOT_FOUND, "no field 'v'",
          "a field of no such name");
    fails(qn_module_restrict(pair.module, low, high), QN_INVALID, "0 .. 7 along x",
          "a range past the end");
    must(qn_module_resize(pair.module, too_many));
    for (int i = 0; i < 3; i++)
        field_of(pair.module, i == 0 ? "u" : i == 1 ? "c" : "m");
    fails(qn_kernel_launch(step), QN_INVALID, "the limit is 5000", "the kernel's own check");
    close_pair(&pair);
}

/* Two steps of u in 1-D by hand: c = 0.25, m = 1, u.prev = 0, a spike in u. */
static void test_step(void)
{
    enum { N = 9 };
    const int64_t n[] = { N };
    struct pair pair = open_pair("tiny1", "tiny1_reference", n);
    struct qn_field *const u = field_of(pair.module, "u");
    struct qn_field *const c = field_of(pair.module, "c");
    struct qn_field *const m = field_of(pair.module, "m");
    field_of(pair.module, "w");
    float now[N] = { [4] = 1 }, got[N], before[N] = { 0 }, wanted[N];
    must(qn_module_set(pair.module, "s", 0.5));
    must(qn_module_set(pair.module, "k", 0));
    must(qn_module_set(pair.module, "d", 1));
    must(qn_field_fill(c, 0.25));
    must(qn_field_fill(m, 1));
    must(qn_field_write(u, 0, now));
    for (int step = 0; step < 2; step++) {
        for (int x = 0; x < N; x++) {
            const float left = x > 0 ? now[x - 1] : 0, right = x < N - 1 ? now[x + 1] : 0;
            wanted[x] = 2 * now[x] - before[x] + 0.25f * (left - 2 * now[x] + right);
        }
        memcpy(before, now, sizeof now);
        memcpy(now, wanted, sizeof now);
        must(qn_module_step(pair.module));
    }
    must(qn_field_read(u, 0, got));
    ok(memcmp(got, now, sizeof now) == 0, "two steps: u is what it should be");
    must(qn_field_read(u, -1, got));
    ok(memcmp(got, before, sizeof now) == 0, "two steps: u.prev is the step before");
    fails(qn_field_read(u, 1, got), QN_INVALID, "takes the place of another",
          "a level without an array");
    fails(qn_field_read(u, 2, got), QN_INVALID, "they are -1 to 1", "no such level");
    close_pair(&pair);
}

/* --- fields --------------------------------------------------------------------- */

static void test_transfer(const char *name, const int64_t *n, int64_t points)
{
    struct pair pair = open_pair(name, "tiny1_reference", n);
    struct qn_field *const u = field_of(pair.module, "u");
    float *const sent = malloc((size_t)points * sizeof *sent);
    float *const got = malloc((size_t)points * sizeof *got);
    for (int64_t i = 0; i < points; i++)
        sent[i] = (float)i + 1;
    must(qn_field_fill(u, 7));
    must(qn_field_write(u, -1, sent));
    must(qn_field_read(u, -1, got));
    ok(memcmp(sent, got, (size_t)points * sizeof *sent) == 0, "%s, %s: what is written is"
       " read", where, name);
    must(qn_field_read(u, 0, got));
    ok(got[0] == 7 && got[points - 1] == 7, "%s, %s: the other level keeps its fill", where, name);
    free(sent);
    free(got);
    close_pair(&pair);
}

/* The halo of u after extending, read straight from the array. */
static void test_extend(void)
{
    const int64_t n[] = { 3, 2 };
    const float values[] = { 1, 2, 3, 4, 5, 6 };
    struct pair pair = open_pair("tiny2", "tiny2_reference", n);
    struct qn_field *const u = field_of(pair.module, "u");
    must(qn_field_write(u, 0, values));
    must(qn_field_extend(u, 0));
    const float *const zero = qn__field_origin(u, qn__field_buffer(u->info, 0));
    const int64_t row = u->layout.stride[1];
    ok(zero[-1] == 1 && zero[3] == 3 && zero[row - 1] == 4, "%s: extended along x", where);
    ok(zero[-row] == 1 && zero[2 * row + 1] == 5, "%s: extended along y", where);
    ok(zero[-row - 1] == 1 && zero[2 * row + 3] == 6, "%s: extended into the corners", where);
    ok(zero[0] == 1 && zero[row + 2] == 6, "%s: the domain is as it was", where);
    close_pair(&pair);
}

static void test_points(void)
{
    const int64_t n[] = { 4, 3, 2 };
    const int64_t points[] = { 3, 2, 1, 0, 0, 0, 3, 2, 1, 1, 2, 0 };
    const double values[] = { 1, 2, 0x1p-24, 4 };
    const int64_t outside[] = { 0, 3, 0 };
    double got[4] = { 0 };
    struct pair pair = open_pair("tiny3", "tiny3_reference", n);
    struct qn_field *const u = field_of(pair.module, "u");
    must(qn_field_fill(u, 0));
    must(qn_field_inject(u, 0, 4, points, values));
    must(qn_field_sample(u, 0, 4, points, got));
    ok(got[1] == 2 && got[3] == 4, "%s: injected values are sampled", where);
    ok(got[0] == 1 && got[2] == got[0], "%s: a repeated point adds in order: 1 + 2^-24 is 1", where);
    const double reversed[] = { 0x1p-24, 0, 1 + 0x1p-23, 0 };
    must(qn_field_fill(u, 0));
    must(qn_field_inject(u, 0, 4, points, reversed));
    must(qn_field_sample(u, 0, 1, points, got));
    ok(got[0] == 1 + 0x1p-22, "%s: each sum is rounded once, to even", where);
    fails(qn_field_inject(u, 0, 1, outside, values), QN_INVALID,
          "point 0 of the list has y = 3; 'u' has 0 to 2", "a point outside");
    ok(qn_field_sample(u, 0, 0, NULL, NULL) == QN_OK, "an empty list");
    close_pair(&pair);
}

/* --- validating ------------------------------------------------------------------ */

static struct qn_validation validated;

static enum qn_status validate_seed(const char *name, int rank, const char *kernel,
                                    const int64_t *n, const int64_t *low,
                                    const int64_t *high, uint64_t seed)
{
    char reference[32];
    snprintf(reference, sizeof reference, "tiny%d_reference", rank);
    struct pair pair = open_pair(name, reference, n);
    must(qn_module_restrict(pair.module, low, high));
    const enum qn_status status =
        qn_kernel_validate(kernel_of(pair.module, kernel), pair.reference, seed, &validated);
    close_pair(&pair);
    return status;
}

static enum qn_status validate(const char *name, int rank, const char *kernel,
                               const int64_t *n, const int64_t *low, const int64_t *high)
{
    return validate_seed(name, rank, kernel, n, low, high, 1);
}

static void test_sizes(int rank)
{
    static const int64_t sizes[] = { 0, 1, 2, 7, 13, 33, 65, 130 };
    static const char *const kernels[] = { "step", "damp", "copy" };
    char name[32];
    snprintf(name, sizeof name, "tiny%d", rank);
    for (int axis = 0; axis < rank; axis++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            int64_t n[] = { 3, 3, 3 };
            bool good = true;
            n[axis] = sizes[i];
            for (int k = 0; k < 3; k++)
                good = good && validate(name, rank, kernels[k], n, NULL, NULL) == QN_OK;
            ok(good, "%d-D: valid with %d points along axis %d%s", rank, (int)sizes[i],
               axis, good ? "" : qn_last_error());
        }
}

static void test_validation(void)
{
    const int64_t n[] = { 9, 5, 4 }, low[] = { 2, 1, 0 }, high[] = { 7, 5, 3 };
    const int64_t empty[] = { 2, 1, 0 }, corner[] = { 0, 1, 0 };
    ok(validate("tiny3", 3, "step", n, NULL, NULL) == QN_OK && validated.points == 180,
       "all points are compared");
    ok(validate("tiny3", 3, "step", n, low, high) == QN_OK && validated.points == 60,
       "a sub-range: its points are compared, the rest is as before");
    ok(validate("tiny3", 3, "damp", n, corner, high) == QN_OK && validated.points > 0
       && validated.points < 84, "a region within a sub-range");
    ok(validate("tiny3", 3, "step", n, low, empty) == QN_OK && validated.points == 0,
       "an empty sub-range");
    ok(validate("tiny3", 3, "step", n, high, low) == QN_OK && validated.points == 0,
       "a range that ends before it begins is empty");
}

/* d, 0 to 40, decides where the region is: nowhere in 9 points, for most. */
static void test_regions(void)
{
    const int64_t n[] = { 9, 5, 4 }, one[] = { 1, 1, 1 };
    bool part = true;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const enum qn_status status =
            validate_seed("tiny3", 3, "damp", n, NULL, NULL, seed);
        part = part && status == QN_OK && validated.points > 0
            && validated.points < 180;
    }
    ok(part, "scalars are drawn so that a region is a part of the domain");
    ok(validate("tiny3", 3, "damp", one, NULL, NULL) == QN_OK
       && validated.points == 1, "and all of it where it cannot be a part");
}

static void test_repeats(void)
{
    const int64_t n[] = { 9, 5, 4 };
    must(validate("tiny3", 3, "step", n, NULL, NULL));
    const struct qn_validation first = validated;
    must(validate("tiny3", 3, "step", n, NULL, NULL));
    ok(memcmp(&first, &validated, sizeof first) == 0, "a seed gives the same numbers again");
}

/* The user's own fields and scalars are as they were. */
static void test_undisturbed(void)
{
    const int64_t n[] = { 3 };
    struct pair pair = open_pair("tiny1", "tiny1_reference", n);
    struct qn_field *const u = field_of(pair.module, "u");
    const float values[] = { 1, 2, 3 };
    float got[3];
    must(qn_field_write(u, 0, values));
    must(qn_kernel_validate(kernel_of(pair.module, "step"), pair.reference, 1, &validated));
    must(qn_field_read(u, 0, got));
    ok(memcmp(values, got, sizeof got) == 0, "validating leaves the user's fields alone");
    fails(qn_kernel_launch(kernel_of(pair.module, "step")), QN_INVALID, "no value yet",
          "and the user's scalars");
    close_pair(&pair);
}

static void test_mismatch(void)
{
    const int64_t n[] = { 3 };
    struct pair pair = open_pair("tiny1", "other_reference", n);
    fails(qn_kernel_validate(kernel_of(pair.module, "step"), pair.reference, 1, &validated),
          QN_MISMATCH, "different texts of the spec", "the reference of another spec");
    close_pair(&pair);
}

/* --- mutants ---------------------------------------------------------------------- */

static const struct {
    const char *name, *kernel;
    bool restricted;
    const char *problem;            /* in the sentence */
    int64_t wrong;                  /* points; -1: any number above 0 */
} mutants[] = {
    { "halo", "step", false, "u(-1, 0, 0): written, outside the domain", 0 },
    { "short", "step", false, "points are wrong", 45 },
    { "short", "copy", false, "o(0, 0, 3): never written, or", 45 },
    { "shifted", "step", false, "points are wrong", -1 },
    { "not_a_number", "step", false, "u(1, 0, 0): NaN", 20 },
    { "no_region", "damp", false, "w(0, 0, 0): changed, and should not be", -1 },
    { "input", "step", false, "c(0, 0, 0): changed, and should not be", 1 },
    { "nothing", "step", false, "points are wrong", 180 },
    { "no_range", "step", true, "u(0, 0, 0): changed, and should not be", 120 },
    { "too_far", "step", false, "NaN", -1 },
    { "count", "step", false, "updates 181 points, the reference 180", 0 },
    { "padding", "step", false, "u(10, 0, 0): written, outside the domain", 0 },
    { "own_output", "copy", false, "made from what never was", 180 },
    { "rounded", "step", false, "points are wrong", 180 }
};

static void test_mutant(size_t i)
{
    const int64_t n[] = { 9, 5, 4 }, low[] = { 2, 1, 0 }, high[] = { 7, 5, 3 };
    const bool restricted = mutants[i].restricted;
    const enum qn_status status = validate(mutants[i].name, 3, mutants[i].kernel, n,
                                           restricted ? low : NULL,
                                           restricted ? high : NULL);
    const int64_t wanted = mutants[i].wrong;
    ok(status == QN_WRONG, "mutant %s of %s is caught", mutants[i].name, mutants[i].kernel);
    ok(strstr(qn_last_error(), mutants[i].problem) != NULL
       && (wanted < 0 ? validated.wrong > 0 : validated.wrong == wanted),
       "mutant %s of %s: %s (%d wrong)", mutants[i].name, mutants[i].kernel,
       qn_last_error(), (int)validated.wrong);
}

static void test_failed_launch(void)
{
    const int64_t n[] = { 9, 5, 4 };
    ok(validate("launch_fails", 3, "step", n, NULL, NULL) == QN_DEVICE
       && strstr(qn_last_error(), "code 700"), "a launch that fails is no result");
}

/* --- timing ------------------------------------------------------------------------ */

static void test_bench(void)
{
    const int64_t n[] = { 4000 }, none[] = { 0 };
    struct qn_timing timing;
    struct pair pair = open_pair("tiny1", "tiny1_reference", n);
    struct qn_kernel *const step = kernel_of(pair.module, "step");
    must(qn_kernel_bench(step, 3, &timing));
    ok(timing.repeats == 3 && timing.least > 0 && timing.median >= timing.least,
       "bench: times");
    ok(fabs(timing.bytes_per_second - 20 * timing.points_per_second)
       < 1e-6 * timing.bytes_per_second, "bench: effective bytes are the descriptor's");
    ok(timing.stream_bytes_per_second > 0 && fabs(timing.ratio - timing.bytes_per_second
       / timing.stream_bytes_per_second) < 1e-9, "bench: the ratio to the stream kernel");
    ok(qn_kernel_bench(kernel_of(pair.module, "copy"), 2, &timing) == QN_OK,
       "bench: a kernel that is not in place");
    fails(qn_kernel_bench(step, 0, &timing), QN_INVALID, "0 repeats", "bench: no repeats");
    must(qn_module_resize(pair.module, none));
    fails(qn_kernel_bench(step, 1, &timing), QN_INVALID, "no point", "bench: no points");
    close_pair(&pair);
}

/* --- the runtime's own kernels through simt ---------------------------------------- */

/* Random elements of every type are the same bits on both sides. */
static void test_same_random(struct qn_context *cpu, struct qn_context *simt)
{
    for (int type = QUERN_FLOAT; type <= QUERN_INT; type++) {
        _Alignas(8) unsigned char one[8 * 1000] = { 0 }, other[8 * 1000] = { 0 };
        must(qn__job_random(cpu, (enum quern_type)type, one, 1000, 7, -2, 9));
        must(qn__job_random(simt, (enum quern_type)type, other, 1000, 7, -2, 9));
        ok(memcmp(one, other, sizeof one) == 0 && one[0] != one[8],
           "random %s: the same bits on cpu and simt", qn__type_name((enum quern_type)type));
    }
}

/* The stream kernels agree too, for every count of reads that has its own code. */
static void test_same_stream(struct qn_context *cpu, struct qn_context *simt)
{
    enum { WORDS = 3000, ARRAYS = 8 };
    static uint32_t in[ARRAYS][WORDS], one[2][WORDS], other[2][WORDS];
    bool good = true;
    for (int a = 0; a < ARRAYS; a++)
        must(qn__job_random(cpu, QUERN_INT, in[a], WORDS, (uint64_t)a, 0, 1e6));
    for (int reads = 0; reads <= ARRAYS; reads++) {
        struct device_args args = { .count = 4 * WORDS, .reads = reads, .writes = 2,
                                    .written = { one[0], one[1] } };
        for (int a = 0; a < reads; a++)
            args.read[a] = in[a];
        must(qn__job_run(cpu, "stream", &args));
        args.written[0] = other[0];
        args.written[1] = other[1];
        must(qn__job_run(simt, "stream", &args));
        good = good && memcmp(one, other, sizeof one) == 0
            && memcmp(one[0], one[1], sizeof one[0]) != 0;
    }
    ok(good, "stream kernels of 0 to 8 reads: the same bits on cpu and simt");
}

static void test_device_module(void)
{
    struct qn_context *cpu, *simt;
    uint32_t cell[2];
    must(qn_context_open("cpu", &cpu));
    must(qn_context_open("simt", &simt));
    must(qn_context_runtime(simt, "/nowhere"));
    fails(qn__job_random(simt, QUERN_FLOAT, cell, 2, 1, 0, 1), QN_NOT_FOUND,
          "/nowhere/quern_device_simt.so", "a device module that is not there");
    must(qn_context_runtime(simt, folder));
    test_same_random(cpu, simt);
    test_same_stream(cpu, simt);
    qn_context_close(cpu);
    qn_context_close(simt);
}

int main(int count, char **arguments)
{
    const int64_t n1[] = { 100 }, n2[] = { 5, 7 }, n3[] = { 5, 4, 3 };
    folder = count > 1 ? arguments[1] : ".";
    test_layout();
    test_values();
    test_contexts();
    test_loading();
    test_launch_conditions();
    test_step();
    test_transfer("tiny1", n1, 100);
    test_transfer("tiny2", n2, 35);
    test_transfer("tiny3", n3, 60);
    test_extend();
    test_points();
    for (int rank = 1; rank <= 3; rank++)
        test_sizes(rank);
    test_validation();
    test_regions();
    test_repeats();
    test_undisturbed();
    test_mismatch();
    for (size_t i = 0; i < sizeof mutants / sizeof mutants[0]; i++)
        test_mutant(i);
    test_failed_launch();
    test_bench();
    test_device_module();
    where = "simt";
    test_transfer("tiny3", n3, 60);
    test_extend();
    test_points();
    test_validation();
    return done();
}
