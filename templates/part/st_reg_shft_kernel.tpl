% -- The kernel of st_reg_shft, or a function of such a kernel.
% include "part/window_planes"
/* A block updates a tile of $tile_text points, plane by plane along $walk. */
template <typename index_t>
$entry
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
