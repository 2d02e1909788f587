/* What the runtime does with fields, on a device: data in and out, boxes with
 * halo points, extension, sources and receivers, each against the same done here;
 * and how long many receivers take.
 *   fields CONTEXT MODULE      a module of acoustic_iso in three dimensions, floats */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../runtime/quern.h"

enum { NX = 37, NY = 11, NZ = 5, N = NX * NY * NZ, HALO = 4,
       FULL = (NX + 2 * HALO) * (NY + 2 * HALO) * (NZ + 2 * HALO) };

static int failures;

static void must(enum qn_status status)
{
    if (status != QN_OK) {
        printf("%s: %s\n", qn_status_name(status), qn_last_error());
        exit(1);
    }
}

static void expect(int good, const char *what)
{
    if (!good)
        printf("WRONG: %s\n", what);
    failures += !good;
}

static int64_t clamp(int64_t i, int64_t n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static void test_transfer(struct qn_field *u)
{
    static float sent[N], got[N];
    for (int i = 0; i < N; i++)
        sent[i] = (float)(i % 251) - 100.5f;
    must(qn_field_write(u, 0, sent));
    must(qn_field_read(u, 0, got));
    expect(memcmp(sent, got, sizeof sent) == 0, "what is written is read");
}

/* The whole array after extending, against the nearest point of the domain. */
static void test_extend(struct qn_field *u)
{
    static float inside[N], all[FULL];
    const int64_t lower[] = { -HALO, -HALO, -HALO };
    const int64_t upper[] = { NX + HALO, NY + HALO, NZ + HALO };
    int wrong = 0, at = 0;
    must(qn_field_read(u, 0, inside));
    must(qn_field_extend(u, 0));
    must(qn_field_read_box(u, 0, lower, upper, all));
    for (int64_t z = lower[2]; z < upper[2]; z++)
        for (int64_t y = lower[1]; y < upper[1]; y++)
            for (int64_t x = lower[0]; x < upper[0]; x++)
                wrong += all[at++] != inside[clamp(x, NX) + NX * (clamp(y, NY)
                                                                 + NY * clamp(z, NZ))];
    expect(wrong == 0, "the halo is the nearest point of the domain");
}

static void test_box(struct qn_field *u)
{
    const int64_t lower[] = { -4, 3, -1 }, upper[] = { 9, 12, 2 };
    float sent[13 * 9 * 3], got[13 * 9 * 3], corner = 0;
    for (int i = 0; i < 13 * 9 * 3; i++)
        sent[i] = 0.25f * (float)i;
    must(qn_field_write_box(u, 0, lower, upper, sent));
    must(qn_field_read_box(u, 0, lower, upper, got));
    expect(memcmp(sent, got, sizeof sent) == 0, "a box with halo points comes back");
    must(qn_field_read_box(u, 0, lower, (int64_t[]){ -3, 4, 0 }, &corner));
    expect(corner == sent[0], "its first point lies where it was put");
}

/* Many values at few points: each sum in the order given, rounded as it grows. */
static void test_points(struct qn_field *u)
{
    enum { COUNT = 5000 };
    static int64_t points[3 * COUNT];
    static double values[COUNT], got[COUNT];
    static float wanted[N];
    int wrong = 0;
    must(qn_field_read(u, 0, wanted));
    for (int i = 0; i < COUNT; i++) {
        int64_t *point = points + 3 * i;
        point[0] = i * 7 % NX;
        point[1] = i * i % NY;
        point[2] = i % NZ;
        values[i] = 1.0 / (i + 3);
        float *sum = &wanted[point[0] + NX * (point[1] + NY * point[2])];
        *sum = *sum + (float)values[i];
    }
    must(qn_field_inject(u, 0, COUNT, points, values));
    must(qn_field_sample(u, 0, COUNT, points, got));
    for (int i = 0; i < COUNT; i++) {
        const int64_t *point = points + 3 * i;
        wrong += (float)got[i] != wanted[point[0] + NX * (point[1] + NY * point[2])];
    }
    expect(wrong == 0, "repeated points add in the order of the list");
}

/* --- places between the points ------------------------------------------------- */

static double drawn(void)                   /* from 0 to 1 */
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-53;
}

static struct qn_places *places_in(struct qn_field *u, const int64_t *n, size_t count,
                                   int half_width, double *x)
{
    const struct qn_interpolation how = { .half_width = half_width };
    struct qn_places *places;
    for (size_t i = 0; i < 3 * count; i++)
        x[i] = drawn() * (double)(n[i % 3] - 1);
    must(qn_places_create(u, count, x, &how, &places));
    return places;
}

/* A list does what its places do one by one, and is the adjoint of sampling. */
static void test_places(struct qn_field *u, int half_width)
{
    enum { COUNT = 300 };
    const int64_t n[] = { NX, NY, NZ };
    static double x[3 * COUNT], v[COUNT], got[COUNT];
    static float wave[N], once[N], each[N];
    double first = 0, second = 0, size = 0;
    struct qn_places *const places = places_in(u, n, COUNT, half_width, x);
    const struct qn_interpolation how = { .half_width = half_width };
    for (int i = 0; i < N; i++)
        wave[i] = (float)drawn();
    must(qn_field_write(u, 0, wave));
    must(qn_places_sample(places, 0, got));
    for (int i = 0; i < COUNT; i++)
        v[i] = drawn() - 0.5;
    must(qn_field_fill(u, 0));
    must(qn_places_inject(places, 0, v));
    for (int i = 0; i < COUNT; i++) {
        struct qn_places *one;
        must(qn_places_create(u, 1, x + 3 * i, &how, &one));
        must(qn_places_inject(one, -1, v + i));
        qn_places_free(one);
        first += v[i] * got[i];
        size += fabs(v[i] * got[i]);
    }
    must(qn_field_read(u, 0, once));
    must(qn_field_read(u, -1, each));
    for (int i = 0; i < N; i++)
        second += (double)once[i] * (double)wave[i];
    expect(memcmp(once, each, sizeof once) == 0, "a list is its places one by one");
    expect(fabs(first - second) < 1e-6 * size, "sampling is the adjoint of injecting");
    qn_places_free(places);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* 10,000 receivers, 512 points each, as a time loop has them. */
static void time_places(struct qn_context *context, struct qn_module *module)
{
    enum { COUNT = 10000, TIMES = 20 };
    const int64_t n[] = { 300, 300, 60 };
    static double x[3 * COUNT], values[COUNT];
    struct qn_field *u;
    must(qn_module_resize(module, n));
    must(qn_field_create(module, "u", &u));
    struct qn_places *const places = places_in(u, n, COUNT, 4, x);
    const double start = seconds();
    must(qn_places_inject(places, 0, values));
    must(qn_context_synchronize(context));
    const double sorted = seconds();
    for (int i = 0; i < TIMES; i++)
        must(qn_places_inject(places, 0, values));
    must(qn_context_synchronize(context));
    const double injected = seconds();
    for (int i = 0; i < TIMES; i++)
        must(qn_places_sample(places, 0, values));
    const double sampled = seconds();
    printf("%d places of 512 points: sorted in %.2f s, injected in %.3f ms, sampled in %.3f ms\n",
           COUNT, sorted - start, 1e3 * (injected - sorted) / TIMES,
           1e3 * (sampled - injected) / TIMES);
}

int main(int count, char **words)
{
    const int64_t n[] = { NX, NY, NZ };
    struct qn_context *context;
    struct qn_module *module;
    struct qn_field *u;
    float far[N];
    if (count != 3) {
        fputs("usage: fields CONTEXT MODULE\n", stderr);
        return 2;
    }
    must(qn_context_open(words[1], &context));
    must(qn_module_load(context, words[2], &module));
    must(qn_module_resize(module, n));
    must(qn_field_create(module, "u", &u));
    must(qn_field_fill(u, 2.5));
    must(qn_field_read(u, -1, far));
    expect(far[0] == 2.5f && far[N - 1] == 2.5f, "every level is filled");
    test_transfer(u);
    test_points(u);
    test_extend(u);
    test_box(u);
    test_places(u, 0);
    test_places(u, 4);
    time_places(context, module);
    if (!failures)
        printf("well, on %s\n", qn_context_device(context));
    qn_module_unload(module);
    qn_context_close(context);
    return failures != 0;
}
