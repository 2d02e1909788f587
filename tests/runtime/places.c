/* Sources and receivers at any place, against sums over the whole grid with
 * weights by their definitions; and the laws that they obey.
 *   places FOLDER [cpu]        with places.so, places_simt.so, quern_device_simt.so
 *   places FOLDER detectors    with detect/quern_device_simt.so */
#include "lib.h"

enum { MOST = 1000, PLACES = 24 };

static const struct qn_interpolation KINDS[] = { { 0, 0 }, { 1, 0 }, { 4, 0 }, { 3, 2.5 },
                                                 { 16, 0 } };
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

/* The largest errors to half of Nyquist: of Hicks (2002), and from 9 points on ours. */
static const double CLAIMS[16] = {
    1.72e-1, 2.32e-2, 4.79e-3, 1.34e-3, 2.43e-4, 4.88e-5, 9.79e-6, 2.19e-6, 3.7e-7,
    7.4e-8, 1.4e-8, 2.6e-9, 5.2e-10, 1.1e-10, 2.5e-11, 5.1e-12
};

static struct qn_context *context;
static struct qn_module *module;
static struct qn_field *field;
static int rank;
static int64_t n[4], points;
static double at[4];

/* --- a field of a module, and random numbers --------------------------------- */

static void open_module(const char *name)
{
    char file[64];
    snprintf(file, sizeof file, "places%s", strcmp(name, "simt") == 0 ? "_simt" : "");
    where = name;
    must(qn_context_open(name, &context));
    must(qn_context_runtime(context, folder));
    must(qn_module_load(context, path_of(file), &module));
}

static void close_module(void)
{
    qn_module_unload(module);
    qn_context_close(context);
}

static void make_field(const char *name)
{
    static const int64_t EXTENTS[4][4] = { { 37, 1, 1, 1 }, { 13, 11, 1, 1 }, { 9, 7, 6, 1 },
                                           { 6, 5, 4, 3 } };
    points = 1;
    rank = name[1] - '0';
    memcpy(n, EXTENTS[rank - 1], sizeof n);
    must(qn_module_resize(module, n));
    field = field_of(module, name);
    for (int axis = 0; axis < rank; axis++) {
        points *= n[axis];
        at[axis] = 0.5 * field->info->at[axis];
    }
}

static uint64_t state = 1;

static double drawn(void)                   /* from -1 to 1 */
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-52 - 1;
}

static void draw(double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = drawn();
}

/* Corners, whole coordinates, places twice; the others anywhere. */
static void draw_places(double *x)
{
    for (int i = 0; i < PLACES; i++)
        for (int axis = 0; axis < rank; axis++) {
            const double low = fmin(0, at[axis]), high = fmax(0, at[axis]) + (double)n[axis] - 1;
            const double any = low + (high - low) * (drawn() + 1) / 2;
            x[i * rank + axis] = i == 0 ? low : i == 1 ? high
                : i < 6 ? floor(any) + at[axis] : i < 9 ? x[5 * rank + axis]
                : i == 9 && axis > 0 ? low : any;
            x[i * rank + axis] = fmax(low, fmin(high, x[i * rank + axis]));
        }
    memcpy(x + 20 * rank, x + 19 * rank, (size_t)rank * sizeof *x);
}

/* --- weights by definition ---------------------------------------------------- */

static double bessel(double x)
{
    double sum = 0, term = 1;
    for (int k = 1; k < 200; term *= (x / 2 / k) * (x / 2 / k), k++)
        sum += term;
    return sum;
}

static double weight(const struct qn_interpolation *how, double distance)
{
    const double d = fabs(distance), r = how->half_width;
    if (how->half_width == 0)
        return fmax(0, 1 - d);
    if (d < 1e-9 || d >= r)
        return d < 1e-9;
    const double pi = acos(-1), b = how->b > 0 ? how->b : qn__taps_best(how->half_width);
    return sin(pi * d) / (pi * d) * bessel(b * sqrt(1 - d * d / (r * r))) / bessel(b);
}

/* Of grid point p, counted along the axes, for a place. */
static double weight_of(const struct qn_interpolation *how, int64_t p, const double *x)
{
    double product = 1;
    for (int axis = 0; axis < rank; axis++) {
        product *= weight(how, (double)(p % n[axis]) + at[axis] - x[axis]);
        p /= n[axis];
    }
    return product;
}

/* --- values are what the definitions say ---------------------------------------- */

static struct qn_places *places_at(const double *x, size_t count,
                                   const struct qn_interpolation *how)
{
    struct qn_places *places = NULL;
    must(qn_places_create(field, count, x, how, &places));
    return places;
}

/* How far the values sampled from u are from sums over the grid. */
static double sampled_off(const struct qn_interpolation *how, const double *x, const double *u,
                          const double *got)
{
    double worst = 0;
    for (int i = 0; i < PLACES; i++) {
        double sum = 0;
        for (int64_t p = 0; p < points; p++)
            sum += weight_of(how, p, x + i * rank) * u[p];
        worst = fmax(worst, fabs(sum - got[i]));
    }
    return worst;
}

static double injected_off(const struct qn_interpolation *how, const double *x, const double *v,
                           const double *got)
{
    double worst = 0;
    for (int64_t p = 0; p < points; p++) {
        double sum = 0;
        for (int i = 0; i < PLACES; i++)
            sum += weight_of(how, p, x + i * rank) * v[i];
        worst = fmax(worst, fabs(sum - got[p]));
    }
    return worst;
}

/* (sample u, v) and (u, inject v), which are the same but for rounding. */
static double adjoint_off(const double *u, const double *v, const double *su, const double *iv)
{
    double first = 0, second = 0, size = 0;
    for (int i = 0; i < PLACES; i++) {
        first += su[i] * v[i];
        size += fabs(v[i]);
    }
    for (int64_t p = 0; p < points; p++)
        second += u[p] * iv[p];
    return fabs(first - second) / size;
}

static void test_pair(const char *name)
{
    static double x[4 * PLACES], u[MOST], v[PLACES], su[PLACES], iv[MOST], other[MOST];
    double adjoint = 0, sampled = 0, injected = 0;
    make_field(name);
    for (int k = 0; k < KIND_COUNT; k++) {
        draw_places(x);
        draw(u, points);
        draw(v, PLACES);
        struct qn_places *const places = places_at(x, PLACES, &KINDS[k]);
        must(qn_field_fill(field, 0));
        must(qn_places_inject(places, -1, v));
        must(qn_field_read(field, -1, iv));
        must(qn_field_write(field, 0, u));
        must(qn_places_sample(places, 0, su));
        must(qn_field_read(field, 0, other));
        sampled = fmax(sampled, memcmp(u, other, (size_t)points * sizeof *u)
                       ? INFINITY : sampled_off(&KINDS[k], x, u, su));
        injected = fmax(injected, injected_off(&KINDS[k], x, v, iv));
        adjoint = fmax(adjoint, adjoint_off(u, v, su, iv));
        qn_places_free(places);
    }
    ok(sampled < 2e-14, "%s, %s: sampled as defined, %.1e", where, name, sampled);
    ok(injected < 2e-14, "%s, %s: injected as defined, %.1e", where, name, injected);
    ok(adjoint < 1e-15, "%s, %s: the two are adjoint, %.1e", where, name, adjoint);
}

/* What is linear along every axis comes back, wherever the field's points lie. */
static void test_linear(const char *name)
{
    static double x[4 * PLACES], u[MOST], got[PLACES];
    double worst = 0;
    make_field(name);
    for (int64_t p = 0; p < points; p++) {
        const double i = (double)(p % n[0]) + at[0], j = (double)(p / n[0] % n[1]) + at[1];
        u[p] = (1 + 2 * i) * (3 - j) * (0.5 + (double)(p / n[0] / n[1]) + at[2]);
    }
    draw_places(x);
    for (int i = 0; i < PLACES; i++)
        for (int axis = 0; axis < 3; axis++)    /* between the field's own points */
            x[3 * i + axis] = fmax(at[axis], fmin(x[3 * i + axis],
                                                  at[axis] + (double)n[axis] - 1));
    must(qn_field_write(field, 0, u));
    must(qn_places_sample(places_at(x, PLACES, NULL), 0, got));
    for (int i = 0; i < PLACES; i++) {
        const double *const c = x + 3 * i;
        worst = fmax(worst, fabs(got[i] - (1 + 2 * c[0]) * (3 - c[1]) * (0.5 + c[2])));
    }
    ok(worst < 1e-12, "%s, %s: linear along every axis, %.1e", where, name, worst);
}

/* --- waves ----------------------------------------------------------------------- */

/* How far values sampled from cos or sin of k x are from it, added to `off`, as the
 * places go from one point to the next. */
enum { STEPS = 40 };

static void add_wave(struct qn_places *places, const double *x, double k, double phase,
                     double *off)
{
    double u[MOST], got[STEPS + 1];
    for (int64_t p = 0; p < points; p++)
        u[p] = cos(k * (double)p + phase);
    must(qn_field_write(field, 0, u));
    must(qn_places_sample(places, 0, got));
    for (int i = 0; i <= STEPS; i++)
        off[i] = hypot(off[i], got[i] - cos(k * x[i] + phase));
}

static double wave_off(const struct qn_interpolation *how, double k)
{
    double x[STEPS + 1], off[STEPS + 1] = { 0 }, worst = 0;
    for (int i = 0; i <= STEPS; i++)
        x[i] = 18 + (double)i / STEPS;
    struct qn_places *const places = places_at(x, STEPS + 1, how);
    add_wave(places, x, k, 0, off);
    add_wave(places, x, k, acos(-1) / 2, off);
    for (int i = 0; i <= STEPS; i++)
        worst = fmax(worst, off[i]);
    qn_places_free(places);
    return worst;
}

static void test_waves(void)
{
    const double half = acos(-1) / 2;
    make_field("d1");
    for (int r = 1; r <= 16; r++) {
        const struct qn_interpolation how = { r, 0 };
        double worst = 0;
        for (int i = 0; i <= 8; i++)
            worst = fmax(worst, wave_off(&how, half * i / 8));
        ok(worst < 1.01 * CLAIMS[r - 1], "%s: r = %d, waves of 4 points and more within %.2e:"
           " %.3e", where, r, CLAIMS[r - 1], worst);
    }
    const double wide = wave_off(&(struct qn_interpolation){ 4, 4.14 }, 1.32 * half);
    ok(wide < 1.01 * 7.97e-3, "%s: r = 4, b = 4.14, waves of 3 points: %.3e", where, wide);
    const double off = wave_off(&(struct qn_interpolation){ 4, 0 }, 1.32 * half);
    ok(off > 2 * wide, "%s: where the b of longer waves errs more: %.3e", where, off);
}

/* --- rounding and order ------------------------------------------------------------ */

/* At whole coordinates, what qn_field_inject and qn_field_sample do; nothing of the
 * neighbours. */
static void test_whole(const struct qn_interpolation *how)
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
static void test_order(void)
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
static void test_one_by_one(const char *name)
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
    state = 7;
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

static void test_same_bits(void)
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

/* --- what cannot be, and who frees what ---------------------------------------------- */

static void refused(const char *name, const double *x, struct qn_interpolation how,
                    const char *sentence)
{
    struct qn_places *places = NULL;
    make_field(name);
    fails(qn_places_create(field, 2, x, &how, &places), QN_INVALID, sentence, name);
    ok(places == NULL && field->places == NULL, "and nothing is made");
}

static void test_refusals(void)
{
    const double good[] = { 1, 1, 1, 1.5, 2.5, 3.5 }, high[] = { 1, 1, 1, 2, 6.25, 3 };
    const double low[] = { 0, 0, 0, -0.5, 2, 3 }, none[] = { 1, NAN, 1, 1, 1, 1 };
    const double aside[] = { 8.5, 6, -0.5, 8.6, 1, 1 };
    const struct qn_interpolation linear = { 0, 0 };
    double values[2] = { 0 };
    refused("i3", good, linear, "'i3' is of int");
    refused("d3", high, linear, "place 1 of the list has y = 6.25; 'd3' has places from 0 to 6");
    refused("d3", low, linear, "place 1 of the list has x = -0.5; 'd3' has places from 0 to 8");
    refused("d3", none, linear, "place 0 of the list has y = nan");
    refused("s3", aside, linear, "place 1 of the list has x = 8.6; 's3' has places from 0 to 8.5");
    refused("d3", good, (struct qn_interpolation){ 17, 0 }, "a half-width of 17 points: it is 0"
            " (linear) to 16");
    refused("d3", good, (struct qn_interpolation){ -1, 0 }, "a half-width of -1");
    refused("d3", good, (struct qn_interpolation){ 4, -1 }, "b = -1: it is 0 to 50");
    refused("d3", good, (struct qn_interpolation){ 4, NAN }, "b = nan");
    make_field("d3");
    struct qn_places *const places = places_at(good, 2, NULL);
    fails(qn_places_sample(places, 1, values), QN_INVALID, "no time level 1", "a level");
    fails(qn_places_inject(places, -2, values), QN_INVALID, "no time level -2", "a level");
}

/* The sanitizer of addresses says what is freed twice or never. */
static void test_lives(void)
{
    const double x[] = { 1.5, 2.5, 3.5 };
    const struct qn_interpolation how = { 2, 0 };
    double value = 1;
    make_field("d3");
    struct qn_places *const first = places_at(x, 1, &how), *const second = places_at(x, 1, NULL);
    struct qn_places *const third = places_at(x, 1, NULL);
    must(qn_places_inject(first, 0, &value));
    must(qn_places_inject(third, 0, &value));
    qn_places_free(second);
    qn_places_free(NULL);
    must(qn_places_sample(third, 0, &value));
    ok(field->places == third && third->next == first, "%s: the others stay", where);
    qn_field_free(field);
    make_field("d3");
    must(qn_places_inject(places_at(x, 1, &how), 0, &value));
    must(qn_module_resize(module, n));
    make_field("d3");
    struct qn_places *const none = places_at(NULL, 0, &how);
    ok(qn_places_inject(none, 0, NULL) == QN_OK && qn_places_sample(none, 0, NULL) == QN_OK,
       "%s: an empty list", where);
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

static void test_detectors(void)
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

static void test_context(const char *name)
{
    static const char *const NAMES[] = { "d1", "d2", "d3", "d4", "s3" };
    open_module(name);
    for (int i = 0; i < 5; i++)
        test_pair(NAMES[i]);
    test_linear("d3");
    test_linear("s3");
    test_whole(&KINDS[0]);
    test_whole(&KINDS[2]);
    test_order();
    test_one_by_one("f3");
    test_one_by_one("h3");
    test_lives();
    if (strcmp(name, "cpu") == 0) {
        test_waves();
        test_refusals();
    }
    close_module();
}

int main(int count, char **arguments)
{
    const char *const what = count > 2 ? arguments[2] : "";
    folder = count > 1 ? arguments[1] : ".";
    if (strcmp(what, "detectors") == 0) {
        test_detectors();
        return done();
    }
    test_context("cpu");
    if (strcmp(what, "cpu") == 0)
        return done();
    test_context("simt");
    test_same_bits();
    return done();
}
