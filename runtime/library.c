/* Shared objects that hold a module: opened, and their descriptor believed only
 * after its ABI and its limits have been looked at. */
#define _GNU_SOURCE
#include "internal.h"

#include "../templates/quern_tiles.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Fields that share an array stand beside each other and are alike. */
static const char *packed_fault(const struct quern_module *info,
                                const struct quern_field *field)
{
    const int64_t first = field - info->fields - field->place;
    if (field->packed == 0)
        return NULL;
    if (field->packed < 0 || field->place < 0 || field->place >= field->packed
        || first < 0 || first + field->packed > info->field_count)
        return "a field shares an array with fields that it does not have";
    const struct quern_field *const other = &info->fields[first];
    if (other->packed != field->packed || other->type != field->type
        || other->rank != field->rank || other->buffers != field->buffers
        || memcmp(other->axis, field->axis, sizeof field->axis) != 0
        || memcmp(other->need, field->need, sizeof field->need) != 0)
        return "fields that share an array are not alike";
    return NULL;
}

static const char *field_fault(const struct quern_module *info,
                               const struct quern_field *field)
{
    if (field->rank < 1 || field->rank > QUERN_MAX_RANK)
        return "a field's rank is not 1 to 4";
    if (field->buffers < 1 || field->buffers > QUERN_MAX_BUFFERS)
        return "a field's buffers are not 1 to 11";
    for (int axis = 0; axis < field->rank; axis++)
        if (field->axis[axis] < -1 || field->axis[axis] >= info->axes)
            return "a field lies on an axis that it does not have";
    return packed_fault(info, field);
}

static const char *kernel_fault(const struct quern_module *info,
                                const struct quern_kernel *kernel)
{
    if (!kernel->launch)
        return "a kernel has no launch function";
    if (kernel->folds && (!kernel->prepare || kernel->rows < 0
                          || kernel->rows >= info->axes))
        return "a kernel folds rows that it does not prepare";
    if (!kernel->passes != !kernel->launch_pass)
        return "a kernel has passes and no launch of one, or the other way";
    if (kernel->steps != 0
        && (kernel->steps < 2 || kernel->single < 0
            || kernel->single >= info->kernel_count
            || info->kernels[kernel->single].steps != 0
            || (kernel->turns != 1 && kernel->turns != kernel->steps)))
        return "a kernel makes several steps, and no kernel makes one of them";
    if (kernel->tiling
        && (!kernel->resident || kernel->tiling->threads < 1
            || kernel->tiling->stage_count < 1))
        return "a kernel's tiles have no points";
    for (int i = 0; i < kernel->piece_count; i++)
        if (kernel->pieces[i] < 0 || kernel->pieces[i] >= info->kernel_count)
            return "a kernel launches another that there is not";
    if (kernel->workspace && !info->workspace)
        return "a kernel wants a workspace, the arguments have no place";
    if (kernel->in_place > kernel->reads || kernel->in_place > kernel->writes)
        return "a kernel has more arrays in place than it reads or writes";
    for (int i = 0; i < kernel->access_count; i++) {
        const struct quern_access *const access = &kernel->accesses[i];
        if (access->field < 0 || access->field >= info->field_count
            || access->buffer < 0
            || access->buffer >= info->fields[access->field].buffers)
            return "a kernel uses an array that no field has";
    }
    for (int i = 0; i < kernel->table_count; i++)
        if (kernel->tables[i] < 0 || kernel->tables[i] >= info->table_count)
            return "a kernel reads a table that there is not";
    return NULL;
}

static const char *table_fault(const struct quern_module *info,
                               const struct quern_table *table)
{
    if (table->from < 0 || table->from >= info->axes || table->to < 0
        || table->to >= info->axes)
        return "a table leads to a domain that it does not have";
    if (table->count < 0 || table->first < 0 || table->first > 1)
        return "a table's slots cannot be counted";
    if (table->pattern
        && (table->through[0] < 0 || table->through[0] >= info->table_count
            || table->through[1] < 0
            || table->through[1] >= info->table_count))
        return "a table is composed of tables that there are not";
    if (!table->count && (table->entries < 0 || table->entries >= info->axes))
        return "nothing counts the entries of a ragged table";
    return NULL;
}

/* The first thing of the descriptor that cannot be, or NULL. */
static const char *fault(const struct quern_module *info)
{
    const char *why = NULL;
    if (info->axes < 0 || info->axes > QUERN_MAX_AXES)
        return "it has too many axes";
    if (info->args_size < sizeof(size_t))
        return "its arguments have no size";
    for (int i = 0; !why && i < info->field_count; i++)
        why = field_fault(info, &info->fields[i]);
    for (int i = 0; !why && i < info->table_count; i++)
        why = table_fault(info, &info->tables[i]);
    for (int i = 0; !why && i < info->kernel_count; i++)
        why = kernel_fault(info, &info->kernels[i]);
    return why;
}

static enum qn_status inspect(const char *path, const struct quern_module *info)
{
    if (!info)
        return qn__fail(QN_NOT_FOUND, "%s has no symbol " QUERN_MODULE_SYMBOL
                        ": it is no module of Quern", path);
    if (info->abi != QUERN_ABI)
        return qn__fail(QN_MISMATCH, "%s has ABI %u, this library has ABI %u:"
                        " generate it again", path, (unsigned)info->abi,
                        (unsigned)QUERN_ABI);
    const char *const why = fault(info);
    if (why)
        return qn__fail(QN_MISMATCH, "%s has a descriptor that cannot be: %s",
                        path, why);
    return QN_OK;
}

/* A bare file name means this folder, never the search path of the loader. */
static void *load(const char *path)
{
    char local[4096];
    snprintf(local, sizeof local, "%s%s", strchr(path, '/') ? "" : "./", path);
    void *const opened = dlopen(local, RTLD_NOW | RTLD_LOCAL);
    /* OpenMP's threads outlive a module: keep the code that they run. */
    if (opened)
        dlopen("libgomp.so.1", RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    return opened;
}

/* A function pointer from an object pointer, as POSIX means dlsym to be used */
static void resolve(void *handle, const char *symbol, void *function,
                    size_t size)
{
    void *const found = dlsym(handle, symbol);
    memcpy(function, &found, size);
}

static void resolve_hooks(struct qn__library *library)
{
    resolve(library->handle, "simt_register", &library->enroll,
            sizeof library->enroll);
    resolve(library->handle, "simt_unregister", &library->withdraw,
            sizeof library->withdraw);
    resolve(library->handle, "simt_report", &library->report,
            sizeof library->report);
}

enum qn_status qn__library_open(const char *path, struct qn__library *library)
{
    *library = (struct qn__library){ 0 };
    if (access(path, R_OK) != 0)
        return qn__fail(QN_NOT_FOUND, "there is no file %s that can be read",
                        path);
    void *const opened = load(path);
    if (!opened)
        return qn__fail(QN_NOT_FOUND, "cannot load the module: %s", dlerror());
    const struct quern_module *const found = dlsym(opened, QUERN_MODULE_SYMBOL);
    const enum qn_status status = inspect(path, found);
    if (status != QN_OK) {
        dlclose(opened);
        return status;
    }
    library->handle = opened;
    library->info = found;
    resolve_hooks(library);
    return QN_OK;
}

void qn__library_close(struct qn__library *library)
{
    if (library->handle)
        dlclose(library->handle);
    *library = (struct qn__library){ 0 };
}
