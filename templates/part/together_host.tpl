% -- What the file of a kernel for all regions offers, and its launcher.
int ${plan}_check(
    const struct $args *a, char *why, size_t size)
{
    if (quern_check_size(a == NULL ? 0 : a->struct_size, sizeof *a, why, size))
        return 1;
    const struct quern_domain domain = domain_of(a);
    if (quern_check_domain(&domain, why, size))
        return 1;
% for _, scalar in ipairs(bound_scalars) do
    if (quern_check_bound("${scalar.name}", a->${scalar.member}, why, size))
        return 1;
% end
% for _, region in ipairs(regions) do
    if (${region.space}::check(a, why, size))
        return 1;
% end
% if placed then
    % include "part/placed"
% end
    quern_regions<$most_all> regions = {};
% for _, region in ipairs(regions) do
    ${region.space}::add_boxes(a, &regions);
% end
    return quern_check_blocks(regions.blocks, why, size);
}

% include "part/unprepared"

int64_t ${plan}_points(
    const struct $args *a)
{
    int64_t points = 0;
% for _, region in ipairs(regions) do
    points += ${region.space}::points(a);
% end
    return points;
}

int64_t ${plan}_bytes(
    const struct $args *a)
{
    int64_t bytes = 0;
% for _, region in ipairs(regions) do
    bytes += ${region.bytes} * ${region.space}::points(a);
% end
    return bytes;
}

/* One launch for all boxes. */
template <typename index_t>
static cudaError_t run(
    const struct $args *a, cudaStream_t stream)
{
    $locals
% if hosts[1] then

    /* What numbers and scalars alone decide: in double, rounded once. */
    $hosts
% end

    quern_regions<$most_all> regions = {};
% for _, region in ipairs(regions) do
    ${region.space}::add_boxes(a, &regions);
% end
    if (regions.blocks == 0)
        return cudaSuccess;
% if dynamic then

    /* More shared memory than a kernel has by itself. */
    const cudaError_t allowed = cudaFuncSetAttribute(
        ${plan}_kernel<index_t>,
        cudaFuncAttributeMaxDynamicSharedMemorySize, (int)sizeof(shared_planes));
    if (allowed != cudaSuccess)
        return allowed;
% end
    void *arguments[] = {
        &regions,
        $addresses
    };
    return cudaLaunchKernel(
        ${plan}_kernel<index_t>,
        dim3((unsigned)regions.blocks), dim3($block), arguments, $launch_bytes, stream);
}

int ${plan}_launch(
    const struct $args *a, void *stream)
{
    if (${plan}_check(a, NULL, 0))
        return cudaErrorInvalidValue;
% if placed then
    % include "part/placed"
% end
    const cudaStream_t queue = static_cast<cudaStream_t>(stream);
    const bool small = $fits;
% if edges[1] then
    cudaError_t error = small ? run<int32_t>(a, queue) : run<int64_t>(a, queue);
% for _, region in ipairs(edges) do
    if (error == cudaSuccess)
        error = small ? ${region.space}::run_edge<int32_t>(a, queue)
            : ${region.space}::run_edge<int64_t>(a, queue);
% end
    return error;
% else
    return small ? run<int32_t>(a, queue) : run<int64_t>(a, queue);
% end
}
