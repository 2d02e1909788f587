/* Launches: never before everything that the kernel needs is there and its own
 * check has agreed. */
#include "internal.h"

#include <string.h>

void qn__kernel_use(const struct quern_kernel *kernel, int field, int buffer,
                    bool *read, bool *written)
{
    *read = *written = false;
    for (int i = 0; i < kernel->access_count; i++) {
        const struct quern_access *const access = &kernel->accesses[i];
        if (access->field != field || access->buffer != buffer)
            continue;
        *read = *read || access->read;
        *written = *written || access->written;
    }
}

bool qn__kernel_hands_on(const struct quern_kernel *kernel, int field,
                         int buffer)
{
    for (int i = 0; i < kernel->access_count; i++) {
        const struct quern_access *const access = &kernel->accesses[i];
        if (access->field == field && access->buffer == buffer)
            return access->handed;
    }
    return false;
}

static enum qn_status explain(const struct qn_module *module, int code,
                              const char *what)
{
    return module->context->backend->explain(module->context, &module->library,
                                             code, what);
}

/* The tables that it reads have been connected. */
static enum qn_status connected(const struct qn_kernel *kernel)
{
    const struct quern_module *const info = kernel->module->info;
    for (int i = 0; i < kernel->info->table_count; i++) {
        const int table = kernel->info->tables[i];
        if (!kernel->module->state.tables[table].entries)
            return qn__fail(QN_INVALID,
                            "table '%s' of %s has not been connected yet",
                            info->tables[table].name, info->instance);
    }
    return QN_OK;
}

static enum qn_status complete(const struct qn_kernel *kernel)
{
    const struct quern_module *const info = kernel->module->info;
    const struct qn__state *const state = &kernel->module->state;
    if (!state->sized)
        return qn__fail(QN_INVALID, "%s has no extents yet: qn_module_resize",
                        info->instance);
    for (int i = 0; i < info->scalar_count; i++)
        if (!state->set[i])
            return qn__fail(QN_INVALID, "scalar '%s' of %s has no value yet",
                            info->scalars[i].name, info->instance);
    for (int i = 0; i < kernel->info->access_count; i++) {
        const int field = kernel->info->accesses[i].field;
        if (!state->fields[field] && info->fields[field].temporary)
            continue;
        if (!state->fields[field])
            return qn__fail(QN_INVALID,
                            "field '%s' of %s has not been created yet",
                            info->fields[field].name, info->instance);
        const enum qn_status status = qn__field_fits(state->fields[field]);
        if (status != QN_OK)
            return status;
    }
    return connected(kernel);
}

static size_t workspace_of(const struct qn_kernel *kernel)
{
    return kernel->info->workspace
        ? kernel->info->workspace(kernel->module->state.args) : 0;
}

/* The one workspace of the arguments is large enough for kernel. */
static enum qn_status reserve(struct qn_kernel *kernel)
{
    struct qn_module *const module = kernel->module;
    struct qn__state *const state = &module->state;
    const size_t size = workspace_of(kernel);
    if (size <= state->workspace_size)
        return QN_OK;
    qn__module_release(module, state->workspace);
    state->workspace = NULL;
    state->workspace_size = 0;
    qn__state_forget(module);
    const enum qn_status status =
        qn__module_alloc(module, size, &state->workspace);
    if (status != QN_OK)
        return status;
    state->workspace_size = size;
    *qn__args_pointer(state, module->info->workspace) = state->workspace;
    return QN_OK;
}

static enum qn_status agree(const struct qn_kernel *kernel)
{
    char why[320] = "";
    if (!kernel->info->check)
        return QN_OK;
    if (kernel->info->check(kernel->module->state.args, why, sizeof why) != 0)
        return qn__fail(QN_INVALID, "%s: %s", kernel->info->name, why);
    return QN_OK;
}

/* Its part of the workspace, if it has one, is filled. */
static enum qn_status prepare(struct qn_kernel *kernel)
{
    struct qn_context *const context = kernel->module->context;
    struct qn__state *const state = &kernel->module->state;
    bool *const prepared =
        &state->prepared[kernel - kernel->module->kernels];
    if (!kernel->info->prepare || *prepared)
        return QN_OK;
    const int code = kernel->info->prepare(state->args, context->stream);
    if (code != 0)
        return explain(kernel->module, code, kernel->info->name);
    *prepared = true;
    return QN_OK;
}

enum qn_status qn__kernel_ready(struct qn_kernel *kernel)
{
    struct qn_context *const context = kernel->module->context;
    enum qn_status status = context->backend->enter(context);
    if (status == QN_OK)
        status = qn__tables_compose(kernel->module);
    if (status == QN_OK)
        status = complete(kernel);
    if (status == QN_OK)
        status = qn__tiles_make(kernel);
    for (int i = 0; status == QN_OK && i < kernel->info->piece_count; i++)
        status = qn__tiles_make(
            &kernel->module->kernels[kernel->info->pieces[i]]);
    if (status == QN_OK)
        status = reserve(kernel);
    if (status == QN_OK)
        status = agree(kernel);
    return status == QN_OK ? prepare(kernel) : status;
}

/* What a launch assigns may be what others have been prepared from. */
static void note_changes(const struct qn_kernel *kernel)
{
    const struct qn__state *const state = &kernel->module->state;
    for (int i = 0; i < kernel->info->access_count; i++) {
        const struct quern_access *const access = &kernel->info->accesses[i];
        if (access->written && state->fields[access->field])
            qn__field_changed(state->fields[access->field]);
    }
}

enum qn_status qn__kernel_fire(struct qn_kernel *kernel)
{
    struct qn_module *const module = kernel->module;
    note_changes(kernel);
    const int code = kernel->info->launch(module->state.args,
                                          module->context->stream);
    return code == 0 ? QN_OK : explain(module, code, kernel->info->name);
}

enum qn_status qn__kernel_fire_pass(struct qn_kernel *kernel, int64_t pass)
{
    struct qn_module *const module = kernel->module;
    const int code = kernel->info->launch_pass(module->state.args, pass,
                                               module->context->stream);
    return code == 0 ? QN_OK : explain(module, code, kernel->info->name);
}

enum qn_status qn_kernel_launch(struct qn_kernel *kernel)
{
    const enum qn_status status = qn__kernel_ready(kernel);
    return status == QN_OK ? qn__kernel_fire(kernel) : status;
}

/* All kernels of the step are ready at once. Twice: a kernel that makes the
 * workspace larger takes away what those before it had there. */
static enum qn_status step_ready(struct qn_module *module)
{
    enum qn_status status = QN_OK;
    const int count = module->info->kernel_count;
    for (int i = 0; status == QN_OK && i < 2 * count; i++) {
        struct qn_kernel *const kernel = &module->kernels[i % count];
        if (kernel->info->step >= 0)
            status = qn__kernel_ready(kernel);
    }
    return status;
}

static struct qn_kernel *twice(struct qn_module *module)
{
    for (int i = 0; i < module->info->kernel_count; i++)
        if (module->kernels[i].info->steps == 2)
            return &module->kernels[i];
    return NULL;
}

enum qn_status qn_module_step2(struct qn_module *module)
{
    struct qn_kernel *const kernel = twice(module);
    if (!module->info->step2 || !kernel)
        return qn__fail(QN_NOT_FOUND, "%s has no kernel that makes two steps"
                        " at once", module->info->instance);
    const enum qn_status status = qn__kernel_ready(kernel);
    if (status != QN_OK)
        return status;
    const int code = module->info->step2(module->state.args,
                                         module->context->stream);
    return code == 0 ? QN_OK : explain(module, code, module->info->instance);
}

enum qn_status qn_module_step(struct qn_module *module)
{
    if (!module->info->step)
        return qn__fail(QN_NOT_FOUND, "%s has no step", module->info->instance);
    const enum qn_status status = step_ready(module);
    if (status != QN_OK)
        return status;
    const int code = module->info->step(module->state.args,
                                        module->context->stream);
    return code == 0 ? QN_OK : explain(module, code, module->info->instance);
}
