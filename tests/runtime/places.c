/* Sources and receivers at any place, tried in three parts: sums, bits, lives.
 *   places FOLDER [cpu]        with places.so, places_simt.so, quern_device_simt.so
 *   places FOLDER detectors    with detect/quern_device_simt.so */
#include "places.h"

const struct qn_interpolation KINDS[KIND_COUNT] = { { 0, 0 }, { 1, 0 }, { 4, 0 }, { 3, 2.5 },
                                                 { 16, 0 } };

struct qn_context *context;
struct qn_module *module;
struct qn_field *field;
int rank;
int64_t n[4], points;
double at[4], ends[4][2];

/* --- a field of a module, and random numbers --------------------------------- */

void open_module(const char *name)
{
    char file[64];
    snprintf(file, sizeof file, "places%s", strcmp(name, "simt") == 0 ? "_simt" : "");
    where = name;
    must(qn_context_open(name, &context));
    must(qn_context_runtime(context, folder));
    must(qn_module_load(context, path_of(file), &module));
}

void close_module(void)
{
    qn_module_unload(module);
    qn_context_close(context);
}

void make_field(const char *name)
{
    static const int64_t EXTENTS[4][4] = { { 37, 1, 1, 1 }, { 13, 11, 1, 1 }, { 9, 7, 6, 1 },
                                           { 6, 5, 4, 3 } };
    points = 1;
    rank = name[1] - '0';
    memcpy(n, EXTENTS[rank - 1], sizeof n);
    must(qn_module_resize(module, n));
    field = field_of(module, name);
    qn_field_extent(field, n);
    for (int axis = 0; axis < rank; axis++) {
        points *= n[axis];
        at[axis] = 0.5 * field->info->at[axis];
        ends[axis][0] = fmin(0, at[axis]);
        ends[axis][1] = fmax((double)EXTENTS[rank - 1][axis] - 1, (double)n[axis] - 1 + at[axis]);
    }
}

static uint64_t state = 1;

void sow(uint64_t seed)
{
    state = seed;
}

double drawn(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-52 - 1;
}

void draw(double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = drawn();
}

void draw_places(double *x)
{
    for (int i = 0; i < PLACES; i++)
        for (int axis = 0; axis < rank; axis++) {
            const double low = ends[axis][0], high = ends[axis][1];
            const double any = low + (high - low) * (drawn() + 1) / 2;
            x[i * rank + axis] = i == 0 ? low : i == 1 ? high
                : i < 6 ? floor(any) + at[axis] : i < 9 ? x[5 * rank + axis]
                : i == 9 && axis > 0 ? low : any;
            x[i * rank + axis] = fmax(low, fmin(high, x[i * rank + axis]));
        }
    memcpy(x + 20 * rank, x + 19 * rank, (size_t)rank * sizeof *x);
}

struct qn_places *places_at(const double *x, size_t count,
                                   const struct qn_interpolation *how)
{
    struct qn_places *places = NULL;
    must(qn_places_create(field, count, x, how, &places));
    return places;
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
    const double hollow[] = { 0, 0, 0, 4.5, 1, 1 };
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
    refused("d3", good, (struct qn_interpolation){ 0, 4 }, "b = 4 without a half-width");
    refused("w3", hollow, linear, "place 1 of the list has x = 4.5; 'w3' does not store the"
            " points 3 to 5 around it");
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
    make_field("d3");                       /* and the module's fields anew */
    struct qn_places *const none = places_at(NULL, 0, &how);
    ok(qn_places_inject(none, 0, NULL) == QN_OK && qn_places_sample(none, 0, NULL) == QN_OK,
       "%s: an empty list", where);
}

static void test_context(const char *name)
{
    static const char *const NAMES[] = { "d1", "d2", "d3", "d4", "s3", "e3" };
    open_module(name);
    for (int i = 0; i < 6; i++)
        test_pair(NAMES[i]);
    test_linear("d3");
    test_linear("s3");
    test_hollow();
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
    hasty = strcmp(what, "cpu") == 0;
    test_context("cpu");
    if (hasty)
        return done();
    test_context("simt");
    test_same_bits();
    return done();
}
