% -- The kernel that finds the distinct neighbours of each point, and their coefficients.
% include "part/folded_meet"

% if tiled and seeks then
/* The place of a point in a list of a tile, some places of which are empty. */
static __device__ __forceinline__ int32_t place_in(
    const int32_t *list, const int count, const int32_t point)
{
    int32_t place = 0;
    while (place < count - 1 && list[place] != point)
        place++;
    return place;
}

% end
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
    $compute *__restrict__ coefficient, int32_t *__restrict__ near,
% if tiled then
    int64_t pitch, const int32_t *__restrict__ tiles)
{
    const int32_t *const words = tiles + (int64_t)blockIdx.x * (${tiled.words} * $setup_threads);
    const int64_t place =
        ((int64_t)blockIdx.x * ${tiled.each} + blockIdx.y) * $setup_threads + threadIdx.x;
    const index_t $point = words[(${tiled.word} + blockIdx.y) * $setup_threads + threadIdx.x];
    near[place] = -1;
    if ($point < 0)
        return;
% else
    int64_t pitch)
{
    const index_t $point = (index_t)blockIdx.x * $setup_threads + threadIdx.x;
    const int64_t place = $point;
    if ($point >= $point_end)
        return;
% end

    int32_t found[$slots];
    int met[${#groups}] = { 0 };
    $meetings

% if tiled then
    if (!($regular))
        return;
% else
    const bool regular = $regular;
    near[place] = regular ? found[0] : -1;
    if (!regular)
        return;
% end
% for i, g in ipairs(groups) do

    /* ${g.note} */
#pragma unroll 1
    for (int slot = 0; slot < ${g.count}; slot++) {
        const bool used = slot < met[${i - 1}];
% if not tiled then
        near[(${g.first} + slot) * pitch + place] = found[${g.first} + (used ? slot : 0)];
% end
#pragma unroll 1
        for (int input = 0; input < ${#g.inputs}; input++) {
            double result[${#results}];
            respond<index_t>(
                $arguments,
                $point, ${g.first_input} + input, used ? found[${g.first} + slot] : -1, result);
            for (int i = 0; i < ${#results}; i++)
                coefficient[(${g.coefficients} + ${g.step} * slot + ${#results} * input + i) * pitch
                            + place] = ($compute)result[i];
        }
    }
% end
% if tiled then

    /* Where the neighbours are in the lists of the tile, two to a word. */
    int32_t places[${2 * tiled.near_words}] = { 0 };
% for i, g in ipairs(groups) do
    for (int slot = 0; slot < ${g.count}; slot++)
        places[${g.first} + slot] = ${g.place};
% end
    for (int i = 0; i < ${tiled.near_words}; i++)
        near[i * pitch + place] = places[2 * i] | places[2 * i + 1] << 16;
% end
}
