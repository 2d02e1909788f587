#include "arrays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64, AXES = 3 };          /* floats */

static void *member(const struct arrays *arrays, size_t offset)
{
    return (char *)arrays->args + offset;
}

static int64_t halo_of(const struct quern_module *module)
{
    int64_t halo = 0;
    for (int f = 0; f < module->field_count; f++)
        for (int axis = 0; axis < AXES; axis++)
            for (int side = 0; side < 2; side++)
                if (module->fields[f].need[axis][side] > halo)
                    halo = module->fields[f].need[axis][side];
    return halo;
}

static void *must(void *memory)
{
    if (!memory) {
        fputs("bench: no memory\n", stderr);
        exit(2);
    }
    return memory;
}

static int64_t aligned(int64_t count)
{
    return (count + ALIGN - 1) / ALIGN * ALIGN;
}

/* One array: its rows start `ALIGN` floats after the last one's halo. */
static void add_array(struct arrays *arrays, const struct quern_field *field, int buffer,
                      int64_t first)
{
    float *const start = must(aligned_alloc(ALIGN * sizeof(float),
                                            (size_t)arrays->count * sizeof(float)));
    arrays->start[arrays->used++] = start;
    *(float **)member(arrays, field->data[buffer]) = start + first;
}

static void set_scalars(struct arrays *arrays, int64_t width)
{
    for (int s = 0; s < arrays->module->scalar_count; s++) {
        const struct quern_scalar *const scalar = &arrays->module->scalars[s];
        if (scalar->integer)
            *(int64_t *)member(arrays, scalar->offset) = width;
        else
            *(double *)member(arrays, scalar->offset) =
                scalar->spacing ? 1 : 0.5 * (scalar->low + scalar->high);
    }
}

struct arrays arrays_new(const struct quern_module *module, int64_t n, int64_t width)
{
    struct arrays arrays = { .module = module, .args = must(calloc(1, module->args_size)) };
    const int64_t halo = halo_of(module), rows = n + 2 * halo;
    const int64_t stride[AXES] = { 1, aligned(n + 2 * halo), aligned(n + 2 * halo) * rows };
    const int64_t first = aligned(halo) + halo * (stride[1] + stride[2]);
    arrays.count = aligned(halo) + stride[2] * rows;
    *(size_t *)arrays.args = module->args_size;
    for (int axis = 0; axis < AXES; axis++) {
        ((int64_t *)member(&arrays, module->extent))[axis] = n;
        ((int64_t *)member(&arrays, module->upper))[axis] = n;
    }
    for (int f = 0; f < module->field_count; f++) {
        const struct quern_field *const field = &module->fields[f];
        memcpy(member(&arrays, field->stride), stride, sizeof stride);
        for (int axis = 0; axis < AXES; axis++)
            ((int64_t *)member(&arrays, field->halo))[axis] = halo;
        for (int b = 0; b < field->buffers; b++)
            add_array(&arrays, field, b, first);
    }
    set_scalars(&arrays, width);
    return arrays;
}

static float drawn(unsigned index, double low, double high)
{
    index = (index ^ index >> 16) * 0x45d9f3bu;
    index = (index ^ index >> 16) * 0x45d9f3bu;
    return (float)(low + (high - low) * ((double)(index >> 8) / (1 << 24)));
}

void arrays_fill(struct arrays *arrays, unsigned seed)
{
    int array = 0;
    for (int f = 0; f < arrays->module->field_count; f++) {
        const struct quern_field *const field = &arrays->module->fields[f];
        for (int b = 0; b < field->buffers; b++, array++) {
            float *const start = arrays->start[array];
            const unsigned base = seed + 0x9e3779b9u * (unsigned)array;
#pragma omp parallel for schedule(static)
            for (int64_t i = 0; i < arrays->count; i++)
                start[i] = drawn(base + (unsigned)i, field->low, field->high);
        }
    }
}

void arrays_free(struct arrays *arrays)
{
    for (int a = 0; a < arrays->used; a++)
        free(arrays->start[a]);
    free(arrays->args);
}

float *arrays_of(const struct arrays *arrays, const struct quern_access *access)
{
    int array = access->buffer;
    for (int f = 0; f < access->field; f++)
        array += arrays->module->fields[f].buffers;
    return arrays->start[array];
}

double arrays_distance(const struct arrays *left, const struct arrays *right)
{
    double far = 0, most = 0;
    for (int a = 0; a < left->used; a++)
        for (int64_t i = 0; i < left->count; i++) {
            const double l = (double)left->start[a][i], r = (double)right->start[a][i];
            far = fmax(far, isfinite(l) && isfinite(r) ? fabs(l - r) : INFINITY);
            most = fmax(most, fabs(r));
        }
    return far / most;
}
