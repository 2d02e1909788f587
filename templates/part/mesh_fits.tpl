% -- Do all indices of a kernel on a mesh fit into 32 bits?
struct quern_mesh_array all[$array_count];
arrays(a, all);
% if mesh.table_count > 0 then
struct quern_mesh_table every[${mesh.table_count}];
tables(a, every);
return quern_mesh_fits_32_bits(&domain, all, $array_count, every, ${mesh.table_count}, MARGIN);
% else
return quern_mesh_fits_32_bits(&domain, all, $array_count, NULL, 0, MARGIN);
% end
