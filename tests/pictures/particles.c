/* Scenes of particles: charges in a box that repeats, two drops that collide, two galaxies
 * that pass. */
#include "picture.h"
#include "../../examples/ewald/charges.h"
#include "../../examples/md2d/box.h"
#include "../../examples/nbody/galaxy.h"

/* --- drops ---------------------------------------------------------------- */

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

/* --- galaxies ------------------------------------------------------------- */

enum { STARS = 5000 };          /* of each disc, around a heavy core */

static const double core = 1.2, soften = 0.1;

/* Round orbits at radii from 0.3 to 1.6, in the plane of x and y, after Toomre and Toomre
 * (Astrophysical Journal 178, 623, 1972). */
static void fill_disc(struct galaxy *galaxy, int first, const double *centre, const double *v)
{
    for (int i = 0; i <= STARS; i++) {
        const double r = i < STARS ? sqrt(0.09 + (1.6 * 1.6 - 0.09) * (i + 0.5) / STARS) : 0;
        const double angle = i * PI * (3 - sqrt(5));    /* as the seeds of a sunflower */
        const double s = r * r + square(soften), speed = r * sqrt(core / (s * sqrt(s)));
        const double across[3] = { cos(angle), sin(angle), 0 };
        const double along[3] = { -sin(angle), cos(angle), 0 };
        for (int k = 0; k < 3; k++) {
            galaxy->at[k][first + i] = centre[k] + r * across[k];
            galaxy->v[k][first + i] = v[k] + speed * along[k];
        }
        galaxy->mass[first + i] = i < STARS ? 1e-6 : core;
    }
}

/* Two cores on a parabola around each other, nearest at 1.9. */
static void approach(struct galaxy *galaxy)
{
    const double near = 1.9, pull = 2 * core, angle = -110 * PI / 180;
    const double r = 2 * near / (1 + cos(angle)), spin = sqrt(2 * near * pull);
    const double radial = pull / spin * sin(angle), across = spin / r;
    const double at[] = { r * cos(angle) / 2, r * sin(angle) / 2, 0 };
    const double v[] = { (radial * cos(angle) - across * sin(angle)) / 2,
                         (radial * sin(angle) + across * cos(angle)) / 2, 0 };
    fill_disc(galaxy, 0, at, v);
    fill_disc(galaxy, STARS + 1, (double[]){ -at[0], -at[1], 0 }, (double[]){ -v[0], -v[1], 0 });
}

/* Each star a soft spot; spots add up. */
static void shine(struct plane *plane, const struct galaxy *galaxy, double width)
{
    const double scale = (double)plane->columns / width, r = 2.2;
    for (int i = 0; i < galaxy->count; i++) {
        const double x = 0.5 * (double)plane->columns + galaxy->at[1][i] * scale;
        const double y = 0.5 * (double)plane->rows + galaxy->at[0][i] * scale;
        for (int64_t b = (int64_t)(y - 3 * r); b <= (int64_t)(y + 3 * r); b++)
            for (int64_t a = (int64_t)(x - 3 * r); a <= (int64_t)(x + 3 * r); a++)
                if (a >= 0 && b >= 0 && a < plane->columns && b < plane->rows)
                    plane->values[a + b * plane->columns]
                        += exp(-0.5 * square(hypot((double)a - x, (double)b - y) / r));
    }
    for (int64_t i = 0; i < plane->columns * plane->rows; i++)
        plane->values[i] = log(1 + 6 * plane->values[i]);
}

static void nbody(const char *module, struct plane *plane)
{
    struct galaxy galaxy;
    galaxy_open(&galaxy, &(struct machine){ .context = "cpu", .module = module },
                2 * (STARS + 1), square(soften));
    galaxy.angle = 0.8;
    approach(&galaxy);
    galaxy_pull(&galaxy);
    galaxy_step(&galaxy, 0.03, 310);
    plane_begin(plane, 900, 600);
    shine(plane, &galaxy, 14.5);
    plane->map = WARMTH;
    plane->high = 4.2;
    galaxy_close(&galaxy);
}

/* --- charges -------------------------------------------------------------- */

enum { IONS = 14, ACROSS = 150, DOWN = 100 };   /* charges, and probes in a plane */

/* Pairs of both signs near the plane, scattered evenly as Halton's numbers are. */
static void fill_ions(struct charges *box)
{
    static const int base[2] = { 3, 5 };
    for (int i = 0; i < IONS; i++) {
        for (int k = 0; k < 2; k++) {
            double part = 1;
            for (int n = i + 1; n > 0; n /= base[k])
                box->at[k][i] += (part /= base[k]) * (n % base[k]);
        }
        box->at[2][i] = 0.5 + (i % 3 - 1) * 0.03;
        box->charge[i] = i % 2 ? -1 : 1;
    }
}

static void ewald(const char *module, struct plane *plane)
{
    struct charges box;
    charges_open(&box, "cpu", NULL, module, 1, IONS + ACROSS * DOWN, 5);
    fill_ions(&box);
    for (int p = 0; p < ACROSS * DOWN; p++) {   /* one and a half boxes */
        box.at[0][IONS + p] = fmod((p % ACROSS + 0.5) / DOWN, 1);
        box.at[1][IONS + p] = (p / ACROSS + 0.5) / DOWN;
        box.at[2][IONS + p] = 0.5;
    }
    charges_solve(&box);
    plane_begin(plane, ACROSS, DOWN);
    for (int p = 0; p < ACROSS * DOWN; p++)
        plane->values[p] = atan(box.potential[IONS + p] / 6);   /* no end at a charge */
    plane->map = SIGNED;
    plane->low = -1.4;
    plane->high = 1.4;
    plane->bands = 20;
    charges_close(&box);
}

const struct scene PARTICLES[] = { { "ewald", ewald }, { "md2d", md2d }, { "nbody", nbody }, { NULL, NULL } };
