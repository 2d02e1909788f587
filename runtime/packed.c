/* Fields whose elements interleave in one array per buffer, as the names of one
 * declaration do that is packed. The first that is created makes the arrays,
 * the last that is freed releases them. Everything else of the runtime sees
 * the elements of one field alone. */
#include "internal.h"

/* A field of the same arrays that has been created, or NULL. */
static const struct qn_field *beside(const struct qn_field *field,
                                     const struct qn__state *state)
{
    const struct quern_field *const info = field->info;
    const int64_t first =
        info - field->module->info->fields - info->place;
    for (int64_t f = first; f < first + info->packed; f++)
        if (state->fields[f] && state->fields[f] != field)
            return state->fields[f];
    return NULL;
}

/* Steps may have moved the other's buffers on: the arguments say whose level
 * each is. */
static void share(struct qn_field *field, const struct qn_field *other)
{
    const struct qn__state *const state = &field->module->state;
    const int64_t apart = (field->layout.place - other->layout.place)
                        * (int64_t)field->layout.size;
    for (int b = 0; b < field->info->buffers; b++) {
        field->base[b] = other->base[b];
        *qn__args_pointer(state, field->info->data[b]) =
            (char *)*qn__args_pointer(state, other->info->data[b]) + apart;
    }
}

enum qn_status qn__packed_allocate(struct qn_field *field)
{
    const struct qn__layout *const layout = &field->layout;
    const struct qn__state *const state = &field->module->state;
    const struct qn_field *const other = beside(field, state);
    const size_t origin = (size_t)layout->origin * layout->size;
    const size_t bytes = layout->bytes * (size_t)layout->step;
    if (other) {
        share(field, other);
        return QN_OK;
    }
    for (int b = 0; b < field->info->buffers; b++) {
        const enum qn_status status =
            qn__module_alloc(field->module, bytes, &field->base[b]);
        if (status != QN_OK)
            return status;
        *qn__args_pointer(state, field->info->data[b]) =
            (char *)field->base[b] + origin;
    }
    return QN_OK;
}

void qn__packed_release(const struct qn_field *field,
                        const struct qn__state *state)
{
    const bool last = !beside(field, state);
    for (int b = 0; b < field->info->buffers; b++) {
        if (last)
            qn__module_release(field->module, field->base[b]);
        *qn__args_pointer(state, field->info->data[b]) = NULL;
    }
}

char *qn__packed_start(const struct qn_field *field, int buffer)
{
    const struct qn__layout *const layout = &field->layout;
    return (char *)field->base[buffer] + (size_t)layout->place * layout->size;
}

enum qn_status qn__packed_upload(const struct qn_field *field, int buffer,
                                 const void *image)
{
    struct qn_context *const context = field->module->context;
    const struct qn__layout *const layout = &field->layout;
    const size_t pitch = (size_t)layout->step * layout->size;
    char *const start = qn__packed_start(field, buffer);
    if (layout->step == 1)
        return qn__context_upload(context, start, image, layout->bytes);
    return context->backend->upload(context, start, pitch, image, layout->size,
                                    layout->size, (size_t)layout->count);
}

enum qn_status qn__packed_download(const struct qn_field *field, int buffer,
                                   void *image)
{
    struct qn_context *const context = field->module->context;
    const struct qn__layout *const layout = &field->layout;
    const size_t pitch = (size_t)layout->step * layout->size;
    const char *const start = qn__packed_start(field, buffer);
    if (layout->step == 1)
        return qn__context_download(context, image, start, layout->bytes);
    return context->backend->download(context, image, layout->size, start,
                                      pitch, layout->size,
                                      (size_t)layout->count);
}
