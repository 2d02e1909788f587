/* The key "mesh": a mesh that is made or read, and connected to a module. */
#include "run.h"

#include <stdio.h>
#include <string.h>

#include "mesh.h"

/* "torus:32x16", "plane:32x16", "icosahedron:R2B3", or a path. */
static enum qn_status make(const char *text, struct qn_mesh **mesh)
{
    long long lon, lat;
    int root, bisections, end = 0;
    if (sscanf(text, "torus:%lldx%lld%n", &lon, &lat, &end) == 2
        && text[end] == 0)
        return qn_mesh_torus(lon, lat, mesh);
    if (sscanf(text, "plane:%lldx%lld%n", &lon, &lat, &end) == 2
        && text[end] == 0)
        return qn_mesh_plane(lon, lat, mesh);
    if (sscanf(text, "icosahedron:R%dB%d%n", &root, &bisections, &end) == 2
        && text[end] == 0)
        return qn_mesh_icosahedron(root, bisections, mesh);
    return qn_mesh_read(text, mesh);
}

/* The mesh that is asked for; NULL and a fault if it cannot be. */
static struct qn_mesh *asked(struct request *request)
{
    const char *const text = run_text(request, "mesh");
    struct qn_mesh *mesh = NULL;
    if (request->well)
        run_status(request, make(text, &mesh));
    return mesh;
}

static json_t *list_table(const struct qn_mesh *mesh,
                          const struct qn__mesh_table *table)
{
    json_t *const entries = json_array();
    for (int64_t i = 0; i < mesh->domains[table->from].n * table->count; i++)
        json_array_append_new(entries, json_integer(table->entries[i]));
    return json_pack("{s:s, s:s, s:I, s:o}", "from",
                     mesh->domains[table->from].name, "to",
                     mesh->domains[table->to].name, "count",
                     (json_int_t)table->count, "entries", entries);
}

static void put_table(struct request *request, const struct qn_mesh *mesh,
                      const char *name, json_t *tables)
{
    const struct qn__mesh_table *const table = qn__mesh_find(mesh, name);
    if (table)
        json_object_set_new(tables, name, list_table(mesh, table));
    else
        run_fault(request, "error", "the mesh has no table '%s'", name);
}

static void put_extents(struct request *request, const struct qn_mesh *mesh)
{
    json_t *const extents = json_object();
    for (int d = 0; d < mesh->domain_count; d++)
        json_object_set_new(extents, mesh->domains[d].name,
                            json_integer(mesh->domains[d].n));
    run_put(request, "extents", extents);
}

void run_tables(struct request *request)
{
    struct qn_mesh *const mesh = asked(request);
    json_t *const tables = json_object();
    const json_t *const names = json_object_get(request->asked, "tables");
    for (size_t i = 0; mesh && i < json_array_size(names); i++) {
        const char *const name =
            json_string_value(json_array_get(names, i));
        put_table(request, mesh, name ? name : "", tables);
    }
    run_put(request, "tables", tables);
    if (mesh)
        put_extents(request, mesh);
    qn_mesh_free(mesh);
}

static void put_size(struct request *request, int axes, const int64_t *n)
{
    json_t *const size = json_array();
    for (int axis = 0; axis < axes; axis++)
        json_array_append_new(size, json_integer(n[axis]));
    run_put(request, "size", size);
}

/* Extents of the module's domains are those of the mesh. */
static void take_extents(const struct quern_module *info,
                         const struct qn_mesh *mesh, int64_t *n)
{
    for (int axis = 0; axis < info->axes; axis++) {
        const int64_t points = qn_mesh_extent(mesh, info->axis[axis]);
        if (points >= 0)
            n[axis] = points;
    }
}

bool run_mesh(struct request *request, struct qn_module *module, int64_t *n)
{
    const struct quern_module *const info = qn_module_describe(module);
    struct qn_mesh *const mesh = asked(request);
    if (!mesh)
        return false;
    take_extents(info, mesh, n);
    put_size(request, info->axes, n);
    const bool well = run_status(request, qn_module_resize(module, n))
        && run_status(request, qn_mesh_connect(mesh, module));
    qn_mesh_free(mesh);
    return well;
}
