% -- What a descriptor says of a launch beside its points.
% if plan.moves then

static int64_t moved_$i(const void *args)
{
    return ${plan.name}_bytes(args);
}
% end
% if plan.apart then

static int64_t passes_$i(const void *args)
{
    return ${plan.name}_passes(args);
}

static int launch_pass_$i(const void *args, int64_t pass, void *stream)
{
    return ${plan.name}_pass_launch(args, pass, stream);
}
% end
