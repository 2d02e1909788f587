/* Which points of one domain of a mesh are at which of another. */
#include "mesh.h"

#include <stdlib.h>

static bool joins(const struct qn__mesh_table *table, int from, int to)
{
    return (table->from == from && table->to == to)
        || (table->from == to && table->to == from);
}

static const struct qn__mesh_table *table_between(const struct qn_mesh *mesh,
                                                  int from, int to)
{
    for (int t = 0; from != to && t < mesh->table_count; t++)
        if (joins(&mesh->tables[t], from, to))
            return &mesh->tables[t];
    return NULL;
}

int qn__mesh_joined(const struct qn_mesh *mesh, int domain)
{
    for (int d = 0; d < mesh->domain_count; d++)
        if (d != ECV && table_between(mesh, domain, d))
            return d;
    return -1;
}

/* Counts the links of each point, or, where `to` is there, fills them in. */
static void walk(const struct qn__mesh_table *table, int64_t rows, int from,
                 int64_t *start, int32_t *to)
{
    for (int64_t i = 0; i < rows * table->count; i++) {
        const int32_t row = (int32_t)(i / table->count);
        const int32_t entry = table->entries[i];
        if (entry < 0)
            continue;
        const int32_t near = table->from == from ? row : entry;
        if (to)
            to[start[near]] = table->from == from ? entry : row;
        start[near + !to]++;
    }
}

enum qn_status qn__mesh_links(const struct qn_mesh *mesh, int from, int to,
                              struct qn__links *links)
{
    const struct qn__mesh_table *const table = table_between(mesh, from, to);
    const int64_t n = mesh->domains[from].n;
    if (!table)
        return qn__fail(QN_INVALID, "no table joins %s to %s",
                        mesh->domains[from].name, mesh->domains[to].name);
    const int64_t rows = mesh->domains[table->from].n;
    links->start = calloc((size_t)n + 2, sizeof *links->start);
    links->to = malloc((size_t)(rows * table->count + 1) * sizeof *links->to);
    if (!links->start || !links->to) {
        qn__links_free(links);
        return qn__fail(QN_NO_MEMORY, "no memory for the order of a mesh");
    }
    walk(table, rows, from, links->start, NULL);
    for (int64_t i = 0; i < n; i++)
        links->start[i + 1] += links->start[i];
    walk(table, rows, from, links->start, links->to);
    for (int64_t i = n; i > 0; i--)     /* each was moved to its end */
        links->start[i] = links->start[i - 1];
    links->start[0] = 0;
    return QN_OK;
}

void qn__links_free(struct qn__links *links)
{
    free(links->start);
    free(links->to);
    *links = (struct qn__links){ 0 };
}
