% -- All of a sweep, by its part that the launch of its kernel asks for.
int ${plan}_launch(
    const struct $args *a, void *stream)
{
    if (${plan}_check(a, NULL, 0))
        return $refused;
    return ${plan}_range_launch(a, 0, INT64_MAX, stream);
}
