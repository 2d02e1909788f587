% -- Where a walk with a window begins: shared planes, the thread's place and roles, offsets.
% if dynamic then
shared_planes &s = *dynamic_shared<shared_planes>();
% end
% for _, s in ipairs(planes) do
% if dynamic then
auto &${s.planes} = s.${s.planes};
% else
__shared__ $shared ${s.planes}${s.extents};
% end
% end
% if planes[1] then

% end
$coordinates
const index_t first = $walk_begin + (index_t)$walk_block * $chunk;
const index_t last = min(first + $chunk, $walk_end);
$places

/* Who updates a point (inside), who holds one that is read (near), who fetches the halo
 * of a side. */
$roles

$offsets
% if fetched[1] then

/* What a step loads for its points before the block waits. */
$fetched
% end
% if spare > 0 then

/* Which of its planes a step shares: the others may still be read, or are filled ahead. */
int $now = 0;
% end
% if stages > 0 then
% include "part/window_primed"
% end
