/* A ring of planes that copies fill ahead, as st_tma is, right and with faults. */
#include "simt.h"
#include <string.h>
#include <vector>
#include "mutant.h"

enum fault {
    RIGHT, NO_WAIT, NO_FIRST_WAIT, WRONG_PARITY, READ_AFTER_BARRIER, NO_REUSE_BARRIER, REFILLED_EARLY, FEWER_BYTES, MORE_BYTES,
    NO_BYTES, NOT_MADE, NOT_ALIGNED, TOO_MANY, BEYOND_SHARED, BEYOND_TENSOR, BEYOND_ARRAY, WHOLE_SECTORS,
    BEYOND_SECTOR
};
/* Each warp frees a plane for itself: right, before it has read it, for a warp too few. */
enum warps { WARPS, FREED_UNREAD, FREED_BY_TOO_FEW };

constexpr int BX = 16, BY = 6, HALO = 4, SLOTS = 3;
constexpr int NX = 21, NY = 9, NZ = 8;          /* tiles do not divide them */
constexpr int SY = 32, SZ = SY * (NY + 2), SIZE = SZ * NZ, ORIGIN = HALO + SY;

struct planes {
    __align__(128) float u[SLOTS][BY + 2][BX + 2 * HALO];
    uint64_t full[SLOTS];
};
constexpr unsigned BYTES = sizeof(float) * (BY + 2) * (BX + 2 * HALO);

template <fault wrong>
static __device__ void fetch(planes &s, const quern_tensor &u, int slot, int z)
{
    const unsigned bytes = wrong == FEWER_BYTES ? BYTES - 16 : wrong == MORE_BYTES ? BYTES + 16
        : BYTES;
    float *to = wrong == NOT_ALIGNED ? &s.u[slot][0][4]
        : wrong == BEYOND_SHARED && z == 4 ? &s.u[SLOTS - 1][0][0] + 64 : &s.u[slot][0][0];
    if (wrong == NO_BYTES) quern_barrier_arrive(&s.full[slot]);
    else quern_barrier_expect(&s.full[slot], bytes);
    quern_tensor_load(to, &u, blockIdx.x * BX, blockIdx.y * BY,
                      wrong == BEYOND_TENSOR ? z + NZ : z, &s.full[slot]);
}

template <fault wrong>
__global__ void __launch_bounds__(BX * BY)
ring(const __grid_constant__ quern_tensor u, float *__restrict__ v)
{
    planes &s = *dynamic_shared<planes>();
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
    const bool leader = tx == 0 && ty == 0;
    if (leader && wrong != NOT_MADE) {
        for (int slot = 0; slot < SLOTS; slot++) quern_barrier_init(&s.full[slot], 1);
        quern_barrier_publish();
    }
    if (leader)
        for (int z = 0; z < SLOTS; z++) fetch<wrong>(s, u, z, z);
    __syncthreads();
    for (int z = 0; z < NZ; z++) {
        const int slot = z % SLOTS, turn = z / SLOTS;
        if (wrong == REFILLED_EARLY && leader && z > 0 && z - 1 + SLOTS < NZ)
            fetch<wrong>(s, u, (z - 1) % SLOTS, z - 1 + SLOTS);
        if (wrong != NO_WAIT && (wrong != NO_FIRST_WAIT || z > 0 || leader))
            quern_barrier_wait(&s.full[slot], (turn + (wrong == WRONG_PARITY)) % 2);
        const float (&p)[BY + 2][BX + 2 * HALO] = s.u[slot];
        if (wrong == READ_AFTER_BARRIER) __syncthreads();
        if (leader && wrong == READ_AFTER_BARRIER && z + SLOTS < NZ)
            fetch<wrong>(s, u, slot, z + SLOTS);
        if (x < NX && y < NY)
            v[x + y * SY + z * SZ] = (p[ty + 1][tx + HALO - 1] + p[ty + 1][tx + HALO + 1])
                                   + (p[ty][tx + HALO] + p[ty + 2][tx + HALO]);
        if (wrong != NO_REUSE_BARRIER && wrong != REFILLED_EARLY) __syncthreads();
        if (leader && wrong != REFILLED_EARLY && wrong != READ_AFTER_BARRIER && (z + SLOTS < NZ || wrong == TOO_MANY))
            fetch<wrong>(s, u, slot, z + SLOTS);
    }
}

template <warps wrong>
__global__ void __launch_bounds__(BX * BY)
freed(const __grid_constant__ quern_tensor u, float *__restrict__ v)
{
    planes &s = *dynamic_shared<planes>();
    uint64_t *free = reinterpret_cast<uint64_t *>(&s + 1);
    const int tx = threadIdx.x, ty = threadIdx.y, lane = (ty * BX + tx) % 32;
    const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
    const bool leader = tx == 0 && ty == 0;
    if (leader) {
        for (int slot = 0; slot < SLOTS; slot++) {
            quern_barrier_init(&s.full[slot], 1);
            quern_barrier_init(&free[slot], BX * BY / 32 - (wrong == FREED_BY_TOO_FEW));
        }
        quern_barrier_publish();
        for (int z = 0; z < SLOTS; z++) fetch<RIGHT>(s, u, z, z);
    }
    __syncthreads();
    for (int z = 0; z < NZ; z++) {
        const int slot = z % SLOTS, phase = z / SLOTS % 2;
        quern_barrier_wait(&s.full[slot], phase);
        if (wrong == FREED_UNREAD && lane == 0) quern_barrier_arrive(&free[slot]);
        const float (&p)[BY + 2][BX + 2 * HALO] = s.u[slot];
        if (x < NX && y < NY)
            v[x + y * SY + z * SZ] = (p[ty + 1][tx + HALO - 1] + p[ty + 1][tx + HALO + 1])
                                   + (p[ty][tx + HALO] + p[ty + 2][tx + HALO]);
        __syncwarp();
        if (wrong != FREED_UNREAD && lane == 0) quern_barrier_arrive(&free[slot]);
        if (leader) {
            quern_barrier_wait(&free[slot], phase);
            if (z + SLOTS < NZ) fetch<RIGHT>(s, u, slot, z + SLOTS);
        }
    }
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

template <fault wrong, typename KERNEL>
static int run_kernel(KERNEL kernel)
{
    std::vector<float> u(SIZE), v(SIZE, -1.0f);
    for (int k = 0; k < SIZE; k++) u[k] = float(k * 7919 % 1009) / 1009.0f;
    /* Rows of whole sectors in an array that ends with its last element. */
    const bool exact = wrong == WHOLE_SECTORS || wrong == BEYOND_SECTOR;
    const int ROW = HALO + NX + 1, size = exact ? SIZE - SY + ROW : SIZE;
    float *du, *dv;
    cudaMalloc(&du, size_t(size) * sizeof(float));
    cudaMalloc(&dv, SIZE * sizeof(float));
    cudaMemcpy(du, u.data(), size_t(size) * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dv, v.data(), SIZE * sizeof(float), cudaMemcpyHostToDevice);
    const int sectors = (ROW + 7) / 8 * 8 + (wrong == BEYOND_SECTOR ? 4 : 0);
    const int64_t extent[3] = {exact ? sectors : ROW, NY + 2, wrong == BEYOND_ARRAY ? NZ + 1 : NZ};
    const int64_t stride[2] = {SY, SZ};
    const int box[2] = {BX + 2 * HALO, BY + 2};
    quern_tensor tensor;
    cudaError_t error = quern_tensor_make(&tensor, sizeof(float),
                                          wrong == BEYOND_ARRAY ? du + SZ : du, extent, stride,
                                          box);
    float *out = dv + ORIGIN;
    void *args[] = {&tensor, &out};
    const dim3 grid((NX + BX - 1) / BX, (NY + BY - 1) / BY), block(BX, BY);
    if (error == cudaSuccess)
        error = cudaLaunchKernel(kernel, grid, block, args, sizeof(planes) + 8 * SLOTS, nullptr);
    cudaMemcpy(v.data(), dv, SIZE * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(du);
    cudaFree(dv);
    if (error != cudaSuccess) return error;
    return agrees(u, v) ? 0 : MUTANT_WRONG;
}

template <fault wrong> static int run() { return run_kernel<wrong>(ring<wrong>); }
template <warps wrong> static int run_warps() { return run_kernel<RIGHT>(freed<wrong>); }

/* A tensor whose rows the device cannot copy. */
static int refused()
{
    float *u;
    cudaMalloc(&u, SIZE * sizeof(float));
    const int64_t extent[3] = {NX, NY, NZ}, stride[2] = {SY + 1, SZ};
    const int box[2] = {BX, BY};
    quern_tensor tensor;
    const cudaError_t error = quern_tensor_make(&tensor, sizeof(float), u, extent, stride, box);
    cudaFree(u);
    return error;
}

#define COPY "depends on when a copy arrives"

extern "C" const mutant mutants[] = {
    {"the right ring", run<RIGHT>, 0, ""},
    {"a plane read before it is there", run<NO_FIRST_WAIT>, 719, COPY},
    {"a plane read after the barrier that frees it", run<READ_AFTER_BARRIER>, 719, COPY},
    {"no wait for any plane", run<NO_WAIT>, 719, "arrives at a barrier more often"},
    {"a wait for the phase before", run<WRONG_PARITY>, 719, "none can go on"},
    {"a plane refilled with no barrier before", run<NO_REUSE_BARRIER>, 719, "none can go on"},
    {"a plane refilled while others read it", run<REFILLED_EARLY>, 719, "none can go on"},
    {"fewer bytes expected than come", run<FEWER_BYTES>, 719, "other bytes than its copies"},
    {"more bytes expected than come", run<MORE_BYTES>, 719, "other bytes than its copies"},
    {"no bytes expected", run<NO_BYTES>, 719, "other bytes than its copies"},
    {"barriers that nobody has initialised", run<NOT_MADE>, 719, "nobody has initialised"},
    {"a tile that is not aligned", run<NOT_ALIGNED>, 719, "not aligned to 128"},
    {"copies on their way at the end", run<TOO_MANY>, 719, "on their way"},
    {"a copy past shared memory", run<BEYOND_SHARED>, 700, "dynamic shared memory"},
    {"planes beyond the tensor, which are nought", run<BEYOND_TENSOR>, MUTANT_WRONG, ""},
    {"a tensor beyond its array", run<BEYOND_ARRAY>, 700, "outside every array"},
    {"rows to the end of their sectors", run<WHOLE_SECTORS>, 0, ""},
    {"rows beyond their sectors", run<BEYOND_SECTOR>, 700, "outside every array"},
    {"planes that warps free", run_warps<WARPS>, 0, ""},
    {"a plane freed before it is read", run_warps<FREED_UNREAD>, 719, "depends on"},
    {"a plane freed by too few warps", run_warps<FREED_BY_TOO_FEW>, 719, "none can go on"},
    {"a tensor that the device does not take", refused, 1, "does not take"},
    {nullptr, nullptr, 0, nullptr},
};
