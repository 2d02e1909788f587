/* Quotients of the tensor unit's kernels against the compiler's own, bit for bit: pairs of
 * floats of every kind. */
#include <stdint.h>
#include <stdio.h>

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

static __global__ void compare(uint64_t pairs, unsigned long long *wrong)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += step) {
        const uint32_t kind = mixed(3 * i);
        const float a = drawn(mixed(3 * i + 1), kind & 15);
        const float b = drawn(mixed(3 * i + 2), kind >> 4 & 15);
        const float ours = quern_quotient(a, b), theirs = a / b;
        if (__float_as_uint(ours) != __float_as_uint(theirs) && !(isnan(ours) && isnan(theirs)))
            atomicAdd(wrong, 1ull);
    }
}

int main(void)
{
    const uint64_t pairs = 1ull << 35;
    unsigned long long *wrong;
    if (cudaMallocManaged(&wrong, sizeof *wrong) != cudaSuccess)
        return 2;
    *wrong = 0;
    compare<<<4096, 256>>>(pairs, wrong);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        fprintf(stderr, "quotients: %s\n", cudaGetErrorString(error));
        return 2;
    }
    const unsigned long long found = *wrong;
    printf("%llu pairs, %llu quotients other than the compiler's\n",
           (unsigned long long)pairs, found);
    return found != 0;
}
