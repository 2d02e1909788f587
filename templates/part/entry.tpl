% -- What every kernel file offers beside its launch.
int ${plan}_check(
    const struct $args *a, char *why, size_t size)
{
    if (a == NULL || a->struct_size != sizeof *a)
        return refuse(why, size, "struct_size is not that of this header: %d, wanted %d",
                      a == NULL ? 0 : (int)a->struct_size, (int)sizeof *a);
    const int64_t n[$rank] = { $range_n };
    const struct box range = {
        { $range_lower },
        { $range_upper },
    };
    for (int axis = 0; axis < $rank; axis++) {
        if (n[axis] < 0 || n[axis] > LARGEST)
            return refuse(why, size, "the extent along %s is %lld", AXIS[axis],
                          (long long)n[axis]);
        if (range.lower[axis] < 0 || range.upper[axis] > n[axis]
            || range.lower[axis] > range.upper[axis])
            return refuse(why, size, "the range along %s is %lld to %lld of %lld points",
                          AXIS[axis], (long long)range.lower[axis],
                          (long long)range.upper[axis], (long long)n[axis]);
    }
% for _, scalar in ipairs(bound_scalars) do
    if (a->$scalar < -LARGEST || a->$scalar > LARGEST)
        return refuse(why, size, "$scalar is %lld", (long long)a->$scalar);
% end
    struct box list[$most_boxes];
    const int count = boxes(a, list);
    if (count == 0)
        return 0;
    struct array all[$array_count];
    const int array_count = arrays(a, all);
    for (int i = 0; i < array_count; i++)
        if (check_array(&all[i], n, list, count, why, size))
            return 1;
    if (check_overlap(all, array_count, n, why, size))
        return 1;
% for _, part in ipairs(more_checks) do
    % include(part)
% end
    return 0;
}

size_t ${plan}_workspace(
    const struct $args *a)
{
    (void)a;
    return 0;
}

int ${plan}_prepare(
    const struct $args *a, void *stream)
{
    (void)a;
    (void)stream;
    return 0;
}

int64_t ${plan}_points(
    const struct $args *a)
{
    struct box list[$most_boxes];
    const int count = boxes(a, list);
    int64_t points = 0;
    for (int b = 0; b < count; b++) {
        int64_t volume = 1;
        for (int axis = 0; axis < $rank; axis++)
            volume *= list[b].upper[axis] - list[b].lower[axis];
        points += volume;
    }
    return points;
}
