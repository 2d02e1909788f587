/* The arrays of a validation: the same random data for a kernel and for the
 * reference, with a guard around that none may read or write. */
#include "trial.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD = 3 };                 /* points on every side */

static enum qn_status no_memory(void)
{
    return qn__fail(QN_NO_MEMORY, "no memory on the host for validating");
}

/* The points of one row from `from` on, up to `to`. */
static void take_points(const struct qn__layout *layout, int64_t start,
                        int64_t from, int64_t to, const unsigned char *other,
                        unsigned char *array)
{
    const size_t at = (size_t)(start + from) * layout->size;
    if (from < to)
        memcpy(array + at, other + at, (size_t)(to - from) * layout->size);
}

/* Outside of the points of a launch the array becomes what another is. */
static void make_alike(const struct qn_field *field, const unsigned char *other,
                       unsigned char *array)
{
    const struct qn__layout *const layout = &field->layout;
    const struct quern_module *const info = field->module->info;
    const struct qn__state *const state = &field->module->state;
    const int64_t *const lower = qn__args_int(state, info->lower);
    const int64_t *const upper = qn__args_int(state, info->upper);
    const int *const axis = field->info->axis;
    for (int64_t r = 0; r < layout->rows; r++) {
        struct qn__row row;
        qn__layout_row(layout, r, &row);
        bool updated = row.inside;
        for (int i = 1; i < layout->rank; i++)
            updated = updated && row.at[i] >= lower[axis[i]]
                   && row.at[i] < upper[axis[i]];
        const int64_t end = layout->full[0] - layout->margin;
        const int64_t low = updated ? lower[axis[0]] : end;
        take_points(layout, row.start, -layout->margin, low, other, array);
        if (updated)
            take_points(layout, row.start, upper[axis[0]], end, other, array);
    }
}

/* As drawn, but outside as the level that is now. */
static enum qn_status draw_alike(const struct qn__trial *trial,
                                 const struct qn_field *field,
                                 struct qn__image *image)
{
    const int now = qn__field_buffer(field->info, 0);
    if (now < 0 || now == image->buffer)
        return QN_OK;
    unsigned char *const other = malloc(field->layout.bytes);
    if (!other)
        return no_memory();
    qn__draw_array(field, now, trial->seed, false, other);
    make_alike(field, other, image->before);
    free(other);
    return QN_OK;
}

static enum qn_status copy_image(const struct qn__trial *trial,
                                 struct qn_field *field,
                                 struct qn__image *image)
{
    struct qn_module *const reference = trial->reference->module;
    struct qn_field *const twin = reference->state.fields[image->field];
    image->before = malloc(field->layout.bytes);
    if (!image->before)
        return no_memory();
    qn__draw_array(field, image->buffer, trial->seed,
                   image->written && !image->read, image->before);
    enum qn_status status = trial->kernel->info->alike
        ? draw_alike(trial, field, image) : QN_OK;
    if (status == QN_OK)
        status = qn__packed_upload(field, image->buffer, image->before);
    if (status != QN_OK)
        return status;
    return qn__packed_upload(twin, image->buffer, image->before);
}

/* The same field in both modules, with equal layouts and data. */
static enum qn_status make_field(struct qn__trial *trial, int index)
{
    struct qn_module *const module = trial->kernel->module;
    struct qn_module *const reference = trial->reference->module;
    const struct quern_field *const info = &module->info->fields[index];
    const struct quern_field *const twin_info = &reference->info->fields[index];
    struct qn_field *field, *twin;
    if (strcmp(info->name, twin_info->name) != 0
        || info->type != twin_info->type || info->buffers != twin_info->buffers)
        return qn__fail(QN_MISMATCH, "field '%s' is another in the reference",
                        info->name);
    enum qn_status status = qn__field_make(module, index, GUARD, &field);
    if (status == QN_OK)
        status = qn__field_make(reference, index, GUARD, &twin);
    if (status == QN_OK && field->layout.bytes != twin->layout.bytes)
        status = qn__fail(QN_MISMATCH,
                          "field '%s' has another halo in the reference",
                          info->name);
    for (int b = 0; status == QN_OK && b < info->buffers; b++) {
        struct qn__image *const image = &trial->images[trial->image_count++];
        image->field = index;
        image->buffer = b;
        qn__kernel_use(trial->kernel->info, index, b, &image->read,
                       &image->written);
        status = copy_image(trial, field, image);
    }
    return status;
}

/* Where the reference puts its results: nothing assigned until it says so. */
static enum qn_status make_results(struct qn__trial *trial, int index)
{
    const struct qn_module *const reference = trial->reference->module;
    const struct quern_field *const info = &reference->info->fields[index];
    if (!info->value || !info->bound)
        return QN_OK;
    const struct qn_field *const field = reference->state.fields[index];
    const int64_t points = qn__layout_points(&field->layout);
    const size_t count = points > 0 ? (size_t)points : 1;
    double *const value = calloc(count, sizeof *value);
    double *const bound = malloc(count * sizeof *bound);
    trial->value[index] = value;
    trial->bound[index] = bound;
    if (!value || !bound)
        return no_memory();
#pragma omp parallel for schedule(static) if (points > QN__FEW)
    for (int64_t i = 0; i < points; i++)
        bound[i] = -1;
    *qn__args_pointer(&reference->state, info->value) = value;
    *qn__args_pointer(&reference->state, info->bound) = bound;
    return QN_OK;
}

enum qn_status qn__trial_make(struct qn__trial *trial)
{
    const int fields = trial->kernel->module->info->field_count;
    const size_t count = (size_t)fields + 1;
    if (fields != trial->reference->module->info->field_count)
        return qn__fail(QN_MISMATCH,
                        "the reference has %d fields, the kernel %d",
                        trial->reference->module->info->field_count, fields);
    trial->images = calloc(count * QUERN_MAX_BUFFERS, sizeof *trial->images);
    trial->value = calloc(count, sizeof *trial->value);
    trial->bound = calloc(count, sizeof *trial->bound);
    if (!trial->images || !trial->value || !trial->bound)
        return no_memory();
    for (int f = 0; f < fields; f++) {
        enum qn_status status = make_field(trial, f);
        if (status == QN_OK)
            status = make_results(trial, f);
        if (status != QN_OK)
            return status;
    }
    return QN_OK;
}

void qn__trial_free(struct qn__trial *trial)
{
    const int fields = trial->kernel->module->info->field_count;
    for (int i = 0; i < trial->image_count; i++) {
        free(trial->images[i].before);
        free(trial->images[i].after);
    }
    for (int f = 0; trial->value && trial->bound && f < fields; f++) {
        free(trial->value[f]);
        free(trial->bound[f]);
    }
    free(trial->images);
    free(trial->value);
    free(trial->bound);
}
