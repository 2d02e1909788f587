/* Potentials of crystals and of charges anywhere, and gravity in steps, in a box that repeats,
 * by specs/ewald.lua: checks Madelung's constants, that nothing depends on how the sum is
 * split, slopes, momentum, energy, and that steps lead back; says how fast it was.
 *
 *     ewald CONTEXT MODULE [--runtime DIR] [--size N] [--steps N] [--report]
 *
 * CONTEXT: cpu, simt, cuda; MODULE: the specification's, for that backend; N charges, 300;
 * N steps there, 20, and as many back. Exit code 3 where a check fails. */
#include "charges.h"
#include "checks.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 7,              /* without charge: a place, and two beside it along each axis */
       SPLITS = 3,
       ALONG = 4, MASSES = ALONG * ALONG * ALONG };     /* that fall together */

struct options {
    const char *context, *module, *runtime;
    int size, steps;
    bool report;
};

static void open_box(struct charges *box, const struct options *options, double side, int count,
                     double alpha)
{
    charges_open(box, options->context, options->runtime, options->module, side, count, alpha);
}

/* --- crystals ------------------------------------------------------------- */

/* What is in a cell of side 1. Of the published constant: the potential at the first is
 * -constant/unit. */
struct crystal {
    const char *name;
    double constant, unit;
    int count;
    double at[8][3], charge[8];
};

/* Madelung's constants of salts by the distance of neighbours; of masses before an even
 * background, Wigner's crystal, twice its energy by the radius of a sphere that has one. */
static const struct crystal crystals[] = {
    { "rock salt", 1.747564594633182, 0.5, 8,
      { { 0, 0, 0 }, { 0, 0.5, 0.5 }, { 0.5, 0, 0.5 }, { 0.5, 0.5, 0 },
        { 0.5, 0, 0 }, { 0, 0.5, 0 }, { 0, 0, 0.5 }, { 0.5, 0.5, 0.5 } },
      { 1, 1, 1, 1, -1, -1, -1, -1 } },
    { "caesium chloride", 1.762674773070988, 0.8660254037844386, 2,
      { { 0, 0, 0 }, { 0.5, 0.5, 0.5 } }, { 1, -1 } },
    { "masses, body-centred", 1.791858511364, 0.4923725109213, 2,
      { { 0, 0, 0 }, { 0.5, 0.5, 0.5 } }, { 1, 1 } }
};

static void fill_crystal(struct charges *box, const struct crystal *crystal, int cells)
{
    int i = 0;
    for (int c = 0; c < cells * cells * cells; c++)
        for (int n = 0; n < crystal->count; n++, i++) {
            const int cell[3] = { c % cells, c / cells % cells, c / cells / cells };
            for (int k = 0; k < 3; k++)
                box->at[k][i] = cell[k] + crystal->at[n][k];
            box->charge[i] = crystal->charge[n];
        }
}

static bool try_crystal(const struct options *options, const struct crystal *crystal)
{
    enum { CELLS = 2 };                 /* along a side */
    struct charges box;
    char what[80];
    double worst = 0;
    open_box(&box, options, CELLS, CELLS * CELLS * CELLS * crystal->count, 0);
    fill_crystal(&box, crystal, CELLS);
    charges_solve(&box);
    for (int i = 0; i < box.count; i++) {
        const double found = -box.potential[i] * box.charge[i] * crystal->unit;
        worst = larger(worst, fabs(found - crystal->constant));
        for (int k = 0; k < 3; k++)
            worst = larger(worst, fabs(box.slope[k][i]));
    }
    snprintf(what, sizeof what, "%s: %.12f, from %.12f", crystal->name,
             -box.potential[0] * crystal->unit, crystal->constant);
    charges_close(&box);
    return line(what, worst, 1e-11);
}

/* --- charges anywhere ----------------------------------------------------- */

static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* The last are probes: a place, then h before and behind it along each axis. */
static void scatter(struct charges *box, double h)
{
    const int last = box->count - PROBES;
    uint64_t state = 5;
    for (int i = 0; i <= last; i++) {
        for (int k = 0; k < 3; k++)
            box->at[k][i] = (0.01 + 0.98 * draw(&state)) * box->side;
        box->charge[i] = i < last ? 2 * draw(&state) - 0.9 : 0;
    }
    for (int p = 1; p < PROBES; p++)
        for (int k = 0; k < 3; k++)
            box->at[k][last + p] = box->at[k][last] + (k == (p - 1) / 2 ? p % 2 ? -h : h : 0);
}

/* The largest difference of two boxes' results, of the largest result. */
static double differ(const struct charges *a, const struct charges *b)
{
    double most = 0, size = 0;
    for (int k = -1; k < 3; k++)
        for (int i = 0; i < a->count; i++) {
            const double left = k < 0 ? a->potential[i] : a->slope[k][i];
            const double right = k < 0 ? b->potential[i] : b->slope[k][i];
            most = larger(most, fabs(left - right));
            size = larger(size, fabs(right));
        }
    return most / size;
}

static double slope_error(const struct charges *box, double h)
{
    const int at = box->count - PROBES;
    double most = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        const double *const side = &box->potential[at + 1 + 2 * k];
        most = larger(most, fabs((side[1] - side[0]) / (2 * h) - box->slope[k][at]));
        size = larger(size, fabs(box->slope[k][at]));
    }
    return most / size;
}

/* What all charges together feel, of the sum of what each does. */
static double momentum(const struct charges *box)
{
    double most = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (int i = 0; i < box->count; i++) {
            sum += box->charge[i] * box->slope[k][i];
            size += fabs(box->charge[i] * box->slope[k][i]);
        }
        most = larger(most, fabs(sum));
    }
    return most / size;
}

/* The same charges, between waves and what is near in several ways. */
static bool try_splits(const struct options *options)
{
    static const double factors[SPLITS] = { 1, 0.8, 1.3 };
    const double h = 1e-4 / cbrt(options->size);
    struct charges box[SPLITS];
    bool well = true;
    for (int s = 0; s < SPLITS; s++) {
        open_box(&box[s], options, 1, options->size + PROBES, s ? box[0].alpha * factors[s] : 0);
        scatter(&box[s], h);
        charges_solve(&box[s]);         /* once for memory */
        const double began = now();
        charges_solve(&box[s]);
        printf("alpha %.3g: %d waves, charges up to %.3g sides away, %d requests, %.3f ms\n",
               box[s].alpha, box[s].waves, box[s].reach,
               box[s].kind[DENSITY].count + box[s].kind[SHORT].count + box[s].kind[LONG].count,
               1e3 * (now() - began));
        if (s > 0)
            well &= line("  potentials and slopes beside those before", differ(&box[s], &box[0]),
                         1e-12);
    }
    well &= line("slopes beside differences of potentials", slope_error(&box[0], h), 1e-5);
    well &= line("momentum, of all sizes together", momentum(&box[0]), 1e-12);
    if (options->report)
        charges_report(&box[0]);
    for (int s = 0; s < SPLITS; s++)
        charges_close(&box[s]);
    return well;
}

/* --- gravity in steps ----------------------------------------------------- */

/* Masses at rest, one apart, each a little beside its place: they fall together. */
static void begin(struct charges *box)
{
    uint64_t state = 11;
    for (int i = 0; i < MASSES; i++) {
        const int cell[3] = { i % ALONG, i / ALONG % ALONG, i / ALONG / ALONG };
        for (int k = 0; k < 3; k++)
            box->at[k][i] = cell[k] + 0.2 * draw(&state);
        box->charge[i] = 1;
    }
    charges_solve(box);
}

static double kinetic(double (*speed)[MASSES])
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < MASSES; i++)
            sum += 0.5 * speed[k][i] * speed[k][i];
    return sum;
}

static double energy(const struct charges *box, double (*speed)[MASSES])
{
    double sum = kinetic(speed);
    for (int i = 0; i < MASSES; i++)
        sum -= 0.5 * box->potential[i];
    return sum;
}

static void kick(const struct charges *box, double (*speed)[MASSES], double dt)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < MASSES; i++)
            speed[k][i] += dt * box->slope[k][i];
}

/* A leapfrog; who leaves the box comes in behind. */
static void step(struct charges *box, double (*speed)[MASSES], double dt)
{
    kick(box, speed, 0.5 * dt);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < MASSES; i++) {
            const double at = box->at[k][i] + dt * speed[k][i];
            box->at[k][i] = at - box->side * floor(at / box->side);
        }
    charges_solve(box);
    kick(box, speed, 0.5 * dt);
}

/* In so many steps always for the same time, in which none comes near another: energy is as
 * good as the square of a step. The same steps with dt below 0 lead back to the rest that it
 * began with. */
static bool try_steps(const struct options *options)
{
    const double dt = 0.4 / options->steps;
    double speed[3][MASSES] = { { 0 } }, spread = 0;
    struct charges box;
    open_box(&box, options, ALONG, MASSES, 0);
    begin(&box);
    const double before = energy(&box, speed), began = now();
    for (int s = 0; s < options->steps; s++) {
        step(&box, speed, dt);
        spread = larger(spread, fabs(energy(&box, speed) - before));
    }
    const double fell = kinetic(speed), each = 1e3 * (now() - began) / options->steps;
    printf("%d masses, %d steps, %.3f ms each, kinetic energy %.6g\n", MASSES, options->steps, each,
           fell);
    bool well = line("energy's largest change, of the kinetic", spread / fell,
                     1 / ((double)options->steps * options->steps));
    for (int s = 0; s < options->steps; s++)
        step(&box, speed, -dt);
    well &= line("speed that is left after as many steps back", sqrt(kinetic(speed) / fell), 1e-9);
    well &= line("momentum of masses, of all sizes together", momentum(&box), 1e-12);
    charges_close(&box);
    return well;
}

/* --- the program ---------------------------------------------------------- */

static bool parse(int argc, char **argv, struct options *options)
{
    for (int i = 3; i < argc; i++)
        if (strcmp(argv[i], "--report") == 0)
            options->report = true;
        else if (i + 1 == argc)
            return false;
        else if (strcmp(argv[i], "--runtime") == 0)
            options->runtime = argv[++i];
        else if (!(strcmp(argv[i], "--size") == 0 && read_count(argv[i + 1], &options->size))
                 && !(strcmp(argv[i], "--steps") == 0 && read_count(argv[i + 1], &options->steps)))
            return false;
        else
            i++;
    return options->size >= 2;
}

int main(int argc, char **argv)
{
    struct options options = { .size = 300, .steps = 20 };
    bool well = true;
    if (argc < 3 || !parse(argc, argv, &options)) {
        fprintf(stderr, "ewald CONTEXT MODULE [--runtime DIR] [--size N] [--steps N] [--report]\n");
        return 2;
    }
    options.context = argv[1];
    options.module = argv[2];
    for (size_t c = 0; c < sizeof crystals / sizeof crystals[0]; c++)
        well &= try_crystal(&options, &crystals[c]);
    well &= try_splits(&options);
    if (options.steps > 0)
        well &= try_steps(&options);
    return verdict(well);
}
