% -- The oracle of all regions of a kernel: a pass of each, by its own oracle.
% include "part/head"
#include "$header"
% include "part/launch_version"

int ${plan}_check(
    const struct $args *a, char *why, size_t size)
{
% for _, part in ipairs(parts) do
    if (${part}_check(a, why, size))
        return 1;
% end
    return 0;
}

% include "part/unprepared"

int64_t ${plan}_points(
    const struct $args *a)
{
    int64_t points = 0;
% for _, part in ipairs(parts) do
    points += ${part}_points(a);
% end
    return points;
}

int64_t ${plan}_passes(
    const struct $args *a)
{
    (void)a;
    return ${#parts};
}

int ${plan}_pass_launch(
    const struct $args *a, int64_t pass, void *stream)
{
    static int (*const parts[])(const struct $args *, void *) = {
% for _, part in ipairs(parts) do
        ${part}_launch,
% end
    };
    return parts[pass](a, stream);
}

/* Only pass by pass: each says of all other points that it leaves them alone. */
int ${plan}_launch(
    const struct $args *a, void *stream)
{
    (void)a, (void)stream;
    return 1;
}
