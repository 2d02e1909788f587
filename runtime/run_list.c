/* The request "list": a module's descriptor as JSON; needs no device. */
#include "run.h"

#include "internal.h"

static json_t *list_pair(double low, double high)
{
    return json_pack("[o, o]", run_real(low), run_real(high));
}

static json_t *list_field(const struct quern_module *info,
                          const struct quern_field *field)
{
    json_t *const axes = json_array(), *const need = json_array();
    for (int axis = 0; axis < field->rank; axis++) {
        const int along = field->axis[axis];
        json_array_append_new(axes, json_string(
            along < 0 ? "slot" : info->axis[along]));
        json_array_append_new(
            need, json_pack("[I, I]", (json_int_t)field->need[axis][0],
                            (json_int_t)field->need[axis][1]));
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:i, s:i, s:i, s:o, s:b}",
        "name", field->name, "type", qn__type_name(field->type), "axes", axes,
        "need", need, "oldest", field->oldest, "newest", field->newest,
        "buffers", field->buffers, "range", list_pair(field->low, field->high),
        "written", field->written);
}

static json_t *list_scalar(const struct quern_scalar *scalar)
{
    return json_pack("{s:s, s:s, s:o, s:b}", "name", scalar->name, "type",
                     scalar->integer ? "int" : "double", "range",
                     list_pair(scalar->low, scalar->high), "spacing",
                     scalar->spacing);
}

static json_t *list_kernel(const struct quern_kernel *kernel)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:i, s:f, s:f, s:i, s:i, s:i}",
                     "name", kernel->name, "kernel", kernel->kernel, "region",
                     kernel->region, "shape", kernel->shape, "step",
                     kernel->step, "flops", kernel->flops, "bytes",
                     kernel->bytes, "reads", kernel->reads, "writes",
                     kernel->writes, "in_place", kernel->in_place);
}

static void describe(struct request *request, const struct quern_module *info)
{
    json_t *const axes = json_array(), *const fields = json_array();
    json_t *const scalars = json_array(), *const kernels = json_array();
    for (int i = 0; i < info->axes; i++)
        json_array_append_new(axes, json_string(info->axis[i]));
    for (int i = 0; i < info->field_count; i++)
        json_array_append_new(fields, list_field(info, &info->fields[i]));
    for (int i = 0; i < info->scalar_count; i++)
        json_array_append_new(scalars, list_scalar(&info->scalars[i]));
    for (int i = 0; i < info->kernel_count; i++)
        json_array_append_new(kernels, list_kernel(&info->kernels[i]));
    run_put(request, "spec", json_string(info->spec));
    run_put(request, "instance", json_string(info->instance));
    run_put(request, "hash", json_string(info->hash));
    run_put(request, "backend", json_string(info->backend));
    run_put(request, "arch", json_string(info->arch));
    run_put(request, "fp", json_string(info->fp));
    run_put(request, "compute", json_string(qn__type_name(info->compute)));
    run_put(request, "axes", axes);
    run_put(request, "fields", fields);
    run_put(request, "scalars", scalars);
    run_put(request, "kernels", kernels);
}

void run_list(struct request *request)
{
    struct qn__library library = { 0 };
    const char *const path = run_text(request, "module");
    if (request->well && run_status(request, qn__library_open(path, &library)))
        describe(request, library.info);
    qn__library_close(&library);
}
