% -- Rings of planes in shared memory, and who copies into them.
/* The shared memory of a block: rings of planes, and the barriers that say what has come. */
namespace {
struct shared_planes {
% for _, s in ipairs(shared) do
    struct { __align__(128) ${s.type} at${s.extents}; } ${s.ring}[${s.slots}];
% end
    uint64_t $barriers;
% if lockstep then
    quern_companion $own;
% end
};
}
% for _, s in ipairs(streams) do

/* Starts to copy a plane of ${s.buffer}. */
static __device__ __forceinline__ void ${s.fetch}(
    shared_planes &s, const quern_tensor &${s.tensor}, int slot, int x, int y, int z)
{
    quern_barrier_expect(&s.${s.full}[slot], ${s.bytes});
    quern_tensor_load(s.${s.ring}[slot].at, &${s.tensor}, x, y, z, &s.${s.full}[slot]);
}
% end
% if points then

/* Starts to copy ${points.what}. */
static __device__ __forceinline__ void ${points.fetch}(
    shared_planes &s,
    ${points.tensors},
    int slot, int x, int y, int z${points.shift})
{
    quern_barrier_expect(&s.${points.full}[slot],
                         ${points.bytes});
% for _, p in ipairs(points.list) do
    quern_tensor_load(s.${p.ring}[slot].at, &${p.tensor}, ${p.x}, ${p.y}, ${p.z},
                      &s.${points.full}[slot]);
% end
}
% end
