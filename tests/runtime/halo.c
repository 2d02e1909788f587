/* The least halo that a kernel's check accepts is all that the kernel reads.
 *   halo CONTEXT MODULE REFERENCE N..
 * narrows one field's halo along one axis at a time, for every kernel, and
 * validates at the first width that is not refused; beyond it lie NaN. Prints
 * a line for each: kernel, field, axis, that width, the width that the module
 * asks for, and "ok" or what is wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { AXES = 3 };

/* A module whose fields can be told that they need another halo. */
struct subject {
    struct qn_module *module;
    struct quern_module info;
    struct quern_field *fields;
};

static struct qn_context *context;

static void must(enum qn_status status)
{
    if (status == QN_OK)
        return;
    fprintf(stderr, "%s: %s\n", qn_status_name(status), qn_last_error());
    exit(2);
}

static void open_subject(struct qn_context *where, const char *path,
                         const int64_t *n, struct subject *subject)
{
    must(qn_module_load(where, path, &subject->module));
    subject->info = *subject->module->info;
    const size_t bytes = (size_t)subject->info.field_count * sizeof *subject->fields;
    subject->fields = malloc(bytes);
    if (!subject->fields)
        exit(2);
    memcpy(subject->fields, subject->info.fields, bytes);
    subject->info.fields = subject->fields;
    subject->module->info = &subject->info;
    must(qn_module_resize(subject->module, n));
}

static void close_subject(struct subject *subject)
{
    qn_module_unload(subject->module);
    free(subject->fields);
}

static void narrow(struct subject *subject, int field, int axis, int64_t width)
{
    subject->fields[field].need[axis][0] = width;
    subject->fields[field].need[axis][1] = width;
}

static const char *verdict(enum qn_status status, const struct qn_validation *result)
{
    if (status == QN_OK)
        return result->points > 0 ? "ok" : "no point";
    return result->problem[0] ? result->problem : qn_last_error();
}

/* The kernel itself does, not the reference. */
static int refuses_halo(enum qn_status status, const char *kernel)
{
    return status == QN_INVALID && strstr(qn_last_error(), "the halo along")
        && strncmp(qn_last_error(), kernel, strlen(kernel)) == 0;
}

static void try(struct subject *pair, int kernel, int field, int axis)
{
    const struct quern_field *const info = &pair[0].fields[field];
    const int64_t low = info->need[axis][0], high = info->need[axis][1];
    const int64_t need = low > high ? low : high;
    struct qn_validation result;
    enum qn_status status = QN_OK;
    int64_t width = 0;
    for (; width <= need; width++) {
        memset(&result, 0, sizeof result);
        narrow(&pair[0], field, axis, width);
        narrow(&pair[1], field, axis, width);
        status = qn_kernel_validate(&pair[0].module->kernels[kernel],
                                    pair[1].module, 1, &result);
        if (!refuses_halo(status, pair[0].info.kernels[kernel].name))
            break;
    }
    printf("%s %s %d %lld %lld %s\n", pair[0].info.kernels[kernel].name,
           info->name, axis, (long long)width, (long long)need,
           verdict(status, &result));
    for (int i = 0; i < 2; i++) {
        pair[i].fields[field].need[axis][0] = low;
        pair[i].fields[field].need[axis][1] = high;
    }
}

int main(int count, char **words)
{
    struct qn_context *cpu;
    struct subject pair[2];
    int64_t n[AXES] = { 0 };
    if (count < 5 || count > 4 + AXES) {
        fprintf(stderr, "halo CONTEXT MODULE REFERENCE N..\n");
        return 2;
    }
    for (int i = 4; i < count; i++)
        n[i - 4] = strtoll(words[i], NULL, 10);
    must(qn_context_open(words[1], &context));
    must(qn_context_open("cpu", &cpu));
    open_subject(context, words[2], n, &pair[0]);
    open_subject(cpu, words[3], n, &pair[1]);
    for (int k = 0; k < pair[0].info.kernel_count; k++)
        for (int f = 0; f < pair[0].info.field_count; f++)
            for (int axis = 0; axis < pair[0].fields[f].rank; axis++)
                try(pair, k, f, axis);
    close_subject(&pair[0]);
    close_subject(&pair[1]);
    qn_context_close(context);
    qn_context_close(cpu);
    return 0;
}
