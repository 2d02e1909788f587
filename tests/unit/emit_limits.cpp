/* What the checks of all CUDA shapes refuse before a launch, one line for each kernel and fault:
 * compiled against the header of wave_r2 (tests/golden/lowered.lua), for a device that has
 * little shared memory. No array is there, so grids may be larger than any memory: a launch that
 * was let through would crash. */
#include "wave_r2.h"

#include <cstdio>
#include <cstring>

namespace {

typedef wave_r2_args args;

/* A grid of these extents with a halo of 8 and rows of whole sectors. */
args grid(int64_t x, int64_t y, int64_t z)
{
    args a = {};
    a.struct_size = sizeof a;
    const int64_t n[3] = { x, y, z };
    int64_t stride = 1;
    for (int axis = 0; axis < 3; axis++) {
        a.n[axis] = a.upper[axis] = n[axis];
        a.u_halo[axis] = a.vp2dt2_halo[axis] = 8;
        a.u_stride[axis] = a.vp2dt2_stride[axis] = stride;
        stride *= axis == 0 ? (n[0] + 16 + 7) / 8 * 8 : n[axis] + 16;
    }
    const uintptr_t first = 4096 + uintptr_t(32 * (1 + a.u_stride[1] + a.u_stride[2]));
    a.u_prev = reinterpret_cast<float *>(first);
    a.u = reinterpret_cast<float *>(first + uintptr_t(4 * stride));
    a.vp2dt2 = reinterpret_cast<float *>(first + uintptr_t(8 * stride));
    a.hx = a.hy = a.hz = 1;
    return a;
}

struct kernel {
    const char *shape;
    int (*check)(const args *, char *, size_t);
    int (*launch)(const args *, void *);
    bool dynamic;               /* does its launch ask for shared memory? */
};

void show(const kernel &k, const char *fault, const args &a)
{
    char why[200] = "";
    const int refused = k.check(&a, why, sizeof why);
    const bool agrees = refused == (k.launch(&a, nullptr) != 0);
    printf("%s, %s: %s%s\n", k.shape, fault, refused ? why : "ok",
           agrees ? "" : ", but the launch does not agree");
}

void faults(const kernel &k)
{
    show(k, "no points along x", grid(0, 5, 5));
    show(k, "no points along z", grid(5, 5, 0));
    show(k, "no points", grid(0, 0, 0));
    show(k, "long y", grid(1, INT64_C(1) << 29, 1));
    show(k, "long z", grid(1, 1, INT64_C(1) << 29));
    show(k, "long y and z", grid(1, INT64_C(1) << 26, INT64_C(1) << 25));
    show(k, "long x", grid(INT64_C(1) << 40, 1, 1));
    args a = grid(9, 9, 9);
    a.u_prev = nullptr;
    show(k, "null", a);
    a = grid(9, 9, 9);
    a.u = reinterpret_cast<float *>(reinterpret_cast<uintptr_t>(a.u) + 2);
    show(k, "odd", a);
    a.n[0] = a.upper[0] = 0;
    show(k, "odd, no points", a);
    a = grid(9, 9, 9);
    a.vp2dt2 += 1;
    if (strcmp(k.shape, "st_tma") == 0 || strcmp(k.shape, "st_reg_shft") == 0) {
        show(k, "not on 16 bytes", a);
        a = grid(9, 9, 9);
        a.u_stride[1] = 30;
        show(k, "rows of 30", a);
    }
    if (k.dynamic)
        show(k, "shared memory", grid(1295, 1295, 1295));
}

}

int main()
{
    setvbuf(stdout, nullptr, _IOLBF, 0);
    const kernel kernels[] = {
#include "kernels.h"
    };
    for (const kernel &k : kernels)
        faults(k);
    return 0;
}
