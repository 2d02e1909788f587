/* Index arithmetic beyond 2^31 elements, with little memory: planes that lie
 * 2^30 elements apart in address space that is never touched between them.
 *   wide MODULE        launches the first kernel on far and on near planes and
 *                      compares every point; 77 when the space is not there
 *   wide MODULE count  the points that a launch on 1295^3 would update */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "abi.h"

enum { NX = 37, NY = 9, NZ = 6, SKIPPED = 77 };

static const struct quern_module *info;

static int64_t *ints(void *args, size_t offset)
{
    return (int64_t *)(void *)((char *)args + offset);
}

static void *new_args(int64_t nx, int64_t ny, int64_t nz)
{
    const int64_t n[3] = { nx, ny, nz };
    void *const args = calloc(1, info->args_size);
    memcpy(args, &info->args_size, sizeof info->args_size);
    for (int axis = 0; axis < info->axes; axis++) {
        ints(args, info->extent)[axis] = n[axis];
        ints(args, info->upper)[axis] = n[axis];
    }
    for (int i = 0; i < info->scalar_count; i++) {
        const double value = 0.1 + 0.05 * i;
        if (!info->scalars[i].integer)
            memcpy((char *)args + info->scalars[i].offset, &value, sizeof value);
    }
    return args;
}

/* Gives each buffer of each field of float its own space, with these strides. */
static int give_arrays(void *args, int64_t row, int64_t plane)
{
    for (int f = 0; f < info->field_count; f++) {
        const struct quern_field *const field = &info->fields[f];
        const int64_t stride[3] = { 1, row, plane };
        int64_t origin = 0;
        for (int axis = 0; axis < field->rank; axis++) {
            const int64_t halo = field->need[axis][0] > field->need[axis][1]
                ? field->need[axis][0] : field->need[axis][1];
            ints(args, field->stride)[axis] = stride[axis];
            ints(args, field->halo)[axis] = halo;
            origin += (axis == 0 ? 64 : halo) * stride[axis];
        }
        const size_t bytes = sizeof(float) * (size_t)(2 * origin + plane * NZ);
        for (int b = 0; b < field->buffers; b++) {
            float *const space = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (space == MAP_FAILED)
                return 0;
            float *const first = space + origin;
            memcpy((char *)args + field->data[b], &first, sizeof first);
        }
    }
    return 1;
}

static float *point(void *args, const struct quern_field *field, int b,
                    int64_t x, int64_t y, int64_t z)
{
    float *data;
    memcpy(&data, (char *)args + field->data[b], sizeof data);
    const int64_t *const stride = ints(args, field->stride);
    return data + x * stride[0] + y * stride[1] + z * stride[2];
}

static void fill(void *args)
{
    for (int f = 0; f < info->field_count; f++)
        for (int b = 0; b < info->fields[f].buffers; b++)
            for (int64_t z = 0; z < NZ; z++)
                for (int64_t y = 0; y < NY; y++)
                    for (int64_t x = 0; x < NX; x++)
                        *point(args, &info->fields[f], b, x, y, z) = (float)sin(
                            (double)(x + 3 * y + 11 * z + 29 * b + 7 * f));
}

static int differ(void *far, void *near)
{
    int differences = 0;
    for (int f = 0; f < info->field_count; f++)
        for (int b = 0; b < info->fields[f].buffers; b++)
            for (int64_t z = 0; z < NZ; z++)
                for (int64_t y = 0; y < NY; y++)
                    for (int64_t x = 0; x < NX; x++)
                        differences += memcmp(
                            point(far, &info->fields[f], b, x, y, z),
                            point(near, &info->fields[f], b, x, y, z),
                            sizeof(float)) != 0;
    return differences;
}

static int launch(void *args)
{
    char why[256] = "";
    const struct quern_kernel *const kernel = &info->kernels[0];
    if (kernel->check && kernel->check(args, why, sizeof why)) {
        printf("refused: %s\n", why);
        return 1;
    }
    const size_t size = kernel->workspace ? kernel->workspace(args) : 0;
    void *const workspace = size ? calloc(1, size) : NULL;
    memcpy((char *)args + info->workspace, &workspace, sizeof workspace);
    if (kernel->prepare && kernel->prepare(args, NULL))
        return 1;
    return kernel->launch(args, NULL);
}

static int compare(void)
{
    void *const far = new_args(NX, NY, NZ), *const near = new_args(NX, NY, NZ);
    if (!give_arrays(far, 1 << 20, 1 << 30) || !give_arrays(near, 256, 256 * 32))
        return SKIPPED;
    fill(far);
    fill(near);
    if (launch(far) || launch(near))
        return 1;
    const int differences = differ(far, near);
    printf("%d points differ\n", differences);
    return differences != 0;
}

int main(int count, char **words)
{
    void *const library = count > 1 ? dlopen(words[1], RTLD_NOW) : NULL;
    info = library ? dlsym(library, QUERN_MODULE_SYMBOL) : NULL;
    if (!info) {
        fprintf(stderr, "wide MODULE [count]\n");
        return 2;
    }
    if (count == 2)
        return compare();
    printf("%" PRId64 "\n", info->kernels[0].points(new_args(1295, 1295, 1295)));
    return 0;
}
