% -- The kernel of st_smem, or a function of such a kernel.
/* The shared memory of a block: the planes that a step reads, halo included. */
namespace {
struct shared_planes {
    $shared
};
}
% for _, s in ipairs(shares) do

/* Copies what is there of a plane of ${s.buffer}; from: where this thread begins. */
% if s.templated then
template <typename index_t>
% end
static __device__ __forceinline__ void ${s.name}(
    ${s.parameters})
{
% for _, line in ipairs(s.loops) do
$line
% end
    ${s.pad}${s.copy}
}
% end

/* A block updates a tile of $tile_text points, plane by plane along $walk. */
template <typename index_t>
$entry
    $parameters)
{
    shared_planes &s = *dynamic_shared<shared_planes>();

    $coordinates
    const index_t first = $walk_begin + (index_t)$walk_block * $chunk;
    const index_t last = min(first + $chunk, $walk_end);

    /* A thread's place in a plane, how much of a plane is there, and who updates a point. */
    $places

    $offsets

% if fetched[1] then
    /* What a step loads for its points before the block waits. */
    $fetched

% end
% if priming[1] or next_steps[1] then
% if stages == 0 then
    /* All planes of the first step but the newest. */
% else
    /* All planes of the first step, then what the next ones need beside them. */
% end
% for _, loop in ipairs(priming) do
#pragma unroll 1
    $loop
% end
% if stages > 0 then
    quern_fetch_close();
% end
% for _, next in ipairs(next_steps) do
    if (first + ${next.step} < last) {
        ${next.calls}
    }
    quern_fetch_close();
% end

% end
    for (index_t $walk = first;;) {
% for _, step in ipairs(unrolled) do
        /* Step ${step.number} of $turns. */
        {
% if step.first and fetch[1] then
            /* Load what belongs to the point before the block waits. */
% end
            $fetch
            % include filling, step

            ${step.body}
% if not spare then
% if step.first then

            /* Nobody overwrites a plane that is still read. */
% end
            __syncthreads();
% end
            $onward
        }
        if (++$walk == last)
            break;

% end
    }
}
