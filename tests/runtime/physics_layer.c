/* What a convolutional layer before the walls of a box gives back, against a box so large that
 * nothing has come back from its walls yet. Light crosses a cell in 1 / DT steps. */
#include "physics.h"

enum { POINTS = 4, MOST_STEPS = 400 };
static const double DT = 0.5;

/* Roden and Gedney's b and c at a depth between 0 and 1 in a layer of `width` points. */
static void profile(double depth, int64_t width, double *b, double *c)
{
    const double s = 3.2 * depth * depth * depth, alpha = 0.05 * (1 - depth);
    const int within = depth > 0 && width > 0;
    *b = within ? exp(-(s + alpha) * DT) : 0;
    *c = within ? s / (s + alpha) * (*b - 1) : 0;
}

/* Both profiles of a field family ("e", "h") along an axis, whose points lie at i + at. */
static void put_profiles(const char *family, int axis, double at, int64_t width)
{
    static const char AXIS[] = "xyz";
    double *const b = new_values(), *const c = new_values();
    char name[8];
    for (int64_t i = 0; i < n[axis]; i++) {
        const double low = (double)i + at, high = (double)n[axis] - low;
        profile(1 - fmin(low, high) / (double)width, width, &b[i], &c[i]);
    }
    snprintf(name, sizeof name, "b_%s%c", family, AXIS[axis]);
    put(name, 0, b);
    snprintf(name, sizeof name, "c_%s%c", family, AXIS[axis]);
    put(name, 0, c);
    free(b);
    free(c);
}

/* Layers of `width` points along the first `across` axes; the others keep their metal. `off`
 * moves the profiles of e by so much of a point. */
static void put_layers(int64_t width, int across, double off)
{
    set_width("width", width);
    for (int axis = 0; axis < across; axis++) {
        put_profiles("e", axis, off, width);
        put_profiles("h", axis, 0.5, width);
    }
}

/* Long enough for the grid to carry it: shorter waves are not those of light. */
static double pulse(int time)
{
    const double t = (time * DT - 14) / 4;
    return t * exp(-t * t);
}

/* What passes some points beside the layers of an inner box, `depth` points thick. */
static void watch(const char *module, int64_t size, int64_t depth, int64_t width, int across,
                  double off, int steps, double (*seen)[POINTS])
{
    const int64_t all = size + 2 * depth, middle = all / 2, low = depth + 1;
    const int64_t z = across > 2 ? middle : 0;
    const int64_t source[] = { middle, middle, z };
    const int64_t at[] = { low, middle, z, low, low, z, middle, all - 1 - low, z,
                           all - 1 - low, low + 1, across > 2 ? low : 0 };
    load(module, all, all, across > 2 ? all : 1);
    set_spacing(1);
    set("dt_mu", DT);
    fill("keep", 1);
    fill("gain", DT);
    put_layers(width, across, off);
    for (int t = 0; t < steps; t++) {
        const double value = pulse(t);
        step(1);
        inject("ez", 1, source, &value);
        sample("ez", POINTS, at, seen[t]);
    }
    unload();
}

/* Prints the worst reflection in decibels, and whether the pulse has passed. */
static int reflection(const char *module, int64_t size, int64_t width, int across, double off)
{
    static double layer[MOST_STEPS][POINTS], open[MOST_STEPS][POINTS];
    const int64_t far = 2 * (size + width);
    const int steps = (int)((double)(far + size) / DT) - 8;
    double worst = 0, most = 0;
    if (steps > MOST_STEPS)
        return 2;
    watch(module, size, width, width, across, off, steps, layer);
    watch(module, size, far, 0, across, 0, steps, open);
    for (int t = 0; t < steps; t++)
        for (int p = 0; p < POINTS; p++) {
            const double back = fabs(layer[t][p] - open[t][p]);
            worst = back >= 0 ? fmax(worst, back) : INFINITY;
            most = fmax(most, fabs(open[t][p]));
        }
    printf("%.17g %d\n", 20 * log10(worst / most), most > 1e-3);
    return 0;
}

int prove_layer(int count, char **words)
{
    if (count > 4 && strcmp(words[0], "reflection") == 0)
        return reflection(words[1], atoll(words[2]), atoll(words[3]), atoi(words[4]),
                          count > 5 ? atof(words[5]) : 0);
    return 2;
}
