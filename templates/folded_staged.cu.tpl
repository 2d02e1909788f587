% -- folded_staged: results on a mesh as sums over the distinct neighbours of a point (folded.cu),
% -- tile by tile: what the points of a tile read at others is copied to shared memory, levels
% -- ahead (staged.cu), and read from there by 16-bit places. Coefficients stand in registers.
% include "part/head"
% include "part/cuda_includes"
% include "part/cuda_async"
% include "part/tiles_header"
% include "part/cuda_shared"
% include "part/functions"
% include "part/folded_setup"

/* One level of what a tile reads. */
struct tile_level {
% for _, m in ipairs(members) do
    ${m.type} ${m.name}[${m.points}];
% end
};

/* The levels that are read or on their way. */
struct shared_planes {
    tile_level level[$slots_ahead];
};

/* One block updates a tile, level by level. */
template <typename index_t>
__global__ void __launch_bounds__($threads, $resident)
${plan}_kernel(
    $parameters,
    const $compute *__restrict__ coefficient, const int32_t *__restrict__ near,
    int64_t pitch, const int32_t *__restrict__ tiles, quern_turns turns)
{
    shared_planes *const shared = quern_tile_shared<shared_planes>();
    const int thread = quern_thread();
    % include "part/tile_turn"
    const int32_t *const words = tiles + (int64_t)tile * ($words * $threads) + thread;
    const int64_t place = (int64_t)tile * ($each * $threads) + thread;

    /* The points that this thread computes or copies. */
    int32_t $points[$each];
#pragma unroll
    for (int item = 0; item < $each; item++)
        $points[item] = quern_within(words[($word + item) * $threads],
                                     $point_begin, $point_end);
% for _, l in ipairs(lists) do
    int32_t ${l.array}[${l.each}];
#pragma unroll
    for (int item = 0; item < ${l.each}; item++)
        ${l.array}[item] = words[(${l.word} + item) * $threads];
% end

    /* Rows that have no folded form, at once and without the ring. */
#pragma unroll
    for (int item = 0; item < $each; item++) {
        const index_t $point = $points[item];
        if ($point < 0 || near[place + item * $threads] != -1)
            continue;
        for (index_t $k = first; $k < last; $k++) {
            $others
        }
        $points[item] = -1;
    }

    /* The coefficients, and where the neighbours are. */
    $compute coefficient_of[$each][$coefficients];
    int32_t near_of[$each][$near_words];
#pragma unroll
    for (int item = 0; item < $each; item++) {
        const bool used = $points[item] >= 0;
#pragma unroll
        for (int i = 0; i < $coefficients; i++)
            coefficient_of[item][i] =
                used ? coefficient[i * pitch + place + item * $threads] : 0;
#pragma unroll
        for (int i = 0; i < $near_words; i++)
            near_of[item][i] = used ? near[i * pitch + place + item * $threads] : 0;
    }

    int slot = 0;
#pragma unroll 1
    for (index_t now = first - $before; now < last; now++) {
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

        if (now >= first) {
            const index_t $k = now;
% for _, l in ipairs(here) do
            const tile_level *const ${l.name} =
                &shared->level[quern_back<$slots_ahead>(slot, ${l.back})];
% end
#pragma unroll
            for (int item = 0; item < $each; item++) {
                % include "part/folded_sums"
            }
        }
        slot = slot + 1 == $slots_ahead ? 0 : slot + 1;
    }
}

% include "part/boxes"

% include "part/folded_workspace"

% include "part/entry"

% include "part/points"

% include "part/cuda_run_tiles"

% include "part/folded_prepare"
