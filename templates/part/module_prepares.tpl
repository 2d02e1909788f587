% -- The functions of a kernel that prepares rows.

static int prepare_$i(const void *args, void *stream)
{
    return ${plan.name}_prepare(args, stream);
}

static int64_t folds_$i(const void *args, const int32_t **first, int64_t *step)
{
    return ${plan.name}_rows(args, first, step);
}
