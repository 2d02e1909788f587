% -- The launches of all walks of a plan.
% if walks[2] then
/* Launches the kernels, each on the boxes that are thinnest along its axis: the first after what
 * was launched before, the others beside it. */
% else
/* Launches the kernel on all boxes. */
% end
template <typename index_t>
static cudaError_t run(
    const struct $args *a, cudaStream_t stream)
{
    const struct quern_domain domain = domain_of(a);
    struct quern_box list[$most_boxes];
    const int count = $own_boxes;
% if walks[2] then
    cudaError_t error = cudaSuccess;
    struct quern_box some[$most_boxes];
    bool begun = false;
% for _, walk in ipairs(walks) do
    const int ${walk.space}_count = quern_thin_boxes(list, count, ${walk.thin}, some);
    if (error == cudaSuccess && ${walk.space}_count > 0)
        error = ${walk.space}::run_boxes<index_t>(a, some, ${walk.space}_count, stream, begun);
    begun = begun || ${walk.space}_count > 0;
% end
    return error;
% else
    return count == 0 ? cudaSuccess : run_boxes<index_t>(a, list, count, stream);
% end
}
