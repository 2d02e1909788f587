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
% if dynamic then
    if (count == 0)
        return cudaSuccess;

    /* More shared memory than a kernel has by itself. */
    const cudaError_t allowed = cudaFuncSetAttribute(
        ${plan}_kernel<index_t>,
        cudaFuncAttributeMaxDynamicSharedMemorySize, (int)sizeof(shared_planes));
    if (allowed != cudaSuccess)
        return allowed;

% end
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
            grid, dim3($block), arguments, $launch_bytes, stream);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

% if edge then
% include "part/cuda_run_edge"

% end
% include "part/cuda_launch"
