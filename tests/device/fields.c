/* What the runtime does with fields, on a device: data in and out, boxes with
 * halo points, extension, sources and receivers, each against the same done here.
 *   fields CONTEXT MODULE      a module of acoustic_iso in three dimensions, floats */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    if (!failures)
        printf("well, on %s\n", qn_context_device(context));
    qn_module_unload(module);
    qn_context_close(context);
    return failures != 0;
}
