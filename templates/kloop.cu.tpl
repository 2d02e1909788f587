% -- kloop: a thread goes through several levels of one point of a mesh. What its neighbours
% -- are, and what is the same at all levels, is found before and stays in registers; every
% -- other value is read from global memory.
% include "part/head"
% include "part/cuda_includes"
% include "part/functions"

/* One thread updates at most $levels levels of one point. */
template <typename index_t>
__global__ void __launch_bounds__($threads)
${plan}_kernel(
    $parameters)
{
% if apart then
    const index_t $point = $point_begin + (index_t)blockIdx.x * $depth + threadIdx.y;
    const index_t first = $k_begin + (index_t)blockIdx.y * ($width * $levels) + threadIdx.x;
    if ($point >= $point_end || first >= $k_end)
        return;
    const index_t last = first + $width * $levels < $k_end ? first + $width * $levels : $k_end;
% else
    const index_t $point = $point_begin + (index_t)blockIdx.x * $width + threadIdx.x;
    const index_t first = $k_begin + ((index_t)blockIdx.y * $depth + threadIdx.y) * $levels;
    if ($point >= $point_end || first >= $k_end)
        return;
    const index_t last = first + $levels < $k_end ? first + $levels : $k_end;
% end
% if strides[1] then

    /* A row of some kind leads ahead by strides, another where the table says. */
    $strides
% end

    $still
    $kept

% if unroll > 0 then
#pragma unroll $unroll
% end
% if apart then
    for (index_t $k = first; $k < last; $k += $apart) {
% else
    for (index_t $k = first; $k < last; $k++) {
% end
        $moving

        $body
    }
}

% include "part/boxes"

% include "part/entry"

% include "part/points"

% include "part/cuda_run"
