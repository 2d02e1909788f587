/* Kernels of a few lines, most with one fault: addresses, conflicts, limits. */
#ifdef __CUDACC__
#include <cuda_runtime.h>
template <typename T> static __device__ __forceinline__ T *dynamic_shared()
{
    extern __shared__ __align__(128) unsigned char bytes[];
    return reinterpret_cast<T *>(bytes);
}
#else
#include "simt.h"
#endif
#include "mutant.h"

constexpr int N = 100;          /* floats of each array */

/* --- global memory ---------------------------------------------------------- */

template <int beyond>
__global__ void shift(float *u, const float *v)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < N - 1 + beyond) u[x] = v[x + 1];
}

template <int beyond>
__global__ void store(float *u, const float *v)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < N + beyond) u[x] = v[0];
}

template <int points>           /* that share one address */
__global__ void conflict(float *u, const float *v)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < N) u[x / points] = v[x];
}

template <int distance>
__global__ void in_place(float *u, const float *)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= distance && x < N) u[x] = u[x] + u[x - distance];
}

template <int offset>
__global__ void vector4(float *u, const float *v)
{
    const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (x + 4 + offset <= N)
        *reinterpret_cast<float4 *>(u + x) = *reinterpret_cast<const float4 *>(v + x + offset);
}

template <int rows>
__global__ void index32(float *u, const float *v)
{
    const int x = threadIdx.x, stride = 46341;
    u[x] = v[stride * (x + rows) & 63];
}

/* Eight threads add to each number, in any order. */
enum adding { ALONE, BESIDE_A_WRITE, BEFORE_A_READ, PLAINLY, BEYOND };

template <adding how>
__global__ void add(float *u, const float *v)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= N) return;
    if (how == PLAINLY) u[x / 8] += 0.1f * v[x];
    else atomicAdd(&u[x / 8 + (how == BEYOND ? N - 12 : 0)], 0.1f * v[x]);
    if (how == BESIDE_A_WRITE && x == 17) u[3] = 1.0f;
    if (how == BEFORE_A_READ && x >= 64) u[x] = u[1];
}

__global__ void wild(float *u, const float *)
{
    float *nowhere = u + (int64_t{1} << 40);
    if (threadIdx.x == 3) *nowhere = 1.0f;
}

/* --- shared memory ---------------------------------------------------------- */

template <int beyond>
__global__ void through_pointer(float *u, const float *v)
{
    __shared__ float tile[4][8];
    float *flat = tile[0];
    const int t = threadIdx.x;
    if (t < 32) flat[t] = v[t];
    __syncthreads();
    if (t < 32) u[t] = flat[t + beyond];
}

template <int beyond, bool filled>
__global__ void dynamic(float *u, const float *v)
{
    float *ring = dynamic_shared<float>();
    const int t = threadIdx.x;
    if (t < 32 && (filled || t != 5)) ring[t] = v[t];
    __syncthreads();
    if (t < 32) u[t] = ring[31 - t + beyond];
}

/* A comparison hides which NaN it met. */
__global__ void compared(float *u, const float *)
{
    __shared__ float tile[64];
    if (threadIdx.x != 7) tile[threadIdx.x] = 0.0f;
    __syncthreads();
    u[threadIdx.x] = tile[threadIdx.x] < 1.0f ? 1.0f : 2.0f;
}

/* Threads 0 and 2 write the same, thread 1 reads: right in either straight order. */
__global__ void between(float *u, const float *)
{
    __shared__ float cell;
    if (threadIdx.x == 0 || threadIdx.x == 2) cell = 1.0f;
    if (threadIdx.x == 1) u[blockIdx.x] = cell;
}

/* --- barriers ---------------------------------------------------------------- */

template <bool right>
__global__ void warps(float *u, const float *v)
{
    __shared__ float cell[64];
    cell[threadIdx.x] = v[threadIdx.x];
    if (right || threadIdx.x % 32 < 16) __syncwarp();
    else __syncthreads();
    u[threadIdx.x] = cell[threadIdx.x ^ 1];
}

/* --- the table ---------------------------------------------------------------- */

static int launch(void (*kernel)(float *, const float *), dim3 grid, dim3 block, size_t shared)
{
    float host[N], *u, *v;
    for (int i = 0; i < N; i++) host[i] = float(1 + i * i % 17);
    cudaMalloc(&u, sizeof host);
    cudaMalloc(&v, sizeof host);
    cudaMemcpy(u, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(v, host, sizeof host, cudaMemcpyHostToDevice);
    void *args[] = {&u, &v};
    const cudaError_t error = cudaLaunchKernel(kernel, grid, block, args, shared, nullptr);
    cudaFree(u);
    cudaFree(v);
    return error;
}

template <void (*kernel)(float *, const float *), unsigned gx = 2, unsigned gy = 1, unsigned gz = 1,
          unsigned bx = 64, unsigned by = 1, unsigned bz = 1, size_t shared = 0>
static int run()
{
    return launch(kernel, dim3(gx, gy, gz), dim3(bx, by, bz), shared);
}

static int allowed()
{
    const cudaError_t error = cudaFuncSetAttribute(
        dynamic<0, true>, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10);
    return error != cudaSuccess ? error : launch(dynamic<0, true>, 1, 64, 64 << 10);
}

static int too_much()
{
    return cudaFuncSetAttribute(dynamic<0, true>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                228 << 10);
}

#ifndef __CUDACC__              /* nvcc refuses so many bytes by itself */
struct params { char bytes[40000]; };

__global__ void many(params) {}

static int parameters()
{
    params p = {};
    void *args[] = {&p};
    return cudaLaunchKernel(many, 1, 1, args, 0, nullptr);
}

static volatile int extent = 1295;

static int host_overflow()
{
    const int n = extent, points = n * n * n;
    return launch(shift<0>, points > 0 ? 2 : 1, 64, 0);
}
#endif

#define ORDER "depends on the order of the threads"
#define FILL "depends on shared memory that no thread has written"

extern "C" const mutant mutants[] = {
    {"a right shift", run<shift<0>>, 0, ""},
    {"a read past the end by one", run<shift<1>>, 700,
     "thread (35, 0, 0): reads 4 bytes outside every array: at byte 400 of array 1, which has 400"},
    {"a right store", run<store<0>>, 0, ""},
    {"a write past the end by one", run<store<1>>, 700,
     "writes 4 bytes outside every array: at byte 400 of array 0, which has 400"},
    {"a write to nowhere", run<wild>, 700, "thread (3, 0, 0): writes 4 bytes outside every array"},
    {"a thread for every address", run<conflict<1>>, 0, ""},
    {"two threads at one address", run<conflict<2>>, 719, ORDER},
    {"in place at the point itself", run<in_place<0>>, 0, ""},
    {"in place at a neighbour", run<in_place<1>>, 719, ORDER},
    {"in place at a neighbour in another block", run<in_place<1>, 100, 1, 1, 1>, 719, ORDER},
    {"sums in any order", run<add<ALONE>>, 0, ""},
    {"a number that others add to, written", run<add<BESIDE_A_WRITE>>, 719,
     "adds to a number that another thread writes in the same launch"},
    {"a number that others add to, read", run<add<BEFORE_A_READ>>, 719, ORDER},
    {"sums that no one adds up at once", run<add<PLAINLY>>, 719, ORDER},
    {"a sum past the end by one", run<add<BEYOND>>, 700,
     "reads 4 bytes outside every array: at byte 400 of array 0, which has 400"},
    {"aligned vectors", run<vector4<0>>, 0, ""},
    {"misaligned vectors", run<vector4<1>>, 700, "a misaligned or null pointer"},
    {"an index of 32 bits that fits", run<index32<0>, 1>, 0, ""},
    {"an index of 32 bits that overflows", run<index32<46341>, 1>, 700, "an integer product overflows"},
    {"a tile through a pointer", run<through_pointer<0>>, 0, ""},
    {"a tile overrun through a pointer", run<through_pointer<1>>, 700,
     "reads 4 bytes at byte 128 of tile, which has 128"},
    {"dynamic shared memory", run<dynamic<0, true>, 1, 1, 1, 64, 1, 1, 128>, 0, ""},
    {"dynamic shared memory overrun", run<dynamic<1, true>, 1, 1, 1, 64, 1, 1, 128>, 700,
     "reads 4 bytes at byte 128 of dynamic shared memory, which has 128"},
    {"dynamic shared memory that nobody wrote", run<dynamic<0, false>, 1, 1, 1, 64, 1, 1, 128>, 719,
     FILL},
    {"a comparison with what nobody wrote", run<compared, 1>, 719, FILL},
    {"a conflict that straight orders hide", run<between, 8>, 719, ORDER},
    {"whole warps at a barrier", run<warps<true>, 1>, 0, ""},
    {"half a warp at another barrier", run<warps<false>, 1>, 719, "none can go on"},
    {"the largest block", run<shift<0>, 1, 1, 1, 1024>, 0, ""},
    {"1025 threads", run<shift<0>, 1, 1, 1, 1025>, 9, "1025 threads along x, the limit is 1024"},
    {"a block of 2048", run<shift<0>, 1, 1, 1, 64, 32>, 9, "2048 threads in a block"},
    {"64 threads along z", run<conflict<1>, 2, 1, 1, 8, 1, 64>, 0, ""},
    {"128 threads along z", run<shift<0>, 2, 1, 1, 8, 1, 128>, 9, "128 threads along z, the limit is 64"},
    {"65,536 blocks along y", run<shift<0>, 1, 65536>, 9, "65536 blocks along y, the limit is 65535"},
    {"65,536 blocks along z", run<shift<0>, 1, 1, 65536>, 9, "65536 blocks along z"},
    {"2^31 blocks along x", run<shift<0>, 1u << 31>, 9, "2147483648 blocks along x"},
    {"no blocks", run<shift<0>, 0>, 9, "an empty grid or block"},
    {"no threads", run<shift<0>, 1, 1, 1, 0>, 9, "an empty grid or block"},
    {"49 KB of shared memory not asked for", run<dynamic<0, true>, 1, 1, 1, 64, 1, 1, 49 << 10>, 1,
     "50176 bytes of dynamic shared memory, the limit is 49152"},
    {"64 KB of shared memory asked for", allowed, 0, ""},
    {"228 KB of shared memory asked for", too_much, 1, "the limit is 232448"},
#ifndef __CUDACC__
    {"40,000 bytes of parameters", parameters, 9, "40000 bytes of parameters, the limit is 32764"},
    {"a launcher that overflows", host_overflow, 719, "the launcher, line "},
#endif
    {nullptr, nullptr, 0, nullptr},
};
