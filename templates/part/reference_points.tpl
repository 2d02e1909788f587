% -- How many points a launch updates, as the oracle sees it.
% if choice then
/* Counted point by point: launches are judged by this, so it knows nothing of boxes. */
int64_t ${plan}_points(const struct $args *a)
{
    const struct inputs in = { .a = a, .n = { $extents } };
    const int64_t lower[RANK] = { $range_lower };
    const int64_t upper[RANK] = { $range_upper };
    struct point p$zero;
    int64_t points = 0;
% for _, l in ipairs(loops) do local k = l.axis
    ${l.indent}for (p.at[$k] = lower[$k]; p.at[$k] < upper[$k]; p.at[$k]++)
% end
    ${inner}points += region(&in, p) == $choice;
    return points;
}
% else
% include "part/points"
% end
