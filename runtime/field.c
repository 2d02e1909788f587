/* Fields: arrays of a module in the memory of its context, filled, written and
 * read by time level. The arguments say which buffer is which level. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

int qn__field_buffer(const struct quern_field *info, int level)
{
    for (int b = 0; b < info->buffers; b++)
        if (info->level[b] == level)
            return b;
    return -1;
}

void *qn__field_origin(const struct qn_field *field, int buffer)
{
    return *qn__args_pointer(&field->module->state, field->info->data[buffer]);
}

static enum qn_status find(const struct qn_module *module, const char *name,
                           int *index)
{
    for (int f = 0; f < module->info->field_count; f++)
        if (strcmp(module->info->fields[f].name, name) == 0) {
            *index = f;
            return QN_OK;
        }
    return qn__fail(QN_NOT_FOUND, "%s has no field '%s'",
                    module->info->instance, name);
}

static enum qn_status lay_out(const struct qn_module *module,
                              const struct quern_field *info, int64_t guard,
                              struct qn__layout *layout)
{
    int64_t n[QUERN_MAX_RANK], halo[QUERN_MAX_RANK];
    const int64_t *const extent = qn__args_int(&module->state,
                                               module->info->extent);
    for (int axis = 0; axis < info->rank; axis++) {
        const int64_t low = info->need[axis][0], high = info->need[axis][1];
        n[axis] = extent[info->axis[axis]];
        halo[axis] = low > high ? low : high;
    }
    return qn__layout_make(info->type, info->rank, n, halo, guard, layout);
}

static void point_args(struct qn_field *field)
{
    const struct quern_field *const info = field->info;
    const struct qn__layout *const layout = &field->layout;
    const struct qn__state *const state = &field->module->state;
    const size_t origin = (size_t)layout->origin * layout->size;
    for (int b = 0; b < info->buffers; b++)
        *qn__args_pointer(state, info->data[b]) =
            (char *)field->base[b] + origin;
    for (int axis = 0; axis < info->rank; axis++) {
        qn__args_int(state, info->stride)[axis] = layout->stride[axis];
        qn__args_int(state, info->halo)[axis] = layout->halo[axis];
    }
}

static enum qn_status allocate(struct qn_field *field)
{
    for (int b = 0; b < field->info->buffers; b++) {
        const enum qn_status status = qn__module_alloc(
            field->module, field->layout.bytes, &field->base[b]);
        if (status != QN_OK)
            return status;
    }
    return QN_OK;
}

enum qn_status qn__field_make(struct qn_module *module, int index,
                              int64_t guard, struct qn_field **field)
{
    struct qn_field *const made = calloc(1, sizeof *made);
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory for a field");
    made->module = module;
    made->info = &module->info->fields[index];
    enum qn_status status = lay_out(module, made->info, guard, &made->layout);
    if (status == QN_OK)
        status = allocate(made);
    module->state.fields[index] = made;
    if (status != QN_OK) {
        qn_field_free(made);
        return status;
    }
    point_args(made);
    *field = made;
    return QN_OK;
}

enum qn_status qn_field_create(struct qn_module *module, const char *name,
                               struct qn_field **field)
{
    int index = 0;
    *field = NULL;
    enum qn_status status = find(module, name, &index);
    if (status != QN_OK)
        return status;
    if (!module->state.sized)
        return qn__fail(QN_INVALID, "%s has no extents yet: qn_module_resize",
                        module->info->instance);
    if (module->state.fields[index])
        return qn__fail(QN_INVALID, "field '%s' has been created before", name);
    status = qn__field_make(module, index, 0, field);
    if (status == QN_OK)
        status = qn_field_fill(*field, 0);
    if (status != QN_OK) {
        qn_field_free(*field);
        *field = NULL;
    }
    return status;
}

void qn_field_free(struct qn_field *field)
{
    if (!field)
        return;
    struct qn_module *const module = field->module;
    struct qn__state *const state = &module->state;
    for (int b = 0; b < field->info->buffers; b++) {
        qn__module_release(module, field->base[b]);
        *qn__args_pointer(state, field->info->data[b]) = NULL;
    }
    state->fields[field->info - module->info->fields] = NULL;
    free(field);
}

enum qn_status qn_field_fill(struct qn_field *field, double value)
{
    const uint64_t bits = qn__value_bits(field->info->type, value);
    for (int b = 0; b < field->info->buffers; b++) {
        const enum qn_status status = qn__job_fill(
            field->module->context, &field->layout, field->base[b], bits);
        if (status != QN_OK)
            return status;
    }
    return QN_OK;
}

enum qn_status qn__field_level(const struct qn_field *field, int level,
                               char **origin)
{
    const struct quern_field *const info = field->info;
    const int buffer = qn__field_buffer(info, level);
    if (buffer < 0 && (level < info->oldest || level > info->newest))
        return qn__fail(QN_INVALID,
                        "'%s' has no time level %d: they are %d to %d",
                        info->name, level, info->oldest, info->newest);
    if (buffer < 0)
        return qn__fail(QN_INVALID,
                        "time level %d of '%s' has no array of its own: it"
                        " takes the place of another",
                        level, info->name);
    *origin = qn__field_origin(field, buffer);
    return QN_OK;
}

/* Element of the point (0, 0, at[2], at[3]), and the next such point. */
static bool next_plane(const struct qn__layout *layout, int64_t *at,
                       int64_t *element)
{
    for (int axis = 2; axis < layout->rank; axis++) {
        *element += layout->stride[axis];
        if (++at[axis] < layout->n[axis])
            return true;
        *element -= at[axis] * layout->stride[axis];
        at[axis] = 0;
    }
    return false;
}

/* Copies the domain, plane by plane; exactly one of from and to is not NULL. */
static enum qn_status transfer(struct qn_field *field, int level,
                               const char *from, char *to)
{
    struct qn_context *const context = field->module->context;
    const struct qn__layout *const layout = &field->layout;
    const size_t size = layout->size, width = (size_t)layout->n[0] * size;
    const bool flat = layout->rank < 2;
    const size_t rows = flat ? 1 : (size_t)layout->n[1];
    const size_t pitch = flat ? width : (size_t)layout->stride[1] * size;
    int64_t at[QUERN_MAX_RANK] = { 0 }, element = 0;
    char *origin = NULL;
    enum qn_status status = qn__field_level(field, level, &origin);
    if (status != QN_OK || qn__layout_points(layout) == 0)
        return status;
    size_t done = 0;
    do {
        char *const plane = origin + (size_t)element * size;
        status = from ? context->backend->upload(
                     context, plane, pitch, from + done, width, width, rows)
                      : context->backend->download(context, to + done, width,
                                                   plane, pitch, width, rows);
        done += width * rows;
    } while (status == QN_OK && next_plane(layout, at, &element));
    return status;
}

enum qn_status qn_field_write(struct qn_field *field, int level,
                              const void *values)
{
    return transfer(field, level, values, NULL);
}

enum qn_status qn_field_read(struct qn_field *field, int level, void *values)
{
    return transfer(field, level, NULL, values);
}

enum qn_status qn_field_extend(struct qn_field *field, int level)
{
    const struct qn__layout *const layout = &field->layout;
    char *origin = NULL;
    const enum qn_status status = qn__field_level(field, level, &origin);
    if (status != QN_OK)
        return status;
    struct device_args args = { .data = origin, .size = (int64_t)layout->size,
                                .rank = layout->rank };
    for (int axis = 0; axis < layout->rank; axis++) {
        args.n[axis] = layout->n[axis];
        args.stride[axis] = layout->stride[axis];
        args.halo[axis] = layout->halo[axis];
    }
    return qn__job_run(field->module->context, "extend", &args);
}
