% -- One step of a walk with a window: its newest planes, the shared planes, the points.
$newest
% if first and fetch[1] then
% if newest[1] then

% end
/* Load what belongs to the point before the block waits. */
% end
$fetch
% if stages > 0 then
quern_fetch_wait<$behind>();
% end
% for _, s in ipairs(fills) do
% if first then

/* ${s.comment} */
% end
${s.lines}
% end
% if planes[1] then
__syncthreads();
% end
% if stages > 0 then
% include "part/window_ahead"
% end

$body
% if spare > 0 then
$turn
% elseif planes[1] then
% if first then

/* Nobody overwrites a plane that is still read. */
% end
__syncthreads();
% end
