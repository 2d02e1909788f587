% -- folded: results on a mesh that are linear in what changes with the level, as sums over the
% -- distinct neighbours of a point. Before the first launch these are found, and a coefficient
% -- for each value there: what the results are where that value is one and all others are nought.
% include "part/head"
#include "$header"
% include "part/launch_header"

#include <math.h>
#include <string.h>
% if gathers then

% include "part/c_gathers"
% end

typedef int64_t index_t;

/* Points of a tile along each axis, at most. */
static const int64_t TILE[$rank] = { $tile };
% include "part/functions"

% include "part/folded_meet"

% include "part/boxes"

% include "part/folded_points"

% include "part/folded_found"

/* Updates the points of one tile, all of which are folded where it is regular: a loop of its own
 * for each. No array that is written overlaps another: check saw to it. */
QUERN_INLINE void update(
    const struct $args *a, const struct folded *folded,
    const struct quern_box *tile, const int regular)
{
    $locals
    const $compute *restrict coefficient = folded->coefficient;
    const int32_t *restrict near = folded->near;
    const int64_t pitch = $known_pitch;
% if hosts[1] then

    /* What numbers and scalars alone decide: in double, rounded once. */
    $hosts
% end

% for _, axis in ipairs(outer) do
    ${axis.pad}${axis.text}
% end
#ifdef _OPENMP
#pragma omp simd
#endif
    ${inner.pad}${inner.text} {
            if (!regular && near[$near_row] < 0) {
                $others
                continue;
            }
% for _, r in ipairs(results) do
            $compute ${r.name} = 0;
% end
% for _, g in ipairs(groups) do

            /* ${g.note} */
#pragma GCC unroll ${g.count}
            for (int slot = 0; slot < ${g.count}; slot++) {
                const int64_t at = near[(${g.first} + slot) * pitch + $near_row];
                const int64_t of_slot = $coefficient_row
                    + (${g.coefficients} + ${g.step} * slot) * pitch;
% for i, input in ipairs(g.inputs) do
                const $compute value_$i = ${input.element};
% for _, term in ipairs(input.terms) do
                ${term.sum} = $fma(coefficient[of_slot + ${term.index} * pitch], value_$i,
                    ${term.sum});
% end
% end
            }
% end

% for _, r in ipairs(results) do
            ${r.target} = ${r.value};
% end
    ${inner.pad}}
}

/* Shares the tiles of one box among the threads, which do not wait for each other after it. */
static void run(
    const struct $args *a, const struct folded *folded,
    const struct quern_box *box)
{
    /* As even as they come, so that the shares are equal. */
    const int64_t size[$rank] = { $tile_sizes };
#ifdef _OPENMP
#pragma omp for collapse($rank) schedule(static) nowait
#endif
% for _, axis in ipairs(tiles) do
    ${axis.pad}${axis.text}
% end
    ${inner.pad}    const struct quern_box tile = {
    ${inner.pad}        { $tile_lower },
    ${inner.pad}        { $tile_upper },
    ${inner.pad}    };
    ${inner.pad}    if (quern_has_all(folded->near, $near_step, 0, 1, 0, $first_row, $last_row))
    ${inner.pad}        update(a, folded, &tile, 1);
    ${inner.pad}    else
    ${inner.pad}        update(a, folded, &tile, 0);
    ${inner.pad}}
}

% include "part/entry"

% include "part/points"

% include "part/folded_ready"

int ${plan}_launch(
    const struct $args *a, void *stream)
{
    (void)stream;
    if (${plan}_check(a, NULL, 0))
        return 1;
% if placed then
    % include "part/placed"
% end
    const struct folded folded = folded_of(a);
    const struct quern_domain domain = domain_of(a);
    struct quern_box list[$most_boxes];
    const int count = $own_boxes;
#ifdef _OPENMP
#pragma omp parallel
#endif
    for (int b = 0; b < count; b++)
        run(a, &folded, &list[b]);
    return 0;
}
