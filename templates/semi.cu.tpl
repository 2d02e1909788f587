% -- semi: the semi-stencil along the last axis. A sum has two phases, R planes apart.
% --
% --            behind3  behind2  behind1   here      forward phase: when its plane is the newest,
% --      sum =    o   +    o   +    o   +   o         what is behind it and beside it
% --            here     front1   front2   front3     backward phase: when the walk gets there,
% --      sum +=            o   +    o   +   o         what is ahead of it
% --
% -- Between the phases it waits in registers, as the planes ahead do: of a column no plane behind
% -- is read. Every thread of a block makes every step: what differs is what it loads and stores.
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

    /* Prime the window, one plane back: the first advance completes it. */
    $prime

    /* Sums that have begun: of the plane that is completed, and of those ahead of it. */
    $sums

    for (index_t $walk = first - $ahead; $walk < last; $walk++) {
        /* Advance the window and the sums by one plane. */
        $moved
        $newest
        $begun
        const bool complete = inside && $walk >= first;
% if fetch[1] then

        /* Load what belongs to the point before the block waits. */
        $fetch
% end

        /* Forward phase: what the newest plane has behind it and beside it. */
        if ($walk + $ahead < last) {
% for i, s in ipairs(fills) do
% if i > 1 then

% end
            /* ${s.comment} */
            ${s.lines}
% end
% if fills[1] then
            __syncthreads();

% end
            if (inside) {
                $forward
            }
% if spare > 0 then
            $turn
% elseif fills[1] then

            /* Nobody overwrites a plane that is still read. */
            __syncthreads();
% end
        }

        /* Backward phase: what a point has ahead of it completes its sum. */
        if (complete) {
            $body
        }

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
