% -- gmem: one thread per point; every value is read from global memory and the
% -- caches do the rest. Any loads, any rank.
% include "part/head"
% include "part/cuda_includes"
% include "part/functions"

% if ends then
/* One thread updates one point. */
% else
/* One thread updates $rows points, next to each other along $along. */
% end
template <typename index_t>
__global__ void __launch_bounds__($threads)
${plan}_kernel(
    $parameters)
{
    $coordinates
% if ends then
    if ($outside)
        return;
% end

    $offsets

    $body
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
