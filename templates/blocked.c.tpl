% -- blocked: tiles over OpenMP threads, rows of a tile one after the other, SIMD along
% -- the contiguous axis. Any loads, any rank.
% include "part/head"
#include "$header"
% include "part/launch_header"

#include <math.h>
#include <string.h>
% if turned then

#include "quern_turned.h"

#if QUERN_TURNED != 3
#error "quern_turned.h is of another version of Quern: regenerate with gen/quern"
#endif
% end
% if gathers then

% include "part/c_gathers"
% end

/* Points of a tile along each axis, at most. */
static const int64_t TILE[$rank] = { $tile };
% include "part/functions"

% if regular then
/* Is a tile regular: does no row miss a neighbour, are rows of affine tables side by side? */
static int is_regular(
    const struct $args *a, const struct quern_box *tile)
{
    (void)tile;
    return
        ${regular.tests}
}

/* Updates the points of one tile, which is regular or not: a loop of its own for each. No array
 * that is written overlaps another: check saw to it. */
QUERN_INLINE void update(
% else
/* Updates the points of one tile. No array that is written overlaps another: check saw to it. */
static void update(
% end
    $parameters)
{
    $locals

% if several then
    /* ${several.count} levels at once, as far as they go${several.where}. */
    int64_t ${several.first} = ${several.lower};
    for (; ${several.more}; ${several.step})
#ifdef _OPENMP
#pragma omp simd
#endif
    ${inner.pad}${inner.text} {
    ${inner.pad}    ${several.body}
    ${inner.pad}}

% end
% for _, axis in ipairs(outer) do
    ${axis.pad}${axis.text}
% end
#ifdef _OPENMP
#pragma omp simd
#endif
    ${inner.pad}${inner.text} {
% if offsets[1] then
    ${inner.pad}    $offsets

% end
    ${inner.pad}    $body
    ${inner.pad}}
% if rank > 1 then
    ${outer_pad}}
% end
}

% if turned then
% include "part/c_turned"
% end
% include "part/c_run"

% if edge then
% include "part/c_edge"

% end
% include "part/boxes"
% if edge then

% include "part/interior"
% end

% include "part/entry"

% include "part/points"

% if slab then
% include "part/slab_view"

% end
int ${plan}${pass.suffix}_launch(
    const struct $args *a, ${pass.parameter}void *stream)
{
    (void)stream;
    if (${pass.refused}${plan}_check(a, NULL, 0))
        return 1;
% if placed then
    % include "part/placed"
% end
    const struct quern_domain domain = domain_of(a);
    struct quern_box list[$most_boxes];
    const int count = $own_boxes;
% if edge then
    struct quern_box next[${edge.most_boxes}];
    const int next_count = edge_boxes(a, &domain, next);
% end
#ifdef _OPENMP
#pragma omp parallel
#endif
    {
% if slab then
        for (int b = 0; b < count; b++) {
            const struct $args seen = seen_from(a, &list[b]);
            run(&seen, ${pass.argument}&list[b]);
        }
% else
        for (int b = 0; b < count; b++)
            run(a, ${pass.argument}&list[b]);
% end
% if edge and slab then
        for (int b = 0; b < next_count; b++) {
            const struct $args seen = seen_from(a, &next[b]);
            run_edge(&seen, ${pass.argument}&next[b]);
        }
% elseif edge then
        for (int b = 0; b < next_count; b++)
            run_edge(a, ${pass.argument}&next[b]);
% end
    }
    return 0;
}
% if colours then

% include "part/passes"
% end
