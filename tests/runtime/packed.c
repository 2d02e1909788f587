/* Fields that interleave, through the library: each is its own, whatever the others do, in
 * whatever order they are made and freed. packed CONTEXT MODULE: says what is wrong. */
#include "quern.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NX = 19, NY = 6, POINTS = NX * NY };

static struct qn_context *context;
static struct qn_module *module;
static int faults;

static void must(enum qn_status status)
{
    if (status == QN_OK)
        return;
    fprintf(stderr, "packed: %s\n", qn_last_error());
    exit(2);
}

static void expect(int right, const char *what)
{
    if (!right)
        printf("%s\n", what);
    faults += !right;
}

static struct qn_field *made(const char *name)
{
    struct qn_field *field;
    must(qn_field_create(module, name, &field));
    return field;
}

/* The value that a field has at a point, its own for each field. */
static float value_at(int own, int point)
{
    return (float)own / 8 + (float)point / 1024;
}

static void write_all(struct qn_field *field, int own)
{
    float values[POINTS];
    for (int i = 0; i < POINTS; i++)
        values[i] = value_at(own, i);
    must(qn_field_write(field, 0, values));
}

static int has_all(struct qn_field *field, int own)
{
    float values[POINTS];
    int well = 1;
    must(qn_field_read(field, 0, values));
    for (int i = 0; i < POINTS; i++)
        well = well && values[i] == value_at(own, i);
    return well;
}

static int is_filled(struct qn_field *field, int level, float value)
{
    float values[POINTS];
    int well = 1;
    must(qn_field_read(field, level, values));
    for (int i = 0; i < POINTS; i++)
        well = well && values[i] == value;
    return well;
}

static void test_boxes(struct qn_field *u, struct qn_field *v)
{
    const int64_t low[] = { 2, 1 }, high[] = { 5, 3 }, corner[] = { -1, -1 }, one[] = { 0, 0 };
    const int64_t point[] = { 3, 2 };
    const double added = 0.5;
    float box[6], outside = 0;
    double read;
    must(qn_field_read_box(v, 0, low, high, box));
    expect(box[0] == value_at(2, NX + 2) && box[5] == value_at(2, 2 * NX + 4), "a box is another");
    for (int i = 0; i < 6; i++)
        box[i] = (float)-i;
    must(qn_field_write_box(v, 0, low, high, box));
    must(qn_field_sample(v, 0, 1, point, &read));
    expect(read == -4, "a point of a box that was written is another");
    must(qn_field_inject(v, 0, 1, point, &added));
    must(qn_field_sample(v, 0, 1, point, &read));
    expect(read == -3.5, "what was added at a point is not there");
    must(qn_field_extend(v, 0));
    must(qn_field_read_box(v, 0, corner, one, &outside));
    expect(outside == value_at(2, 0), "the halo is not the nearest point");
    expect(has_all(u, 1), "u changed with v");
}

/* Everything constant: a step changes u and v by what reacts, w by what is carried. */
static void test_step(struct qn_field *u, struct qn_field *v, struct qn_field *w,
                      struct qn_field *a, struct qn_field *b)
{
    const float dt = 0.03125f;
    struct qn_field *const all[] = { u, v, w, a, b };
    const double start[] = { 0.5, 0.25, 0.125, 1, 0.5 };
    for (int f = 0; f < 5; f++)
        must(qn_field_fill(all[f], start[f]));
    must(qn_module_set(module, "dt", dt));
    must(qn_module_set(module, "hx", 1));
    must(qn_module_set(module, "hy", 1));
    must(qn_module_step(module));
    expect(is_filled(u, 0, 0.5f - dt * 0.03125f), "a step does not make u");
    expect(is_filled(v, 0, 0.25f + dt * 0.03125f), "a step does not make v");
    expect(is_filled(w, 0, 0.125f + dt * 0.0625f), "a step does not make w");
    expect(is_filled(b, 0, 1.25f), "a step does not make b");
    expect(is_filled(a, 0, 1), "a step changes a");
    expect(is_filled(u, 1, 0.5f), "the level before is not kept");
}

int main(int count, char **words)
{
    const int64_t n[] = { NX, NY };
    if (count != 3)
        return 2;
    must(qn_context_open(words[1], &context));
    must(qn_module_load(context, words[2], &module));
    must(qn_module_resize(module, n));
    struct qn_field *w = made("w"), *u = made("u"), *v = made("v"), *b = made("b"), *a = made("a");
    write_all(w, 3), write_all(u, 1), write_all(v, 2);
    expect(has_all(u, 1) && has_all(v, 2) && has_all(w, 3), "what is written is not what is read");
    must(qn_field_fill(w, 7));
    expect(is_filled(w, 0, 7) && has_all(u, 1) && has_all(v, 2), "filling one changes another");
    test_boxes(u, v);
    test_step(u, v, w, a, b);
    qn_field_free(u);               /* made anew after a step: the levels are the others' */
    u = made("u");
    expect(is_filled(u, 0, 0) && is_filled(v, 0, 0.25f + 0.03125f * 0.03125f),
           "a field that is made anew changes another");
    must(qn_field_fill(u, 0.5));
    must(qn_field_fill(v, 0.25));
    must(qn_module_step(module));
    expect(is_filled(u, 0, 0.5f - 0.03125f * 0.03125f), "a step after that does not make u");
    qn_field_free(w);
    qn_field_free(u);
    expect(is_filled(b, 0, 1.625f), "freeing one takes another away");
    must(qn_module_resize(module, n));
    v = made("v");
    expect(is_filled(v, 0, 0), "a field of new extents is not 0");
    qn_module_unload(module);
    qn_context_close(context);
    printf("%d faults\n", faults);
    return faults != 0;
}
