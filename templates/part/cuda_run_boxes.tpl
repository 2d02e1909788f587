% -- The launcher of a walk that the tensor unit serves: one launch for some boxes, or one for
% -- each wave of blocks.
% if space then
namespace $space {

% end
% if fit then
/* The axes of the domain in the order of the walk: two of a tile, then its own; and the most
 * points that a block updates along them. */
% else
/* The axes of the domain in the order of the walk: two of a tile, then its own; and the points
 * that a block updates along them. */
% end
static const int ORDER[3] = { $order };
static const int64_t TILE[3] = { $tile };

% if space then
/* Launches the kernel once, on some boxes, beside the launch before it or after. */
% else
/* Launches the kernel once, on some boxes. */
% end
template <typename index_t>
static cudaError_t run_boxes(
    const struct $args *a,
% if space then
    struct quern_box *list, int count, cudaStream_t stream, bool beside)
% else
    struct quern_box *list, int count, cudaStream_t stream)
% end
{
    $locals
% if hosts[1] then

    /* What numbers and scalars alone decide: in double, rounded once. */
    $hosts
% end

    const struct quern_domain domain = domain_of(a);
    struct quern_array all[$array_count];
    arrays(a, all);
% for _, t in ipairs(makes) do
    quern_tensor ${t.tensor};
% end
    int lead = lead_of(&all[0]);
    cudaError_t error = cudaFuncSetAttribute(
        ${plan}_kernel<index_t>,
        cudaFuncAttributeMaxDynamicSharedMemorySize, (int)sizeof(shared_planes));
    if (error != cudaSuccess)
        return error;

    /* Tiles start where a copy starts on a sector of 32 bytes. */
    quern_turn_boxes(list, count, ORDER);
    quern_tilings<$most_boxes> boxes;
% if waves then
    quern_company company;
    int64_t resident;
    error = quern_resident(&resident, ${plan}_kernel<index_t>, $threads, sizeof(shared_planes));
    if (error != cudaSuccess)
        return error;
%  if fit then
    const int64_t tile[3] = { TILE[0], quern_fit_rows(&boxes, list, count, TILE, $rows, lead,
                                                      $sector, resident), TILE[2] };
    const int64_t blocks = quern_tile_waves(&boxes, &company, list, count, tile, lead, $sector,
                                            resident, $choose);
%  else
    const int64_t blocks = quern_tile_waves(&boxes, &company, list, count, TILE, lead, $sector,
                                            resident, $choose);
%  end
% else
    const int64_t blocks = quern_tile_boxes(&boxes, list, count, TILE, lead, $sector);
% end
% if shift then
    quern_shift_copies(&boxes, ${shift.least}, ${shift.later}, ${shift.most}, ${shift.earlier});
% end
% for _, t in ipairs(makes) do
    if (error == cudaSuccess)
        error = tensor_of(&${t.tensor}, &domain, &all[${t.array}], ORDER,
                          ${t.lead}, ${t.width}, ${t.height});
% end
    if (error != cudaSuccess)
        return error;
    void *arguments[] = {
        $tensor_addresses
        &boxes,
% if waves then
        &company,
% end
        $addresses
    };
% if space then
    return quern_launch_beside(
        ${plan}_kernel<index_t>,
        dim3((unsigned)blocks), dim3($block), arguments, sizeof(shared_planes), stream, beside);
% else
    return cudaLaunchKernel(
        ${plan}_kernel<index_t>,
        dim3((unsigned)blocks), dim3($block), arguments, sizeof(shared_planes), stream);
% end
}

/* Why a launch on some boxes cannot work, as check says it. */
static int refuse_boxes(
    struct quern_box *list, int count, int lead, char *why, size_t size)
{
    quern_turn_boxes(list, count, ORDER);
    quern_tilings<$most_boxes> boxes;
% if fit then
    const int64_t tile[3] = { TILE[0], quern_least_rows(TILE[1], $rows), TILE[2] };
    const int64_t blocks = quern_tile_boxes(&boxes, list, count, tile, lead, $sector);
% else
    const int64_t blocks = quern_tile_boxes(&boxes, list, count, TILE, lead, $sector);
% end
    return quern_check_blocks(blocks, why, size)
        || quern_check_shared(sizeof(shared_planes), most_shared(), why, size);
}
% if space then

}
% end
