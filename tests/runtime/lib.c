/* Tests of libquern through its public interface, on modules written by hand
 * (lib_module.c) that lib.t compiles into the folder given as argument. */
#include "lib.h"

/* --- arithmetic of layouts ---------------------------------------------------- */

static void test_layout(void)
{
    const int64_t big[] = { 1295, 1295, 1295 }, halo[] = { 4, 4, 4 };
    const int64_t odd[] = { 5, 3 }, none[] = { 0, 0 }, huge[] = { 1 << 30, 1 << 30, 16 };
    struct qn__layout layout;
    must(qn__layout_make(QUERN_DOUBLE, 3, big, halo, 0, 0, false, &layout));
    /* 32 before index 0 (256 bytes), 1295 + 4 after: a pitch of 1344. */
    ok(layout.stride[1] == 1344 && layout.stride[2] == INT64_C(1344) * 1303,
       "1295^3 doubles: strides");
    ok(layout.count == INT64_C(1344) * 1303 * 1303, "1295^3 doubles: elements");
    ok(layout.bytes == (size_t)8 * 1344 * 1303 * 1303 && layout.bytes > UINT32_MAX,
       "1295^3 doubles: bytes, which do not fit in 32 bits");
    ok(layout.origin == 32 + 4 * layout.stride[1] + 4 * layout.stride[2],
       "1295^3 doubles: the point 0");
    ok(qn__layout_points(&layout) == INT64_C(2171747375), "1295^3: points");
    must(qn__layout_make(QUERN_FLOAT, 2, odd, none, 0, 0, false, &layout));
    ok(layout.stride[1] == 64 && layout.origin == 0, "5 floats: a pitch of 256 bytes");
    must(qn__layout_make(QUERN_HALF, 2, odd, halo, 3, 0, false, &layout));
    ok(layout.origin * 2 % 256 == 0 && layout.stride[1] * 2 % 256 == 0,
       "16-bit elements: rows start on 256 bytes too");
    must(qn__layout_make(QUERN_FLOAT, 2, odd, halo, 3, 27, false, &layout));
    ok((layout.origin + 27) % 64 == 0 && layout.margin >= 7 && layout.stride[1] % 64 == 0,
       "rows are on 256 bytes at another index too");
    const int64_t page[] = { 512, 3 }, less[] = { 511 - 32, 3 };
    must(qn__layout_make(QUERN_DOUBLE, 2, page, none, 0, 0, true, &layout));
    ok(layout.stride[1] == 544, "rows of 4096 bytes lie 4352 apart where they must not be whole pages apart");
    must(qn__layout_make(QUERN_DOUBLE, 2, page, none, 0, 0, false, &layout));
    ok(layout.stride[1] == 512, "and else 4096");
    must(qn__layout_make(QUERN_DOUBLE, 2, less, none, 0, 0, true, &layout));
    ok(layout.stride[1] == 480, "shorter ones as far as they are long");
    fails(qn__layout_make(QUERN_DOUBLE, 3, huge, halo, 0, 0, false, &layout), QN_INVALID,
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
    fails(qn_module_load(context, path_of("in_place"), &module), QN_MISMATCH,
          "more arrays in place than", "a descriptor whose counts cannot be");
    fails(qn_module_load(context, path_of("buffer"), &module), QN_MISMATCH,
          "an array that no field has", "a descriptor with a wrong index");
    fails(qn_module_load(context, path_of("passes"), &module), QN_MISMATCH,
          "passes and no launch of one", "a descriptor with passes that none can launch");
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

/* copy adds what prepare put into its workspace: k. */
static void test_workspace(void)
{
    const int64_t n[] = { 2 }, point[] = { 1 };
    struct pair pair = open_pair("tiny1", "tiny1_reference", n);
    struct qn_kernel *const copy = kernel_of(pair.module, "copy");
    struct qn_field *const o = field_of(pair.module, "o");
    double first = 0, second = 0;
    field_of(pair.module, "u");
    must(qn_module_set(pair.module, "s", 0.5));
    must(qn_module_set(pair.module, "d", 1));
    must(qn_module_set(pair.module, "k", 3));
    must(qn_kernel_launch(copy));
    must(qn_field_sample(o, 0, 1, point, &first));
    must(qn_module_set(pair.module, "k", 4));
    must(qn_kernel_launch(copy));
    must(qn_field_sample(o, 0, 1, point, &second));
    ok(first == 3, "a workspace is made and prepared");
    ok(second == 4, "and prepared again when a scalar changes");
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

int main(int count, char **arguments)
{
    folder = count > 1 ? arguments[1] : ".";
    test_layout();
    test_values();
    test_contexts();
    test_loading();
    test_launch_conditions();
    test_workspace();
    test_step();
    test_fields();
    test_validating();
    test_device_module();
    where = "simt";
    test_fields();
    test_validation();
    return done();
}
