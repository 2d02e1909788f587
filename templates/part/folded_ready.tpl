% -- Fills the workspace, in C.
int ${plan}_prepare(
    const struct $args *a, void *stream)
{
    (void)stream;
    /* Of all points, whichever a launch updates. */
    struct $args whole = *a;
    for (size_t i = 0; i < sizeof whole.n / sizeof *whole.n; i++) {
        whole.lower[i] = 0;
        whole.upper[i] = whole.n[i];
    }
    if (${plan}_check(&whole, NULL, 0))
        return 1;
    if (${plan}_points(&whole) == 0)
        return 0;
% if placed then
    whole = ${placed}(&whole);
% end
    const struct folded folded = folded_of(&whole);
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int64_t $point = 0; $point < whole.n[$point_axis]; $point++)
        set_up(&whole, &folded, $point);
    return 0;
}
