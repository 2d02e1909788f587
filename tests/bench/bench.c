/* Times generated kernels against loops written by hand, which are first compared with them.
 *
 *     bench SECONDS MOST MODULE..
 *
 * prints one line for each kernel and size. Hand loop, generated kernel and a stream that
 * reads and writes the same arrays take turns for SECONDS, and the fastest run of each counts:
 * what else the machine does only adds. Without seconds nothing is timed, only compared.
 * Returns 1 where they disagree, and where a generated kernel takes more than MOST times as long
 * as the loop by hand: of arrays beyond the cache, and if more time does not help. MOST 0: any. */
#include "arrays.h"
#include "case.h"

#include <dlfcn.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MODULES = 8, WIDTH = 20, CHUNK = 64, AWKWARD = 53, PATIENCE = 10 };

/* N of the cubes timed: all in the cache, and far beyond it. */
enum { LARGE = 256 };
static const int64_t SIZES[] = { 64, LARGE };
enum { SIZES_COUNT = sizeof SIZES / sizeof *SIZES };

struct trial {
    const char *label, *spec;
    const char *kernel, *region;        /* NULL: all that the step has */
    hand_loop *hand;
    int64_t width;
};

static const struct trial TRIALS[] = {
    { "heat", "heat", "step", "", hand_heat, 0 },
    { "acoustic_iso, inner", "acoustic_iso", "step", "inner", hand_acoustic_inner, 0 },
    { "acoustic_iso, whole", "acoustic_iso", NULL, NULL, hand_acoustic_whole, WIDTH },
    { "elastic, velocity", "elastic", "velocity", "", hand_elastic_velocity, 0 },
    { "elastic, stress", "elastic", "stress", "", hand_elastic_stress, 0 },
};
enum { TRIALS_COUNT = sizeof TRIALS / sizeof *TRIALS };

static _Noreturn void stop(const char *format, const char *word)
{
    fprintf(stderr, format, word);
    exit(1);
}

static const struct quern_module *load(const char *path)
{
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        stop("bench: %s\n", dlerror());
    return dlsym(library, QUERN_MODULE_SYMBOL);
}

static const struct quern_module *module_of(const struct trial *trial,
                                            const struct quern_module *const *modules, int count)
{
    for (int m = 0; m < count; m++)
        if (strcmp(modules[m]->spec, trial->spec) == 0)
            return modules[m];
    stop("bench: no module of %s\n", trial->spec);
}

static int belongs(const struct trial *trial, const struct quern_kernel *kernel)
{
    return !trial->kernel || (strcmp(kernel->kernel, trial->kernel) == 0
                              && strcmp(kernel->region, trial->region) == 0);
}

/* --- what is timed --- */

struct run {
    const struct trial *trial;
    struct arrays *arrays;
};

static void run_hand(const struct run *run)
{
    run->trial->hand(run->arrays->args);
}

static void run_generated(const struct run *run)
{
    const struct quern_module *const module = run->arrays->module;
    for (int k = 0; k < module->kernel_count; k++)
        if (belongs(run->trial, &module->kernels[k])
            && module->kernels[k].launch(run->arrays->args, NULL))
            stop("bench: %s is not launched\n", module->kernels[k].name);
}

/* The arrays of a run's kernels, each once: what is read, what is written. */
struct mix {
    float *read[MOST_ARRAYS], *written[MOST_ARRAYS];
    int reads, writes;
};

static void mix_add(float **list, int *count, float *array)
{
    for (int i = 0; i < *count; i++)
        if (list[i] == array)
            return;
    list[(*count)++] = array;
}

static struct mix mix_of(const struct run *run)
{
    const struct quern_module *const module = run->arrays->module;
    struct mix mix = { .reads = 0 };
    for (int k = 0; k < module->kernel_count; k++) {
        const struct quern_kernel *const kernel = &module->kernels[k];
        for (int i = 0; belongs(run->trial, kernel) && i < kernel->access_count; i++) {
            float *const array = arrays_of(run->arrays, &kernel->accesses[i]);
            if (kernel->accesses[i].read)
                mix_add(mix.read, &mix.reads, array);
            if (kernel->accesses[i].written)
                mix_add(mix.written, &mix.writes, array);
        }
    }
    return mix;
}

/* Every array that is written gets the mean of all that are read. */
static void run_stream(const struct mix *mix, int64_t count)
{
    const float share = 1 / (float)mix->reads;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < count / CHUNK; i++) {
        float sum[CHUNK] = { 0 };
        for (int a = 0; a < mix->reads; a++)
#pragma omp simd
            for (int j = 0; j < CHUNK; j++)
                sum[j] = fmaf(share, mix->read[a][i * CHUNK + j], sum[j]);
        for (int a = 0; a < mix->writes; a++)
            memcpy(mix->written[a] + i * CHUNK, sum, sizeof sum);
    }
}

/* --- one line --- */

struct times {
    double hand, generated, stream;     /* seconds, the least */
};

/* Up to PATIENCE times as long while the ratio is above `most`. */
static struct times measure(const struct run *run, const struct mix *mix, double seconds,
                            double most)
{
    struct times least = { INFINITY, INFINITY, INFINITY };
    const double start = omp_get_wtime();
    double passed;
    do {
        const double t0 = omp_get_wtime();
        run_hand(run);
        const double t1 = omp_get_wtime();
        run_generated(run);
        const double t2 = omp_get_wtime();
        run_stream(mix, run->arrays->count);
        const double t3 = omp_get_wtime();
        least.hand = fmin(least.hand, t1 - t0);
        least.generated = fmin(least.generated, t2 - t1);
        least.stream = fmin(least.stream, t3 - t2);
        passed = omp_get_wtime() - start;
    } while (passed < seconds
             || (passed < PATIENCE * seconds && least.generated > most * least.hand));
    return least;
}

/* Points, and the bytes that have to be moved for them. */
static void work_of(const struct run *run, double *points, double *bytes)
{
    const struct quern_module *const module = run->arrays->module;
    *points = *bytes = 0;
    for (int k = 0; k < module->kernel_count; k++)
        if (belongs(run->trial, &module->kernels[k])) {
            const double own = (double)module->kernels[k].points(run->arrays->args);
            *points += own;
            *bytes += own * module->kernels[k].bytes;
        }
}

static double worst_ratio;              /* of the lines printed */

static void print_line(const struct run *run, const struct mix *mix, int64_t n,
                       struct times times)
{
    double points, bytes;
    work_of(run, &points, &bytes);
    const double rate = bytes / times.generated / 1e9;
    const double stream = (double)run->arrays->count * (double)sizeof(float)
                          * (mix->reads + mix->writes) / times.stream / 1e9;
    printf("%-20s %4d^3 %8.3f %8.3f %6.2f %9.3f %7.1f %5.0f %%\n", run->trial->label,
           (int)n, times.hand * 1e3, times.generated * 1e3, times.generated / times.hand,
           points / times.generated / 1e9, rate, 100 * rate / stream);
    fflush(stdout);
    worst_ratio = fmax(worst_ratio, times.generated / times.hand);
}

/* Both from the same data, at an awkward size: rounding apart, the same. */
static void compare(const struct trial *trial, const struct quern_module *module)
{
    struct arrays left = arrays_new(module, AWKWARD, trial->width / 2);
    struct arrays right = arrays_new(module, AWKWARD, trial->width / 2);
    arrays_fill(&left, 1);
    arrays_fill(&right, 1);
    run_hand(&(struct run){ trial, &left });
    const double untouched = arrays_distance(&left, &right);
    run_generated(&(struct run){ trial, &right });
    const double distance = arrays_distance(&left, &right);
    if (!(untouched > 1e-3) || !(distance < 3e-6)) {
        fprintf(stderr, "bench: %s: by hand %.3g away from the generated kernel\n",
                trial->label, distance);
        exit(1);
    }
    arrays_free(&left);
    arrays_free(&right);
}

/* Is the generated kernel fast enough? */
static int time_one(const struct trial *trial, const struct quern_module *module, int64_t n,
                    double seconds, double most)
{
    struct arrays arrays = arrays_new(module, n, trial->width);
    const struct run run = { trial, &arrays };
    const struct mix mix = mix_of(&run);
    arrays_fill(&arrays, 1);
    const struct times times = measure(&run, &mix, seconds, most);
    print_line(&run, &mix, n, times);
    arrays_free(&arrays);
    return times.generated <= most * times.hand;
}

/* How many kernels are not. */
static int time_all(const struct quern_module *const *modules, int count, double seconds,
                    double most)
{
    int slow = 0;
    printf("%-20s %6s %8s %8s %6s %9s %7s %7s\n", "kernel", "size", "hand ms", "made ms",
           "ratio", "Gpoint/s", "GB/s", "stream");
    for (int t = 0; t < TRIALS_COUNT; t++)
        for (int s = 0; s < SIZES_COUNT; s++)
            slow += !time_one(&TRIALS[t], module_of(&TRIALS[t], modules, count), SIZES[s],
                              seconds, SIZES[s] == LARGE && most > 0 ? most : INFINITY);
    printf("\nThe largest ratio is %.2f.\n", worst_ratio);
    return slow;
}

int main(int argc, char **argv)
{
    const struct quern_module *modules[MOST_MODULES];
    const int count = argc - 3;
    if (count < 1 || count > MOST_MODULES)
        stop("usage: %s SECONDS MOST MODULE..\n", argv[0]);
    for (int m = 0; m < count; m++)
        modules[m] = load(argv[m + 3]);
    for (int t = 0; t < TRIALS_COUNT; t++)
        compare(&TRIALS[t], module_of(&TRIALS[t], modules, count));
    const double seconds = atof(argv[1]), most = atof(argv[2]);
    return seconds > 0 && time_all(modules, count, seconds, most) > 0;
}
