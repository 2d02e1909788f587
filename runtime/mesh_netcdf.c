/* Grids of ICON and meshes of MPAS from netCDF files. The library is opened
 * when it is asked for: nothing of it is needed to build or to link. */
#include "mesh.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct netcdf {
    void *library;
    int (*open)(const char *path, int mode, int *file);
    int (*close)(int file);
    int (*variable)(int file, const char *name, int *id);
    int (*rank)(int file, int variable, int *rank);
    int (*dimensions)(int file, int variable, int *ids);
    int (*length)(int file, int dimension, size_t *length);
    int (*read)(int file, int variable, int *values);
    int (*read_real)(int file, int variable, double *values);
    const char *(*explain)(int code);
    int file;
    const char *path;
};

/* A function pointer from an object pointer, as POSIX means dlsym. */
static bool resolve(void *library, const char *symbol, void *function)
{
    void *const found = dlsym(library, symbol);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static enum qn_status open_library(struct netcdf *nc)
{
    static const char *const names[] = { "libnetcdf.so", "libnetcdf.so.22",
        "libnetcdf.so.19", "libnetcdf.so.18", "libnetcdf.so.15" };
    for (size_t i = 0; !nc->library && i < sizeof names / sizeof *names; i++)
        nc->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!nc->library)
        return qn__fail(QN_NOT_FOUND, "libnetcdf is not installed; on Debian:"
                        " apt-get install libnetcdf19");
    if (resolve(nc->library, "nc_open", &nc->open)
        && resolve(nc->library, "nc_close", &nc->close)
        && resolve(nc->library, "nc_inq_varid", &nc->variable)
        && resolve(nc->library, "nc_inq_varndims", &nc->rank)
        && resolve(nc->library, "nc_inq_vardimid", &nc->dimensions)
        && resolve(nc->library, "nc_inq_dimlen", &nc->length)
        && resolve(nc->library, "nc_get_var_int", &nc->read)
        && resolve(nc->library, "nc_get_var_double", &nc->read_real)
        && resolve(nc->library, "nc_strerror", &nc->explain))
        return QN_OK;
    return qn__fail(QN_MISMATCH, "libnetcdf lacks a function that is needed");
}

/* One variable of two dimensions (the second may be 1). */
struct variable {
    int64_t rows, columns;          /* as the file has them */
    int *values;
};

static enum qn_status read(const struct netcdf *nc, const char *name,
                           struct variable *variable)
{
    int id, rank, dimensions[2];
    size_t length[2] = { 1, 1 };
    *variable = (struct variable){ 0 };
    int code = nc->variable(nc->file, name, &id);
    if (code == 0)
        code = nc->rank(nc->file, id, &rank);
    if (code == 0 && (rank < 1 || rank > 2))
        return qn__fail(QN_INVALID, "%s: '%s' has %d dimensions", nc->path,
                        name, rank);
    if (code == 0)
        code = nc->dimensions(nc->file, id, dimensions);
    for (int i = 0; code == 0 && i < rank; i++)
        code = nc->length(nc->file, dimensions[i], &length[i]);
    if (code == 0) {
        variable->rows = (int64_t)length[0];
        variable->columns = (int64_t)length[1];
        variable->values = malloc((length[0] * length[1] + 1) * sizeof(int));
        if (!variable->values)
            return qn__fail(QN_NO_MEMORY, "no memory for a mesh");
        code = nc->read(nc->file, id, variable->values);
    }
    return code == 0 ? QN_OK : qn__fail(QN_INVALID, "%s: '%s': %s", nc->path,
                                        name, nc->explain(code));
}

struct source {
    const char *table, *variable;
    int from, to;
};

/* ICON: (neighbour, element), from 1, -1 at boundaries. */
static const struct source icon[] = {
    { "v2e", "edges_of_vertex", VERTEX, EDGE },
    { "v2c", "cells_of_vertex", VERTEX, CELL },
    { "e2v", "edge_vertices", EDGE, VERTEX },
    { "e2c", "adjacent_cell_of_edge", EDGE, CELL },
    { "c2v", "vertex_of_cell", CELL, VERTEX },
    { "c2e", "edge_of_cell", CELL, EDGE }, { NULL, NULL, 0, 0 }
};

/* MPAS: (element, neighbour), from 1, 0: none. */
static const struct source mpas[] = {
    { "v2e", "edgesOnVertex", VERTEX, EDGE },
    { "v2c", "cellsOnVertex", VERTEX, CELL },
    { "e2v", "verticesOnEdge", EDGE, VERTEX },
    { "e2c", "cellsOnEdge", EDGE, CELL },
    { "c2v", "verticesOnCell", CELL, VERTEX },
    { "c2e", "edgesOnCell", CELL, EDGE },
    { "c2c", "cellsOnCell", CELL, CELL }, { NULL, NULL, 0, 0 }
};

/* Fills a table; lengths: how many slots of a row of cells count, or NULL. */
static enum qn_status add(const struct netcdf *nc, const struct source *source,
                          bool transposed, const int *lengths,
                          struct qn_mesh *mesh)
{
    struct variable found;
    const enum qn_status status = read(nc, source->variable, &found);
    const int64_t rows = transposed ? found.columns : found.rows;
    const int64_t count = transposed ? found.rows : found.columns;
    int32_t *table = NULL;
    if (status == QN_OK && rows == mesh->domains[source->from].n)
        table = qn__mesh_add(mesh, source->table, source->from, source->to,
                             count);
    else if (status == QN_OK)
        qn__fail(QN_INVALID, "%s: '%s' has %lld rows, wanted %lld", nc->path,
                 source->variable, (long long)rows,
                 (long long)mesh->domains[source->from].n);
    for (int64_t i = 0; table && i < rows * count; i++) {
        const int64_t row = i / count, slot = i % count;
        const int value = found.values[transposed ? slot * rows + row : i];
        const bool counts = source->from != CELL || !lengths
            || slot < lengths[row];
        table[i] = counts && value > 0 ? value - 1 : -1;
    }
    free(found.values);
    return status != QN_OK ? status : table ? QN_OK : QN_INVALID;
}

/* How many elements there are, by the table that starts at them. */
static enum qn_status count(const struct netcdf *nc, const char *name,
                            bool transposed, int64_t *n)
{
    struct variable found;
    const enum qn_status status = read(nc, name, &found);
    *n = transposed ? found.columns : found.rows;
    free(found.values);
    return status;
}

/* Reads a coordinate of the vertices; false where the file has none. */
static bool read_angle(const struct netcdf *nc, const char *name, int64_t n,
                       double *values)
{
    int id, rank, dimension;
    size_t length;
    return nc->variable(nc->file, name, &id) == 0
        && nc->rank(nc->file, id, &rank) == 0 && rank == 1
        && nc->dimensions(nc->file, id, &dimension) == 0
        && nc->length(nc->file, dimension, &length) == 0
        && (int64_t)length == n
        && nc->read_real(nc->file, id, values) == 0;
}

/* Where the vertices are, if the file says so, in radians. */
static enum qn_status add_places(const struct netcdf *nc, bool is_icon,
                                 struct qn_mesh *mesh)
{
    const int64_t n = mesh->domains[VERTEX].n;
    double *const angles = malloc((size_t)(2 * n + 1) * sizeof *angles);
    enum qn_status status = QN_OK;
    if (!angles)
        return qn__fail(QN_NO_MEMORY, "no memory for a mesh");
    if (read_angle(nc, is_icon ? "vlon" : "lonVertex", n, angles)
        && read_angle(nc, is_icon ? "vlat" : "latVertex", n, angles + n)) {
        double *const places = qn__mesh_add_places(mesh);
        status = places ? QN_OK : QN_NO_MEMORY;
        for (int64_t i = 0; places && i < n; i++)
            qn__mesh_put(places, i, angles[i], angles[n + i]);
    }
    free(angles);
    return status;
}

/* The ends of each edge, then what lies across it in its cells. */
static enum qn_status add_across(struct qn_mesh *mesh)
{
    const struct qn__mesh_table *const e2v = qn__mesh_find(mesh, "e2v");
    const struct qn__mesh_table *const e2c = qn__mesh_find(mesh, "e2c");
    const struct qn__mesh_table *const c2v = qn__mesh_find(mesh, "c2v");
    int32_t *const table = qn__mesh_add(mesh, "e2c2v", EDGE, VERTEX, 4);
    if (!table)
        return QN_NO_MEMORY;
    for (int64_t e = 0; e < mesh->domains[EDGE].n; e++) {
        const int32_t *const ends = e2v->entries + 2 * e;
        table[4 * e] = ends[0];
        table[4 * e + 1] = ends[1];
        for (int side = 0; side < 2; side++) {
            const int32_t cell = e2c->entries[2 * e + side];
            for (int64_t s = 0; cell >= 0 && s < c2v->count; s++) {
                const int32_t v = c2v->entries[cell * c2v->count + s];
                if (v >= 0 && v != ends[0] && v != ends[1])
                    table[4 * e + 2 + side] = v;
            }
        }
    }
    return qn__mesh_add_ecv(mesh);
}

/* Entries of a file are what they are: none may lead out of the mesh. */
static enum qn_status look(const struct netcdf *nc, const struct qn_mesh *mesh)
{
    for (int t = 0; t < mesh->table_count; t++) {
        const struct qn__mesh_table *const table = &mesh->tables[t];
        const int64_t n = mesh->domains[table->to].n;
        for (int64_t i = 0; i < mesh->domains[table->from].n * table->count;
             i++)
            if (table->entries[i] >= n)
                return qn__fail(QN_INVALID, "%s: %s: row %lld, slot %lld is"
                                " %lld, there are %lld", nc->path, table->name,
                                (long long)(i / table->count),
                                (long long)(i % table->count),
                                (long long)table->entries[i] + 1,
                                (long long)n);
    }
    return QN_OK;
}

static enum qn_status read_tables(const struct netcdf *nc,
                                  const struct source *sources, bool is_icon,
                                  struct qn_mesh **mesh)
{
    int64_t n[3];
    struct variable lengths = { 0 };
    enum qn_status status = count(nc, sources[0].variable, is_icon, &n[0]);
    if (status == QN_OK)
        status = count(nc, sources[2].variable, is_icon, &n[1]);
    if (status == QN_OK)
        status = count(nc, sources[4].variable, is_icon, &n[2]);
    if (status == QN_OK && !is_icon)
        status = read(nc, "nEdgesOnCell", &lengths);
    if (status == QN_OK)
        status = qn__mesh_make(n[0], n[1], n[2], mesh);
    for (int i = 0; status == QN_OK && sources[i].table; i++)
        status = add(nc, &sources[i], is_icon, lengths.values, *mesh);
    free(lengths.values);
    if (status == QN_OK)
        status = look(nc, *mesh);
    if (status == QN_OK)
        status = add_places(nc, is_icon, *mesh);
    return status == QN_OK && is_icon ? add_across(*mesh) : status;
}

enum qn_status qn__mesh_read_netcdf(const char *path, struct qn_mesh **mesh)
{
    struct netcdf nc = { .path = path };
    int id;
    enum qn_status status = open_library(&nc);
    if (status == QN_OK) {
        const int code = nc.open(path, 0, &nc.file);
        if (code != 0)
            status = qn__fail(QN_INVALID, "%s: %s", path, nc.explain(code));
    }
    if (status == QN_OK) {
        const bool is_icon = nc.variable(nc.file, "edges_of_vertex", &id) == 0;
        if (!is_icon && nc.variable(nc.file, "edgesOnVertex", &id) != 0)
            status = qn__fail(QN_INVALID, "%s has neither edges_of_vertex (of"
                              " ICON) nor edgesOnVertex (of MPAS)", path);
        else
            status = read_tables(&nc, is_icon ? icon : mpas, is_icon, mesh);
        nc.close(nc.file);
    }
    if (nc.library)
        dlclose(nc.library);
    if (status != QN_OK) {
        qn_mesh_free(*mesh);
        *mesh = NULL;
    }
    return status;
}
