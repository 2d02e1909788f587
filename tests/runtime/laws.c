/* Laws that kernels must obey, tried through libquern on loaded modules.
 *   laws error MODULE H     the largest relative error of laplace's kernel on
 *                           a smooth function, away from the faces, printed
 *   laws freeze MODULE      weights of zero leave a field bit for bit
 *   laws nan MODULE REF     a NaN among the scalars never validates
 *   laws empty MODULE       an empty range changes nothing */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "quern.h"

static struct qn_context *context;
static struct qn_module *module;

static void need(enum qn_status status)
{
    if (status == QN_OK)
        return;
    fprintf(stderr, "%s: %s\n", qn_status_name(status), qn_last_error());
    exit(2);
}

static void open_module(const char *path, struct qn_module **opened)
{
    if (!context)
        need(qn_context_open("cpu", &context));
    need(qn_module_load(context, path, opened));
}

static struct qn_kernel *only_kernel(void)
{
    struct qn_kernel *kernel;
    need(qn_module_kernel(module, qn_module_describe(module)->kernels[0].name,
                          &kernel));
    return kernel;
}

static struct qn_field *field_of(const char *name)
{
    struct qn_field *field;
    need(qn_field_create(module, name, &field));
    return field;
}

static int64_t points_of(const int64_t *n, int rank)
{
    int64_t points = 1;
    for (int i = 0; i < rank; i++)
        points *= n[i];
    return points;
}

/* sin(x + 0.3) on the first axis, and so on; their product's Laplace operator
 * is minus the rank times the product, and so is what any central difference
 * makes of it but for a factor that is the same everywhere. */
static double smooth(const int64_t *at, const double *h, int rank)
{
    double value = 1;
    for (int axis = 0; axis < rank; axis++)
        value *= sin((double)at[axis] * h[axis] + 0.3 * (axis + 1));
    return value;
}

static void place(int64_t point, const int64_t *n, int rank, int64_t *at)
{
    for (int axis = 0; axis < rank; axis++) {
        at[axis] = point % n[axis];
        point /= n[axis];
    }
}

static int inside(const int64_t *at, const int64_t *n, int rank, int64_t reach)
{
    for (int axis = 0; axis < rank; axis++)
        if (at[axis] < reach || at[axis] >= n[axis] - reach)
            return 0;
    return 1;
}

static void set_spacings(const double *h)
{
    const struct quern_module *const info = qn_module_describe(module);
    for (int i = 0, axis = 0; i < info->scalar_count; i++)
        if (info->scalars[i].spacing)
            need(qn_module_set(module, info->scalars[i].name, h[axis++]));
}

static int show_error(const char *path, double spacing)
{
    open_module(path, &module);
    const struct quern_module *const info = qn_module_describe(module);
    const int rank = info->axes;
    const int64_t reach = info->fields[0].need[0][0];
    const double h[3] = { spacing, 0.8 * spacing, 0.9 * spacing };
    int64_t n[3], at[3];
    for (int axis = 0; axis < rank; axis++)
        n[axis] = 2 * reach + 5 + axis;
    need(qn_module_resize(module, n));
    set_spacings(h);
    struct qn_field *const u = field_of("u"), *const lap = field_of("lap_u");
    const int64_t points = points_of(n, rank);
    double *const values = calloc((size_t)points, sizeof *values);
    for (int64_t i = 0; i < points; i++) {
        place(i, n, rank, at);
        values[i] = smooth(at, h, rank);
    }
    need(qn_field_write(u, 0, values));
    need(qn_kernel_launch(only_kernel()));
    need(qn_field_read(lap, 0, values));
    double worst = 0;
    for (int64_t i = 0; i < points; i++) {
        place(i, n, rank, at);
        const double exact = -rank * smooth(at, h, rank);
        if (inside(at, n, rank, reach) && fabs(exact) > 0.1)
            worst = fmax(worst, fabs(values[i] / exact - 1));
    }
    printf("%.17g\n", worst);
    free(values);
    return 0;
}

/* Steps u once and compares all of it; lower and upper bound the launch. */
static int unchanged(const int64_t *lower, const int64_t *upper, double weight)
{
    enum { POINTS = 9 * 7 * 5 };
    const int64_t n[3] = { 9, 7, 5 };
    float before[POINTS], after[POINTS];
    need(qn_module_resize(module, n));
    need(qn_module_restrict(module, lower, upper));
    need(qn_module_set(module, "w0", weight));
    need(qn_module_set(module, "w1", weight));
    struct qn_field *const u = field_of("u");
    for (int i = 0; i < POINTS; i++)
        before[i] = (float)sin(i) * 1e3f;
    need(qn_field_write(u, 0, before));
    need(qn_field_write(u, 1, before));
    need(qn_kernel_launch(only_kernel()));
    need(qn_field_read(u, 1, after));
    return memcmp(before, after, sizeof before) == 0;
}

static int freezes(const char *path)
{
    open_module(path, &module);
    return unchanged(NULL, NULL, 0) && !unchanged(NULL, NULL, 0.125) ? 0 : 1;
}

/* Empty along each axis, and lower beyond upper. */
static int keeps_when_empty(const char *path)
{
    open_module(path, &module);
    for (int axis = 0; axis < 3; axis++) {
        int64_t lower[3] = { 0, 0, 0 }, upper[3] = { 9, 7, 5 };
        lower[axis] = upper[axis] = 3;
        if (!unchanged(lower, upper, 0.125))
            return 1;
    }
    return 0;
}

static int refuses_nan(const char *path, const char *oracle)
{
    const int64_t n[3] = { 9, 7, 5 };
    struct qn_module *reference;
    struct qn_validation result;
    open_module(path, &module);
    open_module(oracle, &reference);
    need(qn_module_resize(module, n));
    need(qn_module_set(module, "w0", 0.5));
    need(qn_kernel_validate(only_kernel(), reference, 1, &result));
    need(qn_module_set(module, "w0", NAN));
    return qn_kernel_validate(only_kernel(), reference, 1, &result) == QN_WRONG
        ? 0 : 1;
}

int main(int count, char **words)
{
    if (count == 4 && strcmp(words[1], "error") == 0)
        return show_error(words[2], atof(words[3]));
    if (count == 3 && strcmp(words[1], "freeze") == 0)
        return freezes(words[2]);
    if (count == 3 && strcmp(words[1], "empty") == 0)
        return keeps_when_empty(words[2]);
    if (count == 4 && strcmp(words[1], "nan") == 0)
        return refuses_nan(words[2], words[3]);
    fprintf(stderr, "laws: error MODULE H | freeze MODULE | empty MODULE"
                    " | nan MODULE REFERENCE\n");
    return 2;
}
