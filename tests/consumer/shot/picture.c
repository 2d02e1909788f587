/* The pictures of a shot: the gather and the wavefield, with units and the
 * percentile at which amplitudes are clipped. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"

static const double CLIP_PERCENTILE = 98;

/* Every `keep`-th sample, so that the image stays below cairo's limit. */
static float *thin_rows(const float *values, int64_t rows, int64_t columns,
                        int64_t keep, int64_t *kept)
{
    *kept = (rows + keep - 1) / keep;
    float *thin = malloc((size_t)(*kept * columns) * sizeof *thin);
    for (int64_t j = 0; thin && j < *kept; j++)
        memcpy(thin + j * columns, values + j * keep * columns,
               (size_t)columns * sizeof *thin);
    return thin;
}

static int gather_write(const char *out, const struct model *model,
                        const struct record *record, struct failure *failure)
{
    const int64_t keep = record->steps / 4000 + 1;
    char path[1024], title[160], note[80];
    int64_t rows;
    float *values = thin_rows(record->gather, record->steps, record->receivers, keep,
                              &rows);

    if (!values)
        return fail(failure, "no memory for the gather's picture");
    snprintf(title, sizeof title, "Shot gather, %.3g Hz Ricker source, %lld receivers",
             record->frequency, (long long)record->receivers);
    snprintf(note, sizeof note, "clipped at the %.0fth percentile", CLIP_PERCENTILE);
    const struct plot plot = {
        .title = title, .x_label = "Distance (km)", .y_label = "Time (s)", .note = note,
        .values = values, .columns = record->receivers, .rows = rows,
        .x_end = (double)(model->n[0] - 1) * model->h[0] / 1000,
        .y_end = (double)(record->steps - 1) * record->dt,
        .clip = plot_clip(values, (size_t)(rows * record->receivers), CLIP_PERCENTILE),
        .width = 760, .height = 820,
    };
    snprintf(path, sizeof path, "%s/gather.png", out);
    const int status = plot_write(&plot, path, failure);
    free(values);
    return status;
}

/* A plane of the model that snapshots show: the section through the source or
 * the map at the receivers' depth. */
struct view {
    const char *name, *title, *y_label;
    int axis;                   /* downwards in the picture */
    const float *values;        /* [snapshots][rows][columns] */
    float *ground;              /* velocities in the plane */
};

static float *view_ground(const struct view *view, const struct model *model,
                          const struct survey *survey)
{
    const int last = model->axes - 1;
    const int64_t *n = model->n, rows = n[view->axis];
    const int64_t level = llround(survey->receiver_depth / model->h[last]);
    const int64_t line = last == 2 ? llround(survey->source[1] / model->h[1]) : 0;
    float *ground = malloc((size_t)(n[0] * rows) * sizeof *ground);

    for (int64_t j = 0; ground && j < rows; j++) {
        const int64_t row = view->axis < last ? j + n[1] * level
                            : last == 1 ? j : line + n[1] * j;
        memcpy(ground + j * n[0], model->velocity + n[0] * row,
               (size_t)n[0] * sizeof *ground);
    }
    return ground;
}

static int snapshot_write(const struct view *view, const char *out, int64_t k,
                          const struct model *model, const struct record *record,
                          struct failure *failure)
{
    const int64_t plane = model->n[0] * model->n[view->axis];
    const float *values = view->values + k * plane;
    char path[1024], title[160], note[80];

    snprintf(title, sizeof title, "%s at %.3g s over velocity (grey, dark is fast)",
             view->title, record->times[k]);
    snprintf(note, sizeof note, "clipped at the %.0fth percentile", CLIP_PERCENTILE);
    struct plot plot = {
        .title = title, .x_label = "Distance (km)", .y_label = view->y_label,
        .note = note, .values = values, .ground = view->ground,
        .columns = model->n[0], .rows = model->n[view->axis],
        .x_end = (double)(model->n[0] - 1) * model->h[0] / 1000,
        .y_end = (double)(model->n[view->axis] - 1) * model->h[view->axis] / 1000,
        .clip = plot_clip(values, (size_t)plane, CLIP_PERCENTILE), .width = 1000,
    };
    const double shape = plot.y_end / plot.x_end;
    if (shape > 0.6)
        plot.width = 700;
    plot.height = fmin(fmax(floor(plot.width * shape), 220), 800);
    snprintf(path, sizeof path, "%s/%s_%lld.png", out, view->name, (long long)k + 1);
    return plot_write(&plot, path, failure);
}

static int view_write(struct view *view, const char *out, const struct survey *survey,
                      const struct model *model, const struct record *record,
                      struct failure *failure)
{
    int status = 0;

    view->ground = view_ground(view, model, survey);
    if (!view->ground)
        return fail(failure, "no memory for the picture of a %s", view->name);
    for (int64_t k = 0; k < record->planes && status == 0; k++)
        status = snapshot_write(view, out, k, model, record, failure);
    free(view->ground);
    return status;
}

int pictures_write(const char *out, const struct survey *survey,
                   const struct model *model, const struct record *record,
                   struct failure *failure)
{
    struct view section = { "section", "Wavefield through the source", "Depth (km)",
                            model->axes - 1, record->sections, NULL };
    struct view map = { "map", "Wavefield at the receivers' depth", "Distance along y (km)",
                        1, record->maps, NULL };
    int status = gather_write(out, model, record, failure)
                 || view_write(&section, out, survey, model, record, failure);

    if (status == 0 && model->axes == 3)
        status = view_write(&map, out, survey, model, record, failure);
    return status ? -1 : 0;
}
