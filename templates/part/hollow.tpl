% -- What the fields of a slab leave out.
/* What fields of ${region} leave out along ${axis}. */
static void hollow_${region}(const void *args, int64_t *limits)
{
    const struct ${instance}_args *const a = args;
    const struct quern_hollow hollow = quern_between(
        ${extent}, ${lower}, ${upper});
    limits[0] = hollow.lower;
    limits[1] = hollow.upper;
}
% if deciders[1] then

static const int deciders_${region}[] = { ${decider_list} };
% end
