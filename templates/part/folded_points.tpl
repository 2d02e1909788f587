% -- Where the workspace has what belongs to each point, in C.
/* What of the workspace is this kernel's, and where it ends. */
struct folded {
    $compute *coefficient;      /* $coefficient_order */
    int32_t *near;              /* $near_order */
    int64_t pitch;
    size_t end;
};

static struct folded folded_of(
    const struct $args *a)
{
    const int64_t points = $points_there;
    const int64_t coefficients[] = { points, $coefficients }, places[] = { points, $slots };
    const size_t begin = $begin;
    const size_t middle = begin + quern_bytes(2, coefficients, sizeof($compute));
    const struct folded folded = {
        quern_part(a->workspace, begin), quern_part(a->workspace, middle), $pitch,
        middle + quern_bytes(2, places, sizeof(int32_t)),
    };
    return folded;
}

size_t ${plan}_workspace(
    const struct $args *a)
{ return folded_of(a).end; }

int64_t ${plan}_rows(
    const struct $args *a, const int32_t **first, int64_t *step)
{
    *first = folded_of(a).near;
    *step = $near_step;
    return a->n[$point_axis];
}
