/* Images of pixels, and the maps of colours that they are drawn with. */
#ifndef IMAGE_H
#define IMAGE_H

#include <cairo.h>
#include <stdint.h>

/* 0xrrggbb. A map has colours at even distances from 0 to 1, and in between
 * what lies between them. */
struct colour_map {
    int count;
    uint32_t colours[12];
};
uint32_t colour_map_at(const struct colour_map *map, double t);
/* A colour on the way from one to another. */
uint32_t colour_mix(uint32_t from, uint32_t to, double t);

/* An image of the colours that `pixel` gives, column i and row j from the top. */
cairo_surface_t *image_new(int columns, int rows,
                           uint32_t (*pixel)(const void *about, int i, int j),
                           const void *about);
/* Written beside its name first: a picture is there whole or not at all. Frees
 * the image; 0, or -1 where it cannot be written. */
int image_write(cairo_surface_t *image, const char *path);

#endif
