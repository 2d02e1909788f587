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

/* The limits of what a field leaves out; QN_INVALID before they are known. */
static enum qn_status limits_of(const struct qn_module *module,
                                const struct quern_field *info,
                                int64_t *limits)
{
    for (int i = 0; i < info->decider_count; i++) {
        const int scalar = info->deciders[i];
        if (!module->state.set[scalar])
            return qn__fail(QN_INVALID,
                            "how many points '%s' stores depends on scalar"
                            " '%s', which has no value yet",
                            info->name, module->info->scalars[scalar].name);
    }
    info->hollow(module->state.args, limits);
    return QN_OK;
}

enum qn_status qn__field_fits(const struct qn_field *field)
{
    const struct quern_field *const info = field->info;
    const int64_t *const made = field->layout.hollow;
    int64_t now[2];
    if (!info->hollow)
        return QN_OK;
    const enum qn_status status = limits_of(field->module, info, now);
    if (status != QN_OK || (now[0] == made[0] && now[1] == made[1]))
        return status;
    const struct quern_module *const module = field->module->info;
    return qn__fail(QN_INVALID,
                    "'%s' was created without the points %lld to %lld along"
                    " %s, its scalars now say %lld to %lld: create it anew",
                    info->name, (long long)made[0], (long long)made[1],
                    module->axis[info->axis[info->hollow_axis]],
                    (long long)now[0], (long long)now[1]);
}

static enum qn_status lay_out(const struct qn_module *module,
                              const struct quern_field *info, int64_t guard,
                              struct qn__layout *layout)
{
    int64_t n[QUERN_MAX_RANK], halo[QUERN_MAX_RANK], hollow[2] = { 0, 0 };
    const int64_t *const extent = qn__args_int(&module->state,
                                               module->info->extent);
    for (int axis = 0; axis < info->rank; axis++) {
        const int64_t low = info->need[axis][0], high = info->need[axis][1];
        n[axis] = info->extra[axis];
        if (info->axis[axis] >= 0)
            n[axis] += extent[info->axis[axis]];
        halo[axis] = low > high ? low : high;
    }
    enum qn_status status = QN_OK;
    if (info->hollow)
        status = limits_of(module, info, hollow);
    n[info->hollow_axis] -= hollow[1] - hollow[0];
    if (status == QN_OK)
        status = qn__layout_make(info->type, info->rank, n, halo, guard,
                                 info->axis[0] == 0 ? module->state.aligned : 0,
                                 module->state.spread, layout);
    if (status == QN_OK && info->packed)
        status = qn__layout_interleave(layout, info->packed, info->place);
    layout->hollow_axis = info->hollow_axis;
    memcpy(layout->hollow, hollow, sizeof hollow);
    return status;
}

static void set_strides(struct qn_field *field)
{
    const struct quern_field *const info = field->info;
    const struct qn__layout *const layout = &field->layout;
    const struct qn__state *const state = &field->module->state;
    for (int axis = 0; axis < info->rank; axis++) {
        qn__args_int(state, info->stride)[axis] = layout->stride[axis];
        qn__args_int(state, info->halo)[axis] = layout->halo[axis];
    }
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
        status = qn__packed_allocate(made);
    module->state.fields[index] = made;
    if (status != QN_OK) {
        qn_field_free(made);
        return status;
    }
    set_strides(made);
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
    qn__places_drop(field);
    qn__packed_release(field, state);
    state->fields[field->info - module->info->fields] = NULL;
    free(field);
}

void qn__field_changed(const struct qn_field *field)
{
    if (field->info->constant)
        qn__state_forget(field->module);
}

enum qn_status qn_field_fill(struct qn_field *field, double value)
{
    const uint64_t bits = qn__value_bits(field->info->type, value);
    qn__field_changed(field);
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

void qn_field_halo(const struct qn_field *field, int64_t *halo)
{
    for (int axis = 0; axis < field->layout.rank; axis++)
        halo[axis] = field->layout.halo[axis];
}

void qn_field_extent(const struct qn_field *field, int64_t *n)
{
    for (int axis = 0; axis < field->layout.rank; axis++)
        n[axis] = field->layout.n[axis];
}

enum qn_status qn_field_extend(struct qn_field *field, int level)
{
    const struct qn__layout *const layout = &field->layout;
    char *origin = NULL;
    const enum qn_status status = qn__field_level(field, level, &origin);
    qn__field_changed(field);
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
