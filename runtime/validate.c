/* qn_kernel_validate: a kernel and the reference, given the same random data in
 * arrays with a guard that none may read or write, compared at every point. */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The reference's kernel for the same block of the spec. */
static enum qn_status find_reference(const struct qn_kernel *of,
                                     const struct qn_module *reference,
                                     struct qn_kernel **found)
{
    const struct quern_module *const info = of->module->info;
    const struct quern_kernel *const wanted = of->info;
    if (strcmp(info->backend, "reference") == 0)
        return qn__fail(QN_INVALID, "%s is a reference itself", wanted->name);
    if (strcmp(info->instance, reference->info->instance) != 0
        || strcmp(info->hash, reference->info->hash) != 0)
        return qn__fail(QN_MISMATCH,
                        "the reference is of %s, the kernel of %s, or they"
                        " were made from different texts of the spec",
                        reference->info->instance, info->instance);
    for (int i = 0; i < reference->info->kernel_count; i++) {
        struct qn_kernel *const kernel = &reference->kernels[i];
        if (strcmp(kernel->info->kernel, wanted->kernel) != 0
            || strcmp(kernel->info->region, wanted->region) != 0
            || kernel->info->folded != wanted->folded)
            continue;
        *found = kernel;
        return QN_OK;
    }
    return qn__fail(QN_NOT_FOUND,
                    "the reference has no kernel '%s' for region '%s'%s",
                    wanted->kernel, wanted->region,
                    wanted->folded ? ", folded" : "");
}

/* Puts fresh states in place of the users'. */
static enum qn_status enter(struct qn__trial *trial)
{
    struct qn_module *const module = trial->kernel->module;
    struct qn_module *const reference = trial->reference->module;
    struct qn__state mine, other;
    if (!module->state.sized)
        return qn__fail(QN_INVALID, "%s has no extents yet: qn_module_resize",
                        module->info->instance);
    enum qn_status status = qn__state_make(module, &mine);
    if (status != QN_OK)
        return status;
    status = qn__state_make(reference, &other);
    if (status != QN_OK) {
        qn__state_free(module, &mine);
        return status;
    }
    trial->kernel_user = module->state;
    trial->reference_user = reference->state;
    module->state = mine;
    reference->state = other;
    return QN_OK;
}

static void leave(struct qn__trial *trial)
{
    struct qn_module *const module = trial->kernel->module;
    if (trial->kernel_user.args) {
        qn__state_free(module, &module->state);
        qn__state_free(trial->reference->module,
                       &trial->reference->module->state);
        module->state = trial->kernel_user;
        trial->reference->module->state = trial->reference_user;
    }
    qn__trial_free(trial);
}

/* Gives `to` every scalar that is set in `from`. */
static enum qn_status copy_scalars(const struct qn_module *from,
                                   struct qn_module *to)
{
    const struct qn__state *const state = &from->state;
    enum qn_status status = QN_OK;
    for (int i = 0; status == QN_OK && i < from->info->scalar_count; i++) {
        const struct quern_scalar *const scalar = &from->info->scalars[i];
        if (!state->set[i])
            continue;
        const double value = scalar->integer
            ? (double)*qn__args_int(state, scalar->offset)
            : *qn__args_double(state, scalar->offset);
        status = qn_module_set(to, scalar->name, value);
    }
    return status;
}

/* The reference gets the kernel's extents, sub-range and scalars. Scalars that
 * are not set are drawn for the reference: were they chosen by what the kernel
 * says of its region, a kernel that takes all for its region would be given
 * scalars for which that is right. */
static enum qn_status copy_settings(struct qn__trial *trial)
{
    struct qn_module *const module = trial->kernel->module;
    struct qn_module *const reference = trial->reference->module;
    const struct qn__state *const state = &module->state;
    reference->state.spread = state->spread;
    enum qn_status status = qn_module_align(reference, state->aligned);
    if (status == QN_OK)
        status = qn_module_resize(
            reference, qn__args_int(state, module->info->extent));
    if (status == QN_OK)
        status = qn_module_restrict(reference,
                                    qn__args_int(state, module->info->lower),
                                    qn__args_int(state, module->info->upper));
    if (status == QN_OK)
        status = copy_scalars(module, reference);
    if (status != QN_OK)
        return status;
    qn__draw_scalars(trial->reference, trial->seed);
    return copy_scalars(reference, module);
}

/* Both get the tables that the user has connected, and others at random. */
static enum qn_status make_tables(struct qn__trial *trial)
{
    struct qn_module *const module = trial->kernel->module;
    struct qn_module *const reference = trial->reference->module;
    if (reference->info->table_count != module->info->table_count)
        return qn__fail(QN_MISMATCH,
                        "the reference has %d tables, the kernel %d",
                        reference->info->table_count,
                        module->info->table_count);
    enum qn_status status = qn__tables_copy(&trial->kernel_user, module);
    if (status == QN_OK)
        status = qn__draw_tables(module, trial->seed);
    return status == QN_OK ? qn__tables_copy(&module->state, reference)
                           : status;
}

/* The kernel's own count of points is what every rate is computed from. Where
 * regions assign other fields, none of these has all of them, and where points
 * add to others there are as many as these: the reference counts its points
 * itself. */
static void compare_count(const struct qn__trial *trial, int64_t compared)
{
    const struct quern_kernel *const info = trial->kernel->info;
    const struct qn_kernel *const reference = trial->reference;
    struct qn_validation *const result = trial->result;
    if (reference->info->piece_count > 0 || reference->info->adds)
        compared = reference->info->points(reference->module->state.args);
    const int64_t said = info->points
        ? info->points(trial->kernel->module->state.args) : compared;
    if (said != compared && !result->problem[0])
        snprintf(result->problem, sizeof result->problem,
                 "the kernel says that it updates %lld points, the reference"
                 " %lld",
                 (long long)said, (long long)compared);
}

void qn__trial_compare(struct qn__trial *trial, const struct qn__image *image,
                       const unsigned char *after, bool results)
{
    struct qn__comparison comparison = {
        .field = trial->kernel->module->state.fields[image->field],
        .before = image->before, .after = after,
        .value = results ? trial->value[image->field] : NULL,
        .bound = results ? trial->bound[image->field] : NULL
    };
    qn__compare(&comparison, trial->result);
    if (results)
        compare_count(trial, comparison.compared);
}

static enum qn_status compare_image(struct qn__trial *trial,
                                    const struct qn__image *image)
{
    const struct qn_field *const field =
        trial->kernel->module->state.fields[image->field];
    unsigned char *const after = malloc(field->layout.bytes);
    if (!after)
        return qn__fail(QN_NO_MEMORY, "no memory on the host for validating");
    const enum qn_status status =
        qn__packed_download(field, image->buffer, after);
    if (status == QN_OK)
        qn__trial_compare(trial, image, after, image->written);
    free(after);
    return status;
}

static enum qn_status verdict(const struct qn__trial *trial)
{
    struct qn_validation *const result = trial->result;
    const char *const name = trial->kernel->info->name;
    if (result->worst < 0)
        result->worst = 0;
    if (result->wrong > 0)
        return qn__fail(QN_WRONG, "%s: %lld of %lld points are wrong%s%s", name,
                        (long long)result->wrong, (long long)result->points,
                        result->problem[0] ? ": " : "", result->problem);
    if (result->problem[0])
        return qn__fail(QN_WRONG, "%s: %s", name, result->problem);
    return QN_OK;
}

static enum qn_status compare(struct qn__trial *trial)
{
    enum qn_status status = trial->reference->info->passes
        ? qn__trial_passes(trial) : qn_kernel_launch(trial->reference);
    for (int i = 0; status == QN_OK && i < trial->image_count; i++)
        if (!qn__kernel_hands_on(trial->kernel->info, trial->images[i].field,
                                 trial->images[i].buffer))
            status = compare_image(trial, &trial->images[i]);
    return status;
}

static enum qn_status run(struct qn__trial *trial)
{
    enum qn_status status = copy_settings(trial);
    if (status == QN_OK)
        status = make_tables(trial);
    if (status == QN_OK)
        status = qn__trial_make(trial);
    if (status == QN_OK)
        status = qn_kernel_launch(trial->kernel);
    if (status == QN_OK)
        status = qn_context_synchronize(trial->kernel->module->context);
    if (status == QN_OK)
        status = qn_kernel_regular(trial->kernel, &trial->result->regular);
    if (status == QN_OK)
        status = trial->kernel->info->steps > 1 ? qn__trial_steps(trial)
            : compare(trial);
    return status == QN_OK ? verdict(trial) : status;
}

enum qn_status qn_kernel_validate(struct qn_kernel *kernel,
                                  struct qn_module *reference, uint64_t seed,
                                  struct qn_validation *result)
{
    struct qn__trial trial = { .kernel = kernel, .seed = seed,
                               .result = result };
    memset(result, 0, sizeof *result);
    result->worst = -1;
    enum qn_status status = find_reference(kernel, reference, &trial.reference);
    if (status == QN_OK)
        status = enter(&trial);
    if (status == QN_OK)
        status = run(&trial);
    leave(&trial);
    return status;
}

enum qn_status qn_kernel_choice(const struct qn_kernel *kernel,
                                const struct qn_module *reference, int index,
                                struct qn_choice *choice)
{
    struct qn_kernel *twin = NULL;
    const enum qn_status status = find_reference(kernel, reference, &twin);
    if (status != QN_OK)
        return status;
    const struct quern_kernel *const info = twin->info;
    if (index < 0 || index >= info->choice_count)
        return qn__fail(QN_NOT_FOUND, "%s has %d choices, not one of number %d",
                        info->name, info->choice_count, index);
    *choice = (struct qn_choice){ .word = info->choices[index].word,
                                  .place = info->choices[index].place,
                                  .held = info->sides[index] & 1,
                                  .failed = info->sides[index] & 2 };
    return QN_OK;
}
