% -- The tiles of a box, shared among threads.
/* Shares the tiles of one box among the threads, which do not wait for each other after it. */
static void run(const struct $args *a, ${pass.parameter}const struct quern_box *box)
{
% if colours then
    /* What the forms of the points of this pass are, modulo their moduli. */
    ${colours.values}

% end
% if hosts[1] then
    /* What numbers and scalars alone decide: in double, rounded once. */
    $hosts

% end
% if turned then
    /* Where the mesh has too many neighbours for its points, it takes longer. */
    const int turns = quern_turning_pays(${turned.worth});

% end
    /* As even as they come, so that the shares are equal. */
    const int64_t size[$rank] = { $tile_sizes };
#ifdef _OPENMP
#pragma omp for collapse($rank) schedule(static) nowait
#endif
% for _, axis in ipairs(tiles) do
    ${axis.pad}${axis.text}
% end
    ${inner.pad}    const struct quern_box tile = {
    ${inner.pad}        { $tile_lower },
    ${inner.pad}        { $tile_upper },
    ${inner.pad}    };
% if turned then
    ${inner.pad}    if (turns && tile.upper[1] - tile.lower[1] >= 8) {
    ${inner.pad}        turn(${turned.call});
    ${inner.pad}        continue;
    ${inner.pad}    }
% end
% if regular then
    ${inner.pad}    if (is_regular(a, &tile))
    ${inner.pad}        update(${regular.call});
    ${inner.pad}    else
    ${inner.pad}        update($call);
% else
    ${inner.pad}    update($call);
% end
    ${inner.pad}}
}
