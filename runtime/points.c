/* Lists of points: values added or read there, on any backend.
 *
 * The list goes to the device as offsets in ascending order, equal ones in the
 * caller's order: each distinct point is one thread's, and what is added to it
 * is added in that order, so the bits are the same everywhere. */
#include "internal.h"

#include <stdlib.h>

struct listed {
    int64_t offset;
    size_t index;                   /* in the caller's list */
};

static enum qn_status locate(const struct qn_field *field, const int64_t *point,
                             size_t index, int64_t *offset)
{
    const struct qn__layout *const layout = &field->layout;
    const struct quern_module *const module = field->module->info;
    *offset = 0;
    for (int axis = 0; axis < layout->rank; axis++) {
        const int along = field->info->axis[axis];
        const char *const name = along < 0 ? "slot" : module->axis[along];
        const int64_t i = point[axis];
        const int64_t left_out = qn__layout_left_out(layout, axis);
        const int64_t n = layout->n[axis] + left_out;
        if (i < 0 || i >= n)
            return qn__fail(QN_INVALID,
                            "point %zu of the list has %s = %lld; '%s' has"
                            " 0 to %lld",
                            index, name, (long long)i, field->info->name,
                            (long long)n - 1);
        if (left_out > 0 && i >= layout->hollow[0] && i < layout->hollow[1])
            return qn__fail(QN_INVALID,
                            "point %zu of the list has %s = %lld; '%s' does not"
                            " store %lld to %lld",
                            index, name, (long long)i, field->info->name,
                            (long long)layout->hollow[0],
                            (long long)layout->hollow[1] - 1);
        *offset += qn__layout_fold(layout, axis, i) * layout->stride[axis];
    }
    return QN_OK;
}

static int compare(const void *left, const void *right)
{
    const struct listed *const a = left, *const b = right;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static enum qn_status sort(const struct qn_field *field, size_t count,
                           const int64_t *points, struct listed *list)
{
    for (size_t i = 0; i < count; i++) {
        list[i].index = i;
        const enum qn_status status = locate(
            field, points + i * (size_t)field->layout.rank, i, &list[i].offset);
        if (status != QN_OK)
            return status;
    }
    qsort(list, count, sizeof *list, compare);
    return QN_OK;
}

/* The list on the device: count offsets, then count values. */
static enum qn_status run(struct qn_field *field, int level, const char *job,
                          size_t count, void *list, struct device_args *args)
{
    struct qn_context *const context = field->module->context;
    char *origin = NULL;
    void *scratch = NULL;
    enum qn_status status = qn__field_level(field, level, &origin);
    if (status == QN_OK)
        status = qn__context_scratch(context, 16 * count, &scratch);
    if (status == QN_OK)
        status = qn__context_upload(context, scratch, list, 16 * count);
    if (status != QN_OK)
        return status;
    args->type = (int64_t)field->info->type;
    args->data = origin;
    args->count = (int64_t)count;
    args->offset = scratch;
    args->value = (double *)scratch + count;
    return qn__job_run(context, job, args);
}

/* Two arrays of count in one: what is uploaded. 8 bytes each. */
static enum qn_status make(size_t count, struct listed **list, int64_t **upload)
{
    *list = calloc(count, sizeof **list);
    *upload = calloc(count, 16);
    if (*list && *upload)
        return QN_OK;
    return qn__fail(QN_NO_MEMORY, "no memory for a list of %zu points", count);
}

enum qn_status qn_field_inject(struct qn_field *field, int level, size_t count,
                               const int64_t *points, const double *values)
{
    struct listed *list = NULL;
    int64_t *upload = NULL;
    struct device_args args = { 0 };
    if (count == 0)
        return QN_OK;
    qn__field_changed(field);
    enum qn_status status = make(count, &list, &upload);
    if (status == QN_OK)
        status = sort(field, count, points, list);
    for (size_t i = 0; status == QN_OK && i < count; i++) {
        upload[i] = list[i].offset;
        ((double *)(void *)upload)[count + i] = values[list[i].index];
    }
    if (status == QN_OK)
        status = run(field, level, "inject", count, upload, &args);
    free(list);
    free(upload);
    return status;
}

enum qn_status qn_field_sample(struct qn_field *field, int level, size_t count,
                               const int64_t *points, double *values)
{
    struct listed *list = NULL;
    int64_t *upload = NULL;
    struct device_args args = { 0 };
    if (count == 0)
        return QN_OK;
    enum qn_status status = make(count, &list, &upload);
    if (status == QN_OK)
        status = sort(field, count, points, list);
    for (size_t i = 0; status == QN_OK && i < count; i++)
        upload[i] = list[i].offset;
    if (status == QN_OK)
        status = run(field, level, "sample", count, upload, &args);
    if (status == QN_OK)
        status = qn__context_download(field->module->context, upload,
                                      args.value, 8 * count);
    for (size_t i = 0; status == QN_OK && i < count; i++)
        values[list[i].index] = ((const double *)(const void *)upload)[i];
    free(list);
    free(upload);
    return status;
}
