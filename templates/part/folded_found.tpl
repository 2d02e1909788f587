% -- What is found of each point before the first launch, in C.
/* The results where one input is one at one neighbour, and all others are nought. */
static void respond(
    const struct $args *a, const int64_t $point, const int input, const int64_t at,
    double *result)
{
    $response_locals
% if hosts[1] then

    /* What numbers and scalars alone decide: in double, rounded once. */
    $hosts
% end

    $still
    $response
}

/* Finds the neighbours of a point and their coefficients. A row without neighbours, or with more
 * than there are places for, begins with -1. */
static void set_up(
    const struct $args *a, const struct folded *folded, const int64_t $point)
{
    $meeting_locals

    int32_t found[$slots];
    int met[${#groups}] = { 0 };
    $meetings

    const int64_t pitch = folded->pitch;
    const int regular = $regular;
    folded->near[$near_row] = regular ? found[0] : -1;
    if (!regular)
        return;
% for i, g in ipairs(groups) do

    /* ${g.note} */
    for (int slot = 0; slot < ${g.count}; slot++) {
        const int used = slot < met[${i - 1}];
        folded->near[(${g.first} + slot) * pitch + $near_row] =
            found[${g.first} + (used ? slot : 0)];
        for (int input = 0; input < ${#g.inputs}; input++) {
            double result[${#results}];
            respond(a, $point, ${g.first_input} + input,
                    used ? found[${g.first} + slot] : -1, result);
            for (int i = 0; i < ${#results}; i++)
                folded->coefficient[(${g.coefficients} + ${g.step} * slot + ${#results} * input + i)
                                    * pitch + $coefficient_row] = ($compute)result[i];
        }
    }
% end
}
