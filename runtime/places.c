/* Places between the points of a field: made, used, freed. Their weights are
 * found here once, axis by axis, and stay on the device. */
#include "internal.h"

#include <math.h>
#include <stdlib.h>

/* --- checks -------------------------------------------------------------- */

static enum qn_status check_kind(const struct qn_field *field,
                                 const struct qn_interpolation *how)
{
    if (field->info->type == QUERN_INT)
        return qn__fail(QN_INVALID, "'%s' is of int: places interpolate real"
                        " numbers", field->info->name);
    if (field->module->info->table_count > 0)
        return qn__fail(QN_INVALID, "'%s' is of a mesh: places are between the"
                        " points of a grid", field->info->name);
    if (how->half_width < 0 || how->half_width > QN_MOST_HALF_WIDTH)
        return qn__fail(QN_INVALID, "a half-width of %d points: it is 0"
                        " (linear) to %d", how->half_width, QN_MOST_HALF_WIDTH);
    if (!(how->b >= 0 && how->b <= 50))
        return qn__fail(QN_INVALID, "a window of b = %g: it is 0 to 50",
                        how->b);
    if (how->half_width == 0 && how->b != 0)
        return qn__fail(QN_INVALID, "a window of b = %g without a half-width:"
                        " linear weights have no window", how->b);
    return QN_OK;
}

/* The coordinate as an index of the field, 0 being its first point. `full`: its
 * points, those that are not stored too. */
static enum qn_status locate(const struct qn_field *field, size_t place,
                             int axis, double coordinate, int64_t full,
                             double *index)
{
    const struct quern_module *const module = field->module->info;
    const int along = field->info->axis[axis];
    const double at = 0.5 * field->info->at[axis];
    const double grid = (double)qn__args_int(&field->module->state,
                                             module->extent)[along] - 1;
    const double own = (double)full - 1 + at;
    const double low = fmin(0, at), high = fmax(grid, own);
    if (!(coordinate >= low && coordinate <= high))
        return qn__fail(QN_INVALID, "place %zu of the list has %s = %.10g; '%s'"
                        " has places from %g to %.10g", place,
                        module->axis[along], coordinate, field->info->name, low,
                        high);
    *index = coordinate - at;
    return QN_OK;
}

/* --- the weights of each place, axis by axis ------------------------------ */

/* Those of the points that are stored, as elements: how many. */
static int64_t keep(const struct qn__layout *layout, int axis,
                    const struct qn__tap *found, int count,
                    struct device_tap *tap)
{
    int64_t kept = 0;
    for (int t = 0; t < count; t++) {
        const int64_t i = found[t].point;
        if (qn__layout_left_out(layout, axis) > 0 && i >= layout->hollow[0]
            && i < layout->hollow[1])
            continue;
        const int64_t at = qn__layout_fold(layout, axis, i);
        tap[kept++] = (struct device_tap){ at * layout->stride[axis],
                                           found[t].weight };
    }
    return kept;
}

static enum qn_status refuse(const struct qn_field *field, size_t place,
                             int axis, double coordinate)
{
    const struct quern_module *const module = field->module->info;
    const int64_t *const hollow = field->layout.hollow;
    return qn__fail(QN_INVALID,
                    "place %zu of the list has %s = %.10g; '%s' does not store"
                    " the points %lld to %lld around it",
                    place, module->axis[field->info->axis[axis]], coordinate,
                    field->info->name, (long long)hollow[0],
                    (long long)hollow[1] - 1);
}

static enum qn_status weigh(struct qn_places *places, const double *coordinates,
                            const struct qn_interpolation *how,
                            struct device_tap *tap, int64_t *count)
{
    const struct qn__layout *const layout = &places->field->layout;
    for (size_t row = 0; row < places->count * (size_t)layout->rank; row++) {
        const size_t place = row / (size_t)layout->rank;
        const int axis = (int)(row % (size_t)layout->rank);
        const int64_t full = layout->n[axis]
                           + qn__layout_left_out(layout, axis);
        struct qn__tap found[2 * QN_MOST_HALF_WIDTH];
        double index = 0;
        const enum qn_status status = locate(places->field, place, axis,
                                             coordinates[row], full, &index);
        if (status != QN_OK)
            return status;
        const int taps = qn__taps_make(how, index, full, found);
        count[row] = keep(layout, axis, found, taps, tap);
        if (count[row] == 0)
            return refuse(places->field, place, axis, coordinates[row]);
        tap += places->host.taps;
    }
    return QN_OK;
}

static enum qn_status make_host(struct qn_places *places,
                                const double *coordinates,
                                const struct qn_interpolation *how)
{
    const size_t rank = (size_t)places->field->layout.rank;
    const size_t rows = places->count * rank + 1;       /* one more than none */
    const size_t taps = 2 * (size_t)(how->half_width ? how->half_width : 1);
    struct device_tap *const tap = calloc(rows, taps * sizeof *tap);
    int64_t *const count = calloc(rows, sizeof *count);
    places->host = (struct device_args){ .taps = (int64_t)taps,
                                         .rank = (int64_t)rank,
                                         .tap = tap, .tap_count = count };
    if (!tap || !count)
        return qn__fail(QN_NO_MEMORY, "no memory for %zu places",
                        places->count);
    return weigh(places, coordinates, how, tap, count);
}

enum qn_status qn__places_send(const struct qn_places *places,
                               const void *host, size_t size, void **data)
{
    struct qn_context *const context = places->field->module->context;
    const enum qn_status status = context->backend->alloc(context, size, data);
    return status == QN_OK && host
        ? qn__context_upload(context, *data, host, size) : status;
}

void qn__places_release(const struct qn_places *places, const void *data)
{
    struct qn_context *const context = places->field->module->context;
    context->backend->release(context, (void *)(uintptr_t)data);
}

static enum qn_status send_taps(struct qn_places *places)
{
    const struct device_args *const host = &places->host;
    const size_t rows = places->count * (size_t)host->rank;
    const size_t taps = rows * (size_t)host->taps;
    void *tap = NULL, *count = NULL, *value = NULL;
    enum qn_status status =
        qn__places_send(places, host->tap, taps * sizeof *host->tap, &tap);
    if (status == QN_OK)
        status = qn__places_send(places, host->tap_count,
                                 rows * sizeof *host->tap_count, &count);
    if (status == QN_OK)
        status = qn__places_send(places, NULL, places->count * sizeof(double),
                                 &value);
    places->sample = *host;
    places->sample.type = (int64_t)places->field->info->type;
    places->sample.count = (int64_t)places->count;
    places->sample.tap = tap;
    places->sample.tap_count = count;
    places->sample.value = value;
    return status;
}

/* --- the object ---------------------------------------------------------- */

/* What is missing in `how`, or in all of it, filled in. */
static struct qn_interpolation filled(const struct qn_interpolation *how)
{
    struct qn_interpolation full = { 0 };
    if (how)
        full = *how;
    if (full.b == 0 && full.half_width >= 1
        && full.half_width <= QN_MOST_HALF_WIDTH)
        full.b = qn__taps_best(full.half_width);
    return full;
}

static enum qn_status fill(struct qn_places *places, const double *coordinates,
                           const struct qn_interpolation *how)
{
    enum qn_status status = check_kind(places->field, how);
    if (status == QN_OK)
        status = make_host(places, coordinates, how);
    return status == QN_OK ? send_taps(places) : status;
}

enum qn_status qn_places_create(struct qn_field *field, size_t count,
                                const double *coordinates,
                                const struct qn_interpolation *how,
                                struct qn_places **places)
{
    const struct qn_interpolation full = filled(how);
    *places = NULL;
    struct qn_places *const made = calloc(1, sizeof *made);
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory for a list of places");
    made->field = field;
    made->count = count;
    made->next = field->places;
    field->places = made;
    const enum qn_status status = fill(made, coordinates, &full);
    if (status != QN_OK) {
        qn_places_free(made);
        return status;
    }
    *places = made;
    return QN_OK;
}

static void unlink_from_field(struct qn_places *places)
{
    struct qn_places **link = &places->field->places;
    while (*link != places)
        link = &(*link)->next;
    *link = places->next;
}

void qn_places_free(struct qn_places *places)
{
    if (!places)
        return;
    unlink_from_field(places);
    free((void *)(uintptr_t)places->host.tap);
    free((void *)(uintptr_t)places->host.tap_count);
    qn__places_release(places, places->sample.tap);
    qn__places_release(places, places->sample.tap_count);
    qn__places_release(places, places->sample.value);
    qn__places_unsort(places);
    free(places);
}

void qn__places_drop(struct qn_field *field)
{
    while (field->places)
        qn_places_free(field->places);
}

static enum qn_status run(const struct qn_places *places, int level,
                          const char *job, struct device_args args)
{
    char *origin = NULL;
    const enum qn_status status = qn__field_level(places->field, level,
                                                  &origin);
    args.data = origin;
    return status == QN_OK
        ? qn__job_run(places->field->module->context, job, &args) : status;
}

enum qn_status qn_places_inject(struct qn_places *places, int level,
                                const double *values)
{
    struct qn_context *const context = places->field->module->context;
    enum qn_status status = qn__places_sort(places);
    qn__field_changed(places->field);
    if (status == QN_OK && places->count > 0)
        status = qn__context_upload(context, places->inject.value, values,
                                    places->count * sizeof *values);
    return status == QN_OK ? run(places, level, "spread", places->inject)
                           : status;
}

enum qn_status qn_places_sample(struct qn_places *places, int level,
                                double *values)
{
    struct qn_context *const context = places->field->module->context;
    const enum qn_status status = run(places, level, "interpolate",
                                      places->sample);
    if (status != QN_OK || places->count == 0)
        return status;
    return qn__context_download(context, values, places->sample.value,
                                places->count * sizeof *values);
}
