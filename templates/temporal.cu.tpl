% -- temporal: two time steps in one sweep along the last axis.
% --
% --      the first step, on the tile           the second, on the tile
% --      and as far as the second reads        some planes behind
% --
% --      | ring of planes | ahead |  ->  | middle planes, in shared memory |  ->  results
% --
% -- Every thread of a block makes every turn; each has its own column of both steps.
% include "part/head"
% include "part/cuda_includes"
% include "part/cuda_async"
% include "part/functions"

% include "part/cuda_rings"

% include "part/temporal_step"

/* A block makes two steps of a tile of $tile_text points, plane by plane along $walk. */
template <typename index_t>
__global__ void __launch_bounds__($threads, $resident)
${plan}_kernel(
    $tensors
    const __grid_constant__ quern_tilings<$most_boxes> boxes,
    $parameters)
{
    constexpr quern_reach reach = $reach_text;
    shared_planes &s = *dynamic_shared<shared_planes>();
    const bool leader = threadIdx.x == 0 && threadIdx.y == 0;

    $threads_text
    const bool works = ty < $high;

    const quern_tiling &box = quern_find(boxes, (int)blockIdx.x);
    const int number = (int)blockIdx.x - box.first, row = number / box.across[0];
    const int $tile_x = box.start + number % box.across[0] * $tile_width;
    const int $tile_y = box.lower[1] + row % box.across[1] * $tile_height;
    const int $tile_z = box.lower[2] + row / box.across[1] * $chunk;
    const int planes = min($chunk, box.upper[2] - $tile_z);
    $coordinates

    /* $outside_comment */
    $outside

    $offsets
    % include "part/temporal_start"

    /* Columns of both steps, as far as they are read. */
    $windows
    __syncthreads();

    $counters
    for (int p = 0; p < planes + $span; p++) {
        /* The plane furthest ahead has come: the column goes on. */
        $wait
        $here
        if (works) {
            $advance
#pragma unroll
            for (int j = 0; j < $rows; j++)
                $newest
        }

        if (p >= $primed) {
            /* The middle step, ${lag_text} behind. */
            const int $walk = $tile_z + p - $middle_lag;
            $in_planes
% if own_halo then
            if ($send_when)
                $send
% end
            $middle_waits
            if (works) {
                $middle_advance
% if not held then
#pragma unroll
                for (int j = 0; j < $rows; j++)
                    $middle_newest
                $made_declared
% end
% for _, q in ipairs(first_points) do
                ${q.declared}
#pragma unroll
                for (int j = 0; j < $rows; j++)
                    ${q.read}
% end
                $first_call
% if kept_middle then
                if (${kept_middle.when})
#pragma unroll
                    for (int j = 0; j < $rows; j++)
                        if (${kept_middle.in_tile})
                            ${kept_middle.write}
% end
% if own_halo then
                if (!in_planes)
                    $recall
% else
                $stay
% end
                $hand_on
            }

            /* The second, as far behind again. */
            if ($second_when) {
% if reread then
                if (outside != 0)
#pragma unroll
                    for (int j = 0; j < $rows; j++)
                        $middle_newest
% end
% if due then
                /* Of a vector that is outside in part: what was sent for has come. */
                if (outside != 0) {
                    $due
                }
% end
% for _, q in ipairs(second_points) do
                ${q.declared}
#pragma unroll
                for (int j = 0; j < $rows; j++)
                    ${q.read}
% end
                $result_declared
                $second_call
#pragma unroll
                for (int j = 0; j < $rows; j++)
                    if ($in_tile)
                        $write
            }
        }

        /* Nobody reads the oldest planes any more: others take their place. */
% if own_halo then
        quern_fetch_close();
        quern_fetch_wait<$sent>();
% end
        __syncthreads();
        if (leader) {
% for _, f in ipairs(fulls) do
            if (${f.refill_when})
                ${f.refill}
% end
        }
        $onward
        if (p >= $primed) {
            $middle_onward
        }
    }
}

% include "part/boxes"

% include "part/cuda_tensors"

% include "part/cuda_shared"

% for _, walk in ipairs(walks) do
% include "part/cuda_run_boxes", walk

% end
% include "part/entry"

% include "part/points"

% include "part/cuda_run_walks"

% include "part/cuda_launch"
