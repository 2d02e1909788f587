/* Images of pixels as PNG files, for the shot's plots and for the pictures of
 * Quern's specifications. */
#include "image.h"

#include <math.h>
#include <stdio.h>

uint32_t colour_mix(uint32_t from, uint32_t to, double t)
{
    uint32_t mixed = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        const double a = from >> shift & 255, b = to >> shift & 255;
        mixed = mixed << 8 | (uint32_t)lround(a + (b - a) * t);
    }
    return mixed;
}

uint32_t colour_map_at(const struct colour_map *map, double t)
{
    const double at = fmin(fmax(t, 0), 1) * (map->count - 1);
    const int i = at < map->count - 1 ? (int)at : map->count - 2;
    return colour_mix(map->colours[i], map->colours[i + 1], at - i);
}

cairo_surface_t *image_new(int columns, int rows,
                           uint32_t (*pixel)(const void *about, int i, int j),
                           const void *about)
{
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows);
    unsigned char *data = cairo_image_surface_get_data(image);

    cairo_surface_flush(image);
    for (int j = 0; data && j < rows; j++) {
        uint32_t *row = (uint32_t *)(void *)(data + j * cairo_image_surface_get_stride(image));
        for (int i = 0; i < columns; i++)
            row[i] = pixel(about, i, j);
    }
    cairo_surface_mark_dirty(image);
    return image;
}

int image_write(cairo_surface_t *image, const char *path)
{
    char beside[1100];
    snprintf(beside, sizeof beside, "%s.part", path);
    const cairo_status_t status = cairo_surface_write_to_png(image, beside);
    cairo_surface_destroy(image);
    if (status == CAIRO_STATUS_SUCCESS && rename(beside, path) == 0)
        return 0;
    remove(beside);
    return -1;
}
