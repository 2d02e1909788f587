% -- The launcher of kernels that the tensor unit serves: one launch for all boxes.
/* Launches the kernel once, on all boxes. */
template <typename index_t>
static cudaError_t run(
    const struct $args *a, cudaStream_t stream)
{
    $locals
% if hosts[1] then

    /* What numbers and scalars alone decide: in double, rounded once. */
    $hosts
% end

    const struct quern_domain domain = domain_of(a);
    struct quern_box list[$most_boxes];
    const int count = $own_boxes;
    if (count == 0)
        return cudaSuccess;

    struct quern_array all[$array_count];
    arrays(a, all);
% for _, t in ipairs(makes) do
    quern_tensor ${t.tensor};
% end
    int lead = lead_of(&all[0]);
    cudaError_t error = cudaSuccess;
% for _, t in ipairs(makes) do
    if (error == cudaSuccess)
        error = tensor_of(&${t.tensor}, &domain, &all[${t.array}],
                          lead, ${t.width}, ${t.height});
% end
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(
            ${plan}_kernel<index_t>,
            cudaFuncAttributeMaxDynamicSharedMemorySize, (int)sizeof(shared_planes));
    if (error != cudaSuccess)
        return error;

    /* Tiles start where a copy starts on a sector of 32 bytes. */
    quern_tilings<$most_boxes> boxes;
    const int64_t blocks = quern_tile_boxes(&boxes, list, count, TILE, lead, $sector);
    void *arguments[] = {
        $tensor_addresses
        &boxes,
        $addresses
    };
    return cudaLaunchKernel(
        ${plan}_kernel<index_t>,
        dim3((unsigned)blocks), dim3($block), arguments, sizeof(shared_planes), stream);
}
