/* Potentials in a box that repeats, with the requests of specs/ewald.lua. */
#include "charges.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "abi.h"
#define PROGRAM "ewald"
#include "../must.h"

enum { PX, Q = 3, V, GX, KX = 8, W = 11, EVEN, ODD, FIELDS };
static const char *const fields[FIELDS] = { "px", "py", "pz", "q", "v", "gx", "gy", "gz",
                                            "kx", "ky", "kz", "w", "even", "odd" };
enum { BUCKET = 16,             /* charges, about */
       SLICE = 128 };           /* of all, one cell after the other, that waves go with */
static const double pi = 3.14159265358979323846;
/* Charges are left out from depth/alpha on, waves from 2 alpha depth on: what is lost is
 * exp(-depth^2) of what is there, 1e-13. */
static const double depth = 5.5;

/* --- buckets and what is near them ---------------------------------------- */

static int cell_of(const struct charges *charges, int particle)
{
    int cell = 0;
    for (int k = 2; k >= 0; k--) {
        const int at = (int)(charges->at[k][particle] / charges->side * charges->cells);
        cell = cell * charges->cells + (at < charges->cells ? at : charges->cells - 1);
    }
    return cell;
}

/* Counted, then put where they belong. */
static void fill_buckets(struct charges *charges)
{
    const int cells = charges->cells * charges->cells * charges->cells;
    int *const first = charges->first;
    for (int c = 0; c <= cells; c++)
        first[c] = 0;
    for (int i = 0; i < charges->count; i++)
        first[cell_of(charges, i) + 1]++;
    for (int c = 0; c < cells; c++)
        first[c + 1] += first[c];
    for (int i = charges->count - 1; i >= 0; i--)
        charges->bucket[--first[cell_of(charges, i) + 1]] = i;
    for (int c = 0; c < cells; c++)
        first[c] = first[c + 1];
    first[cells] = charges->count;
}

static void append(struct charges *charges, int32_t particle)
{
    if (charges->near.count == charges->near.room) {
        charges->near.room = 2 * charges->near.room + 1024;
        charges->near.item = realloc(charges->near.item, charges->near.room * sizeof(int32_t));
        if (!charges->near.item)
            exit(3);
    }
    charges->near.item[charges->near.count++] = particle;
}

/* Charges of an image of the box that are in cells within reach of a cell. */
static void find_near(struct charges *charges, int cell, const int *image)
{
    const int n = charges->cells, own[3] = { cell % n, cell / n % n, cell / n / n };
    const double width = charges->side / n;
    for (int c = 0; c < n * n * n; c++) {
        const int other[3] = { c % n, c / n % n, c / n / n };
        double squares = 0;
        for (int k = 0; k < 3; k++) {
            const int apart = abs(other[k] + image[k] * n - own[k]) - 1;
            squares += apart > 0 ? apart * width * apart * width : 0;
        }
        if (squares >= charges->reach * charges->reach)
            continue;
        for (int i = charges->first[c]; i < charges->first[c + 1]; i++)
            if (charges->charge[charges->bucket[i]] != 0)
                append(charges, charges->bucket[i]);
    }
}

/* --- requests ------------------------------------------------------------- */

static struct qn_points bucket_of(const struct charges *charges, int cell)
{
    return (struct qn_points){ &charges->bucket[charges->first[cell]],
                               (size_t)(charges->first[cell + 1] - charges->first[cell]) };
}

static void add_request(struct kind *kind, struct qn_points left, struct qn_points right)
{
    const int r = kind->count++;
    kind->lists[r][0] = left;
    kind->lists[r][1] = right;
    kind->work[r] = (struct qn_work){ kind->lists[r], kind->shift[r] };
    kind->request[r] = (struct qn_request){ .data = &kind->work[r],
                                            .items = (int64_t)(left.count * right.count) };
}

static int images_of(const struct charges *charges)
{
    return (int)ceil(charges->reach / charges->side);
}

/* One for each image that has something near. Lists are places in an array that may move
 * while it grows: they are set at last. */
static void make_short(struct charges *charges, int cell)
{
    struct kind *const kind = &charges->kind[SHORT];
    const int m = images_of(charges), n = 2 * m + 1;
    for (int i = 0; i < n * n * n; i++) {
        const int image[3] = { i % n - m, i / n % n - m, i / n / n - m };
        const size_t before = charges->near.count;
        find_near(charges, cell, image);
        if (charges->near.count == before)
            continue;
        for (int k = 0; k < 3; k++)
            kind->shift[kind->count][k] = image[k] * charges->side;
        add_request(kind, bucket_of(charges, cell),
                    (struct qn_points){ NULL, charges->near.count - before });
    }
}

static void make_wave_requests(struct charges *charges)
{
    const struct qn_points waves = { charges->all_waves, (size_t)charges->waves };
    for (int i = 0; i < charges->count; i += SLICE) {
        const int count = charges->count - i < SLICE ? charges->count - i : SLICE;
        const struct qn_points slice = { &charges->bucket[i], (size_t)count };
        add_request(&charges->kind[DENSITY], waves, slice);
        add_request(&charges->kind[LONG], slice, waves);
    }
}

static void make_requests(struct charges *charges)
{
    size_t near = 0;
    charges->near.count = 0;
    for (int k = 0; k < REQUESTS; k++)
        charges->kind[k].count = 0;
    make_wave_requests(charges);
    for (int c = 0; c < charges->cells * charges->cells * charges->cells; c++)
        if (charges->first[c] < charges->first[c + 1])
            make_short(charges, c);
    for (int r = 0; r < charges->kind[SHORT].count; r++) {
        struct qn_points *const list = &charges->kind[SHORT].lists[r][1];
        list->point = charges->near.item + near;
        near += list->count;
    }
}

static void submit(struct charges *charges, int which)
{
    struct kind *const kind = &charges->kind[which];
    for (int r = 0; r < kind->count; r++)
        must(qn_queue_submit(kind->queue, &kind->request[r]));
}

static void drain(struct charges *charges, int which)
{
    struct kind *const kind = &charges->kind[which];
    must(qn_queue_drain(kind->queue));
    for (int r = 0; r < kind->count; r++)
        must(kind->request[r].status);
}

/* Waves are summed beside what is near; both add to the potential, one after the other. */
void charges_solve(struct charges *charges)
{
    static const int sums[] = { V, GX, GX + 1, GX + 2, EVEN, ODD };
    fill_buckets(charges);
    make_requests(charges);
    for (int k = 0; k < 3; k++)
        must(qn_field_write(charges->field[PX + k], 0, charges->at[k]));
    must(qn_field_write(charges->field[Q], 0, charges->charge));
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        must(qn_field_fill(charges->field[sums[i]], 0));
    submit(charges, DENSITY);
    submit(charges, SHORT);
    drain(charges, DENSITY);
    drain(charges, SHORT);
    submit(charges, LONG);
    drain(charges, LONG);
    must(qn_field_read(charges->field[V], 0, charges->potential));
    for (int k = 0; k < 3; k++)
        must(qn_field_read(charges->field[GX + k], 0, charges->slope[k]));
}

/* --- waves ---------------------------------------------------------------- */

/* Wave number i of all within the cube; false: another stands for it, or it is too short.
 * Those are kept whose first number from the back is positive, and 0. */
static int is_wave(const struct charges *charges, int most, int i, int *k)
{
    const int n = 2 * most + 1;
    const double longest = charges->alpha * depth * charges->side / pi;
    const int numbers[3] = { i % n - most, i / n % n - most, i / n / n - most };
    int square = 0, sign = 1;
    for (int a = 0; a < 3; a++) {
        k[a] = numbers[a];
        square += k[a] * k[a];
        sign = k[a] != 0 ? k[a] : sign;
    }
    return sign > 0 && square <= longest * longest;
}

static int most_number(const struct charges *charges)
{
    return (int)(charges->alpha * depth * charges->side / pi);
}

static int count_waves(const struct charges *charges)
{
    const int most = most_number(charges), n = 2 * most + 1;
    int count = 0, k[3];
    for (int i = 0; i < n * n * n; i++)
        count += is_wave(charges, most, i, k);
    return count;
}

static void write_waves(struct charges *charges)
{
    const int most = most_number(charges), n = 2 * most + 1;
    const double volume = pow(charges->side, 3), square_alpha = pow(charges->alpha, 2);
    double *value[4];
    int count = 0, k[3];
    for (int a = 0; a < 4; a++)
        value[a] = room((size_t)charges->waves, sizeof *value[a]);
    for (int i = 0; i < n * n * n; i++) {
        double square = 0;
        if (!is_wave(charges, most, i, k))
            continue;
        for (int a = 0; a < 3; a++) {
            value[a][count] = 2 * pi / charges->side * k[a];
            square += value[a][count] * value[a][count];
        }
        value[3][count++] =
            square > 0 ? 8 * pi / volume * exp(-square / (4 * square_alpha)) / square
                       : -pi / (volume * square_alpha);
    }
    for (int a = 0; a < 4; a++) {
        must(qn_field_write(charges->field[KX + a], 0, value[a]));
        free(value[a]);
    }
}

/* --- made and freed ------------------------------------------------------- */

static void open_module(struct charges *charges, const char *context, const char *runtime,
                        const char *module)
{
    const int64_t extents[QUERN_MAX_AXES] = { charges->count, charges->waves };
    must(qn_context_open(context, &charges->context));
    if (runtime)
        must(qn_context_runtime(charges->context, runtime));
    must(qn_module_load(charges->context, module, &charges->module));
    must(qn_module_resize(charges->module, extents));
    must(qn_module_set(charges->module, "alpha", charges->alpha));
    for (int f = 0; f < FIELDS; f++)
        must(qn_field_create(charges->module, fields[f], &charges->field[f]));
    write_waves(charges);
}

/* So many requests at most. */
static void open_kind(struct charges *charges, int which, size_t most)
{
    static const char *const names[] = { "density", "short", "long" };
    static const char *const lists[][2] = { { "waves", "bucket" }, { "bucket", "near" },
                                            { "bucket", "waves" } };
    static const char *const scalars[] = { "shift_x", "shift_y", "shift_z" };
    struct kind *const kind = &charges->kind[which];
    const struct qn_server_settings settings = {
        .request = names[which], .list_count = 2, .lists = lists[which],
        .scalar_count = which == SHORT ? 3 : 0, .scalars = scalars
    };
    must(qn_server_create(charges->module, &settings, &kind->server));
    const struct qn_launcher launcher = qn_server_launcher(kind->server);
    must(qn_queue_create(&(struct qn_queue_settings){ .capacity = most }, &launcher, &kind->queue));
    kind->lists = room(most, sizeof *kind->lists);
    kind->shift = room(most, sizeof *kind->shift);
    kind->work = room(most, sizeof *kind->work);
    kind->request = room(most, sizeof *kind->request);
}

static void make_room(struct charges *charges)
{
    const size_t count = (size_t)charges->count, cells = (size_t)charges->cells;
    for (int k = 0; k < 3; k++) {
        charges->at[k] = room(count, sizeof(double));
        charges->slope[k] = room(count, sizeof(double));
    }
    charges->charge = room(count, sizeof(double));
    charges->potential = room(count, sizeof(double));
    charges->bucket = room(count, sizeof *charges->bucket);
    charges->first = room(cells * cells * cells + 1, sizeof *charges->first);
    charges->all_waves = room((size_t)charges->waves, sizeof *charges->all_waves);
    for (int k = 0; k < charges->waves; k++)
        charges->all_waves[k] = k;
}

void charges_open(struct charges *charges, const char *context, const char *runtime,
                  const char *module, double side, int count, double alpha)
{
    *charges = (struct charges){ .side = side, .count = count, .alpha = alpha };
    if (alpha <= 0)             /* as many charges in the sphere of reach as waves in theirs */
        charges->alpha = pow(2 * pi * pi * pi * count, 1.0 / 6) / side;
    charges->reach = depth / charges->alpha;
    charges->waves = count_waves(charges);
    charges->cells = count > BUCKET ? (int)cbrt(count / BUCKET) : 1;
    make_room(charges);
    open_module(charges, context, runtime, module);
    const size_t cells = (size_t)(charges->cells * charges->cells * charges->cells);
    const size_t images = (size_t)(2 * images_of(charges) + 1);
    for (int k = 0; k < REQUESTS; k++)
        open_kind(charges, k, k == SHORT ? cells * images * images * images
                                         : (size_t)(count / SLICE + 1));
}

static void close_kind(struct kind *kind)
{
    qn_queue_destroy(kind->queue);
    qn_server_free(kind->server);
    free(kind->lists);
    free(kind->shift);
    free(kind->work);
    free(kind->request);
}

void charges_close(struct charges *charges)
{
    for (int k = 0; k < REQUESTS; k++)
        close_kind(&charges->kind[k]);
    qn_module_unload(charges->module);
    qn_context_close(charges->context);
    for (int k = 0; k < 3; k++) {
        free(charges->at[k]);
        free(charges->slope[k]);
    }
    free(charges->charge);
    free(charges->potential);
    free(charges->bucket);
    free(charges->first);
    free(charges->all_waves);
    free(charges->near.item);
}

void charges_report(const struct charges *charges)
{
    static const char *const names[] = { "waves", "what is near", "potentials of waves" };
    for (int k = 0; k < REQUESTS; k++) {
        struct qn_queue_stats stats;
        char text[4096];
        qn_queue_get_stats(charges->kind[k].queue, &stats);
        qn_queue_report(&stats, text, sizeof text);
        printf("\n%s\n%s", names[k], text);
        qn_server_report(charges->kind[k].server, text, sizeof text);
        printf("%s", text);
    }
}
