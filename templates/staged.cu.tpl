% -- staged: a block goes through the levels of a tile of a mesh. What its points read at others
% -- is copied to shared memory, levels ahead, and read from there by 16-bit places; what is the
% -- same at all levels stands in registers. Threads do not wait for each other in one place: each
% -- says that it is through the stages that others wait for, sends for a level, goes through the
% -- last stage, and only then waits for all others to have said so.
% --
% --     level   now - 1         now             now + 1 ..      now + ahead
% --             stage 2 reads   stage 1 reads   have been       is sent for
% --             stage 1         the ring        sent for
% include "part/head"
% include "part/cuda_includes"
% include "part/cuda_async"
% include "part/tiles_header"
% include "part/cuda_shared"
% include "part/functions"

% if ring then
/* One level of what a tile reads. */
struct tile_level {
% for _, m in ipairs(ring.members) do
    ${m.type} ${m.name}${m.slots}[${m.points}];
% end
};

% end
% if not ring then
/* What stages hand on, of some levels. */
% elseif kept_on[1] then
/* The levels that are read or on their way, and what stages hand on, of some levels. */
% else
/* The levels that are read or on their way. */
% end
struct shared_planes {
% if ring then
    tile_level level[${ring.slots}];
% end
% for _, m in ipairs(kept_on) do
    ${m.type} ${m.name}[${m.levels}][${m.points}];
% end
    uint64_t step;      /* the barrier */
};

/* One block updates a tile, level by level. */
template <typename index_t>
__global__ void __launch_bounds__($threads, $resident)
${plan}_kernel(
    $parameters,
    const int32_t *__restrict__ tiles, quern_turns turns)
{
% if ring then
    shared_planes *const shared = quern_tile_shared<shared_planes>();
    const int thread = quern_thread();
% else
    shared_planes *const shared = dynamic_shared<shared_planes>();
    const int thread = (int)threadIdx.x;
% end
    % include "part/tile_turn"
    const int32_t *const words = tiles + (int64_t)tile * ($words * $threads) + thread;

    /* The points that this thread computes or copies, and where its points have neighbours. */
% for _, s in ipairs(stages) do
    int32_t ${s.points}[${s.each}];
% end
% for _, l in ipairs(lists) do
    int32_t ${l.array}[${l.each}];
% end
% for _, w in ipairs(ways) do
    int32_t ${w.array}${w.size};
% end
% for _, s in ipairs(stages) do
#pragma unroll
    for (int item = 0; item < ${s.each}; item++)
% if s.final then
        ${s.points}[item] = quern_within(words[(${s.word} + item) * $threads],
                                        ${s.begin}, ${s.finish});
% else
        ${s.points}[item] = words[(${s.word} + item) * $threads];
% end
% end
% for _, l in ipairs(lists) do
#pragma unroll
    for (int item = 0; item < ${l.each}; item++)
        ${l.array}[item] = words[(${l.word} + item) * $threads];
% end
% for _, w in ipairs(ways) do
#pragma unroll
    for (int item = 0; item < ${w.all}; item++)
        ${w.array}${w.item} = words[(${w.word} + item) * $threads];
% end
% for _, f in ipairs(fans) do

    /* Which neighbours the points of a thread share. */
    const int ${f.name}[${f.each}][${f.entries}] = {
        ${f.rows}
    };
% end
% for _, s in ipairs(stages) do
% if s.kept[1] then

    /* What ${s.name} reads that is the same at all levels. */
    ${s.arrays}
#pragma unroll
    for (int item = 0; item < ${s.each}; item++) {
        const index_t ${s.axis} = ${s.points}[item] < 0 ? 0 : ${s.points}[item];
        ${s.still}
        ${s.kept}
    }
% end
% end

    /* Who has arrived goes on alone until the next step, which waits for all. */
    if (thread == 0)
        quern_barrier_init(&shared->step, $threads);
    __syncthreads();
    unsigned parity = 1;
% if ring then
    int slot = 0;
% end
#pragma unroll 1
    for (index_t now = $start; now < $finish; now++) {
        /* What all threads have done in the step before is there. */
        quern_barrier_wait(&shared->step, parity);
        parity ^= 1;
% if ring and not ring.late then
        % include "part/tile_copies", ring
% end
% for _, s in ipairs(turns) do
% if not s.after then
        if (now >= first) {
            /* ${s.name} */
            % include "part/tile_stage", s
        }
% end
% end
% if ring then
        quern_fetch_wait<${ring.pending}>();    /* the next level */
% end
        quern_barrier_arrive(&shared->step);
% if ring and ring.late then
        % include "part/tile_copies", ring
% end
% for _, s in ipairs(turns) do
% if s.after then
        if (now >= first) {
            /* ${s.name} */
            % include "part/tile_stage", s
        }
% end
% end
% if ring then
        slot = slot + 1 == ${ring.slots} ? 0 : slot + 1;
% end
    }
}

% include "part/boxes"

% include "part/entry"

% include "part/points"

% include "part/cuda_run_tiles"
