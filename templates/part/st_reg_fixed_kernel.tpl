% -- The kernel of st_reg_fixed, or a function of such a kernel.
% include "part/window_planes"
/* A block updates a tile of $tile_text points, plane by plane along $walk. */
template <typename index_t>
$entry
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
