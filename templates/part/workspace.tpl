% -- Where temporaries lie that have no array: one after the other in the workspace.
size_t ${instance}_workspace(const struct ${instance}_args *a)
{
    size_t bytes = 0;
% for _, t in ipairs(temporaries) do
    const int64_t ${t.name}_points[] = { ${t.points} };
    bytes += quern_bytes(${t.rank}, ${t.name}_points, sizeof(${t.type}));
% end
    return bytes;
}

struct ${instance}_args ${instance}_placed(const struct ${instance}_args *a)
{
    struct ${instance}_args placed = *a;
    size_t begin = 0;
% for _, t in ipairs(temporaries) do

    const int64_t ${t.name}_points[] = { ${t.points} };
    if (a->${t.member} == NULL) {
        placed.${t.member} = quern_part(a->workspace, begin);
        quern_dense(${t.rank}, ${t.name}_points, placed.${t.name}_stride, placed.${t.name}_halo);
    }
    begin += quern_bytes(${t.rank}, ${t.name}_points, sizeof(${t.type}));
% end
    return placed;
}
