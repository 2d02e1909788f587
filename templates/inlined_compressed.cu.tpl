% -- inlined_compressed: a chain on a mesh as one kernel; a thread goes through several levels of
% -- one point. A composed table has the neighbours of its neighbours, each once: their values
% -- are read once per level, and picked by a pattern that unrolled loops know.
% include "part/head"
% include "part/cuda_includes"
% include "part/functions"

/* One thread updates at most $levels levels of one point. */
template <typename index_t>
__global__ void __launch_bounds__($threads)
${plan}_kernel(
    $parameters)
{
    const index_t $point = $point_begin + (index_t)blockIdx.x * $width + threadIdx.x;
    const index_t first = $k_begin + ((index_t)blockIdx.y * $depth + threadIdx.y) * $levels;
    if ($point >= $point_end || first >= $k_end)
        return;
    const index_t last = first + $levels < $k_end ? first + $levels : $k_end;
% if strides[1] then

    /* A row of some kind leads ahead by strides, another where the table says. */
    $strides
% end

% if tests[1] then
    /* Do the rows of its neighbours follow the pattern, too? */
    $tests
% end
    if ($regular) {
        $patterns
        $still
        $kept

% if unroll > 0 then
#pragma unroll $unroll
% end
        for (index_t $k = first; $k < last; $k++) {
            $moving

            $body
        }
    } else {
        /* A row that does not follow the pattern. */
        for (index_t $k = first; $k < last; $k++) {
            $others
        }
    }
}

% include "part/boxes"

% include "part/entry"

% include "part/points"

% include "part/cuda_run"
