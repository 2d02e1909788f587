% -- Part of check: the arrays and tables of a kernel on a mesh.
struct quern_mesh_array all[$array_count];
arrays(a, all);
if (quern_check_mesh_arrays(all, $array_count, why, size))
    return 1;
% if mesh.table_count > 0 then
struct quern_mesh_table every[${mesh.table_count}];
tables(a, every);
if (quern_check_tables(every, ${mesh.table_count}, why, size))
    return 1;
% end
% if mesh.kinds[1] then
const struct quern_mesh_kinds kinds[] = {
    ${mesh.kinds}
};
if (quern_check_kinds(kinds, ${#mesh.kinds}, why, size))
    return 1;
% end
