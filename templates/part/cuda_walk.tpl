% -- A walk along one axis: the shared memory of a block, who fills it, and the kernel.
% if space then
namespace $space {

% end
% include "part/cuda_rings"
% if lockstep then

/* What the blocks of a launch count, to keep in step. */
static __device__ quern_steps in_step;
% end

/* A block updates a tile of $tile_text, plane by plane along $along. */
template <typename index_t>
__global__ void __launch_bounds__($threads, $resident)
${plan}_kernel(
    $tensors
    const __grid_constant__ quern_tilings<$most_boxes> boxes,
% if waves then
    const quern_company company,
% end
    $parameters)
{
% if space then
    quern_let_next_begin();
% end
    shared_planes &s = *dynamic_shared<shared_planes>();
    const bool leader = threadIdx.x == 0 && threadIdx.y == 0;
    const int tx = (int)threadIdx.x * $vector, ty = (int)threadIdx.y * $rows;
% if fit then
    const int height = (int)blockDim.y * $rows;
% end
    const int block = (int)blockIdx.x;
    const quern_tiling &box = quern_find(boxes, block);
    const int number = block - box.first, row = number / box.across[0];
    const int $own_x = box.start + number % box.across[0] * $tile_width;
    const int $tile_x = min($own_x, box.last);
    const int $tile_y = box.lower[1] + row % box.across[1] * $tile_height;
    const int $tile_z = box.lower[2] + row / box.across[1] * $longest;
    const int planes = min($longest, box.upper[2] - $tile_z);
    $coordinates
% if shift then
% if shift.lowest then
    /* Threads without a point stay within the rows. */
% end
    const int ${shift.column} = ${shift.place};
% end
    $ends
    const bool $near = $in_columns;

    /* Every ring is filled once before the first step. */
    if (leader) {
% for _, f in ipairs(fulls) do
        for (int i = 0; i < ${f.slots}; i++)
            quern_barrier_init(&s.${f.name}[i], 1);
% end
        for (int i = 0; i < $turns; i++)
            quern_barrier_init(&s.${freed}[i], $warps);
        quern_barrier_publish();
% if lockstep then
        if (company.size > 0)
            quern_join(&s.$own, &in_step, company);
% end
% for _, f in ipairs(fulls) do
        for (int i = 0; i < min(${f.slots}, ${f.planes}); i++)
            ${f.start}
% end
    }
    $offsets
% if windows[1] then

% if scatter then
    /* The values behind the first plane; no sum has begun. */
% else
    /* Prime the window, one plane back: what no ring brings comes from global memory, the rest
     * as its planes come; the first advance completes it. */
% end
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

% if scatter then
% include "part/scatter_steps"
% else
% include "part/ring_steps"
% end
% if lockstep then
    if (leader && company.size > 0)
        quern_leave_step(&s.$own, $marks_of_block, $marks_of_walk);
% end
% if space then
    quern_await_last_end();
% end
}
% if space then

}
% end
