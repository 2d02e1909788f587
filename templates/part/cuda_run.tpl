% -- The launcher: one launch per box, with 32-bit offsets where all of them fit.
/* Do the offsets of all arrays fit into 32 bits, those of idle threads included? */
static bool fits_32_bits(const struct $args *a)
{
    const int64_t n[$rank] = { $range_n };
    struct array all[$array_count];
    const int count = arrays(a, all);
    for (int i = 0; i < count; i++) {
        int64_t elements = span(&all[i], n);
        for (int axis = 0; axis < all[i].rank; axis++)
            elements += MARGIN[all[i].axis[axis]] * all[i].stride[axis];
        if (elements > INT32_MAX)
            return false;
    }
    return true;
}

/* Launches the kernel on every box of the region. */
template <typename index>
static cudaError_t run(const struct $args *a, cudaStream_t stream)
{
    $locals
% if hosts[1] then

    /* What numbers and scalars alone decide: in double, rounded once. */
    $hosts
% end

    struct box list[$most_boxes];
    const int count = boxes(a, list);
    for (int b = 0; b < count; b++) {
        $bounds
        void *arguments[] = {
            $addresses
        };
        const dim3 grid(
            $grid);
        const cudaError_t error = cudaLaunchKernel(
            ${plan}_kernel<index>,
            grid, dim3($block), arguments, 0, stream);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

int ${plan}_launch(
    const struct $args *a, void *stream)
{
    if (${plan}_check(a, NULL, 0))
        return cudaErrorInvalidValue;
    const cudaStream_t queue = static_cast<cudaStream_t>(stream);
    return fits_32_bits(a) ? run<int32_t>(a, queue) : run<int64_t>(a, queue);
}
