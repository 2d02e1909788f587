% -- The sizes that the host needs.
% if tile then
/* Along each axis: the points that a block updates, and how far the threads that update none
 * are from the domain at most. */
static const int64_t TILE[$rank] = { $tile };
% else
/* Along each axis: how far the threads that update none are from the domain at most. */
% end
static const int64_t MARGIN[$rank] = { $margin };
% if edge and edge.tile then
static const int64_t EDGE_TILE[$rank] = { ${edge.tile} };        /* a block of the edge kernel */
% end
