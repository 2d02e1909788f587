/* One module and its fields, for proofs by physics and for pictures. */
#include "abi.h"
#include "physics.h"
#include "quern.h"

int64_t n[3], points;

static struct qn_context *context;
static struct qn_module *module;
static struct qn_field *fields[64];
static uint64_t state;

static void need(enum qn_status status)
{
    if (status == QN_OK)
        return;
    fprintf(stderr, "%s: %s\n", qn_status_name(status), qn_last_error());
    exit(2);
}

void load(const char *path, int64_t nx, int64_t ny, int64_t nz)
{
    if (!context)
        need(qn_context_open(strstr(path, "/simt.so") ? "simt" : "cpu", &context));
    need(qn_module_load(context, path, &module));
    const struct quern_module *const info = qn_module_describe(module);
    n[0] = nx, n[1] = info->axes > 1 ? ny : 1, n[2] = info->axes > 2 ? nz : 1;
    points = n[0] * n[1] * n[2];
    need(qn_module_resize(module, n));
    for (int i = 0; i < info->field_count; i++)
        if (!info->fields[i].hollow)
            need(qn_field_create(module, info->fields[i].name, &fields[i]));
    state = 1;
}

void set_width(const char *scalar, int64_t width)
{
    const struct quern_module *const info = qn_module_describe(module);
    set(scalar, (double)width);
    for (int i = 0; i < info->field_count; i++)
        if (info->fields[i].hollow)
            need(qn_field_create(module, info->fields[i].name, &fields[i]));
}

void unload(void)
{
    qn_module_unload(module);
}

void set(const char *scalar, double value)
{
    need(qn_module_set(module, scalar, value));
}

void set_spacing(double h)
{
    const struct quern_module *const info = qn_module_describe(module);
    for (int i = 0; i < info->scalar_count; i++)
        if (info->scalars[i].spacing)
            set(info->scalars[i].name, h);
}

void launch(const char *name)
{
    struct qn_kernel *kernel;
    need(qn_module_kernel(module, name, &kernel));
    need(qn_kernel_launch(kernel));
}

void step(int times)
{
    for (int i = 0; i < times; i++)
        need(qn_module_step(module));
}

static int index_of(const char *name)
{
    const struct quern_module *const info = qn_module_describe(module);
    for (int i = 0; i < info->field_count; i++)
        if (strcmp(info->fields[i].name, name) == 0)
            return i;
    return -1;
}

int has(const char *field)
{
    return index_of(field) >= 0;
}

static struct qn_field *field_of(const char *name)
{
    const int i = index_of(name);
    if (i >= 0)
        return fields[i];
    fprintf(stderr, "no field %s\n", name);
    exit(2);
}

double *new_values(void)
{
    double *const values = calloc((size_t)points, sizeof *values);
    if (!values)
        exit(2);
    return values;
}

double *get(const char *field, int level)
{
    double *const values = new_values();
    need(qn_field_read(field_of(field), level, values));
    return values;
}

void put(const char *field, int level, const double *values)
{
    need(qn_field_write(field_of(field), level, values));
}

void put_whole(const char *field, const int32_t *values)
{
    need(qn_field_write(field_of(field), 0, values));
}

void put_box(const char *field, int level, const int64_t *lower, const int64_t *upper,
             const double *values)
{
    need(qn_field_write_box(field_of(field), level, lower, upper, values));
}

void fill(const char *field, double value)
{
    need(qn_field_fill(field_of(field), value));
}

void extend(const char *field)
{
    need(qn_field_extend(field_of(field), 0));
}

void inject(const char *field, size_t count, const int64_t *at, const double *values)
{
    need(qn_field_inject(field_of(field), 0, count, at, values));
}

void sample(const char *field, size_t count, const int64_t *at, double *values)
{
    need(qn_field_sample(field_of(field), 0, count, at, values));
}

struct qn_places *place(const char *field, size_t count, const double *at, int half_width)
{
    const struct qn_interpolation how = { .half_width = half_width };
    struct qn_places *places = NULL;
    need(qn_places_create(field_of(field), count, at, &how, &places));
    return places;
}

void emit(struct qn_places *places, const double *values)
{
    need(qn_places_inject(places, 0, values));
}

void record(struct qn_places *places, double *values)
{
    need(qn_places_sample(places, 0, values));
}

void surround(const char *field, int level, double (*f)(const double *x))
{
    int64_t halo[3] = { 0 }, low[3] = { 0 }, high[3] = { 1, 1, 1 }, size[3];
    size_t all = 1;
    qn_field_halo(field_of(field), halo);
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = -halo[axis], high[axis] = n[axis] + halo[axis];
        size[axis] = high[axis] - low[axis];
        all *= (size_t)size[axis];
    }
    double *const values = calloc(all, sizeof *values), *const inside = get(field, level);
    if (!values)
        exit(2);
    for (int64_t i = 0; i < (int64_t)all; i++) {
        const double x[3] = { (double)(i % size[0] + low[0]),
                              (double)(i / size[0] % size[1] + low[1]),
                              (double)(i / size[0] / size[1] + low[2]) };
        values[i] = f(x);
    }
    need(qn_field_write_box(field_of(field), level, low, high, values));
    put(field, level, inside);
    free(values);
    free(inside);
}

static double *evaluated(double (*f)(const double *x), double sx, double sy, double sz)
{
    double *const values = new_values();
    for (int64_t i = 0; i < points; i++) {
        const double x[3] = { (double)(i % n[0]) + sx, (double)(i / n[0] % n[1]) + sy,
                              (double)(i / n[0] / n[1]) + sz };
        values[i] = f(x);
    }
    return values;
}

void put_function(const char *field, int level, double (*f)(const double *x), double sx,
                  double sy, double sz)
{
    double *const values = evaluated(f, sx, sy, sz);
    put(field, level, values);
    free(values);
}

double project(const char *field, int level, double (*f)(const double *x), double sx, double sy,
               double sz)
{
    double *const values = evaluated(f, sx, sy, sz), *const found = get(field, level);
    double sum = 0;
    for (int64_t i = 0; i < points; i++)
        sum += values[i] * found[i];
    free(values);
    free(found);
    return sum;
}

double drawn(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-52 - 1;
}
