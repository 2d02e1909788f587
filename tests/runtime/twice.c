/* Two steps at once, and the same two one by one, from the same arrays.
 *   twice CONTEXT MODULE N N N [LOWER UPPER LOWER UPPER LOWER UPPER]
 * Every array has data and a halo of its own in the first trial, all levels the
 * same in the second, which goes on for four steps. Prints "same", or what
 * differs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { AXES = 3, SEED = 7, PAIRS = 2 };

static void must(enum qn_status status)
{
    if (status == QN_OK)
        return;
    fprintf(stderr, "%s: %s\n", qn_status_name(status), qn_last_error());
    exit(2);
}

static void *memory(size_t size)
{
    void *const data = malloc(size + 1);
    if (!data)
        exit(2);
    return data;
}

static void fill(struct qn_field *field, bool alike)
{
    unsigned char *const image = memory(field->layout.bytes);
    for (int b = 0; b < field->info->buffers; b++) {
        qn__draw_array(field, alike ? 0 : b, SEED, false, image);
        must(qn__packed_upload(field, b, image));
    }
    free(image);
}

static struct qn_module *load(struct qn_context *context, const char *path,
                              const int64_t *n, const int64_t *range)
{
    struct qn_module *module;
    must(qn_module_load(context, path, &module));
    must(qn_module_resize(module, n));
    if (range)
        must(qn_module_restrict(module, range, range + AXES));
    for (int i = 0; i < module->info->scalar_count; i++) {
        const struct quern_scalar *const scalar = &module->info->scalars[i];
        must(qn_module_set(module, scalar->name,
                           0.7 * scalar->high + 0.3 * scalar->low));
    }
    struct qn_field *field;
    for (int f = 0; f < module->info->field_count; f++)
        must(qn_field_create(module, module->info->fields[f].name, &field));
    return module;
}

/* How many levels that the step keeps differ, at the points that are updated. */
static int differing(struct qn_module *const *pair, int f)
{
    struct qn_field *const field = pair[0]->state.fields[f];
    const size_t size = (size_t)qn__layout_points(&field->layout) * field->layout.size;
    const int64_t *const lower = qn__args_int(&pair[0]->state, pair[0]->info->lower);
    const int64_t *const upper = qn__args_int(&pair[0]->state, pair[0]->info->upper);
    unsigned char *const one = memory(size), *const other = memory(size);
    int count = 0;
    memset(one, 0, size);
    memset(other, 0, size);
    for (int level = field->info->oldest; level <= 0; level++) {
        must(qn_field_read_box(field, level, lower, upper, one));
        must(qn_field_read_box(pair[1]->state.fields[f], level, lower, upper, other));
        if (memcmp(one, other, size) != 0) {
            printf("%s differs at level %d\n", field->info->name, level);
            count++;
        }
    }
    free(one);
    free(other);
    return count;
}

static int try(struct qn_module *const *pair, bool alike, int pairs)
{
    int count = 0;
    for (int i = 0; i < 2; i++)
        for (int f = 0; f < pair[i]->info->field_count; f++)
            fill(pair[i]->state.fields[f], alike);
    for (int i = 0; i < pairs; i++) {
        must(qn_module_step(pair[0]));
        must(qn_module_step(pair[0]));
        must(qn_module_step2(pair[1]));
    }
    for (int f = 0; f < pair[0]->info->field_count; f++)
        count += differing(pair, f);
    return count;
}

/* Does the kernel take all levels to have one halo? */
static bool needs_alike(const struct qn_module *module)
{
    for (int i = 0; i < module->info->kernel_count; i++)
        if (module->info->kernels[i].alike)
            return true;
    return false;
}

int main(int count, char **words)
{
    struct qn_context *context;
    struct qn_module *pair[2];
    int64_t n[AXES], range[2 * AXES];
    if (count != 3 + AXES && count != 3 + 3 * AXES) {
        fprintf(stderr, "twice CONTEXT MODULE N N N [LOWER UPPER ..]\n");
        return 2;
    }
    for (int i = 0; i < AXES; i++)
        n[i] = strtoll(words[3 + i], NULL, 10);
    for (int i = 0; count > 3 + AXES && i < AXES; i++) {
        range[i] = strtoll(words[3 + AXES + 2 * i], NULL, 10);
        range[AXES + i] = strtoll(words[4 + AXES + 2 * i], NULL, 10);
    }
    must(qn_context_open(words[1], &context));
    for (int i = 0; i < 2; i++)
        pair[i] = load(context, words[2], n, count > 3 + AXES ? range : NULL);
    const int apart = needs_alike(pair[0]) ? 0 : try(pair, false, 1);
    if (apart + try(pair, true, PAIRS) == 0)
        printf("same\n");
    for (int i = 0; i < 2; i++)
        qn_module_unload(pair[i]);
    qn_context_close(context);
    return 0;
}
