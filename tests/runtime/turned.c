/* Kernels whose tiles are turned give the bits of those that gather, on meshes with and without
 * skipped neighbours, in and out of order, of one line and of more than find room, with levels left
 * over and none. Its argument: the module, of tests/runtime/specs/turned.lua, each kernel in several
 * shapes. */
#include "../../templates/quern_mesh.h"
#include "lib.h"

#include <omp.h>

static struct qn_module *module;

/* The bytes of what a kernel writes, after a launch from the same data. */
static uint64_t bits_of(const struct quern_kernel *kernel)
{
    uint64_t bits = 17;
    struct qn_kernel *made;
    for (int f = 0; f < module->info->field_count; f++) {
        struct qn_field *const field = module->state.fields[f];
        must(qn__job_random(module->context, field->info->type, qn__packed_start(field, 0),
                            field->layout.count, field->layout.step, (uint64_t)f + 5,
                            field->info->low, field->info->high));
    }
    must(qn_module_kernel(module, kernel->name, &made));
    must(qn_kernel_launch(made));
    for (int f = 0; f < module->info->field_count; f++) {
        struct qn_field *const field = module->state.fields[f];
        size_t size = field->layout.size;
        for (int i = 0; i < field->info->rank; i++)
            size *= (size_t)field->layout.n[i];
        uint32_t *const got = malloc(size + 1);        /* no element is smaller */
        must(qn_field_read(field, 0, got));
        for (size_t i = 0; i < size / sizeof *got; i++)
            bits = (bits ^ got[i]) * UINT64_C(0x100000001b3) + (bits >> 40);
        free(got);
    }
    return bits;
}

/* Every kernel against the first that does the same. */
static void same_bits(const char *mesh, int64_t levels)
{
    const struct quern_module *const info = module->info;
    for (int k = 0; k < info->kernel_count; k++) {
        int first = 0;
        while (strcmp(info->kernels[first].kernel, info->kernels[k].kernel) != 0)
            first++;
        if (first < k)
            ok(bits_of(&info->kernels[k]) == bits_of(&info->kernels[first]),
               "%s, %lld levels: the bits of %s by %s", mesh, (long long)levels,
               info->kernels[k].kernel, info->kernels[k].name);
    }
}

static void on(const char *name, enum qn_status status, struct qn_mesh **made, const char *order,
               int64_t levels)
{
    struct qn_field *field;
    must(status);
    struct qn_mesh *const mesh = *made;
    if (order)
        must(qn_mesh_reorder(mesh, order, "vertex"));
    const int64_t edges = qn_mesh_extent(mesh, "edge");
    must(qn_module_resize(module, (int64_t[]){ qn_mesh_extent(mesh, "vertex"), edges,
                                               qn_mesh_extent(mesh, "cell"), levels, 2 * edges }));
    must(qn_mesh_connect(mesh, module));
    for (int f = 0; f < module->info->field_count; f++)
        must(qn__field_make(module, f, 0, &field));
    same_bits(name, levels);
    qn_mesh_free(mesh);
}

/* The size of tiles that so many threads share, and how many more the first has than the last. */
static void share(int threads, int64_t points, int64_t tile, int64_t wanted, int64_t more)
{
    const struct quern_box box = { { 3 }, { 3 + points } };
    int64_t size = 0, team = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        size = quern_even_shares(&box, &tile, 0);
        team = omp_get_num_threads();
    }
    const int64_t tiles = (points + size - 1) / size;
    ok(size == wanted && team == threads && (tiles + team - 1) / team - tiles / team == more,
       "%d threads share %lld points in tiles of %lld of %lld", threads, (long long)points,
       (long long)size, (long long)tile);
}

static void shares(void)
{
    share(1, 9000, 4096, 3000, 0);
    share(2, 76800, 4096, 3840, 0);
    share(3, 76800, 4096, 3664, 0);         /* 3657.1 points, whole lines */
    share(3, 100, 37, 37, 0);               /* no larger than a tile, though no line is whole */
    share(3, 20, 4096, 8, 0);
    share(3, 9, 4096, 8, 1);                /* no share is smaller than a line */
    share(2, 5, 1, 1, 1);
}

int main(int count, char **arguments)
{
    struct qn_context *context = NULL;
    struct qn_mesh *mesh = NULL;
    if (count != 2)
        return 2;
    shares();
    must(qn_context_open("cpu", &context));
    must(qn_module_load(context, arguments[1], &module));
    on("torus:20x12", qn_mesh_torus(20, 12, &mesh), &mesh, NULL, 19);
    on("torus:3x4", qn_mesh_torus(3, 4, &mesh), &mesh, NULL, 8);
    on("plane:9x8", qn_mesh_plane(9, 8, &mesh), &mesh, NULL, 17);
    on("icosahedron:R2B3", qn_mesh_icosahedron(2, 3, &mesh), &mesh, "near", 16);
    on("icosahedron:R2B2 at random", qn_mesh_icosahedron(2, 2, &mesh), &mesh, "random", 9);
    on("torus:70x122, more than find room", qn_mesh_torus(70, 122, &mesh), &mesh, NULL, 8);
    qn_module_unload(module);
    qn_context_close(context);
    return done();
}
