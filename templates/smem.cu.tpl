% -- smem_u, smem_eta_3, smem_eta_1: one thread per point; some buffers are read from a tile
% -- in shared memory, which the block fills first.
% --
% --            halo above
% --        +----------------+
% --   halo |   one thread   | halo      along each axis its first threads fetch both sides
% --  below |    a point     | above     (smem_u, smem_eta_3), or the first threads along x
% --        +----------------+           one plane of a side each (smem_eta_1)
% --            halo below
% --
% -- Every thread reaches the barrier: threads beyond the end fetch what others read.
% include "part/head"
% include "part/cuda_includes"
% include "part/functions"
% if dynamic then
% include "part/cuda_dynamic"

/* The shared memory of a block: its tiles, plane by plane. */
namespace {
struct shared_planes {
% for _, t in ipairs(tiles) do
    $compute ${t.name}${t.extents};
% end
};
}
% end

/* A block updates $tile_text points, one thread each. */
template <typename index_t>
__global__ void __launch_bounds__($threads)
${plan}_kernel(
    $parameters)
{
% if dynamic then
    shared_planes &s = *dynamic_shared<shared_planes>();
% end
% for _, t in ipairs(tiles) do
% if dynamic then
    auto &${t.name} = s.${t.name};
% else
    __shared__ $compute ${t.name}${t.extents};
% end
% end

    $coordinates
    const bool inside = $inside;
    $places

    $offsets
% for _, t in ipairs(whole) do

    /* Share ${t.buffer}, halo and corners included. */
    ${t.fill.loops}
    ${t.fill.pad}${t.fill.guard}
    ${t.fill.pad}    ${t.fill.move}
% end
% for _, t in ipairs(sided) do

    /* Share ${t.buffer}: everyone's own point. */
    ${t.own.guard}
        ${t.own.move}
% for _, h in ipairs(t.halos) do

    /* ${h.comment} */
    ${h.head}
    ${h.pad}    ${h.places}
    ${h.pad}    ${h.guard}
    ${h.pad}        ${h.move}
    ${h.pad}}
% end
% end
% if early[1] then

    /* Load what belongs to the point before the block waits. */
    $early
% end
    __syncthreads();

    if (inside) {
        $body
    }
}

% if edge then
% include "part/cuda_edge"

% end
% include "part/boxes"
% if edge then

% include "part/interior"
% end

% if dynamic then
% include "part/cuda_shared"

% end
% include "part/entry"

% include "part/points"

% include "part/cuda_run"
