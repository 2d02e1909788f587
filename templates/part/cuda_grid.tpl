% -- Part of check: a grid that the device can launch.
if (quern_check_grid(&domain, list, count, TILE, why, size))
    return 1;
% if edge and edge.tile then
struct quern_box next[${edge.most_boxes}];
const int next_count = edge_boxes(a, &domain, next);
if (quern_check_grid(&domain, next, next_count, EDGE_TILE, why, size))
    return 1;
% end
