/* Draws one specification at work.
 *
 *     picture SCENE MODULE FILE.png
 *     picture compare FILE.png FILE.png     the mean difference of their colours
 */
#include "picture.h"
#include "../consumer/shot/image.h"

enum { WIDTH = 300, HEIGHT = 200 };

static const struct colour_map MAPS[] = {
    [SIGNED] = { 9, { 0x08306b, 0x2166ac, 0x67a9cf, 0xc3dfee, 0xfafafa, 0xfcd5bf, 0xef8a62,
                      0xb2182b, 0x5f0013 } },
    [VALUES] = { 9, { 0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962,
                      0xaddc30, 0xfde725 } },
    [WARMTH] = { 9, { 0x000004, 0x210c4a, 0x57106e, 0x8a226a, 0xbc3754, 0xe45a31, 0xf98e09,
                      0xf9cb35, 0xfcffa4 } },
    [WATER] = { 6, { 0x081d58, 0x1f4e9e, 0x2c8cbf, 0x63bfcb, 0xb5e2d5, 0xf7fcf0 } },
};
static const uint32_t SOLID = 0x4a4a4a, LINE = 0x202020;

void plane_begin(struct plane *plane, int64_t columns, int64_t rows)
{
    const size_t count = (size_t)(columns * rows);
    *plane = (struct plane){ .columns = columns, .rows = rows };
    plane->values = calloc(count, sizeof(double));
    plane->dark = calloc(count, sizeof(double));
    if (!plane->values || !plane->dark)
        exit(2);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value below which this part of all magnitudes lies. */
static double magnitude(const double *values, size_t count, double part)
{
    double *const sorted = malloc(count * sizeof *sorted);
    if (!sorted)
        exit(2);
    for (size_t i = 0; i < count; i++)
        sorted[i] = fabs(values[i]);
    qsort(sorted, count, sizeof *sorted, ascending);
    const double found = sorted[(size_t)(part * (double)(count - 1))];
    free(sorted);
    return found;
}

void plane_show(struct plane *plane, const char *field, double part)
{
    double *const values = get(field, 0);
    const size_t count = (size_t)(plane->columns * plane->rows);
    memcpy(plane->values, values, count * sizeof *values);
    free(values);
    plane->high = magnitude(plane->values, count, part);
    plane->low = -plane->high;
}

static double clamp(double i, int64_t count)
{
    return fmin(fmax(i, 0), (double)(count - 1));
}

/* Between the points of the plane, at a place of the picture in pixels. */
static double sampled(const struct plane *p, const double *values, double i, double j)
{
    const double x = clamp((i + 0.5) / WIDTH * (double)p->columns - 0.5, p->columns);
    const double y = clamp((j + 0.5) / HEIGHT * (double)p->rows - 0.5, p->rows);
    const int64_t a = (int64_t)x, b = (int64_t)y;
    const int64_t right = a + 1 < p->columns, below = (b + 1 < p->rows) * p->columns;
    const double *const v = values + a + b * p->columns, s = x - (double)a, t = y - (double)b;
    return (1 - t) * ((1 - s) * v[0] + s * v[right])
           + t * ((1 - s) * v[below] + s * v[below + right]);
}

static double height_at(const struct plane *p, double i, double j)
{
    return (sampled(p, p->values, i, j) - p->low) / (p->high - p->low);
}

static uint32_t banded(const struct plane *p, double t, int i, int j)
{
    const int band = (int)floor(t * p->bands);
    const int right = (int)floor(height_at(p, i + 1, j) * p->bands);
    const int below = (int)floor(height_at(p, i, j + 1) * p->bands);
    const uint32_t colour = colour_map_at(&MAPS[p->map], (band + 0.5) / p->bands);
    return band == right && band == below ? colour : colour_mix(colour, LINE, 0.45);
}

/* One of 32 levels of each colour: files are half as large. */
static uint32_t plain(uint32_t colour)
{
    const uint32_t levels = colour >> 3 & 0x1f1f1f;
    return levels << 3 | (levels >> 2 & 0x070707);
}

static uint32_t pixel(const void *about, int i, int j)
{
    const struct plane *const p = about;
    const double t = height_at(p, i, j);
    if (isnan(t))
        return SOLID;
    uint32_t colour = p->bands ? banded(p, t, i, j) : colour_map_at(&MAPS[p->map], t);
    if (p->relief > 0) {
        const double light = p->relief * (height_at(p, i - 1, j - 1) - height_at(p, i + 1, j + 1));
        colour = isnan(light) ? colour
                              : colour_mix(colour, light < 0 ? 0xffffff : 0,
                                           0.6 * fmin(fabs(light), 1));
    }
    return plain(colour_mix(colour, 0x1a1a1a, 0.4 * sampled(p, p->dark, i, j)));
}

static int draw(const struct scene *scene, const char *module, const char *path)
{
    struct plane plane;
    scene->run(module, &plane);
    const int failed = image_write(image_new(WIDTH, HEIGHT, pixel, &plane), path);
    free(plane.values);
    free(plane.dark);
    return failed;
}

/* The mean difference of their colours in 256ths, 256 where they have other
 * sizes; and how far the first one's colours are from their mean. */
static int compare(const char *first, const char *second)
{
    cairo_surface_t *const a = cairo_image_surface_create_from_png(first);
    cairo_surface_t *const b = cairo_image_surface_create_from_png(second);
    const unsigned char *const x = cairo_image_surface_get_data(a);
    const unsigned char *const y = cairo_image_surface_get_data(b);
    const int64_t count = (int64_t)cairo_image_surface_get_height(a)
                          * cairo_image_surface_get_stride(a);
    double difference = 0, sum = 0, squares = 0;
    if (!x || !y || cairo_image_surface_get_width(a) != cairo_image_surface_get_width(b)
        || cairo_image_surface_get_height(a) != cairo_image_surface_get_height(b))
        return puts("256 0") < 0;
    for (int64_t i = 0; i < count; i++) {
        if (i % 4 == 3)
            continue;
        difference += abs(x[i] - y[i]);
        sum += x[i];
        squares += square(x[i]);
    }
    const double all = 0.75 * (double)count, mean = sum / all;
    printf("%.4f %.4f\n", difference / all, sqrt(squares / all - mean * mean));
    cairo_surface_destroy(a);
    cairo_surface_destroy(b);
    return 0;
}

int main(int count, char **words)
{
    static const struct scene *const LISTS[] = { WAVES, FLOWS, OPERATORS, MEDIA, MESHES,
                                                 PARTICLES };
    if (count == 4 && strcmp(words[1], "compare") == 0)
        return compare(words[2], words[3]);
    for (int list = 0; count == 4 && list < (int)(sizeof LISTS / sizeof LISTS[0]); list++)
        for (const struct scene *s = LISTS[list]; s->name; s++)
            if (strcmp(s->name, words[1]) == 0)
                return draw(s, words[2], words[3]);
    fputs("picture SCENE MODULE FILE.png, picture compare FILE.png FILE.png\n", stderr);
    return 2;
}
