/* Draws a plane of signed values, with axes, units and a scale, as a PNG. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "plot.h"

enum { LEFT = 84, TOP = 52, RIGHT = 120, BOTTOM = 66 };

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

double plot_clip(const float *values, size_t count, double percentile)
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

/* Blue below zero, red above; over the ground's grey where one is given. */
static uint32_t colour(double value, double grey)
{
    const double t = fmin(fabs(value), 1);
    const uint32_t level = (uint32_t)lround(255 * grey);
    return colour_mix(level * 0x010101, value < 0 ? 0x053094 : 0xb2051a, sqrt(t) * t);
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

struct shaded {
    const struct plot *plot;
    float least, largest;       /* of the ground */
};

static uint32_t shaded_pixel(const void *about, int i, int j)
{
    const struct shaded *s = about;
    const int64_t at = i + s->plot->columns * j;
    return colour((double)s->plot->values[at] / s->plot->clip,
                  grey_of(s->plot, at, s->least, s->largest));
}

static void draw_values(cairo_t *cr, const struct plot *plot)
{
    struct shaded shaded = { .plot = plot };

    ground_range(plot, &shaded.least, &shaded.largest);
    cairo_surface_t *image = image_new((int)plot->columns, (int)plot->rows, shaded_pixel,
                                       &shaded);
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

int plot_write(const struct plot *plot, const char *path, struct failure *failure)
{
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
    return image_write(surface, path) ? fail(failure, "%s cannot be written", path) : 0;
}
