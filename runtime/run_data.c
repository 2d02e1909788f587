/* The request "run": data from raw files, some launches or steps, data to raw
 * files: kernels driven without a program of one's own. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* A whole number under key of an entry, or otherwise. */
static int64_t whole(const json_t *entry, const char *key, int64_t otherwise)
{
    const json_t *const value = json_object_get(entry, key);
    return json_is_number(value) ? (int64_t)json_number_value(value)
                                 : otherwise;
}

static const char *text(struct request *request, const json_t *entry,
                        const char *key)
{
    const char *const found = json_string_value(json_object_get(entry, key));
    if (!found)
        run_fault(request, "error", "an entry of the request has no text '%s'",
                  key);
    return found ? found : "";
}

static struct qn_field *field_named(struct request *request,
                                    struct qn_module *module, const char *name)
{
    const struct quern_module *const info = module->info;
    for (int f = 0; f < info->field_count; f++)
        if (strcmp(info->fields[f].name, name) == 0)
            return module->state.fields[f];
    run_fault(request, "error", "%s has no field '%s'", info->instance, name);
    return NULL;
}

static size_t field_bytes(const struct qn_field *field)
{
    return (size_t)qn__layout_points(&field->layout) * field->layout.size;
}

/* Reads exactly size bytes; a longer or shorter file is the wrong file. */
static bool load(struct request *request, const char *path, void *data,
                 size_t size)
{
    FILE *const file = fopen(path, "rb");
    if (!file) {
        run_fault(request, "error", "cannot open %s", path);
        return false;
    }
    const bool good = fread(data, 1, size, file) == size && fgetc(file) == EOF;
    fclose(file);
    if (!good)
        run_fault(request, "error", "%s must have %zu bytes", path, size);
    return good;
}

static bool save(struct request *request, const char *path, const void *data,
                 size_t size)
{
    FILE *const file = fopen(path, "wb");
    const bool written = file && fwrite(data, 1, size, file) == size;
    const bool closed = file && fclose(file) == 0;
    if (!written || !closed)
        run_fault(request, "error", "cannot write %s", path);
    return written && closed;
}

/* One entry of "read" or "write": { "field", "level", "file" }. */
static void move(struct request *request, struct qn_module *module,
                 const json_t *entry, bool reading)
{
    const char *const path = text(request, entry, "file");
    struct qn_field *const field =
        field_named(request, module, text(request, entry, "field"));
    const int level = (int)whole(entry, "level", 0);
    if (!request->well)
        return;
    const size_t size = field_bytes(field);
    void *const data = malloc(size ? size : 1);
    if (!data)
        run_fault(request, "error", "no memory for %zu bytes", size);
    else if (reading && load(request, path, data, size))
        run_status(request, qn_field_write(field, level, data));
    else if (!reading && run_status(request, qn_field_read(field, level, data)))
        save(request, path, data, size);
    free(data);
}

static void move_all(struct request *request, struct qn_module *module,
                     const char *key)
{
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(request->asked, key), i, entry)
        if (request->well)
            move(request, module, entry, strcmp(key, "read") == 0);
}

static void create_all(struct request *request, struct qn_module *module)
{
    struct qn_field *field;
    for (int f = 0; request->well && f < module->info->field_count; f++)
        run_status(request, qn_field_create(
                                module, module->info->fields[f].name, &field));
}

static void fill_all(struct request *request, struct qn_module *module)
{
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(request->asked, "fill"), name, value) {
        struct qn_field *const field = field_named(request, module, name);
        if (request->well)
            run_status(request, qn_field_fill(field, json_number_value(value)));
    }
}

static void extend_all(struct request *request, struct qn_module *module)
{
    size_t i;
    json_t *name;
    json_array_foreach(json_object_get(request->asked, "extend"), i, name) {
        const char *const named = json_string_value(name);
        struct qn_field *const field = field_named(request, module,
                                                   named ? named : "");
        for (int b = 0; request->well && b < field->info->buffers; b++)
            run_status(request, qn_field_extend(field, field->info->level[b]));
    }
}

/* Adds one value at a place, with the weights of the entry's half-width. */
static enum qn_status add(struct qn_field *field, const json_t *entry,
                          const double *place, double value)
{
    const struct qn_interpolation how = {
        .half_width = (int)whole(entry, "half_width", 0)
    };
    struct qn_places *places = NULL;
    enum qn_status status = qn_places_create(field, 1, place, &how, &places);
    if (status == QN_OK)
        status = qn_places_inject(places, (int)whole(entry, "level", 0),
                                  &value);
    qn_places_free(places);
    return status;
}

/* { "field", "level", "point", "half_width", "values" }: values[step] is added
 * after step. */
static void inject(struct request *request, struct qn_module *module,
                   const json_t *entry, int64_t step)
{
    const json_t *const values = json_object_get(entry, "values");
    const json_t *const list = json_object_get(entry, "point");
    struct qn_field *const field =
        field_named(request, module, text(request, entry, "field"));
    double place[QUERN_MAX_RANK];
    if (!request->well || step >= (int64_t)json_array_size(values))
        return;
    if (json_array_size(list) != (size_t)field->info->rank) {
        run_fault(request, "error", "'point' must have %d numbers",
                  field->info->rank);
        return;
    }
    for (int axis = 0; axis < field->info->rank; axis++)
        place[axis] = json_number_value(json_array_get(list, (size_t)axis));
    const double value = json_number_value(
        json_array_get(values, (size_t)step));
    run_status(request, add(field, entry, place, value));
}

static void advance(struct request *request, struct qn_module *module)
{
    const bool single = json_object_get(request->asked, "kernel") != NULL;
    struct qn_kernel *const kernel = single ? run_kernel(request, module)
                                            : NULL;
    const int64_t steps = whole(request->asked, "steps", 1);
    size_t i;
    json_t *entry;
    for (int64_t step = 0; request->well && step < steps; step++) {
        run_status(request,
                   single ? qn_kernel_launch(kernel) : qn_module_step(module));
        json_array_foreach(json_object_get(request->asked, "inject"), i, entry)
            if (request->well)
                inject(request, module, entry, step);
    }
    run_put(request, "steps", json_integer(steps));
}

void run_data(struct request *request)
{
    struct qn_context *const context = run_context(request);
    struct qn_module *const module = run_module(request, "module", context);
    if (module && run_settings(request, module)) {
        create_all(request, module);
        fill_all(request, module);
        move_all(request, module, "read");
        extend_all(request, module);
        advance(request, module);
        if (request->well)
            run_status(request, qn_context_synchronize(context));
        move_all(request, module, "write");
    }
    qn_module_unload(module);
}
