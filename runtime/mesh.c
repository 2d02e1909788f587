/* Meshes: domains and the tables between them, made or read, and given to
 * modules by name. */
#include "mesh.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void qn_mesh_free(struct qn_mesh *mesh)
{
    if (!mesh)
        return;
    for (int t = 0; t < mesh->table_count; t++)
        free(mesh->tables[t].entries);
    for (int d = 0; d < mesh->domain_count; d++)
        free(mesh->domains[d].old);
    free(mesh->places);
    free(mesh);
}

enum qn_status qn__mesh_make(int64_t vertices, int64_t edges, int64_t cells,
                             struct qn_mesh **mesh)
{
    static const char *const names[] = { "vertex", "edge", "cell", "ecv" };
    *mesh = NULL;
    if (edges > INT32_MAX / 4)
        return qn__fail(QN_INVALID, "a mesh of %lld edges: entries of 32 bits"
                        " count at most %d", (long long)edges, INT32_MAX / 4);
    const int64_t n[] = { vertices, edges, cells, 4 * edges };
    *mesh = calloc(1, sizeof **mesh);
    if (!*mesh)
        return qn__fail(QN_NO_MEMORY, "no memory for a mesh");
    for (; (*mesh)->domain_count <= ECV; (*mesh)->domain_count++) {
        struct qn__mesh_domain *const domain =
            &(*mesh)->domains[(*mesh)->domain_count];
        memcpy(domain->name, names[(*mesh)->domain_count],
               strlen(names[(*mesh)->domain_count]) + 1);
        domain->n = n[(*mesh)->domain_count];
    }
    return QN_OK;
}

int32_t *qn__mesh_add(struct qn_mesh *mesh, const char *name, int from, int to,
                      int64_t count)
{
    struct qn__mesh_table *const table = &mesh->tables[mesh->table_count];
    const int64_t entries = mesh->domains[from].n * count;
    int32_t *const made = malloc((size_t)(entries + 1) * sizeof *made);
    if (!made) {
        qn__fail(QN_NO_MEMORY, "no memory for table '%s' of a mesh", name);
        return NULL;
    }
    for (int64_t i = 0; i < entries; i++)
        made[i] = -1;
    *table = (struct qn__mesh_table){ .from = from, .to = to, .count = count,
                                      .entries = made };
    memcpy(table->name, name, strlen(name) + 1);
    mesh->table_count++;
    return made;
}

enum qn_status qn__mesh_add_ecv(struct qn_mesh *mesh)
{
    const int64_t edges = mesh->domains[EDGE].n;
    int32_t *const e2ecv = qn__mesh_add(mesh, "e2ecv", EDGE, ECV, 4);
    for (int64_t i = 0; e2ecv && i < 4 * edges; i++)
        e2ecv[i] = (int32_t)(i % 4 * edges + i / 4);
    return e2ecv ? QN_OK : QN_NO_MEMORY;
}

enum qn_status qn__mesh_add_v2c(struct qn_mesh *mesh, int64_t most)
{
    const struct qn__mesh_table *const c2v = qn__mesh_find(mesh, "c2v");
    const int64_t corners = c2v->count * mesh->domains[CELL].n;
    int32_t *const v2c = qn__mesh_add(mesh, "v2c", VERTEX, CELL, most);
    for (int64_t i = 0; v2c && i < corners; i++) {
        int32_t *const row = v2c + most * c2v->entries[i];
        int64_t slot = 0;
        while (slot < most - 1 && row[slot] >= 0)
            slot++;
        row[slot] = (int32_t)(i / c2v->count);
    }
    return v2c ? QN_OK : QN_NO_MEMORY;
}

double *qn__mesh_add_places(struct qn_mesh *mesh)
{
    mesh->places = calloc((size_t)(3 * mesh->domains[VERTEX].n) + 1,
                          sizeof *mesh->places);
    if (!mesh->places)
        qn__fail(QN_NO_MEMORY, "no memory for the places of a mesh");
    return mesh->places;
}

const double *qn_mesh_places(const struct qn_mesh *mesh)
{
    return mesh->places;
}

/* What models of the ocean call the same. */
static const char *const other_names[][2] = {
    { "node", "vertex" }, { "elem", "cell" }, { "elem_nodes", "c2v" },
    { "node_elems", "v2c" }, { "node_nodes", "v2v" }
};

static const char *known_as(const char *name)
{
    for (size_t i = 0; i < sizeof other_names / sizeof other_names[0]; i++)
        if (strcmp(other_names[i][0], name) == 0)
            return other_names[i][1];
    return name;
}

/* The table whose first two slots are the ends of an edge, or NULL. */
static const struct qn__mesh_table *ends_of(const struct qn_mesh *mesh)
{
    const struct qn__mesh_table *const e2v = qn__mesh_find(mesh, "e2v");
    const struct qn__mesh_table *const ends =
        e2v ? e2v : qn__mesh_find(mesh, "e2c2v");
    return ends && ends->from == EDGE && ends->to == VERTEX && ends->count > 1
        ? ends : NULL;
}

/* v2v, the vertices around each, is ragged, and found when it is wanted: as
 * many as ends of edges. */
static bool is_around(const struct qn_mesh *mesh, const char *name)
{
    const struct qn__mesh_table *const v2e = qn__mesh_find(mesh, "v2e");
    return strcmp(known_as(name), "v2v") == 0 && v2e && v2e->from == VERTEX
        && v2e->to == EDGE && ends_of(mesh);
}

const struct qn__mesh_table *qn__mesh_find(const struct qn_mesh *mesh,
                                           const char *name)
{
    name = known_as(name);
    for (int t = 0; t < mesh->table_count; t++)
        if (strcmp(mesh->tables[t].name, name) == 0)
            return &mesh->tables[t];
    return NULL;
}

int64_t qn_mesh_extent(const struct qn_mesh *mesh, const char *domain)
{
    if (is_around(mesh, domain))
        return 2 * mesh->domains[EDGE].n;
    domain = known_as(domain);
    for (int d = 0; d < mesh->domain_count; d++)
        if (strcmp(mesh->domains[d].name, domain) == 0)
            return mesh->domains[d].n;
    return -1;
}

const int32_t *qn_mesh_table(const struct qn_mesh *mesh, const char *name,
                             int64_t *count)
{
    const struct qn__mesh_table *const table = qn__mesh_find(mesh, name);
    *count = table ? table->count : 0;
    return table ? table->entries : NULL;
}

/* The domain has as many points in the module as in the mesh. */
static enum qn_status fits(const struct qn_module *module, int axis,
                           const struct qn__mesh_domain *domain)
{
    const int64_t n = qn__args_int(&module->state,
                                   module->info->extent)[axis];
    if (n == domain->n)
        return QN_OK;
    return qn__fail(QN_INVALID, "%s has %lld points in %s, %lld in the mesh",
                    module->info->axis[axis], (long long)n,
                    module->info->instance, (long long)domain->n);
}

/* A row has neighbours in no more slots than the module's has: what is behind
 * them may be left out where it is missing. */
static enum qn_status has_room(const struct qn_mesh *mesh,
                               const struct qn_module *module, int index,
                               const struct qn__mesh_table *from)
{
    const struct quern_table *const table = &module->info->tables[index];
    const int64_t entries = mesh->domains[from->from].n * from->count;
    for (int64_t i = 0; i < entries; i++)
        if (!table->count
            || (i % from->count >= table->count && from->entries[i] >= 0))
            return qn__fail(QN_INVALID, "table '%s' has %lld slots in a row of"
                            " the mesh, %d in %s, and row %lld has a neighbour"
                            " in slot %lld", table->name,
                            (long long)from->count, table->count,
                            module->info->instance,
                            (long long)(i / from->count),
                            (long long)(i % from->count));
    return QN_OK;
}

/* The entries as the module numbers them, in rows of `count` slots. */
static int32_t *renumbered(const struct qn__mesh_table *from, int64_t rows,
                           int64_t count, int first)
{
    int32_t *const made = malloc((size_t)(rows * count + 1) * sizeof *made);
    for (int64_t i = 0; made && i < rows * count; i++) {
        const int64_t slot = i % count;
        made[i] = first + (slot < from->count
            ? from->entries[i / count * from->count + slot] : -1);
    }
    return made;
}

static enum qn_status connect(const struct qn_mesh *mesh,
                              struct qn_module *module, int index,
                              const struct qn__mesh_table *from)
{
    const struct quern_table *const table = &module->info->tables[index];
    enum qn_status status = fits(module, table->from,
                                 &mesh->domains[from->from]);
    if (status == QN_OK)
        status = fits(module, table->to, &mesh->domains[from->to]);
    if (status == QN_OK && from->count > table->count)
        status = has_room(mesh, module, index, from);
    if (status != QN_OK)
        return status;
    int32_t *const entries = renumbered(from, mesh->domains[from->from].n,
                                        table->count, table->first);
    status = entries ? qn__table_connect(module, index, NULL, entries)
        : qn__fail(QN_NO_MEMORY, "no memory for table '%s'", table->name);
    free(entries);
    return status;
}

/* The other ends of the edges of each vertex, in the order of its edges; each
 * edge is there for both its ends. */
static enum qn_status find_around(const struct qn_mesh *mesh, int first,
                                  int64_t *start, int32_t *entries)
{
    const struct qn__mesh_table *const v2e = qn__mesh_find(mesh, "v2e");
    const struct qn__mesh_table *const e2v = ends_of(mesh);
    const int64_t all = 2 * mesh->domains[EDGE].n;
    int64_t at = 0;
    for (int64_t i = 0; i < v2e->count * mesh->domains[VERTEX].n; i++) {
        const int64_t edge = v2e->entries[i], vertex = i / v2e->count;
        if (i % v2e->count == 0)
            start[vertex] = at;
        if (edge < 0)
            continue;
        const int32_t *const ends = e2v->entries + e2v->count * edge;
        if (ends[0] != vertex && ends[1] != vertex)
            return qn__fail(QN_INVALID, "v2v: in row %lld, slot %lld of v2e is"
                            " edge %lld, which leads from %d to %d",
                            (long long)vertex, (long long)(i % v2e->count),
                            (long long)edge, (int)ends[0], (int)ends[1]);
        if (at < all)
            entries[at] = first + ends[ends[0] == vertex];
        at++;
    }
    start[mesh->domains[VERTEX].n] = at;
    return at == all ? QN_OK
        : qn__fail(QN_INVALID, "v2v: v2e has %lld edges in all rows, and each"
                   " of %lld has two ends", (long long)at,
                   (long long)(all / 2));
}

static enum qn_status connect_around(const struct qn_mesh *mesh,
                                     struct qn_module *module, int index)
{
    const struct quern_table *const table = &module->info->tables[index];
    const size_t count = (size_t)(2 * mesh->domains[EDGE].n);
    enum qn_status status = fits(module, table->from, &mesh->domains[VERTEX]);
    if (status == QN_OK)
        status = fits(module, table->to, &mesh->domains[VERTEX]);
    if (status != QN_OK)
        return status;
    int64_t *const start = calloc((size_t)mesh->domains[VERTEX].n + 1,
                                  sizeof *start);
    int32_t *const entries = calloc(count + 1, sizeof *entries);
    status = start && entries
        ? find_around(mesh, table->first, start, entries)
        : qn__fail(QN_NO_MEMORY, "no memory for table '%s'", table->name);
    if (status == QN_OK)
        status = qn__table_connect(module, index, start, entries);
    free(start);
    free(entries);
    return status;
}

/* A kernel that reads a composed table reads those that it is made of too, in
 * rows that do not follow the pattern. */
static bool is_read(const struct quern_module *info, int table)
{
    for (int k = 0; k < info->kernel_count; k++)
        for (int t = 0; t < info->kernels[k].table_count; t++)
            if (info->kernels[k].tables[t] == table)
                return true;
    return false;
}

enum qn_status qn_mesh_connect(const struct qn_mesh *mesh,
                               struct qn_module *module)
{
    enum qn_status status = QN_OK;
    if (!module->state.sized)
        return qn__fail(QN_INVALID, "%s has no extents yet: qn_module_resize",
                        module->info->instance);
    for (int i = 0; status == QN_OK && i < module->info->table_count; i++) {
        const struct quern_table *const table = &module->info->tables[i];
        const struct qn__mesh_table *const from =
            qn__mesh_find(mesh, table->name);
        if (!is_read(module->info, i))
            continue;
        if (!table->count && is_around(mesh, table->name))
            status = connect_around(mesh, module, i);
        else if (from)
            status = connect(mesh, module, i, from);
    }
    return status;
}

enum qn_status qn_mesh_read(const char *path, struct qn_mesh **mesh)
{
    struct stat found;
    *mesh = NULL;
    if (stat(path, &found) != 0)
        return qn__fail(QN_NOT_FOUND, "there is no mesh %s", path);
    return S_ISDIR(found.st_mode) ? qn__mesh_read_fesom(path, mesh)
                                  : qn__mesh_read_netcdf(path, mesh);
}
