/* The reference of a kernel that makes several passes, each seeing what the
 * last one wrote.
 *
 * The kernel was launched, whole. The reference is launched pass by pass: each
 * says value and bound at its own points, then finds the kernel's own results
 * there, as the kernel's next pass did. So every pass is judged by itself. */
#include "trial.h"

#include <stdlib.h>
#include <string.h>

/* One array that the kernel writes. */
struct results {
    const struct qn__layout *layout;
    const double *value, *bound;        /* of one pass; -1: not its point */
    double *all_value, *all_bound;      /* of all passes so far */
    unsigned char *after;               /* the kernel's array */
    unsigned char *reference;           /* the reference's */
};

static enum qn_status start(const struct qn__trial *trial,
                            const struct qn__image *image,
                            struct results *results)
{
    const struct qn_field *const field =
        trial->kernel->module->state.fields[image->field];
    const struct qn_field *const twin =
        trial->reference->module->state.fields[image->field];
    const size_t points = (size_t)qn__layout_points(&field->layout) + 1;
    results->layout = &field->layout;
    results->value = trial->value[image->field];
    results->bound = trial->bound[image->field];
    results->all_value = calloc(points, sizeof(double));
    results->all_bound = malloc(points * sizeof(double));
    results->after = malloc(field->layout.bytes);
    results->reference =
        (unsigned char *)qn__packed_start(twin, image->buffer);
    if (!results->all_value || !results->all_bound || !results->after)
        return qn__fail(QN_NO_MEMORY, "no memory on the host for validating");
    for (size_t i = 0; i < points; i++)
        results->all_bound[i] = -1;
    return qn__packed_download(field, image->buffer, results->after);
}

/* Notes what a pass said of one row, and puts the kernel's results there. */
static void take_row(const struct results *results, int64_t index)
{
    const size_t size = results->layout->size;
    struct qn__row row;
    qn__layout_row(results->layout, index, &row);
    if (!row.inside)
        return;
    const int64_t first = qn__layout_dense(results->layout, &row);
    for (int64_t x = 0; x < results->layout->n[0]; x++) {
        const int64_t point = first + x;
        const size_t at = (size_t)(row.start + x) * size;
        if (results->bound[point] < 0)
            continue;
        results->all_value[point] = results->value[point];
        results->all_bound[point] = results->bound[point];
        memcpy(results->reference + at * (size_t)results->layout->step,
               results->after + at, size);
    }
}

static enum qn_status run(struct qn__trial *trial, const struct results *list,
                          int count)
{
    struct qn_kernel *const reference = trial->reference;
    const int64_t passes =
        reference->info->passes(reference->module->state.args);
    enum qn_status status = qn__kernel_ready(reference);
    for (int64_t pass = 0; status == QN_OK && pass < passes; pass++) {
        status = qn__kernel_fire_pass(reference, pass);
        for (int i = 0; status == QN_OK && i < count; i++)
            for (int64_t row = 0; row < list[i].layout->rows; row++)
                take_row(&list[i], row);
    }
    return status;
}

/* What all passes said, where one pass did. */
static void finish(struct qn__trial *trial, const struct qn__image *image,
                   struct results *results)
{
    if (results->all_value && results->all_bound) {
        free(trial->value[image->field]);
        free(trial->bound[image->field]);
        trial->value[image->field] = results->all_value;
        trial->bound[image->field] = results->all_bound;
    } else {
        free(results->all_value);
        free(results->all_bound);
    }
    free(results->after);
}

enum qn_status qn__trial_passes(struct qn__trial *trial)
{
    struct results *const list =
        calloc((size_t)trial->image_count + 1, sizeof *list);
    if (!list)
        return qn__fail(QN_NO_MEMORY, "no memory on the host for validating");
    enum qn_status status = QN_OK;
    int count = 0;
    for (int i = 0; status == QN_OK && i < trial->image_count; i++)
        if (trial->images[i].written)
            status = start(trial, &trial->images[i], &list[count++]);
    if (status == QN_OK)
        status = run(trial, list, count);
    for (int i = 0, k = 0; k < count; i++)
        if (trial->images[i].written)
            finish(trial, &trial->images[i], &list[k++]);
    free(list);
    return status;
}
