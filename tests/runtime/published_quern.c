/* The published case through generated kernels and the runtime.
 *
 *     published_quern CONTEXT RUNTIME MODULE STEPS FILE
 *
 * Writes the N^3 values of the wave after STEPS steps to FILE, x contiguous,
 * in the storage type of MODULE, acoustic_iso's. RUNTIME is the folder of the
 * runtime's device modules. The ghost points of eta are the owner's: here the
 * domain is a point larger on every side, and launches are restricted to what
 * lies inside. */
#include <stdio.h>
#include <stdlib.h>

#include "../../runtime/abi.h"
#include "../../runtime/quern.h"
#include "published_case.h"

enum { M = N + 2, POINTS = M * M * M };

static int at(int x, int y, int z)      /* -1 .. N */
{
    return ((z + 1) * M + y + 1) * M + x + 1;
}

static void must(enum qn_status status)
{
    if (status == QN_OK)
        return;
    fprintf(stderr, "published_quern: %s\n", qn_last_error());
    exit(1);
}

/* POINTS values of the type that the module stores. */
struct values {
    int is_double;
    void *data;
};

static struct values values_new(const struct qn_module *module)
{
    const struct quern_field *const u = qn_module_describe(module)->fields;
    struct values v = { u->type == QUERN_DOUBLE, NULL };
    v.data = calloc(POINTS, v.is_double ? sizeof(double) : sizeof(float));
    if (!v.data)
        exit(2);
    return v;
}

static void values_set(struct values v, int i, double value)
{
    if (v.is_double)
        ((double *)v.data)[i] = value;
    else
        ((float *)v.data)[i] = (float)value;
}

static void prepare(struct qn_module *module)
{
    static const char *const SPACING[] = { "hx", "hy", "hz" };
    const int64_t n[] = { M, M, M }, lower[] = { 1, 1, 1 }, upper[] = { N + 1, N + 1, N + 1 };
    must(qn_module_resize(module, n));
    must(qn_module_restrict(module, lower, upper));
    for (int axis = 0; axis < 3; axis++)
        must(qn_module_set(module, SPACING[axis], PUBLISHED_DX));
    must(qn_module_set(module, "width", WIDTH + 1));
}

/* The medium; the wave itself starts at zero. */
static void fill(struct qn_module *module)
{
    struct qn_field *phi, *vp2dt2, *eta;
    const struct values v = values_new(module);
    for (int z = -1; z <= N; z++)
        for (int y = -1; y <= N; y++)
            for (int x = -1; x <= N; x++)
                values_set(v, at(x, y, z), published_eta(x, y, z));
    must(qn_field_create(module, "phi", &phi));
    must(qn_field_create(module, "vp2dt2", &vp2dt2));
    must(qn_field_create(module, "eta", &eta));
    must(qn_field_write(eta, 0, v.data));
    must(qn_field_fill(vp2dt2, published_vp2dt2()));
    free(v.data);
}

static void propagate(struct qn_module *module, struct qn_field *u, int steps)
{
    const int64_t middle[] = { N / 2 + 1, N / 2 + 1, N / 2 + 1 };
    for (int it = 1; it <= steps; it++) {
        const double value = published_source(it);
        must(qn_module_step(module));
        must(qn_field_inject(u, 0, 1, middle, &value));
    }
}

static int save(const char *path, struct values v)
{
    const size_t size = v.is_double ? sizeof(double) : sizeof(float);
    FILE *const file = fopen(path, "wb");
    size_t written = 0;
    if (!file)
        return 1;
    for (int z = 0; z < N; z++)
        for (int y = 0; y < N; y++)
            written += fwrite((char *)v.data + size * (size_t)at(0, y, z), size, N, file);
    return fclose(file) != 0 || written != (size_t)N * N * N;
}

int main(int argc, char **argv)
{
    struct qn_context *context;
    struct qn_module *module;
    struct qn_field *u;
    if (argc != 6) {
        fputs("usage: published_quern CONTEXT RUNTIME MODULE STEPS FILE\n", stderr);
        return 2;
    }
    published_flush();
    must(qn_context_open(argv[1], &context));
    must(qn_context_runtime(context, argv[2]));
    must(qn_module_load(context, argv[3], &module));
    prepare(module);
    must(qn_field_create(module, "u", &u));
    fill(module);
    propagate(module, u, atoi(argv[4]));
    const struct values v = values_new(module);
    must(qn_field_read(u, 0, v.data));
    const int failed = save(argv[5], v);
    free(v.data);
    qn_module_unload(module);
    qn_context_close(context);
    return failed;
}
