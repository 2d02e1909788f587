/* What the files about meshes share: a mesh while it is made. */
#ifndef QUERN_MESH_OBJECT_H
#define QUERN_MESH_OBJECT_H

#include "internal.h"

enum { QN_MESH_DOMAINS = 8, QN_MESH_TABLES = 16 };

struct qn__mesh_domain {
    char name[16];
    int64_t n;
    int32_t *old;                   /* the first number of each point */
};

/* Entries count from 0, -1: none; all slots of a row side by side. */
struct qn__mesh_table {
    char name[16];
    int from, to;                   /* domains of the mesh */
    int64_t count;
    int32_t *entries;
};

struct qn_mesh {
    int domain_count, table_count;
    struct qn__mesh_domain domains[QN_MESH_DOMAINS];
    struct qn__mesh_table tables[QN_MESH_TABLES];
    double *places;                 /* [vertex][3], or NULL */
};

enum { VERTEX, EDGE, CELL, ECV };   /* the domains of every mesh, in order */

/* A mesh with these domains, ecv being four vertices for each edge. */
enum qn_status qn__mesh_make(int64_t vertices, int64_t edges, int64_t cells,
                             struct qn_mesh **mesh);
/* A table to fill, all -1; NULL, and the error noted, where memory ends. */
int32_t *qn__mesh_add(struct qn_mesh *mesh, const char *name, int from, int to,
                      int64_t count);
/* Slot s of edge e is s * edges + e. */
enum qn_status qn__mesh_add_ecv(struct qn_mesh *mesh);
/* The cells around each vertex, at most `most`, in the order of the cells: from
 * c2v, which is filled. */
enum qn_status qn__mesh_add_v2c(struct qn_mesh *mesh, int64_t most);
/* Room for three coordinates of each vertex; NULL, and the error noted. */
double *qn__mesh_add_places(struct qn_mesh *mesh);
const struct qn__mesh_table *qn__mesh_find(const struct qn_mesh *mesh,
                                           const char *name);
/* A mesh of triangles, all its tables, from the three vertices of each. */
enum qn_status qn__mesh_from_cells(int64_t vertices, int64_t cells,
                                   const int32_t *corners,
                                   struct qn_mesh **mesh);
/* A vertex at a longitude and latitude, in radians. */
void qn__mesh_put(double *places, int64_t vertex, double lon, double lat);
/* Two domains that some table joins: which points of `to` are at which of
 * `from`, whichever of the two the table starts at. */
struct qn__links {
    int64_t *start;                 /* of each point of `from`, and the end */
    int32_t *to;
};
enum qn_status qn__mesh_links(const struct qn_mesh *mesh, int from, int to,
                              struct qn__links *links);
void qn__links_free(struct qn__links *links);
/* The domain that a table joins to this one; -1: none. */
int qn__mesh_joined(const struct qn_mesh *mesh, int domain);
/* order[i]: which point is the i-th. */
enum qn_status qn__mesh_rcm(const struct qn_mesh *mesh, int domain,
                            int32_t *order);
enum qn_status qn__mesh_curve(const struct qn_mesh *mesh, int domain,
                              int32_t *order);
enum qn_status qn__mesh_read_netcdf(const char *path, struct qn_mesh **mesh);
enum qn_status qn__mesh_read_fesom(const char *folder, struct qn_mesh **mesh);

#endif
