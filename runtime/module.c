/* Modules: loaded, given extents and scalars; their kernels found. */
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum qn_status accept(struct qn_context *context, const char *path,
                             const struct quern_module *info)
{
    const struct qn__backend *const backend = context->backend;
    for (int i = 0; i < 3 && backend->accepts[i]; i++)
        if (strcmp(backend->accepts[i], info->backend) == 0)
            return backend->fits(context, info->arch);
    return qn__fail(QN_MISMATCH,
                    "%s is for backend '%s', which a %s context cannot"
                    " launch",
                    path, info->backend, backend->name);
}

static enum qn_status make_kernels(struct qn_module *module)
{
    const int count = module->info->kernel_count;
    module->kernels = calloc((size_t)count + 1, sizeof *module->kernels);
    if (!module->kernels)
        return qn__fail(QN_NO_MEMORY, "no memory for the kernels of a module");
    for (int i = 0; i < count; i++) {
        const struct quern_kernel *const info = &module->info->kernels[i];
        module->kernels[i] = (struct qn_kernel){ module, info };
        if (info->choice_count > 0)     /* of who loaded it before */
            memset(info->sides, 0, (size_t)info->choice_count);
    }
    return QN_OK;
}

/* Kernels in C on meshes go through a row of each of many levels at once, which
 * whole pages from each other would drive each other out of a cache. */
static bool is_spread(const struct qn_module *module)
{
    return module->info->table_count > 0
        && module->context->backend == &qn__cpu_backend;
}

enum qn_status qn_module_load(struct qn_context *context, const char *path,
                              struct qn_module **module)
{
    *module = NULL;
    struct qn_module *const made = calloc(1, sizeof *made);
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory for a module");
    made->context = context;
    enum qn_status status = context->backend->enter(context);
    if (status == QN_OK)
        status = qn__library_open(path, &made->library);
    made->info = made->library.info;
    if (status == QN_OK)
        status = accept(context, path, made->info);
    if (status == QN_OK)
        status = make_kernels(made);
    if (status == QN_OK)
        status = qn__state_make(made, &made->state);
    if (status != QN_OK) {
        qn_module_unload(made);
        return status;
    }
    made->state.spread = is_spread(made);
    *module = made;
    return QN_OK;
}

void qn_module_unload(struct qn_module *module)
{
    if (!module)
        return;
    qn__state_free(module, &module->state);
    free(module->kernels);
    qn__library_close(&module->library);
    free(module);
}

const struct quern_module *qn_module_describe(const struct qn_module *module)
{
    return module->info;
}

enum qn_status qn_module_resize(struct qn_module *module, const int64_t *n)
{
    const struct quern_module *const info = module->info;
    struct qn__state *const state = &module->state;
    for (int axis = 0; axis < info->axes; axis++)
        if (n[axis] < 0)
            return qn__fail(QN_INVALID,
                            "the extent of %s is %lld: it is at least 0",
                            info->axis[axis], (long long)n[axis]);
    qn__state_drop_fields(module, state);
    qn__tables_drop(module, state);
    qn__tiles_drop(module, state);
    for (int axis = 0; axis < info->axes; axis++) {
        qn__args_int(state, info->extent)[axis] = n[axis];
        qn__args_int(state, info->lower)[axis] = 0;
        qn__args_int(state, info->upper)[axis] = n[axis];
    }
    state->sized = true;
    qn__state_forget(module);
    return QN_OK;
}

enum qn_status qn_module_restrict(struct qn_module *module,
                                  const int64_t *lower, const int64_t *upper)
{
    const struct quern_module *const info = module->info;
    struct qn__state *const state = &module->state;
    const int64_t *const n = qn__args_int(state, info->extent);
    for (int axis = 0; lower && upper && axis < info->axes; axis++)
        if (lower[axis] < 0 || upper[axis] > n[axis])
            return qn__fail(QN_INVALID,
                            "the range %lld .. %lld along %s is not within"
                            " 0 .. %lld",
                            (long long)lower[axis], (long long)upper[axis],
                            info->axis[axis], (long long)n[axis]);
    for (int axis = 0; axis < info->axes; axis++) {
        const bool all = !lower || !upper;
        qn__args_int(state, info->lower)[axis] = all ? 0 : lower[axis];
        qn__args_int(state, info->upper)[axis] = all ? n[axis] : upper[axis];
    }
    qn__state_forget(module);
    return QN_OK;
}

enum qn_status qn_module_align(struct qn_module *module, int64_t index)
{
    enum { FARTHEST = 1 << 20 };
    if (index < 0 || index > FARTHEST)
        return qn__fail(QN_INVALID,
                        "rows cannot be aligned at index %lld: 0 to %d",
                        (long long)index, FARTHEST);
    module->state.aligned = index;
    return QN_OK;
}

enum qn_status qn_module_set(struct qn_module *module, const char *scalar,
                             double value)
{
    const struct quern_module *const info = module->info;
    for (int i = 0; i < info->scalar_count; i++) {
        const struct quern_scalar *const found = &info->scalars[i];
        if (strcmp(found->name, scalar) != 0)
            continue;
        if (found->integer && !(fabs(value) < 0x1p53 && value == floor(value)))
            return qn__fail(QN_INVALID, "'%s' is %g: it takes whole numbers",
                            scalar, value);
        if (found->integer)
            *qn__args_int(&module->state, found->offset) = (int64_t)value;
        else
            *qn__args_double(&module->state, found->offset) = value;
        module->state.set[i] = true;
        qn__state_forget(module);
        return QN_OK;
    }
    return qn__fail(QN_NOT_FOUND, "%s has no scalar '%s'", info->instance,
                    scalar);
}

enum qn_status qn_module_kernel(struct qn_module *module, const char *name,
                                struct qn_kernel **kernel)
{
    struct qn_kernel *found = NULL;
    int matches = 0;
    *kernel = NULL;
    for (int i = 0; i < module->info->kernel_count; i++) {
        struct qn_kernel *const each = &module->kernels[i];
        if (strcmp(each->info->name, name) == 0) {
            *kernel = each;
            return QN_OK;
        }
        if (strcmp(each->info->kernel, name) == 0) {
            found = each;
            matches++;
        }
    }
    if (matches > 1)
        return qn__fail(QN_NOT_FOUND,
                        "%s has %d kernels for '%s': give the full name",
                        module->info->instance, matches, name);
    if (!found)
        return qn__fail(QN_NOT_FOUND, "%s has no kernel '%s'",
                        module->info->instance, name);
    *kernel = found;
    return QN_OK;
}
