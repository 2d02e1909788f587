/* Meshes that a program has itself. */
#include "mesh.h"

#include <string.h>

enum qn_status qn_mesh_create(int64_t vertices, int64_t edges, int64_t cells,
                              struct qn_mesh **mesh)
{
    *mesh = NULL;
    if (vertices < 0 || edges < 0 || cells < 0 || vertices > INT32_MAX
        || cells > INT32_MAX)
        return qn__fail(QN_INVALID, "a mesh of %lld vertices, %lld edges and"
                        " %lld cells: each at least 0, at most %d",
                        (long long)vertices, (long long)edges,
                        (long long)cells, INT32_MAX);
    return qn__mesh_make(vertices, edges, cells, mesh);
}

static int find(const struct qn_mesh *mesh, const char *name)
{
    for (int d = 0; d < mesh->domain_count; d++)
        if (strcmp(mesh->domains[d].name, name) == 0)
            return d;
    return -1;
}

/* Every entry is a point, or none. */
static enum qn_status look(const struct qn_mesh *mesh, const char *table,
                           int from, int to, int64_t count,
                           const int32_t *entries)
{
    const int64_t n = mesh->domains[to].n;
    for (int64_t i = 0; i < mesh->domains[from].n * count; i++)
        if (entries[i] < -1 || entries[i] >= n)
            return qn__fail(QN_INVALID, "%s: row %lld, slot %lld is %d, wanted"
                            " 0 to %lld, or -1: %s has %lld points", table,
                            (long long)(i / count), (long long)(i % count),
                            (int)entries[i], (long long)(n - 1),
                            mesh->domains[to].name, (long long)n);
    return QN_OK;
}

enum qn_status qn_mesh_add(struct qn_mesh *mesh, const char *table,
                           const char *from, const char *to, int64_t count,
                           const int32_t *entries)
{
    const int first = find(mesh, from), second = find(mesh, to);
    if (first < 0 || second < 0)
        return qn__fail(QN_NOT_FOUND, "a mesh has no domain '%s'",
                        first < 0 ? from : to);
    if (strlen(table) >= sizeof mesh->tables[0].name)
        return qn__fail(QN_INVALID, "table '%s': names of tables have at most"
                        " %d letters", table,
                        (int)sizeof mesh->tables[0].name - 1);
    if (count < 1 || count > INT32_MAX / 2)
        return qn__fail(QN_INVALID, "table '%s' with %lld slots in a row:"
                        " wanted 1 to %d", table, (long long)count,
                        INT32_MAX / 2);
    if (qn__mesh_find(mesh, table))
        return qn__fail(QN_INVALID, "the mesh has a table '%s'", table);
    if (mesh->table_count == QN_MESH_TABLES)
        return qn__fail(QN_INVALID, "table '%s': a mesh has at most %d", table,
                        QN_MESH_TABLES);
    const enum qn_status status = look(mesh, table, first, second, count,
                                       entries);
    if (status != QN_OK)
        return status;
    int32_t *const made = qn__mesh_add(mesh, table, first, second, count);
    if (!made)
        return QN_NO_MEMORY;
    memcpy(made, entries, (size_t)(mesh->domains[first].n * count)
                              * sizeof *made);
    return QN_OK;
}
