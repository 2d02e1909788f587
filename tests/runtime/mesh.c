/* The kernels of specs/icon.lua against loops written by hand, bit for bit, on
 * random tables, and what is said of tables that cannot be. Its arguments: the
 * folder of the device modules, the context, the module, the contiguous axis. */
#include "lib.h"

enum { VERTEX, EDGE, CELL, ECV, LEVEL, AXES };

static const int64_t n[AXES] = { 41, 97, 55, 4 * 97, 11 };
static int level_first;             /* levels are contiguous */

static struct { const char *name; int domain, slots; double *data; } fields[] = {
    { "u_vert", VERTEX, 0, NULL }, { "v_vert", VERTEX, 0, NULL },
    { "z_nabla2_e", EDGE, 0, NULL }, { "z_nabla4_e2", EDGE, 0, NULL },
    { "p_u", VERTEX, 0, NULL }, { "p_v", VERTEX, 0, NULL }, { "p_c", CELL, 0, NULL },
    { "primal_normal_v1", ECV, 1, NULL }, { "primal_normal_v2", ECV, 1, NULL },
    { "inv_vert_vert_length", EDGE, 1, NULL }, { "inv_primal_edge_length", EDGE, 1, NULL },
    { "c1", VERTEX, 6, NULL }, { "c2", VERTEX, 6, NULL },
    { "d1", CELL, 3, NULL }, { "d2", CELL, 3, NULL },
    { "normal_v1_k", ECV, 0, NULL }, { "normal_v2_k", ECV, 0, NULL },
    { "inv_vert_vert_length_k", EDGE, 0, NULL }, { "inv_primal_edge_length_k", EDGE, 0, NULL },
};
enum { U, V, Z2, Z4, PU, PV, PC, N1, N2, IVV, IPE, C1, C2, D1, D2, N1K, N2K, IVVK, IPEK, FIELDS };

static int32_t e2c2v[97 * 4], e2ecv[97 * 4], v2e[41 * 6], c2v[55 * 3];

static uint64_t state = 88172645463325252u;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static void draw_tables(void)
{
    for (int i = 0; i < 97 * 4; i++) {
        e2c2v[i] = (int32_t)(next() % 41);
        e2ecv[i] = i % 4 * 97 + i / 4;
    }
    for (int i = 0; i < 41 * 6; i++)
        v2e[i] = next() % 5 ? (int32_t)(next() % 97) : -1;
    for (int i = 0; i < 6; i++)
        v2e[7 * 6 + i] = -1;        /* a row without any */
    for (int i = 0; i < 55 * 3; i++)
        c2v[i] = (int32_t)(next() % 41);
}

/* Where a point (or a row and a slot) is in a dense array. */
static int64_t at(int field, int64_t point, int64_t other)
{
    const int64_t points = n[fields[field].domain];
    if (fields[field].slots)
        return point + other * points;
    return level_first ? other + point * n[LEVEL] : point + other * points;
}

static int64_t size_of(int field)
{
    const int slots = fields[field].slots;
    return n[fields[field].domain] * (slots ? slots : n[LEVEL]);
}

#define F(field, point, other) fields[field].data[at(field, point, other)]

/* The wind at two vertices along normals, which one level has, or each. */
static double wind(int64_t e, int first, int64_t k, int vertical)
{
    double sum = 0;
    for (int slot = first; slot < first + 2; slot++) {
        const int64_t v = e2c2v[e * 4 + slot], q = e2ecv[e * 4 + slot];
        const double u = F(U, v, k) * (vertical ? F(N1K, q, k) : F(N1, q, 0));
        sum += u + F(V, v, k) * (vertical ? F(N2K, q, k) : F(N2, q, 0));
    }
    return sum;
}

static double nabla4(int64_t e, int64_t k, int vertical)
{
    const double vv = vertical ? F(IVVK, e, k) : F(IVV, e, 0);
    const double pe = vertical ? F(IPEK, e, k) : F(IPE, e, 0);
    const double norm = wind(e, 2, k, vertical), tang = wind(e, 0, k, vertical);
    const double z2 = F(Z2, e, k);
    return 4.0 * ((norm - 2.0 * z2) * (vv * vv) + (tang - 2.0 * z2) * (pe * pe));
}

static double interpolated(int64_t v, int64_t k, int coefficient)
{
    double sum = 0;
    for (int slot = 0; slot < 6; slot++)
        if (v2e[v * 6 + slot] >= 0)
            sum += F(coefficient, v, slot) * F(Z4, v2e[v * 6 + slot], k);
    return sum;
}

static double of_cell(int64_t c, int64_t k)
{
    double sum = 0;
    for (int slot = 0; slot < 3; slot++) {
        const int64_t v = c2v[c * 3 + slot];
        sum += F(D1, c, slot) * F(PU, v, k) + F(D2, c, slot) * F(PV, v, k);
    }
    return sum;
}

static double by_hand(int field, int64_t point, int64_t k, int vertical)
{
    switch (field) {
    case Z4: return nabla4(point, k, vertical);
    case PU: return interpolated(point, k, C1);
    case PV: return interpolated(point, k, C2);
    default: return of_cell(point, k);
    }
}

static void compare(struct qn_field *made, int field, int vertical, const char *kernel)
{
    double *const got = malloc((size_t)size_of(field) * sizeof *got);
    int64_t wrong = 0;
    must(qn_field_read(made, 0, got));
    for (int64_t k = 0; k < n[LEVEL]; k++)
        for (int64_t i = 0; i < n[fields[field].domain]; i++) {
            const double wanted = by_hand(field, i, k, vertical);
            wrong += memcmp(&got[at(field, i, k)], &wanted, sizeof wanted) != 0;
        }
    ok(wrong == 0, "%s: %s as by hand, %lld other bits", kernel, fields[field].name,
       (long long)wrong);
    memcpy(fields[field].data, got, (size_t)size_of(field) * sizeof *got);
    free(got);
}

static void launch(struct qn_module *module, struct qn_field **made, const char *kernel,
                   int first, int last)
{
    must(qn_kernel_launch(kernel_of(module, kernel)));
    for (int field = first; field <= last; field++)
        compare(made[field], field, strcmp(kernel, "nabla4_vertical") == 0, kernel);
}

/* What a stage gives, for the next one. */
static void stage(int field, int vertical)
{
    for (int64_t k = 0; k < n[LEVEL]; k++)
        for (int64_t i = 0; i < n[fields[field].domain]; i++)
            F(field, i, k) = by_hand(field, i, k, vertical);
}

/* Chains as one kernel give the bits of their stages. */
static void chains(struct qn_module *module, struct qn_field **made)
{
    stage(Z4, 1);
    must(qn_kernel_launch(kernel_of(module, "nabla4_vertical_interpolate")));
    compare(made[PU], PU, 1, "nabla4_vertical_interpolate");
    compare(made[PV], PV, 1, "nabla4_vertical_interpolate");
    stage(Z4, 0);
    must(qn_kernel_launch(kernel_of(module, "nabla4_interpolate")));
    compare(made[PU], PU, 0, "nabla4_interpolate");
    compare(made[PV], PV, 0, "nabla4_interpolate");
    must(qn_field_fill(made[PU], 0));
    must(qn_field_fill(made[PV], 0));
    must(qn_field_fill(made[Z4], 0));
    must(qn_kernel_launch(kernel_of(module, "nabla4_interpolate_verts2cells")));
    compare(made[PC], PC, 0, "nabla4_interpolate_verts2cells");
}

static void refusals(struct qn_module *module)
{
    const struct { int32_t *entry, value; const char *table; int slots; int32_t *entries;
                   const char *sentence; } cases[] = {
        { &v2e[11 * 6 + 4], 97, "v2e", 6, v2e,
          "v2e: row 11, slot 4 is 97, wanted 0 to 96: edge has 97 points" },
        { &v2e[11 * 6 + 4], -2, "v2e", 6, v2e, "v2e: row 11, slot 4 is -2, wanted 0 to 96" },
        { &c2v[54 * 3 + 2], -1, "c2v", 3, c2v,
          "c2v: row 54, slot 2 is -1, a missing neighbour: the table declares no skip" },
        { &e2ecv[5 * 4 + 1], 0, "e2ecv", 4, e2ecv,
          "e2ecv: row 5, slot 1 is 0: the table is affine, that would be 102" },
        { &e2ecv[5 * 4 + 1], 388, "e2ecv", 4, e2ecv, "row 5, slot 1 is 388, wanted 0 to 387" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int32_t kept = *cases[i].entry;
        *cases[i].entry = cases[i].value;
        fails(qn_module_connect(module, cases[i].table, cases[i].slots, cases[i].entries),
              QN_INVALID, cases[i].sentence, cases[i].sentence);
        *cases[i].entry = kept;
    }
    fails(qn_module_connect(module, "v2e", 5, v2e), QN_INVALID,
          "table 'v2e' has 6 slots in a row, not 5", "another count");
    fails(qn_module_connect(module, "v2x", 6, v2e), QN_NOT_FOUND, "has no table 'v2x'",
          "no such table");
    fails(qn_module_connect_ragged(module, "v2e", NULL, v2e), QN_INVALID,
          "table 'v2e' is not ragged", "not a ragged table");
    fails(qn_kernel_launch(kernel_of(module, "nabla4")), QN_INVALID,
          "table 'e2c2v' of", "a table that has not been connected");
}

static void empty(struct qn_module *module)
{
    const int64_t none[AXES] = { 0, 0, 0, 0, 11 };
    struct qn_field *made;
    must(qn_module_resize(module, none));
    for (int field = 0; field < FIELDS; field++)
        must(qn_field_create(module, fields[field].name, &made));
    must(qn_module_connect(module, "c2v", 3, c2v));
    ok(qn_kernel_launch(kernel_of(module, "verts2cells")) == QN_OK, "empty domains");
}

int main(int count, char **arguments)
{
    struct qn_context *context = NULL;
    struct qn_module *module = NULL;
    struct qn_field *made[FIELDS];
    if (count != 5)
        return 2;
    level_first = strcmp(arguments[4], "k") == 0;
    must(qn_context_open(arguments[2], &context));
    must(qn_context_runtime(context, arguments[1]));
    must(qn_module_load(context, arguments[3], &module));
    must(qn_module_resize(module, n));
    draw_tables();
    for (int field = 0; field < FIELDS; field++) {
        fields[field].data = malloc((size_t)size_of(field) * sizeof(double));
        for (int64_t i = 0; i < size_of(field); i++)
            fields[field].data[i] = (double)(next() >> 11) * 0x1p-53 - 0.5;
        made[field] = field_of(module, fields[field].name);
        must(qn_field_write(made[field], 0, fields[field].data));
    }
    refusals(module);
    must(qn_module_connect(module, "e2c2v", 4, e2c2v));
    must(qn_module_connect(module, "e2ecv", 4, e2ecv));
    must(qn_module_connect(module, "v2e", 6, v2e));
    must(qn_module_connect(module, "c2v", 3, c2v));
    launch(module, made, "nabla4", Z4, Z4);
    launch(module, made, "interpolate", PU, PV);
    launch(module, made, "verts2cells", PC, PC);
    launch(module, made, "nabla4_vertical", Z4, Z4);
    chains(module, made);
    empty(module);
    qn_module_unload(module);
    qn_context_close(context);
    for (int field = 0; field < FIELDS; field++)
        free(fields[field].data);
    return done();
}
