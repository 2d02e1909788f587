/* The pictures of a shot: the gather and the wavefield, with axes, units and
 * the percentile at which amplitudes are clipped. */
#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shot.h"

static const double CLIP_PERCENTILE = 98;

/* A plane of values drawn into a box with axes in real units. */
struct plot {
    const char *title, *x_label, *y_label, *note;
    const float *values;            /* [rows][columns], rows downwards */
    const float *ground;            /* velocities under the values, or NULL */
    int64_t columns, rows;
    double x_end, y_end;            /* the axes run from 0 to here */
    double clip;                    /* amplitudes beyond are drawn as this */
    double width, height;           /* of the box, pixels */
};

enum { LEFT = 84, TOP = 52, RIGHT = 120, BOTTOM = 66 };

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The magnitude below which `percentile` of the values that are not zero lie. */
static double clip_level(const float *values, size_t count, double percentile)
{
    float *sorted = malloc((count + 1) * sizeof *sorted);
    size_t kept = 0;
    double level = 1;

    if (!sorted)
        return level;
    for (size_t i = 0; i < count; i++)
        if (values[i] != 0)
            sorted[kept++] = fabsf(values[i]);
    if (kept > 0) {
        qsort(sorted, kept, sizeof *sorted, ascending);
        level = (double)sorted[(size_t)(percentile / 100 * (double)(kept - 1))];
    }
    free(sorted);
    return level > 0 ? level : 1;
}

static double mix(double a, double b, double t)
{
    return a + (b - a) * t;
}

/* Blue below zero, red above; over the ground's grey where one is given. */
static uint32_t colour(double value, double grey)
{
    static const double red[3] = { 0.70, 0.02, 0.10 }, blue[3] = { 0.02, 0.19, 0.58 };
    const double t = fmin(fabs(value), 1);
    const double *tone = value < 0 ? blue : red;
    uint32_t pixel = 0;

    for (int c = 0; c < 3; c++)
        pixel = pixel << 8 | (uint32_t)lround(255 * mix(grey, tone[c], sqrt(t) * t));
    return pixel;
}

static double grey_of(const struct plot *plot, int64_t at, float least, float largest)
{
    if (!plot->ground || largest <= least)
        return 1;
    return 0.97 - 0.45 * (double)(plot->ground[at] - least) / (double)(largest - least);
}

static void ground_range(const struct plot *plot, float *least, float *largest)
{
    *least = *largest = 0;
    if (!plot->ground)
        return;
    *least = *largest = plot->ground[0];
    for (int64_t i = 1; i < plot->columns * plot->rows; i++) {
        *least = fminf(*least, plot->ground[i]);
        *largest = fmaxf(*largest, plot->ground[i]);
    }
}

static void draw_values(cairo_t *cr, const struct plot *plot)
{
    cairo_surface_t *image = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, (int)plot->columns, (int)plot->rows);
    unsigned char *data = cairo_image_surface_get_data(image);
    float least, largest;

    ground_range(plot, &least, &largest);
    cairo_surface_flush(image);
    for (int64_t j = 0; data && j < plot->rows; j++) {
        uint32_t *row = (uint32_t *)(void *)(data + j * cairo_image_surface_get_stride(image));
        for (int64_t i = 0; i < plot->columns; i++) {
            const int64_t at = i + plot->columns * j;
            row[i] = colour((double)plot->values[at] / plot->clip,
                            grey_of(plot, at, least, largest));
        }
    }
    cairo_surface_mark_dirty(image);
    cairo_save(cr);
    cairo_translate(cr, LEFT, TOP);
    cairo_scale(cr, plot->width / (double)plot->columns, plot->height / (double)plot->rows);
    cairo_set_source_surface(cr, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_BILINEAR);
    cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD);
    cairo_rectangle(cr, 0, 0, (double)plot->columns, (double)plot->rows);
    cairo_fill(cr);
    cairo_restore(cr);
    cairo_surface_destroy(image);
}

/* 1, 2 or 5 times a power of ten, so that about `count` steps cover `end`. */
static double tick_step(double end, int count)
{
    const double rough = end / count, power = pow(10, floor(log10(rough)));
    const double lead = rough / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

static void text_at(cairo_t *cr, double x, double y, double align, const char *text)
{
    cairo_text_extents_t extents;

    cairo_text_extents(cr, text, &extents);
    cairo_move_to(cr, x - align * extents.x_advance, y);
    cairo_show_text(cr, text);
}

static void draw_ticks(cairo_t *cr, const struct plot *plot, int vertical)
{
    const double end = vertical ? plot->y_end : plot->x_end;
    const double length = vertical ? plot->height : plot->width;
    const double gap = tick_step(end, vertical ? 6 : 8);
    char label[32];

    for (int k = 0; k * gap <= end * (1 + 1e-9); k++) {
        const double at = k * gap / end * length;
        snprintf(label, sizeof label, "%g", k * gap);
        if (vertical) {
            cairo_move_to(cr, LEFT - 6, TOP + at);
            cairo_line_to(cr, LEFT, TOP + at);
            text_at(cr, LEFT - 10, TOP + at + 5, 1, label);
        } else {
            cairo_move_to(cr, LEFT + at, TOP + plot->height);
            cairo_line_to(cr, LEFT + at, TOP + plot->height + 6);
            text_at(cr, LEFT + at, TOP + plot->height + 22, 0.5, label);
        }
    }
    cairo_stroke(cr);
}

static void draw_labels(cairo_t *cr, const struct plot *plot)
{
    cairo_set_font_size(cr, 17);
    text_at(cr, LEFT, TOP - 20, 0, plot->title);
    cairo_set_font_size(cr, 14);
    text_at(cr, LEFT + plot->width / 2, TOP + plot->height + 48, 0.5, plot->x_label);
    cairo_save(cr);
    cairo_translate(cr, 24, TOP + plot->height / 2);
    cairo_rotate(cr, -M_PI / 2);
    text_at(cr, 0, 0, 0.5, plot->y_label);
    cairo_restore(cr);
    cairo_set_font_size(cr, 12);
    text_at(cr, LEFT + plot->width + RIGHT - 8, TOP + plot->height + 48, 1, plot->note);
}

/* The scale of amplitudes, clip to -clip, beside the box. */
static void draw_scale(cairo_t *cr, const struct plot *plot)
{
    const double x = LEFT + plot->width + 18, wide = 14;
    const double tall = fmin(plot->height, 200);
    char label[32];

    for (int k = 0; k < (int)tall; k++) {
        const uint32_t pixel = colour(1 - 2 * k / (tall - 1), 1);
        cairo_set_source_rgb(cr, (pixel >> 16) / 255.0, (pixel >> 8 & 255) / 255.0,
                             (pixel & 255) / 255.0);
        cairo_rectangle(cr, x, TOP + k, wide, 1.5);
        cairo_fill(cr);
    }
    cairo_set_source_rgb(cr, 0, 0, 0);
    cairo_rectangle(cr, x, TOP, wide, tall);
    cairo_stroke(cr);
    cairo_set_font_size(cr, 12);
    snprintf(label, sizeof label, "%.1e", plot->clip);
    text_at(cr, x + wide + 5, TOP + 10, 0, label);
    text_at(cr, x + wide + 5, TOP + tall / 2 + 4, 0, "0");
    snprintf(label, sizeof label, "-%.1e", plot->clip);
    text_at(cr, x + wide + 5, TOP + tall, 0, label);
}

/* Written beside its name first: a picture is there whole or not at all. */
static int plot_write(const struct plot *plot, const char *path, struct failure *failure)
{
    char beside[1100];
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, LEFT + (int)plot->width + RIGHT,
        TOP + (int)plot->height + BOTTOM);
    cairo_t *cr = cairo_create(surface);

    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    draw_values(cr, plot);
    cairo_set_source_rgb(cr, 0, 0, 0);
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_line_width(cr, 1);
    cairo_rectangle(cr, LEFT, TOP, plot->width, plot->height);
    cairo_stroke(cr);
    cairo_set_font_size(cr, 13);
    draw_ticks(cr, plot, 0);
    draw_ticks(cr, plot, 1);
    draw_labels(cr, plot);
    draw_scale(cr, plot);
    cairo_destroy(cr);
    snprintf(beside, sizeof beside, "%s.part", path);
    cairo_status_t status = cairo_surface_write_to_png(surface, beside);
    cairo_surface_destroy(surface);
    if (status == CAIRO_STATUS_SUCCESS && rename(beside, path) == 0)
        return 0;
    remove(beside);
    return fail(failure, "%s cannot be written", path);
}

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
        .clip = clip_level(values, (size_t)(rows * record->receivers), CLIP_PERCENTILE),
        .width = 760, .height = 820,
    };
    snprintf(path, sizeof path, "%s/gather.png", out);
    const int status = plot_write(&plot, path, failure);
    free(values);
    return status;
}

/* The velocities in the section through the source. */
static float *ground_section(const struct model *model, const struct survey *survey)
{
    const int last = model->axes - 1;
    const int64_t *n = model->n;
    const int64_t row = last == 2 ? llround(survey->source[1] / model->h[1]) : 0;
    float *ground = malloc((size_t)(n[0] * n[last]) * sizeof *ground);

    for (int64_t k = 0; ground && k < n[last]; k++)
        memcpy(ground + k * n[0],
               model->velocity + n[0] * (last == 1 ? k : row + n[1] * k),
               (size_t)n[0] * sizeof *ground);
    return ground;
}

static int snapshot_write(const char *out, int64_t k, const float *ground,
                          const struct model *model, const struct record *record,
                          struct failure *failure)
{
    const int last = model->axes - 1;
    const int64_t plane = model->n[0] * model->n[last];
    const float *values = record->sections + k * plane;
    char path[1024], title[160], note[80];

    snprintf(title, sizeof title, "Wavefield at %.3g s over velocity (grey, dark is fast)",
             record->times[k]);
    snprintf(note, sizeof note, "clipped at the %.0fth percentile", CLIP_PERCENTILE);
    struct plot plot = {
        .title = title, .x_label = "Distance (km)", .y_label = "Depth (km)", .note = note,
        .values = values, .ground = ground,
        .columns = model->n[0], .rows = model->n[last],
        .x_end = (double)(model->n[0] - 1) * model->h[0] / 1000,
        .y_end = (double)(model->n[last] - 1) * model->h[last] / 1000,
        .clip = clip_level(values, (size_t)plane, CLIP_PERCENTILE), .width = 1000,
    };
    plot.height = fmin(fmax(floor(plot.width * plot.y_end / plot.x_end), 220), 800);
    snprintf(path, sizeof path, "%s/snapshot_%lld.png", out, (long long)k + 1);
    return plot_write(&plot, path, failure);
}

int pictures_write(const char *out, const struct survey *survey,
                   const struct model *model, const struct record *record,
                   struct failure *failure)
{
    float *ground = ground_section(model, survey);
    int status = ground ? 0 : fail(failure, "no memory for the section");

    if (status == 0)
        status = gather_write(out, model, record, failure);
    for (int64_t k = 0; k < record->planes && status == 0; k++)
        status = snapshot_write(out, k, ground, model, record, failure);
    free(ground);
    return status;
}
