/* Kernels that find neighbours by strides give the bits of those that read every entry, on meshes
 * of which many, some, or no rows are of some kind. Its arguments: the folder of the device
 * modules, the context, the module (kernels of specs/icon.lua, each in several shapes), a grid of
 * ICON, or "" for meshes that are made. */
#include "lib.h"

static struct qn_module *module;

static void put(const struct quern_field *field, uint64_t seed)
{
    struct qn_field *const made = field_of(module, field->name);
    size_t count = 1;
    for (int i = 0; i < field->rank; i++)
        count *= (size_t)made->layout.n[i];
    double *const values = malloc((count + 1) * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        values[i] = (double)(seed >> 11) * 0x1p-53 - 0.5;
    }
    must(qn_field_write(made, 0, values));
    free(values);
}

/* A number of all bits that a kernel's launch leaves in what it writes. */
static uint64_t bits_of(const struct quern_kernel *kernel)
{
    uint64_t bits = 17;
    struct qn_kernel *made;
    for (int i = 0; i < kernel->access_count; i++)
        if (kernel->accesses[i].written)
            must(qn_field_fill(module->state.fields[kernel->accesses[i].field], -9));
    must(qn_module_kernel(module, kernel->name, &made));
    must(qn_kernel_launch(made));
    for (int i = 0; i < kernel->access_count; i++) {
        struct qn_field *const field = module->state.fields[kernel->accesses[i].field];
        size_t count = 1;
        if (!kernel->accesses[i].written)
            continue;
        for (int k = 0; k < field->info->rank; k++)
            count *= (size_t)field->layout.n[k];
        uint64_t *const got = malloc((count + 1) * sizeof *got);
        must(qn_field_read(field, 0, got));
        for (size_t k = 0; k < count; k++)
            bits = (bits ^ got[k]) * UINT64_C(0x9e3779b97f4a7c15) + (bits >> 40);
        free(got);
    }
    return bits;
}

/* Every kernel against the first that does the same. */
static void same_bits(const char *mesh)
{
    const struct quern_module *const info = module->info;
    for (int k = 0; k < info->kernel_count; k++) {
        int first = 0;
        while (strcmp(info->kernels[first].kernel, info->kernels[k].kernel) != 0)
            first++;
        if (first == k)
            continue;
        const uint64_t wanted = bits_of(&info->kernels[first]);
        ok(bits_of(&info->kernels[k]) == wanted, "%s: the bits of %s by %s", mesh,
           info->kernels[k].kernel, info->kernels[k].shape);
    }
}

/* How many rows of each table are of some kind: a line that begins with "kinds". */
static void tell_kinds(const char *mesh)
{
    for (int t = 0; t < module->info->table_count; t++)
        if (module->info->tables[t].kinds && module->state.tables[t].entries)
            printf("kinds %s %s %d %lld\n", mesh, module->info->tables[t].name,
                   module->info->tables[t].kinds, (long long)module->state.tables[t].of_kinds);
}

/* Those tables of the mesh that the module takes: an area with a rim lacks vertices across edges. */
static void connect(const struct qn_mesh *mesh)
{
    for (int t = 0; t < module->info->table_count; t++) {
        int64_t slots;
        const char *const name = module->info->tables[t].name;
        const int32_t *const entries = qn_mesh_table(mesh, name, &slots);
        if (entries && qn_module_connect(module, name, slots, entries) != QN_OK)
            printf("# %s\n", qn_last_error());
    }
}

static void on(enum qn_status status, struct qn_mesh **held, const char *what)
{
    enum { LEVELS = 5 };
    must(status);
    struct qn_mesh *const mesh = *held;
    must(qn_module_resize(module, (int64_t[]){
        qn_mesh_extent(mesh, "vertex"), qn_mesh_extent(mesh, "edge"),
        qn_mesh_extent(mesh, "cell"), qn_mesh_extent(mesh, "ecv"), LEVELS }));
    connect(mesh);
    for (int f = 0; f < module->info->field_count; f++)
        put(&module->info->fields[f], (uint64_t)f + 5);
    same_bits(what ? what : "edges by direction");
    if (what)
        tell_kinds(what);
    qn_mesh_free(mesh);
}

/* The torus with its edges side by side by their directions, not by their vertices. */
static enum qn_status by_direction(struct qn_mesh **mesh)
{
    struct qn_mesh *torus;
    int64_t six, four, three;
    must(qn_mesh_torus(9, 8, &torus));
    const int32_t *const v2e = qn_mesh_table(torus, "v2e", &six);
    const int32_t *const e2c2v = qn_mesh_table(torus, "e2c2v", &four);
    const int32_t *const c2v = qn_mesh_table(torus, "c2v", &three);
    int32_t edges[72 * 6], vertices[216 * 4], slots[216 * 4];
    for (int i = 0; i < 72 * 6; i++)
        edges[i] = v2e[i] % 3 * 72 + v2e[i] / 3;
    for (int i = 0; i < 216 * 4; i++) {
        const int edge = i / 4 % 72 * 3 + i / 4 / 72;
        vertices[i] = e2c2v[4 * edge + i % 4];
        slots[i] = i % 4 * 216 + i / 4;
    }
    must(qn_mesh_create(72, 216, 144, mesh));
    must(qn_mesh_add(*mesh, "v2e", "vertex", "edge", six, edges));
    must(qn_mesh_add(*mesh, "e2c2v", "edge", "vertex", four, vertices));
    must(qn_mesh_add(*mesh, "e2ecv", "edge", "ecv", four, slots));
    must(qn_mesh_add(*mesh, "c2v", "cell", "vertex", three, c2v));
    qn_mesh_free(torus);
    return QN_OK;
}

/* Of such edges most are of some kind too, at the pace of one row, one point. */
static void paces(void)
{
    for (int t = 0; t < module->info->table_count; t++) {
        const struct quern_table *const info = &module->info->tables[t];
        if (!info->kinds || strcmp(info->name, "e2c2v") != 0)
            continue;
        const int64_t *const pace = qn__args_int(&module->state, info->pace);
        ok(pace[0] == 1 && pace[1] == 1 && module->state.tables[t].of_kinds > 150,
           "edges by direction: %lld of 216 rows are of some kind, %lld rows lead %lld further",
           (long long)module->state.tables[t].of_kinds, (long long)pace[0], (long long)pace[1]);
    }
}

int main(int count, char **arguments)
{
    struct qn_context *context = NULL;
    struct qn_mesh *mesh = NULL;
    if (count != 5)
        return 2;
    must(qn_context_open(arguments[2], &context));
    must(qn_context_runtime(context, arguments[1]));
    must(qn_module_load(context, arguments[3], &module));
    if (arguments[4][0]) {
        on(qn_mesh_read(arguments[4], &mesh), &mesh, arguments[4]);
    } else {
        on(qn_mesh_torus(9, 8, &mesh), &mesh, "torus:9x8");
        on(qn_mesh_torus(3, 4, &mesh), &mesh, "torus:3x4");
        on(qn_mesh_plane(9, 8, &mesh), &mesh, "plane:9x8");
        on(qn_mesh_icosahedron(2, 2, &mesh), &mesh, "icosahedron:R2B2");
        on(by_direction(&mesh), &mesh, NULL);
        paces();
    }
    qn_module_unload(module);
    qn_context_close(context);
    return done();
}
