/* Contexts: a name is turned into a table of functions, and what every kind of
 * context shares is done with that table alone. */
#define _POSIX_C_SOURCE 200809L
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static const struct qn__backend *const backends[] = {
    &qn__cpu_backend, &qn__simt_backend, &qn__cuda_backend
};

/* "cuda:12" -> cuda, 12. Only cuda takes a number. */
static const struct qn__backend *find(const char *name, int *index)
{
    const char *const colon = strchr(name, ':');
    const size_t length = colon ? (size_t)(colon - name) : strlen(name);
    char *end = NULL;
    *index = 0;
    if (colon) {
        const long number = strtol(colon + 1, &end, 10);
        if (end == colon + 1 || *end || number < 0 || number > 1023
            || strncmp(name, "cuda:", 5) != 0)
            return NULL;
        *index = (int)number;
    }
    for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++)
        if (strlen(backends[i]->name) == length
            && strncmp(backends[i]->name, name, length) == 0)
            return backends[i];
    return NULL;
}

enum qn_status qn_context_open(const char *name, struct qn_context **context)
{
    int index;
    *context = NULL;
    const struct qn__backend *const backend = find(name, &index);
    if (!backend)
        return qn__fail(QN_INVALID,
                        "'%s' is no context: they are cpu, simt, cuda"
                        " and cuda:N",
                        name);
    struct qn_context *const made = calloc(1, sizeof *made);
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory for a context");
    made->backend = backend;
    const enum qn_status status = backend->open(made, index);
    if (status != QN_OK) {
        free(made);
        return status;
    }
    *context = made;
    return QN_OK;
}

void qn_context_close(struct qn_context *context)
{
    if (!context)
        return;
    context->backend->release(context, context->scratch);
    if (context->jobs)
        qn__library_close(context->jobs);
    free(context->jobs);
    context->backend->close(context);
    free(context->folder);
    free(context);
}

enum qn_status qn_context_synchronize(struct qn_context *context)
{
    return context->backend->synchronize(context);
}

const char *qn_context_device(const struct qn_context *context)
{
    return context->device;
}

enum qn_status qn_context_runtime(struct qn_context *context,
                                  const char *folder)
{
    char *const copy = strdup(folder);
    if (!copy)
        return qn__fail(QN_NO_MEMORY, "no memory for the name of a folder");
    free(context->folder);
    context->folder = copy;
    return QN_OK;
}

enum qn_status qn__context_upload(struct qn_context *context, void *to,
                                  const void *from, size_t size)
{
    return context->backend->upload(context, to, size, from, size, size, 1);
}

enum qn_status qn__context_download(struct qn_context *context, void *to,
                                    const void *from, size_t size)
{
    return context->backend->download(context, to, size, from, size, size, 1);
}

enum qn_status qn__context_scratch(struct qn_context *context, size_t size,
                                   void **data)
{
    if (size > context->scratch_size) {
        context->backend->release(context, context->scratch);
        context->scratch = NULL;
        context->scratch_size = 0;
        const enum qn_status status =
            context->backend->alloc(context, size, &context->scratch);
        if (status != QN_OK)
            return status;
        context->scratch_size = size;
    }
    *data = context->scratch;
    return QN_OK;
}
