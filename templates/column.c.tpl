% -- column: a sweep. Tiles of columns over OpenMP threads; a tile marches level by level, so
% -- that what it reads behind has been written. SIMD along the contiguous axis, unless the
% -- levels are contiguous. Any loads that a sweep may make, any rank.
% include "part/head"
#include "$header"
% include "part/launch_header"

#include <math.h>
#include <string.h>

% if tile_count > 0 then
/* Columns of a tile along each axis; along $axis it has all that there is. */
static const int64_t TILE[$rank] = { $tile };
% end
% include "part/functions"

% if edge then
% include "part/edge_reads"

% end
/* Updates the columns of one tile, $direction along $axis. No array that is written overlaps
 * another: check saw to it. */
static void update(
    $parameters)
{
    $locals
% if edge then
    const struct edge edge = {
        ${edge.values}
    };
% end

% for _, axis in ipairs(outer) do
    ${axis.pad}${axis.text}
% end
% if start[1] then
    ${inner.pad}$start

% end
% if simd then
#ifdef _OPENMP
#pragma omp simd
#endif
% end
    ${inner.pad}${inner.text} {
    ${inner.pad}    $offsets

    ${inner.pad}    $body
    ${inner.pad}}
% if outer[1] then
    ${outer_pad}}
% end
}

/* Shares the tiles of one box among the threads, and waits for them. */
static void run(const struct $args *a, const struct quern_box *box)
{
% if hosts[1] then
    /* What numbers and scalars alone decide: in double, rounded once. */
    $hosts

% end
% if tile_count > 0 then
#ifdef _OPENMP
#pragma omp parallel for collapse($tile_count) schedule(static)
#endif
% for _, axis in ipairs(tiles) do
    ${axis.pad}${axis.text}
% end
    ${tile_pad}    struct quern_box tile = *box;
    ${tile_pad}    $tile_limits
    ${tile_pad}    update($call);
    ${tile_pad}}
% else
    const struct quern_box tile = *box;
    update($call);
% end
}

% include "part/boxes"

% include "part/entry"

% include "part/points"

/* Boxes in the order of the sweep, where $axis is from lower to upper. */
int ${plan}_range_launch(
    const struct $args *a, int64_t lower, int64_t upper, void *stream)
{
    (void)stream;
% if placed then
    % include "part/placed"
% end
    const struct quern_domain domain = domain_of(a);
    struct quern_box list[$most_boxes];
    int count = $boxes_call;
    count = quern_slice(&domain, list, count, $position, lower, upper);
% if most_boxes > 1 then
    quern_order(list, count, $position, $up);
% end
    for (int b = 0; b < count; b++)
        run(a, &list[b]);
    return 0;
}

% include "part/range"
