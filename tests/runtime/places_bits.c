/* Places and rounding: the order of sums, the same bits everywhere, and what the
 * detectors of simt see. */
#include "places.h"

/* --- rounding and order ------------------------------------------------------------ */

/* At whole coordinates, what qn_field_inject and qn_field_sample do; nothing of the
 * neighbours. */
void test_whole(const struct qn_interpolation *how)
{
    const double x[] = { 3, 2, 1, 0, 0, 0, 3, 2, 1, 8, 6, 5 };
    const int64_t whole[] = { 3, 2, 1, 0, 0, 0, 3, 2, 1, 8, 6, 5 };
    const double v[] = { 0.1, -0.3, 0x1p-25, 4 };
    static float one[MOST], other[MOST];
    double got[4], wanted[4];
    make_field("f3");
    must(qn_field_fill(field, NAN));
    struct qn_places *const places = places_at(x, 4, how);
    must(qn_field_write_box(field, 0, whole, (int64_t[]){ 4, 3, 2 }, &(float){ -0.0f }));
    must(qn_places_sample(places, 0, got));
    ok(got[0] == 0 && signbit(got[0]) && isnan(got[1]), "%s: a point's own value, not NaN"
       " beside it", where);
    for (int64_t p = 0; p < points; p++)
        one[p] = (float)drawn();
    must(qn_field_write(field, 0, one));
    must(qn_field_write(field, -1, one));
    must(qn_places_inject(places, 0, v));
    must(qn_field_inject(field, -1, 4, whole, v));
    must(qn_places_sample(places, 0, got));
    must(qn_field_sample(field, -1, 4, whole, wanted));
    must(qn_field_read(field, 0, one));
    must(qn_field_read(field, -1, other));
    ok(memcmp(one, other, (size_t)points * sizeof *one) == 0
       && memcmp(got, wanted, sizeof got) == 0, "%s: whole coordinates: the same bits as"
       " whole points", where);
}

/* Half of the values at each side: 1 + 2^-24 + 2^-24 is 1 in that order, and
 * 1 + 2^-23 in the other. */
void test_order(void)
{
    const double x[] = { 3.5, 2, 1, 3.5, 2, 1, 3.5, 2, 1 };
    const double v[] = { 2, 0x1p-23, 0x1p-23 }, w[] = { 0x1p-23, 0x1p-23, 2 };
    const int64_t beside[] = { 4, 2, 1 };
    double first, second;
    make_field("f3");
    struct qn_places *const places = places_at(x, 3, NULL);
    must(qn_places_inject(places, 0, v));
    must(qn_places_inject(places, -1, w));
    must(qn_field_sample(field, 0, 1, beside, &first));
    must(qn_field_sample(field, -1, 1, beside, &second));
    ok(first == 1 && second == 1 + 0x1p-23, "%s: sums in the order of the list", where);
}

/* A list at once is its places one by one, bit for bit. */
void test_one_by_one(const char *name)
{
    static double x[4 * PLACES], v[PLACES];
    static unsigned char once[8 * MOST], each[8 * MOST];
    const struct qn_interpolation how = { 3, 0 };
    make_field(name);
    draw_places(x);
    draw(v, PLACES);
    must(qn_places_inject(places_at(x, PLACES, &how), 0, v));
    for (int i = 0; i < PLACES; i++)
        must(qn_places_inject(places_at(x + i * rank, 1, &how), -1, v + i));
    must(qn_field_read(field, 0, once));
    must(qn_field_read(field, -1, each));
    ok(memcmp(once, each, (size_t)points * field->layout.size) == 0,
       "%s, %s: a list is its places one by one", where, name);
}

/* All bits that a random list makes of a field, and reads from it. */
static void all_bits(const char *name, unsigned char *bits, double *got)
{
    static double x[4 * PLACES], v[PLACES];
    make_field(name);
    sow(7);
    for (int k = 0; k < KIND_COUNT; k++) {
        draw_places(x);
        draw(v, PLACES);
        struct qn_places *const places = places_at(x, PLACES, &KINDS[k]);
        must(qn_places_inject(places, 0, v));
        must(qn_places_inject(places, 0, v));
        must(qn_places_sample(places, 0, got + k * PLACES));
    }
    must(qn_field_read(field, 0, bits));
}

void test_same_bits(void)
{
    static const char *const NAMES[] = { "d1", "d2", "d3", "d4", "s3", "f3", "h3", "b3" };
    static unsigned char cpu[8][8 * MOST], simt[8 * MOST];
    static double read[8][KIND_COUNT * PLACES], got[KIND_COUNT * PLACES];
    open_module("cpu");
    for (int i = 0; i < 8; i++)
        all_bits(NAMES[i], cpu[i], read[i]);
    close_module();
    open_module("simt");
    for (int i = 0; i < 8; i++) {
        all_bits(NAMES[i], simt, got);
        ok(memcmp(cpu[i], simt, (size_t)points * field->layout.size) == 0
           && memcmp(read[i], got, sizeof got) == 0 && fabs(got[0]) > 0,
           "%s: the same bits on cpu and simt", NAMES[i]);
    }
    close_module();
}

/* --- every access and every race, as the detectors of simt see them ------------------- */

static void enroll(struct qn_places *places)
{
    void (*const each)(void *, size_t) = context->jobs->enroll;
    const struct device_args *const to = &places->sample, *const from = &places->inject;
    const size_t rows = places->count * (size_t)rank;
    int64_t shares = 0;
    must(qn__places_sort(places));
    must(qn__context_download(context, &shares, from->first + from->count, sizeof shares));
    each((void *)(uintptr_t)to->tap, rows * (size_t)to->taps * sizeof *to->tap);
    each((void *)(uintptr_t)to->tap_count, rows * sizeof *to->tap_count);
    each(to->value, places->count * sizeof *to->value);
    each((void *)(uintptr_t)from->share, (size_t)shares * sizeof *from->share);
    each((void *)(uintptr_t)from->offset, (size_t)from->count * sizeof *from->offset);
    each((void *)(uintptr_t)from->first, (size_t)(from->count + 1) * sizeof *from->first);
}

void test_detectors(void)
{
    static char detectors[4096];
    static double x[4 * PLACES], v[PLACES];
    static int64_t same[64];
    struct device_args nothing = { 0 };
    const struct qn_interpolation how = { 2, 0 };
    open_module("simt");
    snprintf(detectors, sizeof detectors, "%s/detect", folder);
    must(qn_context_runtime(context, detectors));
    must(qn__job_run(context, "fill", &nothing));       /* loads it */
    ok(context->jobs->enroll != NULL, "the device module has detectors");
    module->library.enroll = context->jobs->enroll;     /* of fields */
    module->library.withdraw = context->jobs->withdraw;
    make_field("d3");
    draw_places(x);
    draw(v, PLACES);
    struct qn_places *const places = places_at(x, PLACES, &how);
    fails(qn_places_sample(places, 0, v), QN_DEVICE, "outside", "arrays that it does not know");
    enroll(places);
    ok(qn_places_inject(places, 0, v) == QN_OK && qn_places_sample(places, 0, v) == QN_OK,
       "no access outside, no race");
    struct device_args twice = places->inject;          /* one point, many threads */
    twice.data = qn__field_origin(field, 0);
    twice.offset = same;
    twice.count = 64;
    context->jobs->enroll(same, sizeof same);
    fails(qn__job_run(context, "spread", &twice), QN_DEVICE,
          "depends on the order of the threads", "a point that is listed again");
    close_module();
}
