/* A drop of a liquid in a periodic box, by specs/md2d.lua: checks forces against all
 * pairs, momentum and energy, and says how fast it was.
 *
 *     md2d CONTEXT MODULE [--runtime DIR] [--size N] [--steps N] [--report]
 *
 * CONTEXT: cpu, simt, cuda; MODULE: the specification's, for that backend. Exit code 3
 * where a check fails. */
#include "box.h"
#include "checks.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 20,              /* times that all pairs are gone through */
       MOST = 20000 };          /* particles along a side: all requests are an int */

static const double cutoff = 2.5, apart = 1.15, dt = 0.004;

struct options {
    const char *context, *module, *runtime;
    int size, steps;            /* particles along a side of the lattice */
    bool report;
};

/* A square lattice that fills two thirds of the box's sides, warm, at rest as a whole. */
static void begin(struct box *box, int size)
{
    uint64_t state = 3;
    double mean[2] = { 0, 0 };
    for (int i = 0; i < box->count; i++)
        for (int k = 0; k < 2; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            box->at[k][i] = ((k ? i / size : i % size) + 0.02) * apart;
            box->v[k][i] = 2 * ((double)(state >> 11) * 0x1p-53 - 0.5);
            mean[k] += box->v[k][i] / box->count;
        }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < box->count; i++)
            box->v[k][i] -= mean[k];
}

/* --- what is checked ------------------------------------------------------ */

struct seen {
    double force;               /* largest difference to all pairs, of the largest force */
    double momentum;            /* of that of all particles' together */
    double energy[LOOKS + 1];   /* in all */
    double kinetic;             /* at last */
};

static void look(struct box *box, struct seen *seen, int number)
{
    double *wanted[2], most = 0, size = 0;
    for (int k = 0; k < 2; k++)
        wanted[k] = malloc((size_t)box->count * sizeof *wanted[k]);
    if (!wanted[0] || !wanted[1])
        exit(3);
    box_all_pairs(box, wanted);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < box->count; i++) {
            most = larger(most, fabs(box->force[k][i] - wanted[k][i]));
            size = larger(size, fabs(wanted[k][i]));
        }
    free(wanted[0]);
    free(wanted[1]);
    seen->force = larger(seen->force, most / size);
    seen->momentum = larger(seen->momentum, box_momentum(box) / box->count);
    seen->kinetic = box_kinetic(box);
    seen->energy[number] = box->energy + seen->kinetic;
}

/* Of the kinetic energy: how far the total goes from where it began, and how far the
 * mean of the last third is from that of the first. */
static void energies(const struct seen *seen, double *spread, double *drift)
{
    double sum[2] = { 0, 0 };
    *spread = 0;
    for (int i = 0; i <= LOOKS; i++) {
        *spread = larger(*spread, fabs(seen->energy[i] - seen->energy[0]) / seen->kinetic);
        if (i < LOOKS / 3)
            sum[0] += seen->energy[i];
        if (i > LOOKS - LOOKS / 3)
            sum[1] += seen->energy[i];
    }
    *drift = fabs(sum[1] - sum[0]) / (LOOKS / 3) / seen->kinetic;
}

static bool tell(const struct seen *seen)
{
    double spread, drift;
    energies(seen, &spread, &drift);
    const bool well[] = {
        line("forces beside those of all pairs", seen->force, 1e-12),
        line("momentum a particle", seen->momentum, 1e-14),
        line("energy's largest change, of the kinetic", spread, 1e-3),
        line("energy's drift, of the kinetic", drift, 5e-4)
    };
    return well[0] && well[1] && well[2] && well[3];
}

/* --- the program ---------------------------------------------------------- */

static bool play(const struct options *options)
{
    const double side = 1.5 * apart * options->size;
    struct box box;
    struct seen seen = { 0 };
    double seconds = 0;
    const int each = (options->steps + LOOKS - 1) / LOOKS;
    box_open(&box, options->context, options->runtime, options->module,
             (double[]){ side, side }, cutoff, options->size * options->size);
    printf("%s: %d particles, %d patches, %d requests a step\n", qn_context_device(box.context),
           box.count, box.patches, box.requests[0] + box.requests[1]);
    begin(&box, options->size);
    box_forces(&box);
    look(&box, &seen, 0);
    box.moved = 0;
    for (int i = 1; i <= LOOKS; i++) {
        const double began = now();
        box_step(&box, dt, each);
        seconds += now() - began;
        look(&box, &seen, i);
    }
    printf("%d steps, %.3f ms each, %ld times a particle went to another patch\n", each * LOOKS,
           1e3 * seconds / each / LOOKS, box.moved);
    const bool well = tell(&seen);
    if (options->report)
        box_report(&box);
    box_close(&box);
    return well;
}

static int usage(void)
{
    fprintf(stderr, "md2d CONTEXT MODULE [--runtime DIR] [--size N] [--steps N] [--report]\n");
    return 2;
}

static bool parse(int argc, char **argv, struct options *options)
{
    for (int i = 3; i < argc; i++) {
        const char *const value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--report") == 0) {
            options->report = true;
            continue;
        }
        if (!value)
            return false;
        if (strcmp(argv[i], "--runtime") == 0)
            options->runtime = value;
        else if (!(strcmp(argv[i], "--size") == 0 && read_count(value, &options->size))
                 && !(strcmp(argv[i], "--steps") == 0 && read_count(value, &options->steps)))
            return false;
        i++;
    }
    return options->size > 0 && options->size <= MOST && options->steps > 0;
}

int main(int argc, char **argv)
{
    struct options options = { .size = 32, .steps = 2000 };
    if (argc < 3)
        return usage();
    options.context = argv[1];
    options.module = argv[2];
    if (!parse(argc, argv, &options))
        return usage();
    return verdict(play(&options));
}
