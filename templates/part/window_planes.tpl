% -- The shared memory of a walk with a window, where the launch gives it.
% if dynamic then
/* The shared memory of a block: planes of the walk. */
namespace {
struct shared_planes {
% for _, s in ipairs(planes) do
    $shared ${s.planes}${s.extents};
% end
};
}

% end
