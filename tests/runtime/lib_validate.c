/* Tests of validating and timing: right kernels pass at every size, and every
 * mutant is caught, with the place. */
#include "lib.h"

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
    static const char *const kernels[] = { "step", "damp", "copy", "chase" };
    char name[32];
    snprintf(name, sizeof name, "tiny%d", rank);
    for (int axis = 0; axis < rank; axis++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            int64_t n[] = { 3, 3, 3 };
            bool good = true;
            n[axis] = sizes[i];
            for (int k = 0; k < 4; k++)
                good = good && validate(name, rank, kernels[k], n, NULL, NULL) == QN_OK;
            ok(good, "%d-D: valid with %d points along axis %d%s", rank, (int)sizes[i],
               axis, good ? "" : qn_last_error());
        }
}

void test_validation(void)
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
    ok(validate("tiny3", 3, "chase", n, low, high) == QN_OK && validated.points == 60,
       "several passes within a sub-range");
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
    { "short", "copy", false, "o(0, 0, 3): never written", 45 },
    { "shifted", "step", false, "points are wrong", -1 },
    { "not_a_number", "step", false, "u(1, 0, 0): NaN", 20 },
    { "no_region", "damp", false, "w(0, 0, 0): changed, and should not be", -1 },
    { "input", "step", false, "c(0, 0, 0): changed, and should not be", 1 },
    { "nothing", "step", false, "points are wrong", 180 },
    { "no_range", "step", true, "u(0, 0, 0): changed, and should not be", 120 },
    { "too_far", "step", false, "NaN", -1 },
    { "count", "step", false, "updates 181 points, the reference 180", 0 },
    { "padding", "step", false, "u(10, 0, 0): written, outside the domain", 0 },
    { "own_output", "copy", false, "o(0, 0, 0): NaN", 180 },
    { "overrun", "damp", false, "w(9, 0, 0): written, outside the domain", 0 },
    { "rounded", "step", false, "points are wrong", 180 },
    { "stale", "chase", false, "points are wrong", 160 },
    { "one_pass", "chase", false, "points are wrong", 20 }      /* not what follows from it */
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
    must(qn_kernels_bench(2, (struct qn_kernel *[]){ step, step }, 2, &timing));
    ok(fabs(timing.points_per_second * timing.median - 8000) < 1e-6,
       "bench: two kernels update the points of both");
    fails(qn_kernel_bench(step, 0, &timing), QN_INVALID, "0 repeats", "bench: no repeats");
    must(qn_module_resize(pair.module, none));
    fails(qn_kernel_bench(step, 1, &timing), QN_INVALID, "no point", "bench: no points");
    close_pair(&pair);
}

void test_validating(void)
{
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
}
