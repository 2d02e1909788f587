% -- The functions of stable names: each kernel with all its blocks, and the time step.
% for _, k in ipairs(launches) do

int ${k.name}_check(
    const struct ${instance}_args *a, char *why, size_t size)
{
% for _, plan in ipairs(k.plans) do
    if (${plan}_check(a, why, size))
        return 1;
% end
    return 0;
}

int ${k.name}_launch(
    const struct ${instance}_args *a, void *stream)
{
% if k.single then
    return ${k.plans[1]}_launch(a, stream);
% end
% if not k.single then
    /* Nothing is launched where anything is refused. */
    if (${k.name}_check(a, NULL, 0))
        return 1;
    int error = 0;
% end
% if k.passes and not k.single then
    for (int64_t pass = 0; error == 0 && pass < ${k.passes}; pass++) {
% for _, plan in ipairs(k.plans) do
        if (error == 0)
            error = ${plan}_pass_launch(a, pass, stream);
% end
    }
% elseif k.sweep and not k.single then
    /* Piece by piece along ${k.sweep.axis}, ${k.sweep.direction}: each is of one region. */
    int64_t place[] = {
        ${k.sweep.places}
    };
    const int pieces = quern_pieces(place, (int)(sizeof place / sizeof *place));
    for (int piece = 0; error == 0 && piece < pieces; piece++) {
        const int64_t *const ends = &place[${k.sweep.piece}];
% for _, plan in ipairs(k.plans) do
        if (error == 0)
            error = ${plan}_range_launch(
                a, ends[0], ends[1], stream);
% end
    }
% elseif not k.single then
% for _, plan in ipairs(k.plans) do
    if (error == 0)
        error = ${plan}_launch(a, stream);
% end
% end
% if not k.single then
    return error;
% end
}
% end
% if has_step then

% if turns[1] then
% include "part/turn"

% end
int ${instance}_step(struct ${instance}_args *a, void *stream)
{
    /* Nothing is launched where anything is refused. */
% for _, name in ipairs(step_launches) do
    if (${name}_check(a, NULL, 0))
        return 1;
% end

    int error = 0;
% for _, name in ipairs(step_launches) do
    if (error == 0)
        error = ${name}_launch(a, stream);
% end
% if turns[1] then
    if (error == 0)
        turn(a);
% end
    return error;
}

static int step(void *args, void *stream)
{
    return ${instance}_step(args, stream);
}
% end
% if twice then

int ${instance}_step2(struct ${instance}_args *a, void *stream)
{
    const int error = ${twice.plan}_launch(a, stream);
    if (error == 0) {
% for i = 1, twice.turns do
        turn(a);
% end
    }
    return error;
}

static int step2(void *args, void *stream)
{
    return ${instance}_step2(args, stream);
}
% end
