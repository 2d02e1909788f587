% -- A walk along one axis: the shared memory of a block, who fills it, and the kernel.
% if space then
namespace $space {

% end
% include "part/cuda_rings"

/* A block updates a tile of $tile_text points, plane by plane along $along. */
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
    const bool $near = $in_columns;

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
        if ($near && $in_row) {
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
        $slots
        $advance
% if newest[1] then
#pragma unroll
        for (int j = 0; j < $rows; j++) {
            $newest
        }
% end

#pragma unroll
        for (int j = 0; j < $rows; j++) {
            if (!($near && $in_row))
                continue;
            $reads
            $results
#pragma unroll
            for (int e = 0; e < $vector; e++) {
                $body
            }
            $writes
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
% if space then

}
% end
