% -- Turned tiles: what neighbours have is copied, eight levels side by side.
/* What a piece of a tile reads: the lines of each domain, and where entries lead among them. */
struct near {
    ${turned.members}
};

/* Do the lines find room that these points read? */
static int find(
    const struct $args *a, int64_t lower, int64_t upper, struct near *near)
{
    ${turned.clears}
    return
        ${turned.finds}
}

/* Updates the points of one tile, eight levels at once. These lie side by side in copies of all
 * that is read, so that a neighbour is one vector, and in what is computed, which then goes where
 * it belongs. */
static QUERN_ONE_BY_ONE void turn(
    ${turned.parameters})
{
    ${turned.locals}

    ${turned.buffers}
    struct near near;
    int64_t upper;
    for (int64_t lower = whole->lower[0]; lower < whole->upper[0]; lower = upper) {
        /* As many points as what they read finds room for; whole lines, where it is less. */
        upper = quern_least(lower + ${turned.piece}, whole->upper[0]);
        while (!find(a, lower, upper, &near))
            upper = lower + (upper - lower) * 3 / 32 * 8;
        const int64_t points = upper - lower;
        const int pays = points > 0
            && quern_turning_pays(${turned.worth_piece});
% if turned.firsts[1] then
        ${turned.firsts}
% end

        int64_t ${turned.level} = whole->lower[1];
        for (; pays && ${turned.level} + 8 <= whole->upper[1]; ${turned.level} += 8) {
            ${turned.fills}
            for (int64_t first = lower; first < upper; first += ${turned.group}) {
                const int64_t count = quern_least(${turned.group}, upper - first);
% if turned.besides[1] then
                ${turned.besides}
% end
                for (int64_t ${turned.point} = first; ${turned.point} < first + count;
                     ${turned.point}++) {
                    const int64_t ${turned.here} = (${turned.point} - first) * 8;
% if turned.nexts[1] then
                    ${turned.nexts}
% end
                    ${turned.body}
                }
                ${turned.aparts}
            }
        }

        /* The levels that are left over; all, of points whose neighbours lie too far apart. */
        upper = quern_most(upper, lower + 1);
        const struct quern_box tile = { { lower, ${turned.level} }, { upper, whole->upper[1] } };
% if regular then
        if (is_regular(a, &tile))
            update(${regular.call});
        else
            update($call);
% else
        update($call);
% end
    }
}

