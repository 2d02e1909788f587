% -- tiled: the sums of a request. The threads of a block are items along x and parts of what
% -- they are summed over along y; they read a list together, a tile at a time:
% --
% --                items of a request
% --                0  1  2  ..  width
% --         y = 0  entries 0, depth, 2 depth ..    of the tile in shared memory
% --         y = 1  entries 1, depth + 1 ..
% --
% -- Then the parts of an item are joined, in order of y.
% include "part/head"
% include "part/cuda_includes"
% include "part/functions"

% for _, tile in ipairs(tiles) do
% if tile.members[1] then
/* What is read at an entry of a list. */
struct __align__(${tile.align}) ${tile.struct} {
    ${tile.members}
};

% end
% end
/* One block updates $per_block items, $width of one request at a time. */
template <typename index_t>
__global__ void __launch_bounds__($threads)
${plan}_kernel(
    $parameters)
{
% for _, tile in ipairs(tiles) do
% if tile.members[1] then
    __shared__ ${tile.struct} ${tile.array}[$threads];
% end
% end
    __shared__ $type part[$sums][$depth][$width];
    __shared__ int run;

    const int thread = (int)threadIdx.y * $width + (int)threadIdx.x;
    index_t first = $item_begin + (index_t)blockIdx.x * $per_block;
    const index_t last = first + $per_block < $item_end ? first + $per_block : $item_end;
    while (first < last) {
        /* As many as are of one request; a thread beyond them does what the last does. */
        if (thread == 0)
            run = $width;
        __syncthreads();
        const index_t own = first + (int)threadIdx.x;
        if (threadIdx.y == 0 && (own >= last || $own_request != $request))
            atomicMin(&run, (int)threadIdx.x);
        __syncthreads();
        const int items = run;
        const index_t $item = first + ((int)threadIdx.x < items ? (int)threadIdx.x : items - 1);

        $offsets

        $own
% if before[1] then

        $before
% end
% for _, tile in ipairs(tiles) do

        ${tile.starts}
        const int64_t ${tile.finish} = ${tile.last};
        for (int64_t tile = ${tile.first}; tile < ${tile.finish}; tile += $threads) {
            const int64_t rest = ${tile.finish} - tile;
            const int count = rest < $threads ? (int)rest : $threads;
% if tile.members[1] then
            if (thread < count) {
                const int64_t ${tile.slot} = tile + thread;
                ${tile.fill}
            }
            __syncthreads();
% end
            for (int n = (int)threadIdx.y; n < count; n += $depth) {
% if tile.members[1] then
                const ${tile.struct} ${tile.at} = ${tile.array}[n];
% end
                ${tile.body}
            }
% if tile.members[1] then
            __syncthreads();
% end
        }
% end

        /* The first thread of each item joins the parts of the others to its own. */
        $parts
        __syncthreads();
        if (threadIdx.y == 0 && (int)threadIdx.x < items) {
            for (int y = 1; y < $depth; y++) {
                $totals
            }

% if after[1] then
            $after

% end
            $stores
        }
        first += items;
    }
}

% include "part/boxes"

% include "part/entry"

% include "part/points"

% include "part/cuda_run"
