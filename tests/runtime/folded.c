/* Coefficients of folded kernels (tests/runtime/specs/folded.lua) are found anew
 * whenever what they are made of has changed: fields, by their owner or by a
 * kernel; scalars; tables; and each kernel of a step has its own. Arguments: the
 * folder of the runtime, a module of simt. */
#include "lib.h"

enum { VERT = 5, EDG = 7, LEVELS = 6 };

static struct qn_module *module;

static const char *const names[] = { "p", "p3", "p4", "h", "a", "b", "s", "i" };
enum { FIELDS = sizeof names / sizeof *names };
static struct qn_field *fields[FIELDS];

static struct qn_field *field(const char *name)
{
    int f = 0;
    while (strcmp(names[f], name) != 0)
        f++;
    return fields[f];
}

static void fill(const char *name, double value)
{
    must(qn_field_fill(field(name), value));
}

/* v2e: the three next edges, but of the first `bare` vertices, which have none. */
static void connect_edges(int bare)
{
    int32_t v2e[VERT * 3];
    for (int i = 0; i < VERT * 3; i++)
        v2e[i] = i / 3 < bare ? 0 : (i / 3 + i % 3) % EDG + 1;
    must(qn_module_connect(module, "v2e", 3, v2e));
}

static void connect(int shift)
{
    int32_t e2v[EDG * 2], near[VERT * 4];
    for (int i = 0; i < EDG * 2; i++)
        e2v[i] = (i / 2 + i % 2 + shift) % VERT;
    for (int i = 0; i < VERT * 4; i++)
        near[i] = i % 4 < 3 ? (i / 4 + i % 4) % VERT : -1;
    connect_edges(0);
    must(qn_module_connect(module, "e2v", 2, e2v));
    must(qn_module_connect(module, "near", 4, near));
}

/* The wind p is 1 but at the first vertex. */
static void start(double first)
{
    float p[VERT * LEVELS];
    double h[(LEVELS + 1) * VERT];
    for (int i = 0; i < VERT * LEVELS; i++)
        p[i] = i % VERT == 0 ? (float)first : 1;
    for (int i = 0; i < (LEVELS + 1) * VERT; i++)
        h[i] = i % (LEVELS + 1);
    must(qn_field_write(field("p"), 0, p));
    must(qn_field_write(field("h"), 0, h));
    fill("a", 1);
    fill("b", 1);
    fill("s", 0.5);
    fill("i", 0);
}

/* At the last vertex and level. */
static double result(const char *name)
{
    double wide[VERT * LEVELS];
    float narrow[VERT * LEVELS];
    const bool is_wide = strcmp(name, "p3") == 0;
    must(qn_field_read(field(name), 0, is_wide ? (void *)wide : narrow));
    return is_wide ? wide[VERT * LEVELS - 1] : (double)narrow[VERT * LEVELS - 1];
}

static void launched(const char *kernel, const char *field, double wanted,
                     const char *what)
{
    must(qn_kernel_launch(kernel_of(module, kernel)));
    const double got = result(field);
    ok(got == wanted, "%s, %s: %g, wanted %g", field, what, got, wanted);
}

static void counted(const char *kernel, int64_t wanted, const char *what)
{
    struct qn_regular found;
    must(qn_kernel_regular(kernel_of(module, kernel), &found));
    ok(found.table && strcmp(found.table, "vert") == 0 && found.rows == VERT
           && found.regular == wanted,
       "%s, %s: %lld of %lld rows have a folded form, wanted %lld", kernel, what,
       (long long)found.regular, (long long)found.rows, (long long)wanted);
}

int main(int argc, char **argv)
{
    struct qn_context *context;
    const int64_t n[] = { VERT, EDG, LEVELS };
    if (argc != 3)
        return 2;
    must(qn_context_open("simt", &context));
    must(qn_context_runtime(context, argv[1]));
    must(qn_module_load(context, argv[2], &module));
    must(qn_module_resize(module, n));
    for (int f = 0; f < FIELDS; f++)
        must(qn_field_create(module, names[f], &fields[f]));
    connect(0);
    start(1);
    must(qn_module_set(module, "w", 1));

    launched("single", "p4", 12, "six neighbours, a + b = 2");
    launched("levels", "p3", 1.5 + LEVELS - 0.5, "three neighbours, s = 0.5");
    fill("b", 2);
    launched("single", "p4", 18, "a constant filled");
    double more[EDG] = { 3, 3, 3, 3, 3, 3, 3 };
    must(qn_field_write(field("b"), 0, more));
    launched("single", "p4", 24, "a constant written");
    must(qn_kernel_launch(kernel_of(module, "geometry")));
    launched("single", "p4", 54, "a constant set by a kernel");
    must(qn_module_set(module, "w", 3));
    launched("levels", "p3", 4.5 + LEVELS - 0.5, "a scalar set");
    start(2);
    launched("single", "p4", 16, "inputs and constants written");
    connect(1);
    launched("single", "p4", 14, "tables connected anew");
    fill("i", 1);
    must(qn_module_step(module));
    ok(result("p4") == 28 && result("p3") == 4.5 + LEVELS - 0.5,
       "a step: %g and %g", result("p4"), result("p3"));
    const int64_t lower[] = { 0, 0, 1 }, upper[] = { VERT, EDG, 2 };
    must(qn_module_restrict(module, lower, upper));
    launched("single", "p4", 28, "no point beside a range");

    counted("single", VERT, "all have edges");
    connect_edges(2);
    counted("single", VERT - 2, "two have none");
    counted("levels", VERT, "it reads no edges");

    qn_module_unload(module);
    qn_context_close(context);
    return done();
}
