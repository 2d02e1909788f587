% -- st_reg_shft: a block of threads walks along the last axis, plane by plane.
% --
% --      plane, seen from above             window of one thread, along the walk
% --
% --            halo above                   front2    read ahead from global memory
% --        +----------------+               front1
% --   halo |  the block's   | halo          current   also in the shared plane
% --   left |     tile       | right         behind1
% --        +----------------+               behind2   left behind at the next plane
% --            halo below
% --
% -- Every thread of a block makes every step: what differs is what it loads and stores.
% include "part/head"
% include "part/cuda_includes"
% for _, part in ipairs(headers) do
% include(part)
% end
% include "part/functions"

/* A block updates a tile of $tile_text points, plane by plane along $walk. */
template <typename index_t>
__global__ void __launch_bounds__($threads)
${plan}_kernel(
    $parameters)
{
    % include "part/window_start"

% if streams[1] then
    /* Prime the window, one plane back: the first advance completes it. */
    $prime

% end
    for (index_t $walk = first; $walk < last; $walk++) {
% if streams[1] then
        /* Advance the window by one plane. */
% end
        % include "part/window_step", step

        /* On to the next plane. */
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

% include "part/cuda_run"
