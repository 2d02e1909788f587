% -- What an edge kernel reads beyond faces that have no halo.
/* What the functions below need beside an index: extents, strides, what boundaries add. */
% if edge.on_device then
template <typename index_t>
% end
struct ${edge.tag} {
    ${edge.members}
};
% for _, r in ipairs(edge.readers) do

/* ${r.of} at an index in the domain, or beyond a face that has no halo. */
% if edge.on_device then
template <typename index_t>
static __device__ __forceinline__
% else
static inline
% end
${edge.compute} ${r.name}(
    const ${r.type} *${r.array},
    const ${edge.type} *edge,
    ${r.index})
{
    ${r.body}
}
% end
