/* What kernels on meshes are given by mistake is refused in a sentence with row and slot; what is
 * empty, thin, or more than 32 bits count gives what loops written by hand give. Its arguments:
 * the folder of the device modules, the context, the module, and "far" for arrays that are wider
 * than 32 bits count, "strides" for kernels that find neighbours so, "again" and "composed" for
 * tables alone that are others later. */
#include "lib.h"

#include <sys/mman.h>

static int32_t v2e[5 * 3] = { 0, 1, 2, 6, -1, 3, -1, -1, -1, 4, 5, 6, 1, 3, 5 };
static int32_t e2v[7 * 2] = { 0, 1, 4, 2, 3, 3, 1, 0, 2, 4, 0, 4, 3, 2 };
static int32_t e2ecv[7 * 2] = { 0, 7, 1, 8, 2, 9, 3, 10, 4, 11, 5, 12, 6, 13 };
static int32_t from1[5 * 2] = { 1, 7, 0, 2, 3, 4, 0, 0, 5, 6 };
static int64_t start[6] = { 0, 2, 3, 5, 6, 9 };
static int32_t near[9] = { 1, 2, 0, 4, 3, 2, 0, 1, 3 };

static struct qn_module *module;

static void resize(int64_t vertices, int64_t edges, int64_t levels)
{
    must(qn_module_resize(module, (int64_t[]){ vertices, edges, 2 * edges, levels, 9, 2 * edges }));
}

static enum qn_status connect(const char *table, int slots, const int32_t *entries)
{
    return slots ? qn_module_connect(module, table, slots, entries)
                 : qn_module_connect_ragged(module, table, start, entries);
}

static void entries_refused(void)
{
    const struct { int32_t *entry, value; const char *table; int slots; int32_t *entries;
                   const char *sentence; } cases[] = {
        { &v2e[4], 7, "v2e", 3, v2e, "v2e: row 1, slot 1 is 7, wanted 0 to 6: edge has 7" },
        { &v2e[14], -2, "v2e", 3, v2e, "v2e: row 4, slot 2 is -2, wanted 0 to 6" },
        { &v2e[0], INT32_MIN, "v2e", 3, v2e, "v2e: row 0, slot 0 is -2147483648, wanted 0" },
        { &e2v[13], -1, "e2v", 2, e2v, "e2v: row 6, slot 1 is -1, a missing neighbour: the table "
          "declares no skip" },
        { &e2v[2], INT32_MAX, "e2v", 2, e2v, "e2v: row 1, slot 0 is 2147483647, wanted 0 to 4" },
        { &e2ecv[5], 2, "e2ecv", 2, e2ecv, "e2ecv: row 2, slot 1 is 2: the table is affine, that "
          "would be 9" },
        { &from1[9], 8, "from1", 2, from1, "from1: row 4, slot 1 is 8, wanted 1 to 7" },
        { &from1[3], -1, "from1", 2, from1, "from1: row 1, slot 1 is -1, wanted 1 to 7" },
        { &near[4], 5, "near", 0, near, "near: row 2, slot 1 is 5, wanted 0 to 4" },
        { &near[8], -1, "near", 0, near, "near: row 4, slot 2 is -1, a missing neighbour" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int32_t kept = *cases[i].entry;
        *cases[i].entry = cases[i].value;
        fails(connect(cases[i].table, cases[i].slots, cases[i].entries), QN_INVALID,
              cases[i].sentence, cases[i].sentence);
        *cases[i].entry = kept;
    }
}

static void rows_refused(void)
{
    start[2] = 2;
    fails(connect("near", 0, near), QN_INVALID,
          "near: row 1 has no neighbour, and its least or largest is wanted", "an empty row");
    start[2] = 1;
    fails(connect("near", 0, near), QN_INVALID, "near: row 2 starts at entry 1, wanted 2 to 9",
          "a row that starts too early");
    start[2] = 10;
    fails(connect("near", 0, near), QN_INVALID, "near: row 2 starts at entry 10, wanted 2 to 9",
          "a row that starts too late");
    start[2] = 3;
    start[5] = 8;
    fails(connect("near", 0, near), QN_INVALID, "near: row 5 starts at entry 8, wanted 9 to 9",
          "entries that are left over");
    start[5] = 9;
    fails(connect("v2e", 2, v2e), QN_INVALID, "table 'v2e' has 3 slots in a row, not 2",
          "another count");
    fails(qn_module_connect(module, "v2e", 0, v2e), QN_INVALID,
          "table 'v2e' with 0 slots in a row: at least 1", "no slots");
    fails(qn_module_connect(module, "near", 2, near), QN_INVALID, "table 'near' is ragged",
          "a ragged table as one of whole rows");
    resize(5, INT64_C(1) << 31, 1);
    fails(connect("v2e", 3, v2e), QN_INVALID, "v2e: edge has 2147483648 points, entries of 32 bits "
          "count 2147483647", "more points than entries count");
}

static void mesh_refused(void)
{
    struct qn_mesh *mesh;
    must(qn_mesh_torus(3, 4, &mesh));
    resize(5, 7, 3);
    fails(qn_mesh_connect(mesh, module), QN_INVALID, "vertex has 5 points in mesh_input, 12 in the "
          "mesh", "a mesh of another size");
    must(qn_module_resize(module, (int64_t[]){ 12, 36, 144, 3, 9, 72 }));
    fails(qn_mesh_connect(mesh, module), QN_INVALID,
          "table 'v2e' has 6 slots in a row of the mesh, 3 in mesh_input, and row 0 has a neighbour in "
          "slot 3", "a mesh of another count");
    qn_mesh_free(mesh);
    resize(5, 7, 3);
    int32_t padded[5 * 4];
    for (int i = 0; i < 20; i++)
        padded[i] = i % 4 < 3 ? v2e[i / 4 * 3 + i % 4] : -1;
    must(qn_mesh_create(5, 7, 0, &mesh));
    must(qn_mesh_add(mesh, "v2e", "vertex", "edge", 4, padded));
    int32_t from0[5 * 2];
    for (int i = 0; i < 10; i++)
        from0[i] = from1[i] - 1;
    must(qn_mesh_add(mesh, "from1", "vertex", "edge", 2, from0));
    must(qn_mesh_connect(mesh, module));
    ok(memcmp(module->state.tables[0].entries, v2e, sizeof v2e) == 0,
       "slots that no row uses may be more than the module has");
    for (int t = 0; t < module->info->table_count; t++)
        if (strcmp(module->info->tables[t].name, "from1") == 0)
            ok(memcmp(module->state.tables[t].entries, from1, sizeof from1) == 0,
               "a table that counts from 1 has the mesh's neighbours");
    qn_mesh_free(mesh);
}

/* The vertices around each, of the ends of edges, as a table has them that counts from 1. */
static void around(void)
{
    static const int32_t v2e[6] = { 0, 2, 0, 1, 1, 2 }, e2v[6] = { 0, 1, 1, 2, 2, 0 },
        wanted[6] = { 2, 3, 1, 3, 2, 1 };
    struct qn_mesh *mesh;
    resize(3, 3, 1);
    must(qn_mesh_create(3, 3, 0, &mesh));
    must(qn_mesh_add(mesh, "v2e", "vertex", "edge", 2, v2e));
    must(qn_mesh_add(mesh, "e2v", "edge", "vertex", 2, e2v));
    must(qn_mesh_connect(mesh, module));
    for (int t = 0; t < module->info->table_count; t++)
        if (strcmp(module->info->tables[t].name, "v2v") == 0)
            ok(memcmp(module->state.tables[t].entries, wanted, sizeof wanted) == 0,
               "vertices around a vertex count from 1");
    qn_mesh_free(mesh);
}

/* Values that are added without rounding. */
static double value(int field, int64_t point, int64_t k)
{
    return (double)((point * 7 + k * 3 + field) % 101);
}

static double gathered(int64_t point, int64_t k, bool edges)
{
    double sum = 0;
    for (int s = 0; edges && s < 3; s++)
        if (v2e[3 * point + s] >= 0)
            sum += value(1, v2e[3 * point + s], k);
    return value(0, point, k) + sum;
}

static void put(struct qn_field *field, int number, int64_t points, int64_t levels)
{
    double *const data = malloc((size_t)(points * levels + 1) * sizeof *data);
    for (int64_t i = 0; i < points * levels; i++)
        data[i] = value(number, i % points, i / points);
    must(qn_field_write(field, 0, data));
    free(data);
}

/* The kernel over edges for this many points and levels. */
static void gather(int64_t vertices, int64_t edges, int64_t levels)
{
    static const int32_t none[5 * 3] = { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 };
    resize(vertices, edges, levels);
    struct qn_field *const p = field_of(module, "p"), *const q = field_of(module, "q"),
        *const made = field_of(module, "p1");
    put(p, 0, vertices, levels);
    put(q, 1, edges, levels);
    must(connect("v2e", 3, edges ? v2e : none));
    double *const got = malloc((size_t)(vertices * levels + 1) * sizeof *got);
    const enum qn_status status = qn_kernel_launch(kernel_of(module, "gather"));
    must(qn_field_read(made, 0, got));
    int64_t wrong = 0;
    for (int64_t i = 0; i < vertices * levels; i++)
        wrong += got[i] != gathered(i % vertices, i / vertices, edges > 0);
    ok(status == QN_OK && wrong == 0, "%lld vertices, %lld edges, %lld levels: %lld are not as by "
       "hand %s", (long long)vertices, (long long)edges, (long long)levels, (long long)wrong,
       status == QN_OK ? "" : qn_last_error());
    free(got);
}

/* What was made of a table for its kernels is made anew once it is another. */
static void again(void)
{
    resize(5, 7, 3);
    struct qn_field *const p = field_of(module, "p"), *const q = field_of(module, "q"),
        *const made = field_of(module, "p1");
    put(p, 0, 5, 3);
    put(q, 1, 7, 3);
    for (int time = 0; time < 2; time++) {
        double got[15];
        int64_t wrong = 0;
        must(connect("v2e", 3, v2e));
        must(qn_kernel_launch(kernel_of(module, "gather")));
        must(qn_field_read(made, 0, got));
        for (int64_t i = 0; i < 15; i++)
            wrong += got[i] != gathered(i % 5, i / 5, true);
        ok(wrong == 0, "%s: %lld are not as by hand", time ? "another table" : "a table",
           (long long)wrong);
        for (int s = 0; s < 6; s++) {       /* the first two rows are the last two */
            const int32_t kept = v2e[s];
            v2e[s] = v2e[9 + s];
            v2e[9 + s] = kept;
        }
    }
}

/* An affine table may have its rows side by side, or its slots. */
static void affine(void)
{
    resize(5, 7, 3);
    struct qn_field *const p = field_of(module, "p"), *const r = field_of(module, "r"),
        *const made = field_of(module, "q1");
    double of_ecv[14];
    for (int i = 0; i < 14; i++)
        of_ecv[i] = value(2, i, 0);
    put(p, 0, 5, 3);
    must(qn_field_write(r, 0, of_ecv));
    must(connect("e2v", 2, e2v));
    for (int turned = 0; turned < 2; turned++) {
        int32_t entries[14];
        double got[21];
        int64_t wrong = 0;
        for (int32_t i = 0; i < 14; i++)
            entries[i] = turned ? i : i / 2 + i % 2 * 7;
        must(connect("e2ecv", 2, entries));
        must(qn_kernel_launch(kernel_of(module, "spread")));
        must(qn_field_read(made, 0, got));
        for (int64_t i = 0; i < 21; i++)
            wrong += got[i] != value(0, e2v[i % 7 * 2], i / 7) - value(0, e2v[i % 7 * 2 + 1], i / 7)
                               + of_ecv[entries[i % 7 * 2 + 1]];
        ok(wrong == 0, "%s of an affine table side by side: %lld are not as by hand",
           turned ? "slots" : "rows", (long long)wrong);
    }
}

/* What a chain hands on of two thirds is rounded as the array would that it does not store. */
static double handed_on(const int32_t *ends, int64_t k)
{
    return (float)(value(0, ends[0], k) / 3 + value(0, ends[1], k) / 3);
}

/* The same of a table that is composed of it: rows of two vertices follow its pattern. */
static void composed_again(void)
{
    static const int32_t ends[7 * 2] = { 0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 1, 4, 2, 3 };
    int32_t rows[5 * 3] = { 0, 1, 2, 3, 4, 5, 6, -1, -1, -1, -1, -1, -1, -1, -1 };
    resize(5, 7, 3);
    struct qn_field *const p = field_of(module, "p"), *const made = field_of(module, "p1");
    struct qn_kernel *const chain = kernel_of(module, "chain");
    struct qn_regular regular;
    double thirds[15];
    for (int64_t i = 0; i < 15; i++)
        thirds[i] = value(0, i % 5, i / 5) / 3;
    must(qn_field_write(p, 0, thirds));
    must(connect("e2v", 2, ends));
    for (int time = 0; time < 2; time++) {
        double got[15];
        int64_t wrong = 0;
        must(connect("v2e", 3, rows));
        must(qn_kernel_launch(chain));
        must(qn_field_read(made, 0, got));
        for (int64_t i = 0; i < 15; i++) {
            double sum = 0;
            for (int s = 0; s < 3; s++)
                if (rows[i % 5 * 3 + s] >= 0)
                    sum += handed_on(ends + 2 * rows[i % 5 * 3 + s], i / 5);
            wrong += got[i] != sum;
        }
        must(qn_kernel_regular(chain, &regular));
        ok(wrong == 0 && regular.regular == 2 && regular.rows == 5, "composed of %s: %lld are not as by "
           "hand, %lld of %lld rows follow the pattern", time ? "another table" : "a table",
           (long long)wrong, (long long)regular.regular, (long long)regular.rows);
        for (int s = 0; s < 3; s++) {
            rows[s] = 3 + s;
            rows[3 + s] = s;
        }
    }
}

/* Rows that lead as far ahead as each other, in tables that count from 0 and from 1. */
static void in_step(void)
{
    int32_t two[5 * 3], one[5 * 2];
    for (int32_t i = 0; i < 15; i++)
        two[i] = i / 3 + i % 3;
    for (int32_t i = 0; i < 10; i++)
        one[i] = i / 2 + 2 * (i % 2) + 1;
    one[5] = 0;                         /* a row of no kind: one is missing */
    resize(5, 7, 3);
    struct qn_field *const p = field_of(module, "p"), *const q = field_of(module, "q"),
        *const made = field_of(module, "p1");
    put(p, 0, 5, 3);
    put(q, 1, 7, 3);
    must(connect("v2e", 3, two));
    must(connect("from1", 2, one));
    must(connect("near", 0, near));
    double got[15];
    int64_t wrong = 0;
    must(qn_kernel_launch(kernel_of(module, "gather")));
    must(qn_field_read(made, 0, got));
    for (int64_t i = 0; i < 15; i++)
        wrong += got[i] != value(0, i % 5, i / 5) + value(1, i % 5, i / 5)
                           + value(1, i % 5 + 1, i / 5) + value(1, i % 5 + 2, i / 5);
    must(qn_kernel_launch(kernel_of(module, "others")));
    must(qn_field_read(made, 0, got));
    for (int64_t i = 0; i < 15; i++) {
        double most = -1;
        for (int64_t n = start[i % 5]; n < start[i % 5 + 1]; n++)
            most = fmax(most, value(0, near[n], i / 5));
        wrong += got[i] != most + value(1, i % 5, i / 5)
                           + (i % 5 == 2 ? 0 : value(1, i % 5 + 2, i / 5));
    }
    ok(wrong == 0 && module->state.tables[0].of_kinds == 5, "rows in step: %lld are not as by hand",
       (long long)wrong);
    for (int t = 0; t < module->info->table_count; t++)
        if (strcmp(module->info->tables[t].name, "from1") == 0)
            ok(module->state.tables[t].of_kinds == 4, "but for one, from 1 on too");
}

/* One level more than blocks of two levels, a thread each, can be launched for; on a CPU none is. */
static void many_levels(void)
{
    const int64_t most = 2 * 65535;
    gather(1, 7, most);
    if (strcmp(where, "cpu") == 0)
        return;
    resize(1, 7, most + 1);
    field_of(module, "p");
    field_of(module, "q");
    field_of(module, "p1");
    must(connect("v2e", 3, v2e));
    fails(qn_kernel_launch(kernel_of(module, "gather")), QN_INVALID,
          "65536 blocks along k, the device's limit is 65535", "a level too many");
}

/* An array of which nearly nothing is ever touched. */
static double *sparse(int64_t elements)
{
    void *const made = mmap(NULL, (size_t)elements * sizeof(double), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return made == MAP_FAILED ? NULL : made;
}

static const struct quern_field *described(const char *name)
{
    for (int f = 0; f < module->info->field_count; f++)
        if (strcmp(module->info->fields[f].name, name) == 0)
            return &module->info->fields[f];
    return NULL;
}

/* Levels so far apart that an index of 32 bits would lead back. */
static void far_levels(void)
{
    enum { LEVELS = 3 };
    const int64_t apart = (INT64_C(1) << 31) - 4, all = 2 * apart + 64;
    static const char *const names[] = { "p", "q", "p1" };
    const struct quern_module *const info = module->info;
    double *data[3];
    resize(5, 7, LEVELS);
    must(connect("v2e", 3, v2e));
    for (int f = 0; f < 3; f++) {
        const struct quern_field *const field = described(names[f]);
        int64_t *const stride = qn__args_int(&module->state, field->stride);
        data[f] = sparse(all);
        if (!data[f]) {
            ok(true, "# SKIP levels far apart: no %lld bytes of addresses", (long long)all * 8);
            return;
        }
        for (int64_t i = 0; i < 7 * LEVELS; i++)
            data[f][i % 7 + i / 7 * apart] = value(f, i % 7, i / 7);
        *qn__args_pointer(&module->state, field->data[0]) = data[f];
        stride[0] = 1;
        stride[1] = apart;
    }
    char why[200] = "";
    int64_t wrong = 0;
    for (int k = 0; k < info->kernel_count; k++)
        if (strcmp(info->kernels[k].kernel, "gather") == 0) {
            info->kernels[k].check(module->state.args, why, sizeof why);
            wrong += info->kernels[k].launch(module->state.args, NULL);
        }
    for (int64_t i = 0; i < 5 * LEVELS; i++)
        wrong += data[2][i % 5 + i / 5 * apart] != gathered(i % 5, i / 5, true);
    ok(wrong == 0, "levels %lld elements apart: %lld are not as by hand %s", (long long)apart,
       (long long)wrong, why);
    for (int f = 0; f < 3; f++)
        munmap(data[f], (size_t)all * sizeof *data[f]);
}

int main(int count, char **arguments)
{
    struct qn_context *context = NULL;
    if (count != 4 && count != 5)
        return 2;
    where = arguments[2];
    must(qn_context_open(where, &context));
    must(qn_context_runtime(context, arguments[1]));
    must(qn_module_load(context, arguments[3], &module));
    if (count == 5 && strcmp(arguments[4], "far") == 0) {
        far_levels();
    } else if (count == 5 && strcmp(arguments[4], "again") == 0) {
        again();
    } else if (count == 5 && strcmp(arguments[4], "composed") == 0) {
        composed_again();
    } else if (count == 5) {
        in_step();
        again();
    } else {
        resize(5, 7, 3);
        entries_refused();
        rows_refused();
        mesh_refused();
        around();
        gather(5, 7, 1);
        gather(5, 7, 9);            /* a thread of a block with more has two */
        gather(5, 0, 3);
        gather(0, 7, 3);
        gather(0, 0, 1);
        gather(5, 7, 0);
        many_levels();
        again();
        affine();
    }
    qn_module_unload(module);
    qn_context_close(context);
    return done();
}
