% -- The edge kernel's launches.
/* Launches the edge kernel on every box next to a face without a halo. */
template <typename index_t>
static cudaError_t run_edge(
    const struct $args *a, ${pass.parameter}cudaStream_t stream)
{
    ${edge.locals}
% if colours then

    ${colours.values}
% end
% if edge.hosts[1] then

    ${edge.hosts}
% end
    ${edge.type} edge = {
        ${edge.values}
    };

    const struct quern_domain domain = domain_of(a);
    struct quern_box list[${edge.most_boxes}];
    const int count = edge_boxes(a, &domain, list);
    for (int b = 0; b < count; b++) {
        $bounds
% if slab then
        const struct $args seen = seen_from(a, &list[b]);
        ${slab.pointers}
% end
        void *arguments[] = {
            ${edge.addresses},
            &edge
        };
        const dim3 grid(
            ${edge.grid});
        const cudaError_t error = cudaLaunchKernel(
            ${plan}_edge<index_t>,
            grid, dim3(${edge.block}), arguments, 0, stream);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}
