/* What a generated check refuses, one fault a line: compiled against the
 * header of wave_r2 (tests/golden/lowered.lua) and its kernel. Nothing is
 * dereferenced, so that grids may be larger than memory. */
#include "wave_r2.h"

#include <inttypes.h>
#include <stdio.h>

#ifndef KERNEL
#define KERNEL(verb) wave_r2_step_blocked_512x16x16_##verb
#endif

/* A grid of n^3 with a halo of 2: u_prev, u and vp2dt2 one after the other. */
static struct wave_r2_args cube(int64_t n)
{
    struct wave_r2_args a = { 0 };
    const int64_t row = n + 4, volume = row * row * row;
    const int64_t first = 2 + 2 * row + 2 * row * row;
    a.struct_size = sizeof a;
    for (int axis = 0; axis < 3; axis++) {
        a.n[axis] = a.upper[axis] = n;
        a.u_halo[axis] = a.vp2dt2_halo[axis] = 2;
    }
    a.u_stride[0] = a.vp2dt2_stride[0] = 1;
    a.u_stride[1] = a.vp2dt2_stride[1] = row;
    a.u_stride[2] = a.vp2dt2_stride[2] = row * row;
    a.u_prev = (float *)((uintptr_t)4096 + (uintptr_t)(4 * first));
    a.u = (float *)((uintptr_t)a.u_prev + (uintptr_t)(4 * volume));
    a.vp2dt2 = (float *)((uintptr_t)a.u + (uintptr_t)(4 * volume));
    a.hx = a.hy = a.hz = 1;
    return a;
}

static void show(const char *name, const struct wave_r2_args *a)
{
    char why[200] = "";
    const int refused = KERNEL(check)(a, why, sizeof why);
    printf("%s: %s\n", name, refused ? why : "ok");
}

#define FAULT(name, n, change) do { \
        struct wave_r2_args a = cube(n); \
        change; \
        show(name, &a); \
    } while (0)

int main(void)
{
    FAULT("good", 10, );
    FAULT("struct_size", 10, a.struct_size = 8);
    FAULT("extent", 10, a.n[1] = -1);
    FAULT("range below", 10, a.lower[0] = -1);
    FAULT("range beyond", 10, a.upper[2] = 11);
    FAULT("range crossed", 10, (a.lower[1] = 5, a.upper[1] = 4));
    FAULT("empty range", 10, (a.lower[1] = a.upper[1] = 4, a.u = NULL));
    FAULT("no points", 10, (a.n[0] = a.upper[0] = 0, a.u = NULL));
    FAULT("null", 10, a.u = NULL);
    FAULT("alignment", 10, a.vp2dt2 = (float *)((uintptr_t)a.vp2dt2 + 2));
    FAULT("stride 0", 10, a.u_stride[0] = 2);
    FAULT("rows overlap", 10, a.u_stride[1] = 13);
    FAULT("planes overlap", 10, a.u_stride[2] = 14 * 14 - 1);
    FAULT("halo", 10, a.u_halo[2] = 1);
    FAULT("halo negative", 10, a.u_halo[2] = -1);
    FAULT("narrow halo, inner range", 10, (a.u_halo[2] = 1, a.lower[2] = 1, a.upper[2] = 9));
    FAULT("same array", 10, a.u = a.u_prev);
    FAULT("last row overlaps", 10, a.u = (float *)((uintptr_t)a.u - 4));
    FAULT("inputs may be shared", 10, a.vp2dt2 = a.u);
    FAULT("1295 cubed", 1295, );
    FAULT("beyond 64 bits", 10, (a.n[2] = a.upper[2] = INT64_C(1) << 40,
                                 a.u_stride[2] = INT64_C(1) << 30));
    FAULT("extent beyond all", 10, a.n[0] = INT64_MAX);
    struct wave_r2_args a = cube(1295);
    printf("points: %" PRId64 "\n", KERNEL(points)(&a));
    printf("null arguments: %d\n", KERNEL(check)(NULL, NULL, 0));
    a.u = NULL;
    printf("launch refuses: %d\n", KERNEL(launch)(&a, NULL) != 0);
    return 0;
}
