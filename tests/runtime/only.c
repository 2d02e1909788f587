/* A field stored in a shell only, through the library: when it can be created, what it stores,
 * and that points and boxes mean points of the domain. Prints what is wrong.
 *   only MODULE      where x < width or x >= n - width, in float: k: psi = psi/2 + u;
 *                    round: t = psi + 2 u, r = u, then d = t - r, then psi = d; t and r are
 *                    temporaries that interleave, d is dropped; u has a halo along y */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quern.h"

enum { NX = 10, NY = 8, WIDTH = 3, STORED = 2 * WIDTH };

static struct qn_context *context;
static struct qn_module *module;
static struct qn_kernel *kernel;
static struct qn_field *u, *psi;

static void must(enum qn_status status)
{
    if (status == QN_OK)
        return;
    printf("%s: %s\n", qn_status_name(status), qn_last_error());
    exit(1);
}

static void expect(int good, const char *what)
{
    if (!good)
        printf("wrong: %s\n", what);
}

static void refused(enum qn_status status, const char *sentence)
{
    if (status != QN_INVALID || strcmp(qn_last_error(), sentence) != 0)
        printf("said %s '%s', wanted '%s'\n", qn_status_name(status), qn_last_error(), sentence);
}

/* Makes psi anew for a width, and gives how many points it stores along x. */
static int64_t remake(int64_t width)
{
    int64_t n[2] = { -1, -1 };
    qn_field_free(psi);
    must(qn_module_set(module, "width", (double)width));
    must(qn_field_create(module, "psi", &psi));
    qn_field_extent(psi, n);
    expect(n[1] == NY, "all points along y are stored");
    return n[0];
}

static void test_creation(void)
{
    refused(qn_field_create(module, "psi", &psi), "how many points 'psi' stores depends on scalar"
            " 'width', which has no value yet");
    expect(remake(0) == 0, "no slabs");
    must(qn_field_read(psi, 0, NULL));
    must(qn_kernel_launch(kernel));
    expect(remake(NX / 2) == NX, "slabs that meet");
    expect(remake(NX / 2 + 1) == NX, "slabs that overlap");
    expect(remake(4 * NX) == NX, "slabs larger than the domain");
    must(qn_kernel_launch(kernel));
    expect(remake(1) == 2, "slabs of one point");
    expect(remake(WIDTH) == STORED, "slabs");
}

/* Where a point of the domain lies in a dense array of what is stored. */
static int place(int64_t x, int64_t y)
{
    return (int)(x < WIDTH ? x : x - (NX - STORED)) + STORED * (int)y;
}

static void test_boxes(void)
{
    float values[STORED * NY], got[STORED * NY], part[WIDTH * 2];
    for (int i = 0; i < STORED * NY; i++)
        values[i] = (float)i;
    must(qn_field_write(psi, 0, values));
    must(qn_field_read(psi, 0, got));
    expect(memcmp(values, got, sizeof values) == 0, "what is written is read");
    for (int64_t x = 0; x < NX; x += NX - WIDTH) {
        must(qn_field_read_box(psi, 0, (int64_t[]){ x, 1 }, (int64_t[]){ x + WIDTH, 3 }, part));
        for (int i = 0; i < 2 * WIDTH; i++)
            expect(part[i] == values[place(x + i % WIDTH, 1 + i / WIDTH)], "a box of one slab");
    }
    part[0] = 100;
    must(qn_field_write_box(psi, 0, (int64_t[]){ NX - 1, 2 }, (int64_t[]){ NX, 3 }, part));
    must(qn_field_read(psi, 0, got));
    expect(got[STORED - 1 + 2 * STORED] == 100, "the last point of the high slab");
    must(qn_field_read_box(psi, 0, (int64_t[]){ 5, 0 }, (int64_t[]){ 5, 0 }, NULL));
    refused(qn_field_read_box(psi, 0, (int64_t[]){ 2, 0 }, (int64_t[]){ 8, 4 }, got), "'psi' does"
            " not store the points 3 to 7 along its axis 0: the range 2 to 8 has some");
    refused(qn_field_read_box(psi, 0, (int64_t[]){ 8, 0 }, (int64_t[]){ 11, 4 }, got),
            "'psi' stores the points 0 to 10 along its axis 0, not the range 8 to 11");
}

static void test_points(void)
{
    const int64_t points[] = { 0, 0, 2, 3, 7, 0, 9, 3 }, inside[] = { 0, 0, 6, 1 };
    const double more[] = { 0.5, 0.25, 0.125, 0.0625 };
    double got[4];
    must(qn_field_fill(psi, 1));
    must(qn_field_inject(psi, 0, 4, points, more));
    must(qn_field_sample(psi, 0, 4, points, got));
    for (int i = 0; i < 4; i++)
        expect(got[i] == 1 + more[i], "what is added is found");
    refused(qn_field_sample(psi, 0, 2, inside, got),
            "point 1 of the list has x = 6; 'psi' does not store 3 to 6");
    refused(qn_field_sample(psi, 0, 1, (int64_t[]){ 10, 0 }, got),
            "point 0 of the list has x = 10; 'psi' has 0 to 9");
}

/* A halo that nobody reads is there because it is asked for. */
static void test_halo(void)
{
    const float value = 0.5f;
    int64_t halo[2] = { -1, -1 };
    float got = 0;
    qn_field_halo(u, halo);
    expect(halo[0] == 0 && halo[1] == 2, "the halo is as asked for");
    must(qn_field_write_box(u, 0, (int64_t[]){ 3, -2 }, (int64_t[]){ 4, -1 }, &value));
    must(qn_field_read_box(u, 0, (int64_t[]){ 3, -2 }, (int64_t[]){ 4, -1 }, &got));
    expect(got == value, "a point of the halo");
}

static void launch(const char *name)
{
    struct qn_kernel *found;
    must(qn_module_kernel(module, name, &found));
    must(qn_kernel_launch(found));
}

static void test_launch(void)
{
    float values[NX * NY], got[STORED * NY];
    for (int i = 0; i < NX * NY; i++)
        values[i] = (float)i;
    must(qn_field_write(u, 0, values));
    must(qn_field_fill(psi, 8));
    must(qn_kernel_launch(kernel));
    must(qn_field_read(psi, 0, got));
    for (int i = 0; i < NX * NY; i++)
        if (i % NX < WIDTH || i % NX >= NX - WIDTH)
            expect(got[place(i % NX, i / NX)] == 4 + values[i], "a launch updates both slabs");
    must(qn_field_fill(psi, 8));
    launch("there");            /* what is handed on: in the workspace */
    launch("back");
    launch("home");
    must(qn_field_read(psi, 0, got));
    for (int i = 0; i < NX * NY; i++)
        if (i % NX < WIDTH || i % NX >= NX - WIDTH)
            expect(got[place(i % NX, i / NX)] == 8 + values[i], "both slabs are handed on");
    must(qn_module_set(module, "width", 2));
    refused(qn_kernel_launch(kernel), "'psi' was created without the points 3 to 7 along x, its"
            " scalars now say 2 to 8: create it anew");
    expect(remake(2) == 4, "other slabs");
    must(qn_kernel_launch(kernel));
}

int main(int count, char **words)
{
    must(qn_context_open("cpu", &context));
    must(qn_module_load(context, count > 1 ? words[1] : "", &module));
    must(qn_module_resize(module, (int64_t[]){ NX, NY }));
    must(qn_field_create(module, "u", &u));
    must(qn_module_kernel(module, "k", &kernel));
    test_creation();
    test_boxes();
    test_points();
    test_halo();
    test_launch();
    qn_module_unload(module);
    qn_context_close(context);
    return 0;
}
