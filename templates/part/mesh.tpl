% -- The arrays and tables of a kernel on a mesh.
/* The arrays: name, data, bytes of an element, is it written, rank, axes, extents, strides. */
static void arrays(
    const struct $args *a, struct quern_mesh_array *list)
{
    const struct quern_mesh_array all[$array_count] = {
        $array_rows
    };
    memcpy(list, all, sizeof all);
}
% if mesh.table_count > 0 then

/* The tables: as struct quern_mesh_table has them. */
static void tables(
    const struct $args *a, struct quern_mesh_table *list)
{
    const struct quern_mesh_table all[${mesh.table_count}] = {
        ${mesh.tables}
    };
    memcpy(list, all, sizeof all);
}
% end
