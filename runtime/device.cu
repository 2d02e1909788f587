// The kernels of device.h for cuda and simt: grids around element.h. The twin
// of host.c, compiled to a module of the ABI that every generated one has.
#ifdef __CUDACC__
#include <cuda_runtime.h>
#else
#include "simt.h"
#endif

#include "element.h"

namespace {

const int THREADS = 256;
const int64_t MOST_BLOCKS = 4096;   // then each thread takes several i

#define DEVICE_KERNEL(verb) \
    __global__ void verb##_kernel(device_args args, int64_t count) \
    { \
        const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x; \
        int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x \
                  + threadIdx.x; \
        for (; i < count; i += step) \
            verb##_one(&args, i); \
    }

DEVICE_KERNEL(fill)
DEVICE_KERNEL(random)
DEVICE_KERNEL(inject)
DEVICE_KERNEL(sample)
DEVICE_KERNEL(spread)
DEVICE_KERNEL(interpolate)
DEVICE_KERNEL(extend)

__device__ inline void add(uint4 &sum, const uint4 &value)
{
    sum.x ^= value.x;
    sum.y ^= value.y;
    sum.z ^= value.z;
    sum.w ^= value.w;
}

// 16 bytes of every array: all reads are on their way before the first is used,
// because READS is known. READS < 0: as many as the arguments say.
template <int READS>
__global__ void stream_kernel(device_args args, int64_t count)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x
                    + threadIdx.x;
    if (i >= count)
        return;
    const int reads = READS < 0 ? static_cast<int>(args.reads) : READS;
    const uint32_t index = static_cast<uint32_t>(i);
    uint4 sum = make_uint4(0, 0, 0, 0);
    if (reads == 0)
        sum = make_uint4(4 * index, 4 * index + 1, 4 * index + 2,
                         4 * index + 3);
#pragma unroll
    for (int a = 0; a < reads; a++)
        add(sum, static_cast<const uint4 *>(args.read[a])[i]);
    for (int a = 0; a < static_cast<int>(args.writes); a++)
        static_cast<uint4 *>(args.written[a])[i] =
            make_uint4(stream_word(sum.x, a), stream_word(sum.y, a),
                       stream_word(sum.z, a), stream_word(sum.w, a));
}

template <typename Kernel>
int launch(Kernel kernel, const void *arguments, int64_t count, int64_t blocks,
           void *stream)
{
    device_args args = *static_cast<const device_args *>(arguments);
    void *parameters[] = { &args, &count };
    if (count <= 0)
        return 0;
    if (blocks > INT32_MAX)
        return cudaErrorInvalidConfiguration;
    return cudaLaunchKernel(kernel, dim3(static_cast<unsigned>(blocks)),
                            dim3(THREADS), parameters, 0,
                            static_cast<cudaStream_t>(stream));
}

int64_t blocks_for(int64_t count)
{
    return (count + THREADS - 1) / THREADS;
}

const device_args &args_of(const void *arguments)
{
    return *static_cast<const device_args *>(arguments);
}

}

#define LAUNCH(verb, points) \
    extern "C" int quern_##verb##_launch(const void *arguments, void *stream) \
    { \
        const int64_t count = points; \
        const int64_t blocks = blocks_for(count); \
        return launch(verb##_kernel, arguments, count, \
                      blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS, stream); \
    }

LAUNCH(fill, args_of(arguments).count)
LAUNCH(random, args_of(arguments).count)
LAUNCH(inject, args_of(arguments).count)
LAUNCH(sample, args_of(arguments).count)
LAUNCH(spread, args_of(arguments).count)
LAUNCH(interpolate, args_of(arguments).count)
LAUNCH(extend, extend_count(&args_of(arguments)))

extern "C" int quern_stream_launch(const void *arguments, void *stream)
{
    const int64_t count = args_of(arguments).count / 16;
    const int64_t blocks = blocks_for(count);
    switch (args_of(arguments).reads) {
    case 0: return launch(stream_kernel<0>, arguments, count, blocks, stream);
    case 1: return launch(stream_kernel<1>, arguments, count, blocks, stream);
    case 2: return launch(stream_kernel<2>, arguments, count, blocks, stream);
    case 3: return launch(stream_kernel<3>, arguments, count, blocks, stream);
    case 4: return launch(stream_kernel<4>, arguments, count, blocks, stream);
    case 5: return launch(stream_kernel<5>, arguments, count, blocks, stream);
    case 6: return launch(stream_kernel<6>, arguments, count, blocks, stream);
    default: return launch(stream_kernel<-1>, arguments, count, blocks, stream);
    }
}
