% -- The launcher: one launch per box, with 32-bit offsets where all of them fit.
% if slab then
% include "part/slab_view"

% end
/* Launches the kernel on every box. */
template <typename index_t>
static cudaError_t run(
    const struct $args *a, ${pass.parameter}cudaStream_t stream)
{
    $locals
% if colours then

    /* What the forms of the points of this pass are, modulo their moduli. */
    ${colours.values}
% end
% if hosts[1] then

    /* What numbers and scalars alone decide: in double, rounded once. */
    $hosts
% end

    const struct quern_domain domain = domain_of(a);
    struct quern_box list[$most_boxes];
    const int count = $own_boxes;
    for (int b = 0; b < count; b++) {
        $bounds
% if slab then
        const struct $args seen = seen_from(a, &list[b]);
        ${slab.pointers}
% end
        void *arguments[] = {
            $addresses
        };
        const dim3 grid(
            $grid);
        const cudaError_t error = cudaLaunchKernel(
            ${plan}_kernel<index_t>,
            grid, dim3($block), arguments, 0, stream);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

% if edge then
% include "part/cuda_run_edge"

% end
/* Do the offsets of all threads, idle ones too, fit into 32 bits? */
static bool fits_32_bits(
    const struct $args *a)
{
    const struct quern_domain domain = domain_of(a);
    struct quern_array all[$array_count];
    arrays(a, all);
    return quern_fits_32_bits(&domain, all, $array_count, MARGIN);
}

int ${plan}${pass.suffix}_launch(
    const struct $args *a, ${pass.parameter}void *stream)
{
    if (${pass.refused}${plan}_check(a, NULL, 0))
        return cudaErrorInvalidValue;
% if placed then
    % include "part/placed"
% end
    const cudaStream_t queue = static_cast<cudaStream_t>(stream);
% if edge then
    const bool small = fits_32_bits(a);
    const cudaError_t error = small ? run<int32_t>(${pass.run}) : run<int64_t>(${pass.run});
    if (error != cudaSuccess)
        return error;
    return small ? run_edge<int32_t>(${pass.run}) : run_edge<int64_t>(${pass.run});
% else
    return fits_32_bits(a) ? run<int32_t>(${pass.run}) : run<int64_t>(${pass.run});
% end
}
% if colours then

% include "part/passes"
% end
