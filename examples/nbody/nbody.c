/* Gravity of many particles, by specs/nbody.lua: checks forces against all pairs for
 * several angles, energy and momentum, and says how fast it was.
 *
 *     nbody CONTEXT MODULE [--runtime DIR] [--input FILE] [--size N] [--angle A]
 *           [--soften L] [--steps N] [--dt T] [--reuse auto|always|never]
 *           [--order flush|insert|none] [--report]
 *
 * CONTEXT: cpu, simt, cuda; MODULE: the specification's, for that backend. Without a file
 * it makes a sphere of N particles. --reuse: values stay with the host, and blocks of them
 * go to the device. Exit code 3 where a check fails. */
#include "bodies.h"
#include "checks.h"
#include "galaxy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 5,               /* times that all pairs are gone through */
       SAMPLES = 500,           /* particles whose force is compared */
       FEW = 10000 };           /* of so many, all pairs by the kernels too */

struct options {
    struct machine machine;
    const char *input;
    int size, steps;
    double angle, soften, dt;   /* below 0: as the particles have it */
    bool report;
};

/* --- what is checked ------------------------------------------------------ */

/* The root of the mean square of errors, each of its own force. */
static double error_of(const struct galaxy *galaxy)
{
    const int step = galaxy->count / SAMPLES + 1;
    double sum = 0;
    int samples = 0;
    for (int i = step / 2; i < galaxy->count; i += step, samples++) {
        double wanted[3], error = 0, size = 0;
        galaxy_direct(galaxy, i, wanted);
        for (int k = 0; k < 3; k++) {
            const double d = (double)galaxy->pull[k][i] - wanted[k];
            error += d * d;
            size += wanted[k] * wanted[k];
        }
        sum += size > 0 ? error / size : error;
    }
    return sqrt(sum / samples);
}

/* Forces by the angle below which a cell is far: at 0 none is, and what is left is
 * rounding. Then by the angle that was asked for. */
static bool try_angles(struct galaxy *galaxy)
{
    static const struct { double angle, bound; } tries[] = {
        { 0, 1e-5 }, { 0.3, 2e-3 }, { 0.5, 6e-3 }, { 0.7, 2e-2 }, { 1, 5e-2 }
    };
    const double asked = galaxy->angle;
    bool well = true;
    for (size_t t = galaxy->count > FEW; t < sizeof tries / sizeof tries[0]; t++) {
        char what[80];
        galaxy->angle = tries[t].angle;
        const double began = now();
        galaxy_pull(galaxy);
        const double seconds = now() - began;
        snprintf(what, sizeof what, "angle %.1f: %6.0f pulls each, %8.2f ms, error",
                 tries[t].angle, galaxy_pulls(galaxy), 1e3 * seconds);
        well &= line(what, error_of(galaxy), tries[t].bound);
    }
    galaxy->angle = asked;
    return well;
}

/* That of all particles together; returns all sizes. */
static double momentum(const struct galaxy *galaxy, double *sum)
{
    double size = 0;
    for (int k = 0; k < 3; k++) {
        sum[k] = 0;
        for (int i = 0; i < galaxy->count; i++) {
            sum[k] += galaxy->mass[i] * galaxy->v[k][i];
            size += fabs(galaxy->mass[i] * galaxy->v[k][i]);
        }
    }
    return size;
}

/* How far it went from what it was, of all sizes together. */
static double momentum_change(const struct galaxy *galaxy, const double *before)
{
    double sum[3], most = 0;
    const double size = momentum(galaxy, sum);
    for (int k = 0; k < 3; k++)
        most = larger(most, fabs(sum[k] - before[k]));
    return most > 0 ? most / size : most;
}

static void tell_times(const struct galaxy *galaxy, const double *before, double seconds,
                       double dt, int steps)
{
    double now_at[2];
    galaxy_times(galaxy, &now_at[0], &now_at[1]);
    printf("%d steps of %.3g, %d requests at last, %.3f ms each: batches %.3f, moves %.3f\n",
           steps, dt, galaxy->requests, 1e3 * seconds / steps,
           1e3 * (now_at[0] - before[0]) / steps, 1e3 * (now_at[1] - before[1]) / steps);
}

/* Steps, and how far the energy goes from where it began. */
static bool move(struct galaxy *galaxy, double dt, int steps)
{
    const int each = (steps + LOOKS - 1) / LOOKS;
    double before[2], whole[3];
    const double kinetic = galaxy_kinetic(galaxy), potential = galaxy_potential(galaxy);
    double seconds = 0, change = 0;
    momentum(galaxy, whole);
    printf("energy: kinetic %.6g, potential %.6g\n", kinetic, potential);
    galaxy_pull(galaxy);
    galaxy_times(galaxy, &before[0], &before[1]);
    for (int i = 0; i < LOOKS && steps > 0; i++) {
        const double began = now();
        galaxy_step(galaxy, dt, each);
        seconds += now() - began;
        change = larger(change, fabs(galaxy_kinetic(galaxy) + galaxy_potential(galaxy)
                                     - kinetic - potential));
    }
    if (steps > 0)
        tell_times(galaxy, before, seconds, dt, each * LOOKS);
    const bool well[] = { line("energy's largest change, of the whole",
                               change / fabs(kinetic + potential), 1e-3),
                          line("momentum's change, of all sizes together",
                               momentum_change(galaxy, whole), 1e-3) };
    return well[0] && well[1];
}

/* --- the program ---------------------------------------------------------- */

static void fill(struct galaxy *galaxy, const struct bodies *bodies)
{
    for (int i = 0; i < bodies->count; i++) {
        for (int k = 0; k < 3; k++) {
            galaxy->at[k][i] = bodies->value[i][AT + k];
            galaxy->v[k][i] = bodies->value[i][SPEED + k];
        }
        galaxy->mass[i] = bodies->value[i][MASS];
    }
}

/* The time in which the mean speed goes a quarter of the length of softening. Particles at
 * rest, and those that nothing softens, have none. */
static double step_of(const struct galaxy *galaxy, const struct options *options)
{
    if (options->dt > 0 || options->steps == 0)
        return options->dt;
    double mass = 0;
    for (int i = 0; i < galaxy->count; i++)
        mass += galaxy->mass[i];
    const double dt = 0.25 * sqrt(galaxy->soft2 * mass / (2 * galaxy_kinetic(galaxy)));
    if (dt > 0 && isfinite(dt))
        return dt;
    fprintf(stderr, "nbody: a step of %g, by softening and speeds: --dt says another\n", dt);
    exit(2);
}

static bool play(const struct options *options)
{
    struct bodies bodies;
    struct galaxy galaxy;
    if (options->input)
        bodies_read(&bodies, options->input);
    else
        bodies_plummer(&bodies, options->size);
    const double soften = options->soften >= 0 ? options->soften : bodies.soften;
    galaxy_open(&galaxy, &options->machine, bodies.count, soften * soften);
    galaxy.angle = options->angle;
    fill(&galaxy, &bodies);
    bodies_free(&bodies);
    printf("%s: %d particles, softened by %.3g\n", qn_context_device(galaxy.context),
           galaxy.count, soften);
    const double dt = step_of(&galaxy, options);
    const bool near = try_angles(&galaxy);
    const bool well = move(&galaxy, dt, options->steps);
    if (options->report)
        galaxy_report(&galaxy);
    galaxy_close(&galaxy);
    return near && well;
}

/* Which of the words it is; -1: none. */
static int among(const char *word, const char *const *words, int count)
{
    while (count-- > 0 && strcmp(word, words[count]) != 0)
        ;
    return count;
}

static bool choose(struct machine *machine, const char *option, const char *value)
{
    static const char *const reuses[] = { "auto", "always", "never" },
                      *const orders[] = { "flush", "insert", "none" };
    const bool moved = strcmp(option, "--reuse") == 0;
    const int found = among(value, moved ? reuses : orders, 3);
    if (moved) {
        machine->moved = true;
        machine->reuse = (enum qn_reuse)found;
    } else
        machine->order = (enum qn_order)found;
    return found >= 0;
}

static bool set(struct options *options, const char *option, const char *value)
{
    static const char *const names[] = { "--runtime", "--input", "--size", "--steps", "--angle",
                                         "--soften", "--dt", "--reuse", "--order" };
    switch (among(option, names, sizeof names / sizeof names[0])) {
    case 0: options->machine.runtime = value; return true;
    case 1: options->input = value; return true;
    case 2: return read_count(value, &options->size) && options->size > 1;
    case 3: return read_count(value, &options->steps);
    case 4: return read_number(value, &options->angle);
    case 5: return read_number(value, &options->soften);
    case 6: return read_number(value, &options->dt) && options->dt > 0;
    case 7: case 8: return choose(&options->machine, option, value);
    default: return false;
    }
}

static bool parse(int argc, char **argv, struct options *options)
{
    for (int i = 3; i < argc; i++)
        if (strcmp(argv[i], "--report") == 0)
            options->report = true;
        else if (i + 1 == argc || !set(options, argv[i], argv[i + 1]))
            return false;
        else
            i++;
    return true;
}

int main(int argc, char **argv)
{
    struct options options = { .size = 4096, .steps = 100, .angle = 0.5, .soften = -1, .dt = -1 };
    if (argc < 3 || !parse(argc, argv, &options)) {
        fprintf(stderr, "nbody CONTEXT MODULE [--runtime DIR] [--input FILE] [--size N]"
                " [--angle A] [--soften L]\n      [--steps N] [--dt T]"
                " [--reuse auto|always|never] [--order flush|insert|none] [--report]\n");
        return 2;
    }
    options.machine.context = argv[1];
    options.machine.module = argv[2];
    return verdict(play(&options));
}
