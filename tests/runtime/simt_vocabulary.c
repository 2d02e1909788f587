/* Launches both kernels of simt_vocabulary.cu at sizes that break tilings and
 * compares all they leave, halo included, with a plain loop. Prints nothing when
 * every bit agrees; otherwise says what does not, and returns 1. With an argument:
 * loads that module again and again instead, and looks at what is left mapped. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt_vocabulary.h"

enum { R = 2 };

typedef int launcher(const struct laplace_args *, int, void *);
typedef void registrar(void *, size_t);

static size_t origin(const struct laplace_args *a)
{
    return (size_t)(R * (1 + a->stride[1] + a->stride[2]));
}

static size_t elements(const struct laplace_args *a)
{
    return (size_t)(a->stride[2] * (a->n[2] + 2 * R));
}

static void plain(const struct laplace_args *a, float *wanted)
{
    const float w0 = (float)a->w[0], w1 = (float)a->w[1], w2 = (float)a->w[2];
    const int64_t sy = a->stride[1], sz = a->stride[2];
    for (int64_t z = 0; z < a->n[2]; z++)
        for (int64_t y = 0; y < a->n[1]; y++)
            for (int64_t x = 0; x < a->n[0]; x++) {
                const float *c = a->u + x + y * sy + z * sz;
                const float ring1 = ((c[-1] + c[1]) + (c[-sy] + c[sy])) + (c[-sz] + c[sz]);
                const float ring2 = ((c[-2] + c[2]) + (c[-2 * sy] + c[2 * sy]))
                                  + (c[-2 * sz] + c[2 * sz]);
                wanted[x + y * sy + z * sz] = fmaf(w2, ring2, fmaf(w1, ring1, w0 * c[0]));
            }
}

static float *make(size_t count, registrar *add)
{
    float *data = malloc(count * sizeof *data);
    if (data == NULL) abort();
    for (size_t i = 0; i < count; i++) data[i] = (float)(i * 7919 % 10007) / 10007.0f;
    if (add != NULL) add(data, count * sizeof *data);
    return data;
}

static int compare(launcher *launch, const char *name, const int64_t *n, int wide,
                   registrar *add, registrar *forget, const char *(*report)(void))
{
    struct laplace_args a = {.n = {n[0], n[1], n[2]}, .w = {-0.5, 0.25, -0.0625}};
    a.stride[0] = 1;
    a.stride[1] = n[0] + 2 * R;
    a.stride[2] = a.stride[1] * (n[1] + 2 * R);
    const size_t count = elements(&a), bytes = count * sizeof(float);
    float *u = make(count, add), *v = make(count, add), *wanted = make(count, NULL);
    a.u = u + origin(&a);
    a.v = v + origin(&a);
    plain(&a, wanted + origin(&a));
    const int code = launch(&a, wide, NULL);
    const int same = memcmp(v, wanted, bytes) == 0;
    if (code != 0 || !same)
        printf("# %s, %d bits, %d x %d x %d: %d %s%s\n", name, wide ? 64 : 32, (int)n[0],
               (int)n[1], (int)n[2], code, report(), same ? "" : " (values differ)");
    forget(u, 0);
    forget(v, 0);
    free(u);
    free(v);
    free(wanted);
    return code == 0 && same;
}

static int compare_all(launcher *gmem, launcher *st_reg_shft, registrar *add,
                       registrar *forget, const char *(*report)(void))
{
    static const int64_t sizes[][3] = {
        {1, 1, 1}, {7, 5, 3}, {33, 9, 2}, {65, 2, 1}, {2, 33, 3}, {3, 2, 33}, {32, 8, 16}
    };
    int well = 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int wide = 0; wide < 2; wide++) {
            well &= compare(gmem, "gmem", sizes[i], wide, add, forget, report);
            well &= compare(st_reg_shft, "st_reg_shft", sizes[i], wide, add, forget, report);
        }
    return well;
}

static int mappings(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    int lines = 0, c;
    while (file != NULL && (c = fgetc(file)) != EOF) lines += c == '\n';
    if (file != NULL) fclose(file);
    return lines;
}

static void *find(void *module, const char *name)
{
    void *symbol = dlsym(module, name);
    if (symbol == NULL) {
        printf("# no symbol %s\n", name);
        exit(1);
    }
    return symbol;
}

static int use_module(const char *path)
{
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (module == NULL) {
        printf("# %s\n", dlerror());
        return 0;
    }
    launcher *gmem, *st_reg_shft;
    registrar *add, *forget;
    const char *(*report)(void);
    *(void **)&gmem = find(module, "laplace_gmem_launch");
    *(void **)&st_reg_shft = find(module, "laplace_st_reg_shft_launch");
    *(void **)&add = find(module, "simt_register");
    *(void **)&forget = find(module, "simt_unregister");
    *(void **)&report = find(module, "simt_report");
    const int well = compare_all(gmem, st_reg_shft, add, forget, report);
    dlclose(module);
    if (dlopen(path, RTLD_NOW | RTLD_NOLOAD) != NULL) {
        printf("# the module stays loaded\n");
        return 0;
    }
    return well;
}

int main(int count, char **arguments)
{
    if (count != 2) return 1;
    if (!use_module(arguments[1])) return 1;
    const int before = mappings();
    for (int i = 0; i < 3; i++)
        if (!use_module(arguments[1])) return 1;
    const int after = mappings();
    if (after > before + 16) printf("# %d mappings grew to %d\n", before, after);
    return after > before + 16;
}
