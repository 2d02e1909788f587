/* The specification column against a loop written by hand, bit for bit, and against the
 * equations that it solves.
 *
 *   column MODULE BACKEND ORDER    ORDER: xyk or kxy, fastest in memory first
 *
 * Prints the first fault and exits 1, or what was found. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quern.h"

static const double RATE = 1.25;
static int levels_first;

/* A dense array of nx, ny, nk points, in the order of the module's fields. */
struct array {
    int64_t nx, ny, nk;
    double *data;
};

static struct array new_array(int64_t nx, int64_t ny, int64_t nk)
{
    struct array made = { nx, ny, nk, calloc((size_t)(nx * ny * nk) + 1, sizeof(double)) };
    if (made.data == NULL)
        abort();
    return made;
}

static double *at(struct array a, int64_t x, int64_t y, int64_t k)
{
    return &a.data[levels_first ? k + a.nk * (x + a.nx * y) : x + a.nx * (y + a.ny * k)];
}

static void draw(struct array a, double size)
{
    static uint64_t state = 88172645463325252u;
    for (int64_t i = 0; i < a.nx * a.ny * a.nk; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        a.data[i] = size * ((double)(state >> 11) * 0x1p-52 - 1);
    }
}

/* A quarter of w at the interface below layer k, on both faces of the point. */
static double weight(struct array w, int64_t x, int64_t y, int64_t k)
{
    return (*at(w, x, y, k) + *at(w, x + 1, y, k)) / 4;
}

/* One column: Thomas's algorithm, in the order of the specification. */
static void solve(struct array u, struct array f, struct array w, int64_t x, int64_t y)
{
    const int64_t n = u.nk;
    double *const c = calloc((size_t)n, sizeof *c), *const d = calloc((size_t)n, sizeof *d);
    for (int64_t k = 0; k < n; k++) {
        const double below = weight(w, x, y, k), above = weight(w, x, y, k + 1);
        const double right = RATE * *at(u, x, y, k) + *at(f, x, y, k);
        if (k == 0) {
            const double b = RATE - above;
            c[k] = above / b;
            d[k] = right / b;
        } else if (k < n - 1) {
            const double b = RATE + below - above + below * c[k - 1];
            c[k] = above / b;
            d[k] = (right + below * d[k - 1]) / b;
        } else {
            d[k] = (right + below * d[k - 1]) / (RATE + below + below * c[k - 1]);
        }
    }
    *at(u, x, y, n - 1) = d[n - 1];
    for (int64_t k = n - 2; k >= 0; k--)
        *at(u, x, y, k) = d[k] - c[k] * *at(u, x, y, k + 1);
    free(c);
    free(d);
}

/* How well `now` satisfies the equations of every column, in the largest norm. */
static double residual(struct array old, struct array now, struct array f, struct array w)
{
    double worst = 0;
    for (int64_t y = 0; y < old.ny; y++)
        for (int64_t x = 0; x < old.nx; x++)
            for (int64_t k = 0; k < old.nk; k++) {
                const double u = *at(now, x, y, k);
                double sum = RATE * (u - *at(old, x, y, k)) - *at(f, x, y, k);
                if (k > 0)
                    sum += weight(w, x, y, k) * (u - *at(now, x, y, k - 1));
                if (k < old.nk - 1)
                    sum += weight(w, x, y, k + 1) * (*at(now, x, y, k + 1) - u);
                worst = fmax(worst, fabs(sum));
            }
    return worst;
}

static void must(enum qn_status status)
{
    if (status == QN_OK)
        return;
    printf("%s\n", qn_last_error());
    exit(1);
}

/* A field with these values from point (0, 0, 0) on, its halo included. */
static struct qn_field *put(struct qn_module *module, const char *name, struct array a)
{
    const int64_t none[3] = { 0, 0, 0 };
    const int64_t far[3] = { levels_first ? a.nk : a.nx, levels_first ? a.nx : a.ny,
                             levels_first ? a.ny : a.nk };
    struct qn_field *field;
    must(qn_field_create(module, name, &field));
    must(qn_field_write_box(field, 0, none, far, a.data));
    return field;
}

static void fail(const char *what, const int64_t *n)
{
    printf("%s at %lld x %lld x %lld\n", what, (long long)n[0], (long long)n[1],
           (long long)n[2]);
    exit(1);
}

/* One step at these extents, in columns x < end: the same bits as by hand there, nothing
 * elsewhere; the equations hold. own: temporaries have arrays, not a workspace. */
static double try(struct qn_module *module, const int64_t *n, int64_t end, int own)
{
    const int64_t none[3] = { 0, 0, 0 }, upper[3] = { end, n[1], n[2] };
    struct array u = new_array(n[0], n[1], n[2]), f = new_array(n[0], n[1], n[2]);
    struct array w = new_array(n[0] + 1, n[1], n[2] + 1);
    struct array old = new_array(n[0], n[1], n[2]), now = new_array(n[0], n[1], n[2]);
    const size_t bytes = (size_t)(n[0] * n[1] * n[2]) * sizeof(double);
    draw(u, 1), draw(f, 1), draw(w, 0.4);
    memcpy(old.data, u.data, bytes);
    must(qn_module_resize(module, n));
    must(qn_module_set(module, "rate", RATE));
    must(qn_module_restrict(module, none, upper));
    struct qn_field *const field = put(module, "u", u);
    put(module, "f", f), put(module, "w", w);
    if (own)
        put(module, "c", f), put(module, "d", f);
    must(qn_module_step(module));
    must(qn_field_read(field, 0, now.data));
    for (int64_t y = 0; y < n[1]; y++)
        for (int64_t x = 0; x < end; x++)
            solve(u, f, w, x, y);
    if (memcmp(u.data, now.data, bytes) != 0)
        fail("other bits than by hand", n);
    const double off = end == n[0] ? residual(old, now, f, w) : 0;
    if (!(off < 1e-14))
        fail("the equations do not hold", n);
    free(u.data), free(f.data), free(w.data), free(old.data), free(now.data);
    return off;
}

/* One layer has no interface between layers: refused in a sentence. */
static void try_one_layer(struct qn_module *module)
{
    const int64_t n[3] = { 5, 4, 1 };
    struct qn_field *field;
    must(qn_module_resize(module, n));
    must(qn_module_set(module, "rate", RATE));
    must(qn_field_create(module, "u", &field));
    must(qn_field_create(module, "f", &field));
    must(qn_field_create(module, "w", &field));
    if (qn_module_step(module) != QN_INVALID
        || strstr(qn_last_error(), "the extent along k is 1, this kernel needs at least 2") == NULL)
        fail(qn_last_error(), n);
}

int main(int count, char **words)
{
    static const int64_t SIZES[][3] = { { 1, 1, 2 }, { 1, 1, 7 }, { 7, 13, 17 }, { 33, 5, 3 },
                                        { 3, 33, 65 }, { 130, 3, 13 }, { 2, 1, 130 } };
    struct qn_context *context;
    struct qn_module *module;
    double worst = 0;
    if (count != 4)
        return 2;
    levels_first = strcmp(words[3], "kxy") == 0;
    must(qn_context_open(words[2], &context));
    must(qn_module_load(context, words[1], &module));
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        worst = fmax(worst, try(module, SIZES[i], SIZES[i][0], 0));
        worst = fmax(worst, try(module, SIZES[i], SIZES[i][0], 1));
        try(module, SIZES[i], SIZES[i][0] / 2, i % 2);
    }
    try_one_layer(module);
    printf("residual %.2g\n", worst);
    qn_module_unload(module);
    qn_context_close(context);
    return 0;
}
