/* Grids of ICON and meshes of MPAS from netCDF files. What a file says is
 * refused with variable, row and slot, from 0, where it cannot be. */
#include "mesh.h"
#include "netcdf.h"

#include <math.h>
#include <stdlib.h>

struct source {
    const char *table, *variable;
    int from, to;
    int64_t slots;                  /* in a row; 0: as many as there are */
};

struct format {
    bool transposed;                /* (neighbour, element) */
    double none;                    /* from here to 0: no neighbour */
    const char *nones;
    const char *lengths;            /* how many slots of a cell count */
    const char *lon, *lat;
    struct source sources[8];
};

static const struct format icon = {
    true, -1, "0 or -1", NULL, "vlon", "vlat", {
        { "v2e", "edges_of_vertex", VERTEX, EDGE, 0 },
        { "v2c", "cells_of_vertex", VERTEX, CELL, 0 },
        { "e2v", "edge_vertices", EDGE, VERTEX, 2 },
        { "e2c", "adjacent_cell_of_edge", EDGE, CELL, 2 },
        { "c2v", "vertex_of_cell", CELL, VERTEX, 3 },
        { "c2e", "edge_of_cell", CELL, EDGE, 3 } }
};

static const struct format mpas = {
    false, 0, "0", "nEdgesOnCell", "lonVertex", "latVertex", {
        { "v2e", "edgesOnVertex", VERTEX, EDGE, 0 },
        { "v2c", "cellsOnVertex", VERTEX, CELL, 0 },
        { "e2v", "verticesOnEdge", EDGE, VERTEX, 2 },
        { "e2c", "cellsOnEdge", EDGE, CELL, 2 },
        { "c2v", "verticesOnCell", CELL, VERTEX, 0 },
        { "c2e", "edgesOnCell", CELL, EDGE, 0 },
        { "c2c", "cellsOnCell", CELL, CELL, 0 } }
};

/* How a variable lies as a table: its slots are a step apart. */
struct shape {
    int64_t rows, slots, row_step, slot_step;
};

static struct shape shape_of(const struct format *format,
                             const struct qn__variable *found)
{
    return format->transposed
        ? (struct shape){ found->columns, found->rows, 1, found->columns }
        : (struct shape){ found->rows, found->columns, found->columns, 1 };
}

static enum qn_status look(const struct qn__netcdf *nc,
                           const struct source *source,
                           const struct shape *shape, int64_t rows)
{
    if (shape->rows != rows)
        return qn__fail(QN_INVALID, "%s: '%s' has %lld rows, wanted %lld",
                        nc->path, source->variable, (long long)shape->rows,
                        (long long)rows);
    if (shape->slots < 1 || (source->slots && shape->slots != source->slots))
        return qn__fail(QN_INVALID, "%s: '%s' has %lld slots in a row, wanted"
                        " %s%lld", nc->path, source->variable,
                        (long long)shape->slots,
                        source->slots ? "" : "at least ",
                        (long long)(source->slots ? source->slots : 1));
    return QN_OK;
}

/* Fills a table; lengths: how many slots of a row count, or NULL. */
static enum qn_status fill(const struct qn__netcdf *nc,
                           const struct format *format,
                           const struct qn__variable *found,
                           const int32_t *lengths, int64_t n, int32_t *table)
{
    const struct shape shape = shape_of(format, found);
    for (int64_t i = 0; i < shape.rows * shape.slots; i++) {
        const int64_t row = i / shape.slots, slot = i % shape.slots;
        const double value = found->values[row * shape.row_step
                                           + slot * shape.slot_step];
        if (lengths && slot >= lengths[row])
            continue;
        if (!(value >= format->none && value <= (double)n)
            || value != floor(value))
            return qn__fail(QN_INVALID, "%s: '%s': row %lld, slot %lld is"
                            " %.12g, wanted 1 to %lld, or %s: none", nc->path,
                            found->name, (long long)row, (long long)slot,
                            value, (long long)n, format->nones);
        table[i] = value > 0 ? (int32_t)value - 1 : -1;
    }
    return QN_OK;
}

static enum qn_status add(const struct qn__netcdf *nc,
                          const struct format *format,
                          const struct source *source, const int32_t *lengths,
                          struct qn_mesh *mesh)
{
    struct qn__variable found;
    int32_t *table = NULL;
    enum qn_status status = qn__netcdf_read(nc, source->variable, 2, &found);
    const struct shape shape = shape_of(format, &found);
    if (status == QN_OK)
        status = look(nc, source, &shape, mesh->domains[source->from].n);
    if (status == QN_OK) {
        table = qn__mesh_add(mesh, source->table, source->from, source->to,
                             shape.slots);
        status = table ? QN_OK : QN_NO_MEMORY;
    }
    if (status == QN_OK)
        status = fill(nc, format, &found,
                      source->from == CELL ? lengths : NULL,
                      mesh->domains[source->to].n, table);
    free(found.values);
    return status;
}

/* How many points there are, by the table that starts at them. */
static enum qn_status count(const struct qn__netcdf *nc,
                            const struct format *format, int table, int64_t *n)
{
    struct qn__variable found;
    const enum qn_status status =
        qn__netcdf_look(nc, format->sources[table].variable, 2, &found);
    *n = shape_of(format, &found).rows;
    return status;
}

/* How many slots of each row of cells count, where the file says so. */
static enum qn_status read_lengths(const struct qn__netcdf *nc,
                                   const struct format *format, int64_t cells,
                                   int32_t **lengths)
{
    struct qn__variable found = { 0 }, corners;
    if (!format->lengths)
        return QN_OK;
    enum qn_status status =
        qn__netcdf_look(nc, format->sources[4].variable, 2, &corners);
    if (status == QN_OK)
        status = qn__netcdf_read(nc, format->lengths, 1, &found);
    if (status == QN_OK && found.rows != cells)
        status = qn__fail(QN_INVALID, "%s: '%s' has %lld rows, wanted %lld",
                          nc->path, format->lengths, (long long)found.rows,
                          (long long)cells);
    if (status == QN_OK && !(*lengths = malloc((size_t)(cells + 1)
                                               * sizeof **lengths)))
        status = qn__fail(QN_NO_MEMORY, "no memory for a mesh");
    for (int64_t i = 0; status == QN_OK && i < cells; i++) {
        const double value = found.values[i];
        if (!(value >= 1 && value <= (double)corners.columns)
            || value != floor(value))
            status = qn__fail(QN_INVALID, "%s: '%s': row %lld is %.12g, wanted"
                              " 1 to %lld", nc->path, format->lengths,
                              (long long)i, value, (long long)corners.columns);
        else
            (*lengths)[i] = (int32_t)value;
    }
    free(found.values);
    return status;
}

/* A coordinate of the vertices, in radians, none of them beyond `most`. */
static enum qn_status read_angle(const struct qn__netcdf *nc, const char *name,
                                 int64_t n, double most,
                                 struct qn__variable *angle)
{
    enum qn_status status = qn__netcdf_read(nc, name, 1, angle);
    if (status == QN_OK && angle->rows != n)
        status = qn__fail(QN_INVALID, "%s: '%s' has %lld rows, wanted %lld",
                          nc->path, name, (long long)angle->rows,
                          (long long)n);
    for (int64_t i = 0; status == QN_OK && i < n; i++)
        if (!(fabs(angle->values[i]) <= most))
            status = qn__fail(QN_INVALID, "%s: '%s': row %lld is %.12g, wanted"
                              " radians, %.3f at most", nc->path, name,
                              (long long)i, angle->values[i], most);
    return status;
}

/* Where the vertices are, if the file says so. */
static enum qn_status add_places(const struct qn__netcdf *nc,
                                 const struct format *format,
                                 struct qn_mesh *mesh)
{
    const double around = 6.2832, pole = 1.5708;    /* 2 pi, pi/2, and a bit */
    const int64_t n = mesh->domains[VERTEX].n;
    struct qn__variable lon = { 0 }, lat = { 0 };
    if (!qn__netcdf_has(nc, format->lon) || !qn__netcdf_has(nc, format->lat))
        return QN_OK;
    enum qn_status status = read_angle(nc, format->lon, n, around, &lon);
    if (status == QN_OK)
        status = read_angle(nc, format->lat, n, pole, &lat);
    double *const places = status == QN_OK ? qn__mesh_add_places(mesh) : NULL;
    for (int64_t i = 0; places && i < n; i++)
        qn__mesh_put(places, i, lon.values[i], lat.values[i]);
    free(lon.values);
    free(lat.values);
    return status == QN_OK && !places ? QN_NO_MEMORY : status;
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

/* In how many slots of its row a point is. */
static int64_t times(const struct qn__mesh_table *table, int64_t row,
                     int64_t point)
{
    int64_t found = 0;
    for (int64_t slot = 0; slot < table->count; slot++)
        found += table->entries[row * table->count + slot] == point;
    return found;
}

/* Whoever has a neighbour is as often one of its neighbours, and none its
 * own. */
static enum qn_status look_back(const struct qn__netcdf *nc,
                                const struct format *format,
                                const struct qn_mesh *mesh, int there,
                                int back)
{
    const struct qn__mesh_table *const table = &mesh->tables[there];
    const int64_t entries = mesh->domains[table->from].n * table->count;
    for (int64_t i = 0; i < entries; i++) {
        const int64_t row = i / table->count, near = table->entries[i];
        if (near >= 0
            && (times(table, row, near) != times(&mesh->tables[back], near,
                                                 row)
                || (there == back && near == row)))
            return qn__fail(QN_INVALID, "%s: '%s': row %lld, slot %lld is"
                            " %lld, which does not go with row %lld of '%s'",
                            nc->path, format->sources[there].variable,
                            (long long)row, (long long)(i % table->count),
                            (long long)near + 1, (long long)near,
                            format->sources[back].variable);
    }
    return QN_OK;
}

static enum qn_status look_at_all(const struct qn__netcdf *nc,
                                  const struct format *format,
                                  const struct qn_mesh *mesh)
{
    enum qn_status status = QN_OK;
    for (int a = 0; a < mesh->table_count; a++)
        for (int b = 0; b < mesh->table_count && status == QN_OK; b++)
            if (mesh->tables[a].from == mesh->tables[b].to
                && mesh->tables[a].to == mesh->tables[b].from)
                status = look_back(nc, format, mesh, a, b);
    return status;
}

static enum qn_status read_tables(const struct qn__netcdf *nc,
                                  const struct format *format,
                                  struct qn_mesh **mesh)
{
    int64_t n[3];
    int32_t *lengths = NULL;
    enum qn_status status = QN_OK;
    for (int domain = VERTEX; domain <= CELL && status == QN_OK; domain++)
        status = count(nc, format, 2 * domain, &n[domain]);
    if (status == QN_OK)
        status = read_lengths(nc, format, n[CELL], &lengths);
    if (status == QN_OK)
        status = qn__mesh_make(n[VERTEX], n[EDGE], n[CELL], mesh);
    for (int i = 0; status == QN_OK && format->sources[i].table; i++)
        status = add(nc, format, &format->sources[i], lengths, *mesh);
    free(lengths);
    if (status == QN_OK)
        status = look_at_all(nc, format, *mesh);
    if (status == QN_OK)
        status = add_places(nc, format, *mesh);
    return status == QN_OK && format == &icon ? add_across(*mesh) : status;
}

enum qn_status qn__mesh_read_netcdf(const char *path, struct qn_mesh **mesh)
{
    struct qn__netcdf nc;
    enum qn_status status = qn__netcdf_open(path, &nc);
    *mesh = NULL;
    if (status == QN_OK) {
        const struct format *const format =
            qn__netcdf_has(&nc, icon.sources[0].variable) ? &icon
            : qn__netcdf_has(&nc, mpas.sources[0].variable) ? &mpas : NULL;
        status = format ? read_tables(&nc, format, mesh)
            : qn__fail(QN_INVALID, "%s has neither edges_of_vertex (of ICON)"
                       " nor edgesOnVertex (of MPAS)", path);
    }
    qn__netcdf_close(&nc);
    if (status != QN_OK) {
        qn_mesh_free(*mesh);
        *mesh = NULL;
    }
    return status;
}
