/* Planes whose points the threads copy ahead themselves, in groups, as st_smem does with stages,
 * right and with faults. */
#include "simt.h"
#include <string.h>
#include <vector>
#include "mutant.h"

enum fault {
    RIGHT, NO_WAIT, ONE_TOO_FEW, NO_CLOSE, NO_BARRIER, NO_SPARE, WAIT_BEHIND_BARRIER, NOT_WAITED_FOR, NOT_ALIGNED,
    BEYOND_SHARED, BEYOND_ARRAY, READ_FOR_NOTHING
};

constexpr int BX = 8, BY = 4, AHEAD = 2, SLOTS = AHEAD + 1;
constexpr int NX = 13, NY = 7, NZ = 6;          /* tiles do not divide them */
constexpr int SY = NX + 2, SZ = SY * (NY + 2), SIZE = SZ * NZ, ORIGIN = 1 + SY;

typedef float plane[BY + 2][BX + 2];
struct planes { plane u[SLOTS]; };

template <fault wrong>
static __device__ void share(plane &to, const float *from, int wide, int high)
{
    for (int row = threadIdx.y; row < BY + 2; row += BY)
        for (int col = threadIdx.x; col < BX + 2; col += BX)
            if (row < high && col < wide)
                quern_fetch(wrong == BEYOND_SHARED ? &to[0][0] + sizeof(planes) : &to[row][col],
                            from + row * SY + col);
}

template <fault wrong>
__global__ void __launch_bounds__(BX * BY)
steps(const float *__restrict__ u, float *__restrict__ v)
{
    planes &s = *dynamic_shared<planes>();
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * BX, y = blockIdx.y * BY;
    const int wide = min(BX + 2, NX + 2 - x), high = min(BY + 2, NY + 2 - y);
    const float *corner = u + x + y * SY;
    const int ahead = wrong == NO_SPARE ? AHEAD + 1 : AHEAD;
    const int last = wrong == BEYOND_ARRAY || wrong == NOT_WAITED_FOR ? NZ + 1 : NZ;
    for (int z = 0; z < ahead; z++) {
        share<wrong>(s.u[z % SLOTS], corner + z * SZ, wide, high);
        if (wrong != NO_CLOSE) quern_fetch_close();
    }
    for (int z = 0; z < NZ; z++) {
        const plane &p = s.u[z % SLOTS];
        if (wrong == ONE_TOO_FEW) quern_fetch_wait<AHEAD>();
        else if (wrong != NO_WAIT && wrong != WAIT_BEHIND_BARRIER) quern_fetch_wait<AHEAD - 1>();
        if (wrong != NO_BARRIER) __syncthreads();
        if (wrong == WAIT_BEHIND_BARRIER) quern_fetch_wait<AHEAD - 1>();
        if (z + ahead < last)
            share<wrong>(s.u[(z + ahead) % SLOTS],
                         corner + (z + ahead - (wrong == NOT_WAITED_FOR)) * SZ, wide, high);
        quern_fetch_close();
        if (wrong == READ_FOR_NOTHING && z + ahead < NZ)
            *const_cast<volatile float *>(&s.u[(z + ahead) % SLOTS][ty][tx]);
        if (x + tx < NX && y + ty < NY)
            v[x + tx + (y + ty) * SY + z * SZ] = (p[ty + 1][tx] + p[ty + 1][tx + 2])
                                               + (p[ty][tx + 1] + p[ty + 2][tx + 1]);
    }
    if (wrong == NO_WAIT || wrong == ONE_TOO_FEW) quern_fetch_wait<0>();
}

/* A pair of floats to a place that is not one for pairs. */
__global__ void pairs(const float2 *u)
{
    float *s = dynamic_shared<float>();
    quern_fetch(reinterpret_cast<float2 *>(s + 1), u);
    quern_fetch_close();
    quern_fetch_wait<0>();
}

static bool agrees(const std::vector<float> &u, const std::vector<float> &v)
{
    for (int z = 0; z < NZ; z++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++) {
                const float *c = &u[ORIGIN + x + y * SY + z * SZ];
                const float wanted = (c[-1] + c[1]) + (c[-SY] + c[SY]);
                if (memcmp(&wanted, &v[c - u.data()], sizeof wanted) != 0) return false;
            }
    return true;
}

template <fault wrong>
static int run()
{
    std::vector<float> u(SIZE), v(SIZE, -1.0f);
    for (int k = 0; k < SIZE; k++) u[k] = float(k * 7919 % 1009) / 1009.0f;
    float *du, *dv;
    cudaMalloc(&du, SIZE * sizeof(float));
    cudaMalloc(&dv, SIZE * sizeof(float));
    cudaMemcpy(du, u.data(), SIZE * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dv, v.data(), SIZE * sizeof(float), cudaMemcpyHostToDevice);
    const float *in = du;
    float *out = dv + ORIGIN;
    void *args[] = {&in, &out};
    void *pair_args[] = {&in};
    const dim3 grid((NX + BX - 1) / BX, (NY + BY - 1) / BY), block(BX, BY);
    const cudaError_t error = wrong == NOT_ALIGNED
        ? cudaLaunchKernel(pairs, dim3(1), dim3(1), pair_args, 64, nullptr)
        : cudaLaunchKernel(steps<wrong>, grid, block, args, sizeof(planes), nullptr);
    cudaMemcpy(v.data(), dv, SIZE * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(du);
    cudaFree(dv);
    if (error != cudaSuccess) return error;
    return agrees(u, v) ? 0 : MUTANT_WRONG;
}

#define COPY "that a piece is on its way to"

extern "C" const mutant mutants[] = {
    {"the right steps", run<RIGHT>, 0, ""},
    {"pieces read before they are waited for", run<NO_WAIT>, 719, COPY},
    {"a wait for one group too few", run<ONE_TOO_FEW>, 719, COPY},
    {"a piece that is read early, for nothing", run<READ_FOR_NOTHING>, 719, COPY},
    {"a group that is not closed", run<NO_CLOSE>, 719, COPY},
    {"a wait behind the barrier that tells the others", run<WAIT_BEHIND_BARRIER>, 719, COPY},
    {"no barrier between a plane's copy and its readers", run<NO_BARRIER>, 719, "depends on"},
    {"a plane overwritten that is read in this step", run<NO_SPARE>, 719, COPY},
    {"pieces on their way at the end", run<NOT_WAITED_FOR>, 719, "on their way"},
    {"a pair at an odd place", run<NOT_ALIGNED>, 719, "not a multiple of its size"},
    {"a piece past shared memory", run<BEYOND_SHARED>, 700, "dynamic shared memory"},
    {"a piece from beyond its array", run<BEYOND_ARRAY>, 700, "outside every array"},
    {nullptr, nullptr, 0, nullptr},
};
