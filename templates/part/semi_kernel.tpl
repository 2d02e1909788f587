% -- The kernel of semi, or a function of such a kernel.
% include "part/window_planes"
/* A block updates a tile of $tile_text points, plane by plane along $walk. */
template <typename index_t>
$entry
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
