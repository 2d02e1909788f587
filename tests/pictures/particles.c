/* Scenes of particles: two drops that collide. */
#include "picture.h"
#include "../../examples/md2d/box.h"

/* Of a crystal: a circle. */
struct drop {
    double centre[2], radius, speed[2];
};

static const struct drop drops[] = {
    { { 19, 16.5 }, 12.6, { 1.2, 0 } }, { { 45, 25 }, 10.4, { -1.8, 0 } }
};
enum { DROPS = sizeof drops / sizeof drops[0] };

/* Rows of particles, number `from` the first; the first that is not. Without a box they
 * are only counted. */
static int fill_drop(const struct drop *drop, struct box *box, int from)
{
    const double apart = 1.11, row = apart * sqrt(0.75);
    const int rows = (int)(drop->radius / row);
    for (int j = -rows; j <= rows; j++)
        for (int i = -rows; i <= rows; i++) {
            const double x = apart * (i + (j & 1 ? 0.5 : 0)), y = row * j;
            if (hypot(x, y) > drop->radius)
                continue;
            for (int k = 0; box && k < 2; k++) {
                box->at[k][from] = drop->centre[k] + (k ? y : x);
                box->v[k][from] = drop->speed[k];
            }
            from++;
        }
    return from;
}

/* Each as a disc, in its drop's colour, the stronger the faster it is. */
static void paint(struct plane *plane, const struct box *box, int first)
{
    const double scale = (double)plane->columns / box->size[0];
    for (int i = 0; i < box->count; i++) {
        const double speed = hypot(box->v[0][i], box->v[1][i]);
        const double value = 0.3 + 0.7 * fmin(speed / 3.5, 1);
        const double x = box->at[0][i] * scale, y = box->at[1][i] * scale, r = 0.52 * scale;
        for (int64_t b = (int64_t)(y - r); b <= (int64_t)(y + r); b++)
            for (int64_t a = (int64_t)(x - r); a <= (int64_t)(x + r); a++) {
                const double d = hypot((double)a + 0.5 - x, (double)b + 0.5 - y) / r;
                if (a < 0 || b < 0 || a >= plane->columns || b >= plane->rows || d > 1)
                    continue;
                plane->values[a + b * plane->columns] = i < first ? value : -value;
                plane->dark[a + b * plane->columns] = d * d * d;
            }
    }
}

static void md2d(const char *module, struct plane *plane)
{
    const int first = fill_drop(&drops[0], NULL, 0);
    struct box box;
    box_open(&box, "cpu", NULL, module, (double[]){ 63, 42 }, 2.5, fill_drop(&drops[1], NULL, first));
    fill_drop(&drops[1], &box, fill_drop(&drops[0], &box, 0));
    box_forces(&box);
    box_step(&box, 0.004, 1300);
    plane_begin(plane, 900, 600);
    paint(plane, &box, first);
    plane->map = SIGNED;
    plane->low = -1;
    plane->high = 1;
    box_close(&box);
}

const struct scene PARTICLES[] = { { "md2d", md2d }, { NULL, NULL } };
