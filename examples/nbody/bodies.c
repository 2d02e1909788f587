/* A sphere after Plummer, and files of particles. */
#include "bodies.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static void make_room(struct bodies *bodies, int count)
{
    bodies->count = count;
    bodies->value = calloc((size_t)count, sizeof *bodies->value);
    if (bodies->value)
        return;
    fprintf(stderr, "nbody: no memory for %d particles\n", count);
    exit(3);
}

void bodies_free(struct bodies *bodies)
{
    free(bodies->value);
}

/* --- a sphere ------------------------------------------------------------- */

static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*state >> 11) + 0.5) * 0x1p-53;
}

/* A vector of this length, in any direction. */
static void turn(double length, uint64_t *state, double *vector)
{
    const double z = 2 * draw(state) - 1, angle = 2 * pi * draw(state);
    vector[0] = length * sqrt(1 - z * z) * cos(angle);
    vector[1] = length * sqrt(1 - z * z) * sin(angle);
    vector[2] = length * z;
}

/* Of the speed that escapes: q has the density q^2 (1 - q^2)^(7/2), below 0.1. */
static double speed(uint64_t *state)
{
    for (;;) {
        const double q = draw(state), g = 0.1 * draw(state);
        if (g < q * q * pow(1 - q * q, 3.5))
            return q;
    }
}

/* The centre of mass, or its speed, to 0. */
static void centre(struct bodies *bodies, int first)
{
    double mean[3] = { 0, 0, 0 };
    for (int i = 0; i < bodies->count; i++)
        for (int k = 0; k < 3; k++)
            mean[k] += bodies->value[i][first + k] / bodies->count;
    for (int i = 0; i < bodies->count; i++)
        for (int k = 0; k < 3; k++)
            bodies->value[i][first + k] -= mean[k];
}

void bodies_plummer(struct bodies *bodies, int count)
{
    const double scale = 3 * pi / 16;
    uint64_t state = 1;
    make_room(bodies, count);
    bodies->soften = 0.02;
    for (int i = 0; i < count; i++) {
        double *const own = bodies->value[i];
        /* within it 99.9 % of the mass */
        const double r = 1 / sqrt(pow(0.999 * draw(&state), -2.0 / 3) - 1);
        const double escapes = sqrt(2) * pow(1 + r * r, -0.25);
        turn(r * scale, &state, own + AT);
        turn(speed(&state) * escapes / sqrt(scale), &state, own + SPEED);
        own[MASS] = 1.0 / count;
    }
    centre(bodies, AT);
    centre(bodies, SPEED);
}

/* --- a file --------------------------------------------------------------- */

struct head {
    double time;
    int32_t count, axes, gas, dark, stars, rest;
};

static void refuse(const char *path, const char *why)
{
    fprintf(stderr, "nbody: %s: %s\n", path, why);
    exit(2);
}

static void read_some(FILE *file, const char *path, void *to, size_t size)
{
    if (fread(to, size, 1, file) != 1)
        refuse(path, "it ends before its particles do");
}

/* Mass, place, speed, so many more, softening, identity. */
static double read_body(FILE *file, const char *path, int more, double *value)
{
    float raw[11];
    read_some(file, path, raw, (size_t)(9 + more) * sizeof raw[0]);
    value[MASS] = (double)raw[0];
    for (int k = 0; k < 6; k++)
        value[k] = (double)raw[1 + k];
    return (double)(raw[7 + more] * raw[7 + more]);
}

void bodies_read(struct bodies *bodies, const char *path)
{
    FILE *const file = fopen(path, "rb");
    struct head head;
    double squares = 0;
    if (!file)
        refuse(path, "it cannot be opened");
    read_some(file, path, &head, sizeof head);
    if (head.axes != 3 || head.gas != 0 || head.dark < 0 || head.stars < 0
        || head.count < 1 || head.count - head.dark != head.stars)
        refuse(path, "its head is not that of dark matter and stars in three dimensions");
    make_room(bodies, head.count);
    for (int i = 0; i < head.count; i++)
        squares += read_body(file, path, i < head.dark ? 0 : 2, bodies->value[i]);
    if (fgetc(file) != EOF)
        refuse(path, "it goes on after its particles");
    bodies->soften = sqrt(squares / head.count);
    fclose(file);
}
