/* Blocks of threads that each serve one request out of a combined launch, all of its items or a
 * share of them. Of every request there are two numbers, `firsts`, and two more behind the last:
 * its first block, its first item. The generator copies this header beside kernels that need it.
 * Change QUERN_REQUESTS when anything below changes its meaning. */
#ifndef QUERN_REQUESTS_H
#define QUERN_REQUESTS_H

#include "quern_launch.h"

#define QUERN_REQUESTS 1

/* The firsts of requests whose items begin where `start` says, in blocks of so many items at
 * most: as many as they need. Returns how many blocks there are; beyond INT32_MAX the firsts are
 * of no use. */
static inline int64_t quern_share_out(const int64_t *start, int64_t requests, int64_t most,
                                      int32_t *firsts)
{
    int64_t blocks = 0;
    for (int64_t r = 0; r <= requests; r++) {
        firsts[2 * r] = (int32_t)blocks;
        firsts[2 * r + 1] = (int32_t)start[r];
        blocks += r < requests ? (start[r + 1] - start[r] + most - 1) / most : 0;
    }
    return blocks;
}

/* They have been found. */
static inline int quern_check_shares(const int32_t *firsts, int64_t blocks, char *why, size_t size)
{
    if (firsts == NULL || blocks < 1)
        return quern_refuse(why, size, "the blocks of its requests have not been counted: libquern "
                            "does it, where items are in order of their requests");
    if (blocks > INT32_MAX)
        return quern_refuse(why, size, "%lld blocks of requests, the device's limit is %lld",
                            (long long)blocks, (long long)INT32_MAX);
    return 0;
}

/* Blocks count the entries of a list in 32 bits. */
static inline int quern_check_list(const char *name, int64_t entries, char *why, size_t size)
{
    return entries <= INT32_MAX ? 0
        : quern_refuse(why, size, "%s has %lld entries, its limit is %lld", name,
                       (long long)entries, (long long)INT32_MAX);
}

#ifdef __cplusplus

/* The items first <= i < last of one request. */
struct quern_share {
    int request, first, last;
};

/* The quotient of a number up to 1024 and another, whose inverse is at hand. */
static __device__ __forceinline__ int quern_over(int number, float inverse)
{
    return (int)(((float)number + 0.5f) * inverse);
}

/* The request of a block: where all have about as many blocks, at once, else among those around,
 * else among all, of which each thread looks at one after so many. `found`: in shared memory. */
static __device__ __forceinline__ int quern_find_request(const int2 *firsts, int requests,
                                                         int block, int *found)
{
    const int threads = (int)blockDim.x;
    const float pace = (float)requests / (float)gridDim.x;
    const int guess = min((int)((float)block * pace), requests - 1);
    if (firsts[guess].x <= block && block < firsts[guess + 1].x)
        return guess;
    int low = max(guess - threads / 2, 0), high = min(low + threads, requests);
    if (block < firsts[low].x || firsts[high].x <= block) {
        low = 0;
        high = requests;
    }
    while (high - low > 1) {
        const int each = (high - low + threads - 1) / threads;
        const int own = low + (int)threadIdx.x * each, next = min(own + each, high);
        if (own < high && firsts[own].x <= block && block < firsts[next].x)
            *found = own;
        __syncthreads();
        low = *found;
        high = min(low + each, high);
        __syncthreads();
    }
    return low;
}

/* What a block serves: the items of a request are shared out evenly. */
static __device__ __forceinline__ quern_share quern_find_share(const int32_t *firsts,
                                                               int requests, int *found)
{
    const int2 *const pairs = reinterpret_cast<const int2 *>(firsts);
    const int block = (int)blockIdx.x;
    const int request = quern_find_request(pairs, requests, block, found);
    const int2 own = pairs[request], next = pairs[request + 1];
    const int blocks = next.x - own.x, items = next.y - own.y;
    if (blocks == 1)
        return quern_share{ request, own.y, next.y };
    const int each = (items + blocks - 1) / blocks, first = own.y + (block - own.x) * each;
    return quern_share{ request, first, min(first + each, next.y) };
}

#endif

#endif
