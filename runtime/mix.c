/* What a stream kernel reads and writes to be compared with a kernel. */
#include "mix.h"

#include <math.h>

/* Bytes of the domain of an array. */
static double array_bytes(const struct qn_kernel *kernel,
                          const struct quern_access *access)
{
    const struct qn__layout *const layout =
        &kernel->module->state.fields[access->field]->layout;
    return (double)qn__layout_points(layout) * (double)layout->size;
}

void qn__mesh_bytes(const struct qn_kernel *kernel, double *read,
                    double *written)
{
    const struct qn_module *const module = kernel->module;
    *read = *written = 0;
    for (int i = 0; i < kernel->info->access_count; i++) {
        const struct quern_access *const access = &kernel->info->accesses[i];
        if (access->handed)
            continue;
        *read += access->read ? array_bytes(kernel, access) : 0;
        *written += access->written ? array_bytes(kernel, access) : 0;
    }
    for (int i = 0; i < kernel->info->table_count; i++) {
        const int table = kernel->info->tables[i];
        if (!module->info->tables[table].affine)
            *read += (double)qn__table_entries(module, table)
                   * sizeof(int32_t);
    }
}

static size_t whole_words(double size)
{
    return ((size_t)size + 15) / 16 * 16;
}

/* As many arrays, each as large as the largest that is written. */
static struct qn__mix grid_mix(const struct qn_kernel *kernel)
{
    const struct quern_kernel *const info = kernel->info;
    struct qn__mix mix = { info->reads, info->writes, info->in_place, 0 };
    for (int i = 0; i < info->access_count; i++) {
        const struct quern_access *const access = &info->accesses[i];
        const size_t size = whole_words(array_bytes(kernel, access));
        if (access->written && size > mix.size)
            mix.size = size;
    }
    return mix;
}

/* The arrays of a kernel on a mesh are of many sizes: as many bytes, and the
 * fewest arrays whose reads are to their writes, within a tenth, as its are. */
static struct qn__mix mesh_mix(const struct qn_kernel *kernel)
{
    enum { MOST_WRITES = 8 };
    struct qn__mix mix = { 0 };
    double read, written;
    qn__mesh_bytes(kernel, &read, &written);
    for (int writes = 1; written > 0 && writes <= MOST_WRITES; writes++) {
        const double wanted = read / written * writes;
        const double reads = fmin(fmax(round(wanted), 1), DEVICE_STREAMS);
        mix.reads = (int)reads;
        mix.writes = writes;
        if (fabs(reads - wanted) <= 0.1 * wanted)
            break;
    }
    if (mix.writes > 0)
        mix.size = whole_words((read + written) / (mix.reads + mix.writes));
    return mix;
}

struct qn__mix qn__mix(const struct qn_kernel *kernel)
{
    return kernel->info->table_count > 0 ? mesh_mix(kernel) : grid_mix(kernel);
}
