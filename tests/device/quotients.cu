/* Quotients of the tensor unit's kernels against the compiler's own, bit for bit: pairs of
 * floats of every kind, and 1 by every float. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cuda.h>

#include "quern_async.h"

static __device__ uint32_t mixed(uint64_t n)
{
    n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
    n = (n ^ n >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(n ^ n >> 31);
}

/* Any bits at all, then bits whose exponent is near that of 1, then zeros of both signs. */
static __device__ float drawn(uint32_t bits, uint32_t kind)
{
    if (kind < 4)
        return __uint_as_float(bits);
    if (kind < 15)
        return __uint_as_float((bits & 0x807fffffu) | (64 + bits % 128) << 23);
    return __uint_as_float(bits & 0x80000000u);
}

static __device__ bool differ(float ours, float theirs)
{
    return __float_as_uint(ours) != __float_as_uint(theirs) && !(isnan(ours) && isnan(theirs));
}

static __global__ void invert(unsigned long long *wrong)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < 1ull << 32; i += step) {
        const float b = __uint_as_float((uint32_t)i);
        if (differ(quern_inverse(b), 1.0f / b))
            atomicAdd(wrong, 1ull);
    }
}

static __global__ void compare(uint64_t pairs, unsigned long long *wrong)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += step) {
        const uint32_t kind = mixed(3 * i);
        const float a = drawn(mixed(3 * i + 1), kind & 15);
        const float b = drawn(mixed(3 * i + 2), kind >> 4 & 15);
        bool odd = false;
        const float theirs = a / b, brief = quern_short_quotient(a, b, odd);
        if (differ(quern_quotient(a, b), theirs) || (!odd && differ(brief, theirs)))
            atomicAdd(wrong, 1ull);
    }
}

int main(int count, char **list)
{
    const uint64_t pairs = 1ull << (count > 1 ? atoi(list[1]) : 35);
    unsigned long long *wrong;
    if (cudaMallocManaged(&wrong, sizeof *wrong) != cudaSuccess)
        return 2;
    *wrong = 0;
    invert<<<4096, 256>>>(wrong);
    compare<<<4096, 256>>>(pairs, wrong);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        fprintf(stderr, "quotients: %s\n", cudaGetErrorString(error));
        return 2;
    }
    const unsigned long long found = *wrong;
    printf("%llu pairs and 1 by every float, %llu quotients other than the compiler's\n",
           (unsigned long long)pairs, found);
    return found != 0;
}
