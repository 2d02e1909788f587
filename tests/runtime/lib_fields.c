/* Tests of fields: data in and out, halos, lists of points; and that the
 * runtime's own kernels do the same on every backend. */
#include "lib.h"

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

/* A box that covers halo and domain: what is written is read back, point by point
 * where it belongs, and nothing else changes. */
static void test_boxes(void)
{
    const int64_t n[] = { 4, 3, 2 };
    const int64_t lower[] = { -1, 1, -1 }, upper[] = { 3, 4, 1 };
    const int64_t whole[] = { -1, -1, -1 }, end[] = { 5, 4, 3 }, far[] = { 6, 4, 3 };
    struct pair pair = open_pair("tiny3", "tiny3_reference", n);
    struct qn_field *const u = field_of(pair.module, "u");
    float sent[24], got[24], all[120];
    int64_t halo[3];
    int changed = 0, right = 0;
    qn_field_halo(u, halo);
    ok(halo[0] == 1 && halo[1] == 1 && halo[2] == 1, "%s: how wide the halo is", where);
    for (int i = 0; i < 24; i++)
        sent[i] = (float)(i + 1);
    must(qn_field_fill(u, 0));
    must(qn_field_write_box(u, 0, lower, upper, sent));
    must(qn_field_read_box(u, 0, lower, upper, got));
    ok(memcmp(sent, got, sizeof sent) == 0, "%s: a box with halo points comes back", where);
    must(qn_field_read_box(u, 0, whole, end, all));
    for (int i = 0; i < 120; i++) {
        const int x = i % 6, y = i / 6 % 5, z = i / 30;
        changed += all[i] != 0;
        right += x < 4 && y >= 2 && z < 2 && all[i] == sent[x + 4 * (y - 2 + 3 * z)];
    }
    ok(changed == 24 && right == 24, "%s: it lies where it was put", where);
    ok(qn_field_write_box(u, 0, lower, lower, NULL) == QN_OK, "%s: an empty box", where);
    fails(qn_field_read_box(u, 0, whole, far, all), QN_INVALID,
          "'u' stores the points -1 to 5 along its axis 0, not the range -1 to 6",
          "a box that is not stored");
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

void test_fields(void)
{
    const int64_t n1[] = { 100 }, n2[] = { 5, 7 }, n3[] = { 5, 4, 3 };
    test_transfer("tiny1", n1, 100);
    test_transfer("tiny2", n2, 35);
    test_transfer("tiny3", n3, 60);
    test_extend();
    test_boxes();
    test_points();
}

/* --- the runtime's own kernels through simt ---------------------------------------- */

/* Random elements of every type are the same bits on both sides. */
static void test_same_random(struct qn_context *cpu, struct qn_context *simt)
{
    for (int type = QUERN_FLOAT; type <= QUERN_INT; type++) {
        _Alignas(8) unsigned char one[8 * 1000] = { 0 }, other[8 * 1000] = { 0 };
        must(qn__job_random(cpu, (enum quern_type)type, one, 1000, 1, 7, -2, 9));
        must(qn__job_random(simt, (enum quern_type)type, other, 1000, 1, 7, -2, 9));
        ok(memcmp(one, other, sizeof one) == 0 && one[0] != one[8],
           "random %s: the same bits on cpu and simt", qn__type_name((enum quern_type)type));
    }
}

/* Few digits do not carry a number out of the range that it is drawn from. */
static void test_random_range(struct qn_context *cpu)
{
    static const double ranges[][2] = { { 0.3, 0.7 }, { -0.7, -0.3 }, { 1e-9, 1 }, { -1, -1e-9 } };
    for (int type = QUERN_HALF; type <= QUERN_BFLOAT16; type++) {
        int inside = 0;
        for (int r = 0; r < 4; r++) {
            uint16_t list[1000];
            must(qn__job_random(cpu, (enum quern_type)type, list, 1000, 1, 7, ranges[r][0],
                                ranges[r][1]));
            for (int i = 0; i < 1000; i++) {
                const double value = qn__value_get((enum quern_type)type, list, i);
                inside += value >= ranges[r][0] && value <= ranges[r][1];
            }
        }
        ok(inside == 4000, "random %s: %d of 4000 numbers are in their range",
           qn__type_name((enum quern_type)type), inside);
    }
}

/* The stream kernels agree too, for every count of reads that has its own code. */
static void test_same_stream(struct qn_context *cpu, struct qn_context *simt)
{
    enum { WORDS = 3000, ARRAYS = 8 };
    static uint32_t in[ARRAYS][WORDS], one[2][WORDS], other[2][WORDS];
    bool good = true;
    for (int a = 0; a < ARRAYS; a++)
        must(qn__job_random(cpu, QUERN_INT, in[a], WORDS, 1, (uint64_t)a, 0, 1e6));
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

void test_device_module(void)
{
    struct qn_context *cpu, *simt;
    uint32_t cell[2];
    must(qn_context_open("cpu", &cpu));
    must(qn_context_open("simt", &simt));
    must(qn_context_runtime(simt, "/nowhere"));
    fails(qn__job_random(simt, QUERN_FLOAT, cell, 2, 1, 1, 0, 1), QN_NOT_FOUND,
          "/nowhere/quern_device_simt.so", "a device module that is not there");
    must(qn_context_runtime(simt, folder));
    test_random_range(cpu);
    test_same_random(cpu, simt);
    test_same_stream(cpu, simt);
    qn_context_close(cpu);
    qn_context_close(simt);
}
