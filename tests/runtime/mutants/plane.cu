/* The shared-plane stencil that st_reg_shft is, radius 2, right and with faults. */
#ifdef __CUDACC__
#include <cuda_runtime.h>
#else
#include "simt.h"
#endif
#include <string.h>
#include <vector>
#include "mutant.h"

enum fault {
    RIGHT, NO_FILL_BARRIER, NO_REUSE_BARRIER, RETURN_BEFORE_BARRIER, ROW_OVERRUN,
    UNWRITTEN, NO_HALO, WRONG_ROTATION, TWO_BARRIERS, ENDS_EARLY
};

constexpr int R = 2, BX = 16, BY = 8;
constexpr int NX = 21, NY = 13, NZ = 7;         /* tiles do not divide them */
constexpr int SY = NX + 2 * R, SZ = SY * (NY + 2 * R), SIZE = SZ * (NZ + 2 * R);
constexpr int ORIGIN = R * (1 + SY + SZ);

template <fault wrong>
__global__ void __launch_bounds__(BX * BY)
plane(const float *__restrict__ u, float *__restrict__ v, float w1, float w2)
{
    __shared__ float tile[BY + 2 * R][BX + 2 * R];
    const int x0 = blockIdx.x * BX, y0 = blockIdx.y * BY;
    const int i = threadIdx.x + R, j = threadIdx.y + R;
    const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    const bool inside = x < NX && y < NY;
    const int p = inside ? x + y * SY : 0;

    if (wrong == RETURN_BEFORE_BARRIER && !inside) return;
    float behind2 = u[p - 2 * SZ], behind1 = u[p - SZ], current = u[p], front1 = u[p + SZ];
    for (int z = 0; z < NZ; z++) {
        if (wrong == ENDS_EARLY && z == 3 && i == R + 5 && j == R) return;
        const float front2 = u[p + (z + 2) * SZ];
        /* the plane, halo included */
        for (int t = threadIdx.x + threadIdx.y * BX; t < (BX + 2 * R) * (BY + 2 * R); t += BX * BY) {
            const int ti = t % (BX + 2 * R), tj = t / (BX + 2 * R);
            const int gx = x0 + ti - R, gy = y0 + tj - R;
            const bool corner = (ti < R || ti >= BX + R) && (tj < R || tj >= BY + R);
            const bool missing = wrong == NO_HALO ? ti < R : wrong == UNWRITTEN ? corner : false;
            if (gx < NX + R && gy < NY + R && !missing) tile[tj][ti] = u[gx + gy * SY + z * SZ];
        }
        if (wrong == TWO_BARRIERS && i % 2 == 0) __syncthreads();
        else if (wrong != NO_FILL_BARRIER) __syncthreads();
        if (inside) {
            const int far = wrong == ROW_OVERRUN ? 3 : 2;
            const float ring1 = ((tile[j][i - 1] + tile[j][i + 1]) + (tile[j - 1][i] + tile[j + 1][i]))
                              + (behind1 + front1);
            const float ring2 = ((tile[j][i - 2] + tile[j][i + far]) + (tile[j - 2][i] + tile[j + 2][i]))
                              + (behind2 + front2);
            const float extra = wrong == UNWRITTEN ? tile[j - 2][i - 2] : 0.0f;
            v[p + z * SZ] = fmaf(w2, ring2, fmaf(w1, ring1, current)) + extra;
        }
        if (wrong != NO_REUSE_BARRIER) __syncthreads();
        behind2 = wrong == WRONG_ROTATION ? current : behind1;
        behind1 = current;
        current = front1;
        front1 = front2;
    }
}

static bool agrees(const std::vector<float> &u, const std::vector<float> &v, float w1, float w2)
{
    for (int z = 0; z < NZ; z++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++) {
                const float *c = &u[ORIGIN + x + y * SY + z * SZ];
                const float ring1 = ((c[-1] + c[1]) + (c[-SY] + c[SY])) + (c[-SZ] + c[SZ]);
                const float ring2 = ((c[-2] + c[2]) + (c[-2 * SY] + c[2 * SY]))
                                  + (c[-2 * SZ] + c[2 * SZ]);
                const float wanted = fmaf(w2, ring2, fmaf(w1, ring1, c[0]));
                if (memcmp(&wanted, &v[c - u.data()], sizeof wanted) != 0) return false;
            }
    return true;
}

template <fault wrong>
static int run()
{
    std::vector<float> u(SIZE), v(SIZE, -1.0f);
    for (int k = 0; k < SIZE; k++) u[k] = float(k * 7919 % 1009) / 1009.0f;
    float *du, *dv, w1 = 0.25f, w2 = -0.125f;
    cudaMalloc(&du, SIZE * sizeof(float));
    cudaMalloc(&dv, SIZE * sizeof(float));
    cudaMemcpy(du, u.data(), SIZE * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dv, v.data(), SIZE * sizeof(float), cudaMemcpyHostToDevice);
    const float *in = du + ORIGIN;
    float *out = dv + ORIGIN;
    void *args[] = {&in, &out, &w1, &w2};
    const dim3 grid((NX + BX - 1) / BX, (NY + BY - 1) / BY), block(BX, BY);
    const cudaError_t error = cudaLaunchKernel(plane<wrong>, grid, block, args, 0, nullptr);
    cudaMemcpy(v.data(), dv, SIZE * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(du);
    cudaFree(dv);
    if (error != cudaSuccess) return error;
    return agrees(u, v, w1, w2) ? 0 : MUTANT_WRONG;
}

#define ORDER "depends on the order of the threads"
#define FILL "depends on shared memory that no thread has written"

extern "C" const mutant mutants[] = {
    {"the right kernel", run<RIGHT>, 0, ""},
    {"no barrier after the fill", run<NO_FILL_BARRIER>, 719, ORDER},
    {"no barrier before the plane is used again", run<NO_REUSE_BARRIER>, 719, ORDER},
    {"a return before a barrier", run<RETURN_BEFORE_BARRIER>, 719, "others wait at the barrier"},
    {"a row overrun inside the tile", run<ROW_OVERRUN>, 700, "index 20 in an array of type 'float [20]'"},
    {"shared memory that nobody wrote", run<UNWRITTEN>, 719, FILL},
    {"a halo that is not loaded", run<NO_HALO>, 719, FILL},
    {"a window rotated wrongly", run<WRONG_ROTATION>, MUTANT_WRONG, ""},
    {"half a block at another barrier", run<TWO_BARRIERS>, 719, "others wait at the one in line"},
    {"a thread that ends while others go on", run<ENDS_EARLY>, 719, "the barrier in line"},
    {nullptr, nullptr, 0, nullptr},
};
