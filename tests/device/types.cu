// The conversions of quern_types.h by a device's own instructions, against those that a host
// makes of integers: every float, and a double on either side of each; every pattern of 16 bits.
//   types [CHUNKS]: of 1024, each of 4 million floats
#include "quern_types.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include <vector>

namespace {

const uint32_t CHUNK = 1u << 22, PATTERNS = 1u << 16;

struct stored {
    uint16_t half, upper, half_of_double, upper_of_double;
};

struct loaded {
    uint32_t half, upper;
    uint64_t half_as_double, upper_as_double;
};

__host__ __device__ uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// A NaN is a NaN.
__host__ __device__ uint32_t known(float value)
{
    return value == value ? quern_bits(value) : 0x7fffffff;
}

__host__ __device__ uint64_t known(double value)
{
    return value == value ? bits_of(value) : 0x7fffffffffffffff;
}

// The double next to a float, outwards or inwards: where the float is a tie, rounding to it
// first would round twice.
__host__ __device__ double beside(float value, uint32_t pattern)
{
    const uint64_t bits = bits_of((double)value) + (pattern & 1 ? 1 : -1);
    double next;
    memcpy(&next, &bits, sizeof next);
    return value == 0 || value != value ? (double)value : next;
}

__host__ __device__ stored store(uint32_t pattern)
{
    const float value = quern_number(pattern);
    const double next = beside(value, pattern);
    return { quern_float_to_half(value), quern_float_to_bfloat16(value),
             quern_double_to_half(next), quern_double_to_bfloat16(next) };
}

__host__ __device__ loaded load(uint16_t pattern)
{
    return { known(quern_half_to_float(pattern)), known(quern_bfloat16_to_float(pattern)),
             known(quern_half_to_double(pattern)), known(quern_bfloat16_to_double(pattern)) };
}

__global__ void store_all(stored *out, uint32_t first)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = store(first + i);
}

__global__ void load_all(loaded *out)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = load((uint16_t)i);
}

void must(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    printf("types: %s\n", cudaGetErrorString(error));
    exit(2);
}

template <typename result>
void fetch(std::vector<result> &host, const result *device)
{
    must(cudaGetLastError());
    must(cudaMemcpy(host.data(), device, host.size() * sizeof(result), cudaMemcpyDeviceToHost));
}

long long compare_stores(uint32_t chunks)
{
    std::vector<stored> found(CHUNK);
    stored *device;
    long long wrong = 0;
    must(cudaMalloc(&device, CHUNK * sizeof(stored)));
    // Spread evenly over all floats where not all are asked for.
    for (uint32_t c = 0; c < chunks; c++) {
        const uint32_t first = (uint32_t)((uint64_t)c * 1024 / chunks) * CHUNK;
        store_all<<<CHUNK / 256, 256>>>(device, first);
        fetch(found, device);
#pragma omp parallel for reduction(+ : wrong)
        for (int64_t i = 0; i < (int64_t)CHUNK; i++) {
            const stored wanted = store(first + (uint32_t)i);
            wrong += memcmp(&wanted, &found[i], sizeof wanted) != 0;
        }
    }
    must(cudaFree(device));
    return wrong;
}

long long compare_loads()
{
    std::vector<loaded> found(PATTERNS);
    loaded *device;
    long long wrong = 0;
    must(cudaMalloc(&device, PATTERNS * sizeof(loaded)));
    load_all<<<PATTERNS / 256, 256>>>(device);
    fetch(found, device);
    for (uint32_t i = 0; i < PATTERNS; i++) {
        const loaded wanted = load((uint16_t)i);
        wrong += memcmp(&wanted, &found[i], sizeof wanted) != 0;
    }
    must(cudaFree(device));
    return wrong;
}

}

int main(int count, char **words)
{
    const uint32_t chunks = count > 1 ? (uint32_t)atoi(words[1]) : 1024;
    const long long wrong = compare_loads() + compare_stores(chunks);
    printf("%lld numbers, %lld converted otherwise than on the host\n",
           (long long)chunks * CHUNK * 4 + PATTERNS * 4, wrong);
    return wrong != 0;
}
