% -- The launcher of a kernel that goes through tiles: one launch per box, with 32-bit offsets
% -- where all of them fit.
/* How many blocks the present device holds at once. */
template <typename index_t>
static cudaError_t find_room(
    struct quern_room *room)
{
    const cudaError_t error = cudaFuncSetAttribute(
        ${plan}_kernel<index_t>,
        cudaFuncAttributeMaxDynamicSharedMemorySize, (int)sizeof(shared_planes));
    return error != cudaSuccess ? error
        : quern_fill(room, ${plan}_kernel<index_t>, $threads, $launch_bytes);
}

int ${plan}_resident(
    int64_t *blocks, int64_t *each)
{
    struct quern_room room = { 0, 0 };
    const cudaError_t error = find_room<int32_t>(&room);
    *blocks = room.blocks;
    *each = room.each;
    return error;
}

/* Launches the kernel on every box. */
template <typename index_t>
static cudaError_t run(
    const struct $args *a, ${pass.parameter}cudaStream_t stream)
{
    $locals
    const int32_t *tiles = a->$tiles;
% if hosts[1] then

    /* What numbers and scalars alone decide: in double, rounded once. */
    $hosts
% end

    const struct quern_domain domain = domain_of(a);
    struct quern_box list[$most_boxes];
    const int count = $own_boxes;
    struct quern_room room = { 0, 0 };
    cudaError_t error = find_room<index_t>(&room);
    for (int b = 0; b < count && error == cudaSuccess; b++) {
        $bounds
        const int64_t all = (int64_t)$k_end - $k_begin;
        quern_turns turns = quern_deal(all, a->${tile_count}, room, $begin);
        void *arguments[] = {
            $addresses,
            &tiles, &turns
        };
        error = cudaLaunchKernel(
            ${plan}_kernel<index_t>,
            dim3((unsigned)turns.side, (unsigned)(turns.waves + turns.parts)), dim3($block),
            arguments, $launch_bytes, stream);
    }
    return error;
}

% include "part/cuda_launch"
