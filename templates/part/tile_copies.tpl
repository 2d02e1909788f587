% -- What a step waits for, and the level that it sends for.
if (now >= first) {
    /* This level has come, and nobody reads the one whose place is taken. */
    quern_fetch_wait<${ahead - 1}>();
    __syncthreads();
}
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
