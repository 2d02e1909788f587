% -- Where the workspace has coefficients and neighbours.
/* What of the workspace is this kernel's, and where it ends. */
struct folded {
    $compute *coefficient;      /* [$coefficients][pitch] */
    int32_t *near;              /* [$near_rows][pitch] */
    int64_t pitch;
    size_t end;
};

static struct folded folded_of(
    const struct $args *a)
{
    const int64_t pitch = $pitch;
    const int64_t coefficients[] = { pitch, $coefficients }, places[] = { pitch, $near_rows };
    const size_t begin = $begin;
    const size_t middle = begin + quern_bytes(2, coefficients, sizeof($compute));
    const struct folded folded = {
        static_cast<$compute *>(quern_part(a->workspace, begin)),
        static_cast<int32_t *>(quern_part(a->workspace, middle)), pitch,
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
    *step = 1;
    return $near_count;
}
