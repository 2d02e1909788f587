% -- The level that a step sends for.
const index_t next = now + $newest;
tile_level *const to = &shared->level[slot];
% for _, g in ipairs(copies) do
if (${g.condition}) {
#pragma unroll
    for (int item = 0; item < ${g.each}; item++) {
        const int mine = item * $threads + thread;
        const index_t at = ${g.points}[item];
        ${g.lines}
    }
}
% end
quern_fetch_close();
