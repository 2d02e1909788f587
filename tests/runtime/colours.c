/* Sweeps of specs/gauss_seidel.lua beside the same loops written by hand, one
 * point after the other:
 *
 *     colours CONTEXT MODULE same KERNEL RING NX NY NZ   points that differ in any bit
 *     colours CONTEXT MODULE rate N                      how the error falls, and what is left
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quern.h"

static int64_t n[3];
static int ring;                /* 1: all axes are rings, 0: u is 0 beyond the faces */

static void need(enum qn_status status)
{
    if (status == QN_OK)
        return;
    fprintf(stderr, "%s: %s\n", qn_status_name(status), qn_last_error());
    exit(2);
}

static int64_t points(void)
{
    return n[0] * n[1] * n[2];
}

static double *drawn(uint64_t seed)
{
    double *const values = malloc((size_t)points() * sizeof *values);
    for (int64_t i = 0; i < points(); i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        values[i] = (double)(seed >> 11) * 0x1p-52 - 1;
    }
    return values;
}

static double at(const double *u, int64_t x, int64_t y, int64_t z)
{
    int64_t p[3] = { x, y, z };
    for (int axis = 0; axis < 3; axis++) {
        if (ring)
            p[axis] = (p[axis] + n[axis]) % n[axis];
        else if (p[axis] < 0 || p[axis] >= n[axis])
            return 0;
    }
    return u[p[0] + n[0] * (p[1] + n[1] * p[2])];
}

/* A neighbour and the one opposite. */
static double pair(const double *u, int64_t x, int64_t y, int64_t z, const int *by)
{
    return at(u, x + by[0], y + by[1], z + by[2]) + at(u, x - by[0], y - by[1], z - by[2]);
}

static const int BY[13][3] = {
    { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 },
    { 1, 1, 0 }, { 1, -1, 0 }, { 1, 0, 1 }, { 1, 0, -1 }, { 0, 1, 1 }, { 0, 1, -1 },
    { 1, 1, 1 }, { 1, 1, -1 }, { 1, -1, 1 }, { 1, -1, -1 },
};

static double sum(const double *u, int64_t x, int64_t y, int64_t z, int pairs)
{
    double all = pair(u, x, y, z, BY[0]);
    for (int i = 1; i < pairs; i++)
        all = all + pair(u, x, y, z, BY[i]);
    return all;
}

static void sweep_7(double *u, const double *f, double h)
{
    for (int colour = 0; colour < 2; colour++)
        for (int64_t z = 0; z < n[2]; z++)
            for (int64_t y = 0; y < n[1]; y++)
                for (int64_t x = 0; x < n[0]; x++) {
                    const int64_t i = x + n[0] * (y + n[1] * z);
                    if ((x + y + z) % 2 == colour)
                        u[i] = (sum(u, x, y, z, 3) + h * h * f[i]) / 6;
                }
}

static void sweep_27(double *u, const double *f)
{
    for (int colour = 0; colour < 8; colour++)
        for (int64_t z = colour / 4; z < n[2]; z += 2)
            for (int64_t y = colour / 2 % 2; y < n[1]; y += 2)
                for (int64_t x = colour % 2; x < n[0]; x += 2) {
                    const int64_t i = x + n[0] * (y + n[1] * z);
                    u[i] = (sum(u, x, y, z, 13) + f[i]) / 26;
                }
}

static struct qn_field *u_field, *f_field;

static struct qn_module *open(const char *context_name, const char *path, double h)
{
    struct qn_context *context;
    struct qn_module *module;
    need(qn_context_open(context_name, &context));
    need(qn_module_load(context, path, &module));
    need(qn_module_resize(module, n));
    need(qn_field_create(module, "u", &u_field));
    need(qn_field_create(module, "f", &f_field));
    need(qn_module_set(module, "h", h));
    return module;
}

static struct qn_kernel *kernel_of(struct qn_module *module, const char *name)
{
    struct qn_kernel *kernel;
    need(qn_module_kernel(module, name, &kernel));
    return kernel;
}

static int prove_same(const char *context, const char *path, char **words)
{
    const double h = 0.7;
    ring = atoi(words[1]);
    for (int axis = 0; axis < 3; axis++)
        n[axis] = atoll(words[2 + axis]);
    struct qn_module *const module = open(context, path, h);
    double *const u = drawn(1), *const f = drawn(2), *const got = drawn(3);
    need(qn_field_write(u_field, 0, u));
    need(qn_field_write(f_field, 0, f));
    for (int sweep = 0; sweep < 3; sweep++) {
        need(qn_kernel_launch(kernel_of(module, words[0])));
        if (strcmp(words[0], "red_black") == 0)
            sweep_7(u, f, h);
        else
            sweep_27(u, f);
    }
    need(qn_field_read(u_field, 0, got));
    int64_t differ = 0;
    for (int64_t i = 0; i < points(); i++)
        differ += memcmp(&u[i], &got[i], sizeof *u) != 0;
    printf("%lld\n", (long long)differ);
    return 0;
}

static double distance(const double *a, const double *b)
{
    double all = 0;
    for (int64_t i = 0; i < points(); i++)
        all += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(all / (double)points());
}

static int prove_rate(const char *context, const char *path, char **words)
{
    n[0] = n[1] = n[2] = atoll(words[0]);
    const double h = 1.0 / (double)(n[0] + 1);
    struct qn_module *const module = open(context, path, h);
    double *const wanted = drawn(1), *const f = drawn(2), *const u = drawn(3);
    for (int64_t i = 0; i < points(); i++) {
        const int64_t x = i % n[0], y = i / n[0] % n[1], z = i / n[0] / n[1];
        f[i] = (6 * wanted[i] - sum(wanted, x, y, z, 3)) / (h * h);
    }
    need(qn_field_write(u_field, 0, u));
    need(qn_field_write(f_field, 0, f));
    double before = 0, after = 0;
    for (int sweep = 1; sweep <= 500; sweep++) {
        need(qn_kernel_launch(kernel_of(module, "red_black")));
        need(qn_field_read(u_field, 0, u));
        if (sweep == 10 * n[0])         /* other modes are gone, rounding is not there yet */
            before = distance(u, wanted);
        if (sweep == 10 * n[0] + 1)
            after = distance(u, wanted);
    }
    printf("%.17g %.17g\n", after / before, distance(u, wanted));
    return 0;
}

int main(int count, char **words)
{
    if (count == 9 && strcmp(words[3], "same") == 0)
        return prove_same(words[1], words[2], words + 4);
    if (count == 5 && strcmp(words[3], "rate") == 0)
        return prove_rate(words[1], words[2], words + 4);
    fprintf(stderr, "colours: CONTEXT MODULE same|rate ..\n");
    return 2;
}
