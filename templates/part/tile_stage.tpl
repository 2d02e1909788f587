% -- One level of one stage, for all points that a thread has.
% if lag > 0 then
const index_t $k = now - $lag;
% else
const index_t $k = now;
% end
% for _, l in ipairs(levels) do
const tile_level *const ${l.name} = &shared->level[quern_back<$slots>(slot, ${l.back})];
% end
% for _, f in ipairs(fan) do
${f.type} ${f.name}[${f.count}];
% end
% if fan[1] then
#pragma unroll
for (int i = 0; i < ${fan[1].count}; i++) {
    const int near = $fan_place;
% for _, f in ipairs(fan) do
    ${f.name}[i] = ${f.value};
% end
}
% end
% for _, h in ipairs(handed) do
${h.type} ${h.name}[$each]$start;
% end
#pragma unroll
for (int item = 0; item < $each; item++) {
% if mine then
    const int mine = item * $threads + thread;
% end
% if row then
    const index_t $axis = $points[item];
% end
% if skips then
    if ($runs)
        continue;
% end
    $moving
    $body
% if stores[1] and not skips then

    if ($runs) {
        ${stored_at}
        $stores
    }
% elseif stores[1] then

    $stores
% end
}
% if handed[1] then
#pragma unroll
for (int item = 0; item < $each; item++) {
    const int mine = $result;
% for _, h in ipairs(handed) do
    shared->${h.member}[${h.level}][mine] = ${h.name}[item];
% end
}
% end
