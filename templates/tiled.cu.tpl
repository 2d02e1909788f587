% -- tiled: the sums of a request. A block serves one request, or a share of its items; its
% -- threads are these items along x and parts of what they are summed over along y, as many as
% -- there are threads for. They read a list together, a tile at a time:
% --
% --                items of the request
% --                0  1  2  ..  columns
% --         y = 0  entries 0, depth, 2 depth ..    of the tile in shared memory
% --         y = 1  entries 1, depth + 1 ..
% --
% -- Then the parts of an item are joined.
% include "part/head"
% include "part/cuda_headers"
% include "part/requests_header"

% include "part/cuda_sizes"
% include "part/functions"

% for _, tile in ipairs(tiles) do
% if tile.members[1] then
/* What is read at an entry of a list. */
struct __align__(${tile.align}) ${tile.struct} {
    ${tile.members}
};

% end
% end
/* One block updates up to $share_items items of one request. */
template <typename index_t>
% if resident > 0 then
__global__ void __launch_bounds__($threads, $resident)
% else
__global__ void __launch_bounds__($threads)
% end
${plan}_kernel(
    $parameters)
{
% for _, tile in ipairs(tiles) do
% if tile.members[1] then
    __shared__ ${tile.struct} ${tile.array}[$threads];
% end
% end
    __shared__ $type part[$sums][$threads];
    __shared__ int found;

    const int thread = (int)threadIdx.x;
    const quern_share own = quern_find_share(firsts, requests, &found);
    const int first = own.first > $item_begin ? own.first : (int)$item_begin;
    const int last = own.last < $item_end ? own.last : (int)$item_end;
    if (first >= last)
        return;
    /* Threads beyond the last y do what nobody asks for. */
    const int columns = last - first;
    const float inverse = 1.0f / (float)columns;
    const int depth = quern_over($threads, inverse), y = quern_over(thread, inverse);
    const int x = thread - y * columns;
    const index_t $item = first + x;

% if offsets[1] then
    $offsets

% end
    $own
% if before[1] then

    $before
% end
% for _, tile in ipairs(tiles) do

    ${tile.starts}
    const int64_t ${tile.first} = ${tile.start};
    const int ${tile.all} = (int)(${tile.finish} - ${tile.first});
    for (int tile = 0; tile < ${tile.all}; tile += $threads) {
        const int count = min(${tile.all} - tile, $threads);
% if tile.members[1] then
        if (thread < count) {
            const int64_t ${tile.slot} = ${tile.first} + tile + thread;
            ${tile.fill}
        }
        __syncthreads();
        const ${tile.struct} *const end = ${tile.array} + count;
        for (const ${tile.struct} *at = ${tile.array} + y; at < end; at += depth) {
            const ${tile.struct} ${tile.at} = *at;
% else
        for (int n = y; n < count; n += depth) {
% end
            ${tile.body}
        }
% if tile.members[1] then
        __syncthreads();
% end
    }
% end

    /* The parts of an item are joined: those of the upper half of its threads to the others. */
    $parts
    for (int left = depth; left > 1;) {
        const int half = (left + 1) / 2, other = thread + half * columns;
        __syncthreads();
        if (y + half < left) {
            $totals
            $parts
        }
        left = half;
    }
    if (y > 0)
        return;
% if after[1] then

    $after
% end

    $stores
}

% include "part/boxes"

% include "part/entry"

% include "part/points"

% include "part/cuda_run"
