% -- One step of a walk with a window: its newest planes, the shared planes, the points.
$newest
% if fetch[1] and streams[1] then

% end
% if fetch[1] then
/* Load what belongs to the point before the block waits. */
$fetch
% end
% for _, s in ipairs(fills) do

% if s.whole then
/* Share the current plane of ${s.buffer}, halo and corners included. */
${s.fill.loops}
${s.fill.pad}if (${s.fill.condition})
${s.fill.pad}    ${s.tile}${s.fill.to} = ${s.fill.from};
% else
/* Share the current plane of ${s.buffer} and its halo. */
${s.tile}${s.here} = ${s.current};
% for _, move in ipairs(s.moves) do
if (${move.role})
    ${s.tile}${move.to} = ${move.from};
% end
% end
% end
% if planes[1] then
__syncthreads();
% end

if (inside) {
    $body
}
% if planes[1] then

/* Nobody overwrites a plane that is still read. */
__syncthreads();
% end
