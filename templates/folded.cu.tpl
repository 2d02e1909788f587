% -- folded: results on a mesh that are linear in what changes with the level, as sums over the
% -- distinct neighbours of a point. A kernel of its own finds these, and a coefficient for each
% -- value there: what the results are where that value is one and all others are nought. A
% -- thread then goes through several levels of one point, its coefficients in shared memory.
% include "part/head"
% include "part/cuda_includes"
% include "part/functions"
% include "part/cuda_dynamic"
% include "part/folded_setup"

/* What the threads of a block keep of their points, a column each. */
struct shared_planes {
    $compute coefficient[$coefficients][$threads];
    int32_t near[$slots][$threads];
};

/* LEVELS levels of one point, the first of them k. */
template <int LEVELS, typename index_t>
static __device__ __forceinline__ void fold(
    const shared_planes &s, const int thread, const index_t $point, const index_t $k,
    $moving_parameters)
{
% for _, r in ipairs(results) do
    $compute ${r.name}[LEVELS] = { 0 };
% end
% for _, g in ipairs(groups) do

    /* ${g.note} */
#pragma unroll
    for (int slot = 0; slot < ${g.count}; slot++) {
        const index_t at = s.near[${g.first} + slot][thread];
        const int of_slot = ${g.coefficients} + ${g.step} * slot;
% for _, input in ipairs(g.inputs) do
#pragma unroll
        for (int j = 0; j < LEVELS; j++) {
            const $compute value = ${input.element};
% for _, term in ipairs(input.terms) do
            ${term.sum}[j] = $fma(s.coefficient[of_slot + ${term.index}][thread], value,
                ${term.sum}[j]);
% end
        }
% end
    }
% end

#pragma unroll
    for (int j = 0; j < LEVELS; j++) {
% for _, r in ipairs(results) do
        ${r.target} = ${r.value};
% end
    }
}

/* One thread updates at most $levels levels of one point. */
template <typename index_t>
__global__ void __launch_bounds__($threads, $resident)
${plan}_kernel(
    $parameters,
    const $compute *__restrict__ coefficient, const int32_t *__restrict__ near,
    int64_t pitch)
{
    const index_t $point = $point_begin + (index_t)blockIdx.x * $threads + threadIdx.x;
    const index_t first = $k_begin + (index_t)blockIdx.y * $levels;
    if ($point >= $point_end || first >= $k_end)
        return;
    const index_t last = first + $levels < $k_end ? first + $levels : $k_end;

    if (near[$point] < 0) {
        /* A row that has no folded form. */
        for (index_t $k = first; $k < last; $k++) {
            $others
        }
        return;
    }

    shared_planes &s = *dynamic_shared<shared_planes>();
    const int thread = threadIdx.x;
    for (int i = 0; i < $coefficients; i++)
        s.coefficient[i][thread] = coefficient[i * pitch + $point];
    for (int i = 0; i < $slots; i++)
        s.near[i][thread] = near[i * pitch + $point];

    index_t $k = first;
    for (; $k + $unroll <= last; $k += $unroll)
        fold<$unroll>(s, thread, $point, $k,
            $moving_arguments);
    for (; $k < last; $k++)
        fold<1>(s, thread, $point, $k,
            $moving_arguments);
}

% include "part/boxes"

% include "part/folded_workspace"

% include "part/cuda_shared"

% include "part/entry"

% include "part/points"

% include "part/cuda_run"

% include "part/folded_prepare"
