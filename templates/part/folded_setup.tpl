% -- The kernel that finds the distinct neighbours of each point, and their coefficients.
/* Adds a neighbour to those of a row that have been met, once. There are `most` places; who
 * finds none is counted. */
static __device__ __forceinline__ void meet(
    int32_t *list, int &met, const int most, const int32_t at)
{
    for (int i = 0; i < met && i < most; i++)
        if (list[i] == at)
            return;
    if (met < most)
        list[met] = at;
    met++;
}

/* The results where one input is one at one neighbour, and all others are nought. */
template <typename index_t>
static __device__ __forceinline__ void respond(
    $parameters,
    const index_t $point, const int input, const index_t at, double *result)
{
    $still
    $response
}

/* A thread finds what the launches need of one point, whatever their levels. A row without
 * neighbours, or with more than there are places for, begins with -1. */
template <typename index_t>
__global__ void __launch_bounds__($setup_threads)
${plan}_setup(
    $parameters,
    $compute *__restrict__ coefficient, int32_t *__restrict__ near, int64_t pitch)
{
    const index_t $point = (index_t)blockIdx.x * $setup_threads + threadIdx.x;
    if ($point >= $point_end)
        return;

    int32_t found[$slots];
    int met[${#groups}] = { 0 };
    $meetings

    const bool regular = $regular;
    near[$point] = regular ? found[0] : -1;
    if (!regular)
        return;
% for i, g in ipairs(groups) do

    /* ${g.note} */
    for (int slot = 0; slot < ${g.count}; slot++) {
        const bool used = slot < met[${i - 1}];
        near[(${g.first} + slot) * pitch + $point] = found[${g.first} + (used ? slot : 0)];
        for (int input = 0; input < ${#g.inputs}; input++) {
            double result[${#results}];
            respond<index_t>(
                $arguments,
                $point, ${g.first_input} + input, used ? found[${g.first} + slot] : -1, result);
            for (int i = 0; i < ${#results}; i++)
                coefficient[(${g.coefficients} + ${g.step} * slot + ${#results} * input + i) * pitch
                            + $point] = ($compute)result[i];
        }
    }
% end
}
