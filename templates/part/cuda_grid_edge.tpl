% -- Part of check: the grids of the edge kernel.
struct quern_box next[${edge.most_boxes}];
const int next_count = edge_boxes(a, &domain, next);
if (quern_check_grid(&domain, next, next_count, EDGE_TILE, why, size))
    return 1;
