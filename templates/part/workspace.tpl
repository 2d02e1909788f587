% -- Where temporaries lie that have no array: one after the other in the workspace.
size_t ${instance}_workspace(const struct ${instance}_args *a)
{
    size_t bytes = 0;
% for _, t in ipairs(temporaries) do
    const int64_t ${t.name}_points[] = { ${t.points} };
    bytes += quern_bytes(${t.rank}, ${t.name}_points, ${t.size});
% end
    return bytes;
}

struct ${instance}_args ${instance}_placed(const struct ${instance}_args *a)
{
    struct ${instance}_args placed = *a;
    size_t begin = 0;
% for _, t in ipairs(temporaries) do

    const int64_t ${t.name}_points[] = { ${t.points} };
% for _, f in ipairs(t.fields) do
    if (a->${f.member} == NULL) {
        placed.${f.member} = quern_part(a->workspace, ${f.begin});
        quern_dense(${t.rank}, ${t.name}_points, placed.${f.name}_stride, placed.${f.name}_halo);
% if t.apart > 1 then
        quern_spread(${t.rank}, ${t.apart}, placed.${f.name}_stride);
% end
    }
% end
    begin += quern_bytes(${t.rank}, ${t.name}_points, ${t.size});
% end
    return placed;
}
