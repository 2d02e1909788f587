% -- One step of a walk with a window: its newest planes, the shared planes, the points.
$newest
% if first and fetch[1] then
% if newest[1] then

% end
/* Load what belongs to the point before the block waits. */
% end
$fetch
% for _, s in ipairs(fills) do
% if first then

/* ${s.comment} */
% end
% if s.whole then
${s.fill.loops}
${s.fill.pad}if (${s.fill.condition})
${s.fill.pad}    ${s.tile}${s.fill.to} = ${s.fill.from};
% else
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
% if first then

/* Nobody overwrites a plane that is still read. */
% end
__syncthreads();
% end
