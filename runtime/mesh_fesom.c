/* Triangular meshes of FESOM: a folder with nod2d.out and elem2d.out, text. */
#include "mesh.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *open_in(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "r");
    if (!file)
        qn__fail(QN_NOT_FOUND, "there is no file %s", path);
    return file;
}

/* How many nodes there are; -1, and the error noted. */
static int64_t count_nodes(const char *folder)
{
    int64_t nodes = -1;
    FILE *const file = open_in(folder, "nod2d.out");
    if (file && (fscanf(file, "%" SCNd64, &nodes) != 1 || nodes < 0)) {
        qn__fail(QN_INVALID, "%s/nod2d.out does not begin with the number of"
                 " nodes", folder);
        nodes = -1;
    }
    if (file)
        fclose(file);
    return nodes;
}

static enum qn_status read_corners(FILE *file, const char *folder,
                                   int64_t cells, int32_t *corners)
{
    for (int64_t i = 0; i < 3 * cells; i++) {
        int64_t node;
        if (fscanf(file, "%" SCNd64, &node) != 1 || node < 0
            || node > INT32_MAX)
            return qn__fail(QN_INVALID, "%s/elem2d.out: triangle %lld of %lld"
                            " has not three nodes", folder,
                            (long long)(i / 3 + 1), (long long)cells);
        corners[i] = (int32_t)node - 1;
    }
    return QN_OK;
}

static enum qn_status read_cells(FILE *file, const char *folder, int64_t nodes,
                                 struct qn_mesh **mesh)
{
    int64_t cells = -1;
    if (fscanf(file, "%" SCNd64, &cells) != 1 || cells < 0
        || cells > INT32_MAX / 12)
        return qn__fail(QN_INVALID, "%s/elem2d.out does not begin with the"
                        " number of triangles, at most %d", folder,
                        INT32_MAX / 12);
    int32_t *const corners = malloc((size_t)(3 * cells + 1) * sizeof *corners);
    if (!corners)
        return qn__fail(QN_NO_MEMORY, "no memory for a mesh");
    enum qn_status status = read_corners(file, folder, cells, corners);
    if (status == QN_OK)
        status = qn__mesh_from_cells(nodes, cells, corners, mesh);
    free(corners);
    return status;
}

/* Lines of nod2d.out: a number, degrees of longitude and latitude, a flag. */
static enum qn_status read_places(const char *folder, int64_t nodes,
                                  struct qn_mesh *mesh)
{
    const double degree = 0.017453292519943295;
    FILE *const file = open_in(folder, "nod2d.out");
    double *const places = qn__mesh_add_places(mesh);
    enum qn_status status = file && places ? QN_OK : QN_INVALID;
    if (file && fscanf(file, "%*d") < 0)
        status = QN_INVALID;
    for (int64_t i = 0; status == QN_OK && i < nodes; i++) {
        double lon, lat;
        if (fscanf(file, "%*d %lf %lf %*d", &lon, &lat) != 2)
            status = qn__fail(QN_INVALID, "%s/nod2d.out: node %lld of %lld has"
                              " no longitude and latitude", folder,
                              (long long)(i + 1), (long long)nodes);
        else
            qn__mesh_put(places, i, lon * degree, lat * degree);
    }
    if (file)
        fclose(file);
    return status;
}

enum qn_status qn__mesh_read_fesom(const char *folder, struct qn_mesh **mesh)
{
    const int64_t nodes = count_nodes(folder);
    FILE *const file = nodes < 0 ? NULL : open_in(folder, "elem2d.out");
    *mesh = NULL;
    if (!file)
        return QN_NOT_FOUND;
    enum qn_status status = read_cells(file, folder, nodes, mesh);
    fclose(file);
    if (status == QN_OK)
        status = read_places(folder, nodes, *mesh);
    if (status != QN_OK) {
        qn_mesh_free(*mesh);
        *mesh = NULL;
    }
    return status;
}
