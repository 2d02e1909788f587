/* The key "mesh": a mesh that is made or read, and connected to a module. */
#include "run.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "mesh.h"

/* Too many parts to make an icosahedron of are too many as an int, too. */
static int whole(long long parts)
{
    return parts < INT_MAX ? (int)parts : INT_MAX;
}

/* "torus:32x16", "plane:32x16", "icosahedron:R2B3", or a path. */
static enum qn_status make(const char *text, struct qn_mesh **mesh)
{
    long long lon, lat;
    int end = 0;
    if (sscanf(text, "torus:%lldx%lld%n", &lon, &lat, &end) == 2
        && text[end] == 0)
        return qn_mesh_torus(lon, lat, mesh);
    if (sscanf(text, "plane:%lldx%lld%n", &lon, &lat, &end) == 2
        && text[end] == 0)
        return qn_mesh_plane(lon, lat, mesh);
    if (sscanf(text, "icosahedron:R%lldB%lld%n", &lon, &lat, &end) == 2
        && text[end] == 0)
        return qn_mesh_icosahedron(whole(lon), whole(lat), mesh);
    return qn_mesh_read(text, mesh);
}

/* "random,rcm:edge": one after the other; without a domain by vertex. */
static bool reorder(struct request *request, struct qn_mesh *mesh,
                    const char *text)
{
    bool well = true;
    char how[32], domain[32];
    for (int end = 0; well && *text; text += end) {
        end = 0;
        if (sscanf(text, "%31[a-z]:%31[a-z]%n", how, domain, &end) != 2) {
            snprintf(domain, sizeof domain, "vertex");
            sscanf(text, "%31[a-z]%n", how, &end);
        }
        well = end > 0 && (text[end] == 0 || text[end] == ',');
        if (well)
            well = run_status(request, qn_mesh_reorder(mesh, how, domain));
        else
            run_fault(request, "error", "no order '%s': near, rcm, curve,"
                      " random, rcm:edge or several, by commas", text);
        end += text[end] == ',';
    }
    return well;
}

/* The mesh that is asked for; NULL and a fault if it cannot be. */
static struct qn_mesh *asked(struct request *request)
{
    const char *const text = run_text(request, "mesh");
    const json_t *const order = json_object_get(request->asked, "reorder");
    struct qn_mesh *mesh = NULL;
    if (!request->well || !run_status(request, make(text, &mesh)))
        return NULL;
    if (!order || reorder(request, mesh, run_text(request, "reorder")))
        return mesh;
    qn_mesh_free(mesh);
    return NULL;
}

static json_t *list_table(const struct qn_mesh *mesh,
                          const struct qn__mesh_table *table)
{
    json_t *const entries = json_array();
    for (int64_t i = 0; i < mesh->domains[table->from].n * table->count; i++)
        json_array_append_new(entries, json_integer(table->entries[i]));
    return json_pack("{s:s, s:s, s:s, s:I, s:o}", "name", table->name, "from",
                     mesh->domains[table->from].name, "to",
                     mesh->domains[table->to].name, "count",
                     (json_int_t)table->count, "entries", entries);
}

/* A fault that says which tables there are. */
static void no_table(struct request *request, const struct qn_mesh *mesh,
                     const char *name)
{
    char all[512] = "";
    size_t used = 0;
    for (int t = 0; t < mesh->table_count && used < sizeof all; t++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s",
                                 t > 0 ? ", " : "", mesh->tables[t].name);
    run_fault(request, "error", "the mesh has no table '%s', but %s", name,
              all);
    run_put(request, "no_table", json_true());
}

static void put_table(struct request *request, const struct qn_mesh *mesh,
                      const char *name, json_t *tables)
{
    const struct qn__mesh_table *const table = qn__mesh_find(mesh, name);
    if (table)
        json_object_set_new(tables, name, list_table(mesh, table));
    else
        no_table(request, mesh, name);
}

/* Of its domains, and of what modules may call them. */
static void put_extents(struct request *request, const struct qn_mesh *mesh)
{
    static const char *const names[] = { "vertex", "edge", "cell", "ecv",
        "node", "elem", "v2v", "node_nodes" };
    json_t *const extents = json_object();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const int64_t n = qn_mesh_extent(mesh, names[i]);
        if (n >= 0)
            json_object_set_new(extents, names[i], json_integer(n));
    }
    run_put(request, "extents", extents);
}

/* The tables that modules may have of it. */
static void put_names(struct request *request, const struct qn_mesh *mesh)
{
    static const char *const others[] = { "elem_nodes", "node_elems", "v2v",
                                          "node_nodes" };
    json_t *const names = json_array();
    for (int t = 0; t < mesh->table_count; t++)
        json_array_append_new(names, json_string(mesh->tables[t].name));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (qn__mesh_find(mesh, others[i])
            || qn_mesh_extent(mesh, others[i]) >= 0)
            json_array_append_new(names, json_string(others[i]));
    run_put(request, "names", names);
}

/* What is said of each table that the request does not want whole. */
static json_t *look_at(const struct qn_mesh *mesh,
                       const struct qn__mesh_table *table)
{
    struct qn_mesh_look look;
    qn_mesh_look(mesh, table->name, &look);
    return json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:[I,I], s:I, s:[I,I,I],"
        " s:I, s:f, s:f}", "name", table->name,
        "from", mesh->domains[table->from].name,
        "to", mesh->domains[table->to].name,
        "count", (json_int_t)table->count, "rows", (json_int_t)look.rows,
        "missing", (json_int_t)look.missing,
        "missing_at", (json_int_t)look.missing_row,
        (json_int_t)look.missing_slot,
        "twice", (json_int_t)look.twice,
        "twice_at", (json_int_t)look.twice_row, (json_int_t)look.twice_slot,
        (json_int_t)look.twice_first,
        "widest", (json_int_t)look.widest, "width", look.width,
        "sectors", look.sectors);
}

static void look_at_all(struct request *request, const struct qn_mesh *mesh)
{
    json_t *const list = json_array();
    for (int t = 0; mesh && t < mesh->table_count; t++)
        json_array_append_new(list, look_at(mesh, &mesh->tables[t]));
    run_put(request, "looks", list);
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
    if (names)
        run_put(request, "tables", tables);
    else
        look_at_all(request, mesh);
    if (mesh) {
        put_extents(request, mesh);
        put_names(request, mesh);
    }
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
