% -- st_reg_fixed: as st_reg_shft, but no value moves from register to register.
% --
% --      step 1     u_0: z - 1   u_1: z       u_2: z + 1      a value stays where it is, its
% --      step 2     u_0: z + 1   u_1: z - 1   u_2: z          role changes: the newest takes
% --      step 3     u_0: z       u_1: z + 1   u_2: z - 1      the place of the oldest
% --
% -- The walk is unrolled as many times as the longest window has planes. Every thread of a block
% -- makes every step: what differs is what it loads and stores.
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

    /* The window of the first step but for its newest plane, and what holds later ones. */
    $prime

    for (index_t $walk = first;;) {
% for _, step in ipairs(unrolled) do
        /* Step ${step.number} of $turns. */
        {
            % include "part/window_step", step
            $onward
        }
        if (++$walk == last)
            break;

% end
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
