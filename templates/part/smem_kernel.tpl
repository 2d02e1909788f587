% -- The kernel of smem_u, smem_eta_3 and smem_eta_1, or a function of such a kernel.
% if dynamic then
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
$entry
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
