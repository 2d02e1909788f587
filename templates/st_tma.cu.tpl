% -- st_tma: the tensor unit copies planes ahead into rings in shared memory, a block of
% -- threads follows it along the last axis.
% --
% --      a ring, plane by plane                      one thread
% --
% --      | .. | here | .. | newest | ahead |         16 bytes of points along the first axis,
% --         ^ freed after each step                  on some rows; its own column in registers
% --
% -- Every thread of a block makes every step: what is not updated is not stored.
% include "part/head"
% include "part/cuda_includes"
#include "quern_async.h"

#if QUERN_ASYNC != 1
#error "quern_async.h is of another version of Quern: regenerate with gen/quern"
#endif
% include "part/functions"

/* The shared memory of a block: rings of planes, and the barriers that say what has come. */
namespace {
struct shared_planes {
% for _, s in ipairs(shared) do
    struct { __align__(128) ${s.type} at${s.extents}; } ${s.ring}[${s.slots}];
% end
    uint64_t $barriers;
};
}
% for _, s in ipairs(streams) do

/* Starts to copy a plane of ${s.buffer}. */
static __device__ __forceinline__ void ${s.fetch}(
    shared_planes &s, const quern_tensor &${s.tensor}, int slot, int x, int y, int z)
{
    quern_barrier_expect(&s.${s.full}[slot], sizeof s.${s.ring}[slot].at);
    quern_tensor_load(s.${s.ring}[slot].at, &${s.tensor}, x, y, z, &s.${s.full}[slot]);
}
% end
% if points then

/* Starts to copy a plane of what is read at the points alone. */
static __device__ __forceinline__ void ${points.fetch}(
    shared_planes &s,
    ${points.tensors},
    int slot, int x, int y, int z)
{
    quern_barrier_expect(&s.${points.full}[slot],
                         ${points.bytes});
% for _, p in ipairs(points.list) do
    quern_tensor_load(s.${p.ring}[slot].at, &${p.tensor}, x, y, z, &s.${points.full}[slot]);
% end
}
% end

/* A block updates a tile of $tile_text points, plane by plane along $walk. */
template <typename index_t>
__global__ void __launch_bounds__($threads, $resident)
${plan}_kernel(
    $tensors
    const __grid_constant__ quern_tilings<$most_boxes> boxes,
    $parameters)
{
    shared_planes &s = *dynamic_shared<shared_planes>();
    const bool leader = threadIdx.x == 0 && threadIdx.y == 0;
    const int tx = (int)threadIdx.x * $vector, ty = (int)threadIdx.y * $rows;
    const quern_tiling &box = quern_find(boxes, blockIdx.x);
    const int number = (int)blockIdx.x - box.first, row = number / box.across[0];
    const int $tile_x = box.start + number % box.across[0] * $tile_width;
    const int $tile_y = box.lower[1] + row % box.across[1] * $tile_height;
    const int $tile_z = box.lower[2] + row / box.across[1] * $chunk;
    const int planes = min($chunk, box.upper[2] - $tile_z);
    $coordinates

    /* Every ring is filled once before the first step. */
    if (leader) {
% for _, f in ipairs(fulls) do
        for (int i = 0; i < ${f.slots}; i++)
            quern_barrier_init(&s.${f.name}[i], 1);
% end
        quern_barrier_publish();
% for _, f in ipairs(fulls) do
        for (int i = 0; i < min(${f.slots}, ${f.planes}); i++)
            ${f.start}
% end
    }
    $offsets
% if windows[1] then

    /* Prime the window, one plane back: what is behind the ring comes from global memory, the
     * rest as its planes come; the first advance completes it. */
    $window
% end
% if behind[1] then
#pragma unroll
    for (int j = 0; j < $rows; j++)
        if ($near) {
            $behind
        }
% end
    __syncthreads();
% for _, line in ipairs(priming) do
    $line
% end

    $counters
    for (int p = 0; p < planes; p++) {
        /* The planes furthest ahead have come: advance the window. */
        $waits
        $advance
% if newest[1] then
#pragma unroll
        for (int j = 0; j < $rows; j++) {
            $newest
        }
% end
        $slots

#pragma unroll
        for (int j = 0; j < $rows; j++) {
            $reads
            $results
#pragma unroll
            for (int e = 0; e < $vector; e++) {
                $body
            }
            if ($in_row) {
                $writes
            }
        }

        /* Nobody reads the oldest planes any more: others take their place. */
        __syncthreads();
        if (leader) {
% for _, f in ipairs(fulls) do
            if (p + ${f.slots} < ${f.planes})
                ${f.refill}
% end
        }
        $onward
    }
}

% if edge then
% include "part/cuda_edge"

% end
% include "part/boxes"
% if edge then

% include "part/interior"
% end

% include "part/entry"

% include "part/points"

% include "part/cuda_tensors"

/* Launches the kernel once, on all boxes. */
template <typename index_t>
static cudaError_t run(
    const struct $args *a, cudaStream_t stream)
{
    $locals
% if hosts[1] then

    /* What numbers and scalars alone decide: in double, rounded once. */
    $hosts
% end

    const struct quern_domain domain = domain_of(a);
    struct quern_array all[$array_count];
    arrays(a, all);
% for _, t in ipairs(makes) do
    quern_tensor ${t.tensor};
% end
    int lead = lead_of(&all[0]);
    cudaError_t error = cudaSuccess;
% for _, t in ipairs(makes) do
    if (error == cudaSuccess)
        error = tensor_of(&${t.tensor}, &domain, &all[${t.array}],
                          lead, ${t.width}, ${t.height});
% end
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(
            ${plan}_kernel<index_t>,
            cudaFuncAttributeMaxDynamicSharedMemorySize, (int)sizeof(shared_planes));

    if (error != cudaSuccess)
        return error;

    /* Tiles start where a copy starts on a sector of 32 bytes. */
    struct quern_box list[$most_boxes];
    const int count = $own_boxes;
    quern_tilings<$most_boxes> boxes;
    const int64_t blocks = quern_tile_boxes(&boxes, list, count, TILE, lead, $sector);
    if (blocks <= 0)
        return blocks == 0 ? cudaSuccess : cudaErrorInvalidConfiguration;
    void *arguments[] = {
        $tensor_addresses
        &boxes,
        $addresses
    };
    return cudaLaunchKernel(
        ${plan}_kernel<index_t>,
        dim3((unsigned)blocks), dim3($block), arguments, sizeof(shared_planes), stream);
}

% if edge then
% include "part/cuda_run_edge"

% end
% include "part/cuda_launch"
