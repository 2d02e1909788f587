/* The key "mesh": a mesh that is made or read, and connected to a module. */
#include "run.h"

#include <stdio.h>
#include <string.h>

#include "abi.h"

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
    const char *const text = run_text(request, "mesh");
    struct qn_mesh *mesh = NULL;
    if (!request->well || !run_status(request, make(text, &mesh)))
        return false;
    take_extents(info, mesh, n);
    put_size(request, info->axes, n);
    const bool well = run_status(request, qn_module_resize(module, n))
        && run_status(request, qn_mesh_connect(mesh, module));
    qn_mesh_free(mesh);
    return well;
}
