/* The reference of a kernel that makes several steps at once.
 *
 * The kernel was launched. What it left is taken away, its arrays get their
 * data back, and the same steps are made one by one: by the module's kernel
 * that makes one, and by the reference, each time from the same data. What the
 * launch kept of a step is compared with what the reference says of it; both go
 * on from what the single kernel left, so each step is judged by itself. */
#include "trial.h"

#include <stdlib.h>
#include <string.h>

static enum qn_status take(struct qn__trial *trial)
{
    const struct qn_module *const module = trial->kernel->module;
    enum qn_status status = QN_OK;
    for (int i = 0; status == QN_OK && i < trial->image_count; i++) {
        struct qn__image *const image = &trial->images[i];
        struct qn_field *const field = module->state.fields[image->field];
        image->after = malloc(field->layout.bytes);
        if (!image->after)
            return qn__fail(QN_NO_MEMORY,
                            "no memory on the host for validating");
        status = qn__packed_download(field, image->buffer, image->after);
        if (status == QN_OK)
            status = qn__packed_upload(field, image->buffer, image->before);
    }
    return status;
}

/* The levels move on by one; the arrays stay where they are. */
static void turn(const struct qn_module *module)
{
    const struct quern_module *const info = module->info;
    for (int f = 0; f < info->field_count; f++) {
        const struct quern_field *const field = &info->fields[f];
        const int last = field->buffers - 1;
        void *const oldest = *qn__args_pointer(&module->state, field->data[0]);
        for (int b = 0; b < last; b++)
            *qn__args_pointer(&module->state, field->data[b]) =
                *qn__args_pointer(&module->state, field->data[b + 1]);
        *qn__args_pointer(&module->state, field->data[last]) = oldest;
    }
}

/* Is it the array that holds the next level when the levels have turned so
 * often? */
static bool is_next(const struct qn__trial *trial,
                    const struct qn__image *image, int turns)
{
    const struct quern_field *const field =
        &trial->kernel->module->info->fields[image->field];
    const int next = qn__field_buffer(field, 1);
    return next >= 0 && trial->value[image->field]
        && image->buffer == (next + turns) % field->buffers;
}

/* One step of each, both from the same data. */
static enum qn_status make_step(struct qn__trial *trial)
{
    struct qn_module *const module = trial->kernel->module;
    for (int f = 0; f < module->info->field_count; f++) {
        const int64_t points = trial->bound[f]
            ? qn__layout_points(&module->state.fields[f]->layout) : 0;
        for (int64_t i = 0; i < points; i++)
            trial->bound[f][i] = -1;
    }
    enum qn_status status =
        qn_kernel_launch(&module->kernels[trial->kernel->info->single]);
    if (status == QN_OK)
        status = qn_context_synchronize(module->context);
    return status == QN_OK ? qn_kernel_launch(trial->reference) : status;
}

/* The reference goes on from what the single kernel left. */
static enum qn_status hand_on(struct qn__trial *trial,
                              const struct qn__image *image)
{
    struct qn_field *const field =
        trial->kernel->module->state.fields[image->field];
    struct qn_field *const twin =
        trial->reference->module->state.fields[image->field];
    unsigned char *const made = malloc(field->layout.bytes);
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory on the host for validating");
    enum qn_status status = qn__packed_download(field, image->buffer, made);
    if (status == QN_OK)
        status = qn__packed_upload(twin, image->buffer, made);
    free(made);
    return status;
}

enum qn_status qn__trial_steps(struct qn__trial *trial)
{
    const struct quern_kernel *const info = trial->kernel->info;
    enum qn_status status = take(trial);
    for (int step = 0; status == QN_OK && step < info->steps; step++) {
        const bool last = step == info->steps - 1;
        const int kept = last ? info->turns - 1 : step;
        status = make_step(trial);
        for (int i = 0; status == QN_OK && i < trial->image_count; i++) {
            struct qn__image *const image = &trial->images[i];
            if (!last && is_next(trial, image, step))
                status = hand_on(trial, image);
            if (!last && info->turns < info->steps)
                continue;
            if (status == QN_OK && is_next(trial, image, kept)) {
                qn__trial_compare(trial, image, image->after, true);
                free(image->after);
                image->after = NULL;
            }
        }
        turn(trial->kernel->module);
        turn(trial->reference->module);
    }
    for (int i = 0; status == QN_OK && i < trial->image_count; i++)
        if (trial->images[i].after)
            qn__trial_compare(trial, &trial->images[i], trial->images[i].after,
                              false);
    return status;
}
