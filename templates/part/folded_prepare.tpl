% -- The launch that fills a workspace.
/* Finds the neighbours and the coefficients of all points. */
template <typename index_t>
static cudaError_t set_up(
    const struct $args *a, cudaStream_t stream)
{
    $locals
% if tiled then
    const int32_t *tiles = a->${tiled.tiles};
% end
% if hosts[1] then

    /* What numbers and scalars alone decide: in double, rounded once. */
    $hosts
% end

    index_t $point_begin = 0, $point_end = (index_t)$point_count;
    index_t $k_begin = 0, $k_end = 0;
    void *arguments[] = {
% if tiled then
        $addresses,
        &tiles
% else
        $addresses
% end
    };
    return cudaLaunchKernel(
        ${plan}_setup<index_t>,
% if tiled then
        dim3((unsigned)a->${tiled.count}, ${tiled.each}),
% else
        dim3((unsigned)(($point_count + $setup_threads - 1) / $setup_threads)),
% end
        dim3($setup_threads), arguments, 0, stream);
}

int ${plan}_prepare(
    const struct $args *a, void *stream)
{
    /* Of all points, whichever a launch updates. */
    struct $args whole = *a;
    for (size_t i = 0; i < sizeof whole.n / sizeof *whole.n; i++) {
        whole.lower[i] = 0;
        whole.upper[i] = whole.n[i];
    }
    if (${plan}_check(&whole, NULL, 0))
        return cudaErrorInvalidValue;
    if (${plan}_points(&whole) == 0)
        return cudaSuccess;
% if placed then
    whole = ${placed}(&whole);
% end
    const cudaStream_t queue = static_cast<cudaStream_t>(stream);
    return fits_32_bits(&whole) ? set_up<int32_t>(&whole, queue) : set_up<int64_t>(&whole, queue);
}
