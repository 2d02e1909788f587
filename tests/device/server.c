/* A server of nbody's requests on a device: tables of batches made by the host, moved
 * and served; values at home on the host, reused or moved for every batch; the CPU
 * beside it.
 *
 *     server CONTEXT RUNTIME nbody.so nbody_cpu.so [--report]
 *
 * Modules are those of specs/nbody.lua for the device and in C. Requests are buckets of
 * 16 particles with 32 to 480 particles near each, among 4096 somewhere. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#include "abi.h"
#include "quern.h"

enum { REQUESTS = 2112 * 16, BUCKET = 16, PARTICLES = REQUESTS * BUCKET, BLOCK = 1024, LISTS = 3,
       WARM = 3,                /* times, till all memory is there */
       WARM_BOTH = 20,          /* till it is known who is how fast, too, in which way */
       TIMES = 9, ALL = WARM + TIMES };

static void must(enum qn_status status)
{
    if (status == QN_OK)
        return;
    printf("%s: %s\n", qn_status_name(status), qn_last_error());
    exit(1);
}

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double draw(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

/* --- the work ------------------------------------------------------------------- */

struct piece {
    struct qn_request own;
    struct qn_work work;
    struct qn_points list[LISTS];
};

static float *values[4], *sums[3];
static const char *const names[] = { "px", "py", "pz", "m" };
static const char *const results[] = { "ax", "ay", "az" };
static struct piece *pieces;
static int32_t *buckets, *near;
static const double still[3];

static float *make_values(void)
{
    float *const made = malloc(PARTICLES * sizeof *made);
    for (int i = 0; i < PARTICLES; i++)
        made[i] = (float)draw();
    return made;
}

static void make_requests(void)
{
    size_t count = 0;
    pieces = calloc(REQUESTS, sizeof *pieces);
    buckets = malloc(PARTICLES * sizeof *buckets);
    near = malloc((size_t)REQUESTS * 480 * sizeof *near);
    for (int i = 0; i < PARTICLES; i++)
        buckets[i] = i;
    for (int r = 0; r < REQUESTS; r++) {
        struct piece *const own = &pieces[r];
        const int length = 32 + (int)(448 * draw());
        const int around = (int)(draw() * (PARTICLES - 4096));
        own->list[0] = (struct qn_points){ &buckets[r * BUCKET], BUCKET };
        own->list[1] = (struct qn_points){ &near[count], (size_t)length };
        for (int i = 0; i < length; i++)
            near[count++] = around + (int)(4096 * draw());
        own->work = (struct qn_work){ own->list, still };
    }
    printf("%d requests of %d items, %.1f near each\n", REQUESTS, BUCKET,
           (double)count / REQUESTS);
}

static double error_beside_loops(int times)
{
    double worst = 0;
    for (int r = 7; r < REQUESTS; r += 211) {
        const int i = r * BUCKET + r % BUCKET;
        double a[3] = { 0 }, size = 0;
        for (size_t n = 0; n < pieces[r].list[1].count; n++) {
            const int j = pieces[r].list[1].point[n];
            double d[3], s = 1e-4;
            for (int k = 0; k < 3; k++) {
                d[k] = (double)values[k][j] - (double)values[k][i];
                s += d[k] * d[k];
            }
            for (int k = 0; k < 3; k++) {
                a[k] += (double)values[3][j] / (s * sqrt(s)) * d[k];
                size += fabs((double)values[3][j] / (s * sqrt(s)) * d[k]);
            }
        }
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs((double)sums[k][i] - times * a[k]) / (times * size));
    }
    return worst;
}

/* --- modules and servers ----------------------------------------------------------- */

static int axis_of(const struct quern_module *info, const char *name)
{
    int at = 0;
    while (strcmp(info->axis[at], name) != 0)
        at++;
    return at;
}

static struct qn_field *outputs[3];

static struct qn_module *open_module(struct qn_context *context, const char *path)
{
    struct qn_module *module;
    int64_t n[64] = { 0 };
    must(qn_module_load(context, path, &module));
    const struct quern_module *const info = qn_module_describe(module);
    n[axis_of(info, "particle")] = PARTICLES;
    n[axis_of(info, "cell")] = 1;
    must(qn_module_resize(module, n));
    must(qn_module_set(module, "G", 1));
    must(qn_module_set(module, "soft2", 1e-4));
    struct qn_field *field;
    for (int k = 0; k < 4; k++) {
        must(qn_field_create(module, names[k], &field));
        must(qn_field_write(field, 0, values[k]));
        must(qn_field_create(module, (const char *const[]){ "qx", "qy", "qz", "qm" }[k], &field));
    }
    for (int k = 0; k < 3; k++)
        must(qn_field_create(module, results[k], &outputs[k]));
    return module;
}

struct way {
    const char *name;
    int home;
    enum qn_reuse reuse;
    enum qn_order order;
};

/* With --report: tables of what was done and why. */
static int reports;

static void report_all(const struct qn_queue_stats *stats, const struct qn_server *server)
{
    char text[4096];
    if (!reports)
        return;
    qn_queue_report(stats, text, sizeof text);
    printf("%s", text);
    qn_server_report(server, text, sizeof text);
    printf("%s", text);
}

static struct qn_server *open_server(struct qn_module *module, const struct way *way)
{
    struct qn_home_field fields[7];
    for (int k = 0; k < 4; k++)
        fields[k] = (struct qn_home_field){ names[k], values[k], 0 };
    for (int k = 0; k < 3; k++)
        fields[4 + k] = (struct qn_home_field){ results[k], sums[k], 1 };
    const struct qn_home home = { "particle", PARTICLES, BLOCK, way->reuse, 7, fields };
    const struct qn_server_settings settings = {
        .request = "force", .list_count = LISTS, .scalar_count = 3,
        .lists = (const char *const[]){ "bucket", "near", "far" },
        .scalars = (const char *const[]){ "shift_x", "shift_y", "shift_z" },
        .home_count = way->home ? 1 : 0, .homes = &home, .order = way->order, .resident = 16896
    };
    struct qn_server *server;
    must(qn_server_create(module, &settings, &server));
    return server;
}

/* All requests at once, till they are done: polled by a thread of the queue, or here. */
static double serve(struct qn_launcher launcher, int thread, struct qn_queue_stats *stats)
{
    struct qn_queue *queue;
    must(qn_queue_create(&(struct qn_queue_settings){ .thread = thread }, &launcher, &queue));
    for (int r = 0; r < REQUESTS; r++)
        pieces[r].own = (struct qn_request){ .data = &pieces[r].work,
                                             .items = (int64_t)pieces[r].list[1].count };
    const double began = now();
    for (int r = 0; r < REQUESTS; r++)
        must(qn_queue_submit(queue, &pieces[r].own));
    must(qn_queue_drain(queue));
    const double seconds = now() - began;
    qn_queue_get_stats(queue, stats);
    qn_queue_destroy(queue);
    return seconds;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *values_of)
{
    qsort(values_of, TIMES, sizeof *values_of, compare);
    return values_of[TIMES / 2];
}

static void clear_sums(void)
{
    for (int k = 0; k < 3; k++)
        memset(sums[k], 0, PARTICLES * sizeof *sums[k]);
}

/* --- one device ---------------------------------------------------------------------- */

static void play(struct qn_module *module, const struct way *way)
{
    struct qn_server *const server = open_server(module, way);
    struct qn_queue_stats stats;
    struct qn_server_stats served;
    struct qn_cache_stats cache = { 0 };
    double seconds[TIMES];
    clear_sums();
    for (int i = 0; i < 3; i++)
        must(qn_field_write(outputs[i], 0, sums[i]));
    for (int i = -WARM; i < TIMES; i++) {
        const double began = now();
        serve(qn_server_launcher(server), 1, &stats);
        if (way->home)
            must(qn_server_read(server, "particle", 0, PARTICLES));
        if (i >= 0)
            seconds[i] = now() - began;
    }
    qn_server_get_stats(server, &served);
    if (way->home)
        must(qn_server_cache_stats(server, "particle", &cache));
    else
        for (int k = 0; k < 3; k++)
            must(qn_field_read(outputs[k], 0, sums[k]));
    report_all(&stats, server);
    qn_server_free(server);
    printf("%-40s %8.2f ms %7.4f us a request, %4.0f batches of %6.2f ms, tables %6.1f MB, blocks up"
           " %7.1f, down %6.1f, saved %7.1f MB, error %.1e\n", way->name, 1e3 * median(seconds),
           1e6 * median(seconds) / REQUESTS, (double)served.batches / ALL,
           1e3 * served.seconds / (double)served.batches, 1e-6 * (double)served.moved / ALL,
           1e-6 * (double)cache.up / ALL, 1e-6 * (double)cache.down / ALL,
           1e-6 * (double)cache.saved / ALL, error_beside_loops(ALL));
}

/* --- two devices ----------------------------------------------------------------------- */

/* Ways to serve all requests by both servers: a split of a policy, or a part of them for
 * the device and the rest for the CPU, by two queues. They take turns, as what the
 * machine does from minute to minute matters more than what they do; each begins when
 * OpenMP's threads, which wait for work of the one before, have gone to sleep. */
struct rival {
    const char *name;
    enum qn_split_policy policy;
    double part;                /* 0: by policy */
    struct qn_split *split;
    double seconds[TIMES];
};

static struct rival rivals[] = {
    { "the device alone", QN_SPLIT_DEVICE, 0, NULL, { 0 } },
    { "the CPU alone", QN_SPLIT_CPU, 0, NULL, { 0 } },
    { "both, by cost", QN_SPLIT_COST, 0, NULL, { 0 } },
    { "both, by items", QN_SPLIT_ITEMS, 0, NULL, { 0 } },
    { "both, by requests", QN_SPLIT_COUNT, 0, NULL, { 0 } },
    { "static,  92 % on the device", 0, 0.92, NULL, { 0 } },
    { "static,  93 % on the device", 0, 0.93, NULL, { 0 } },
    { "static,  94 % on the device", 0, 0.94, NULL, { 0 } },
    { "static,  95 % on the device", 0, 0.95, NULL, { 0 } },
    { "static,  96 % on the device", 0, 0.96, NULL, { 0 } },
    { "static,  97 % on the device", 0, 0.97, NULL, { 0 } },
    { "static,  98 % on the device", 0, 0.98, NULL, { 0 } },
    { "static,  99 % on the device", 0, 0.99, NULL, { 0 } },
    { "static, 100 % on the device", 0, 1, NULL, { 0 } }
};
enum { RIVALS = sizeof rivals / sizeof rivals[0] };

static double serve_parts(const struct qn_launcher *launchers, double part)
{
    const int cut = (int)(part * REQUESTS);
    struct qn_queue *queues[2];
    for (int s = 0; s < 2; s++)
        must(qn_queue_create(&(struct qn_queue_settings){ 0 }, &launchers[s], &queues[s]));
    for (int r = 0; r < REQUESTS; r++)
        pieces[r].own = (struct qn_request){ .data = &pieces[r].work };
    const double began = now();
    for (int r = 0; r < REQUESTS; r++)
        must(qn_queue_submit(queues[r >= cut], &pieces[r].own));
    must(qn_queue_poll(queues[1], NULL));
    must(qn_queue_poll(queues[0], NULL));
    must(qn_queue_drain(queues[0]));
    must(qn_queue_drain(queues[1]));
    const double seconds = now() - began;
    for (int s = 0; s < 2; s++)
        qn_queue_destroy(queues[s]);
    return seconds;
}

static void tell_rival(struct rival *rival)
{
    struct qn_split_stats stats;
    char text[1024];
    printf("%-40s %8.2f ms", rival->name, 1e3 * median(rival->seconds));
    if (rival->part > 0) {
        printf("\n");
        return;
    }
    qn_split_get_stats(rival->split, &stats);
    printf(", %.1f %% on the device\n", 100 * (double)stats.requests[0]
           / (double)(stats.requests[0] + stats.requests[1]));
    qn_split_report(&stats, text, sizeof text);
    printf("%s", reports ? text : "");
    qn_split_free(rival->split);
}

static void play_both(struct qn_module *device, struct qn_module *cpu)
{
    const struct way way = { "", 1, QN_REUSE_ALWAYS, QN_ORDER_NONE };
    struct qn_server *const servers[] = { open_server(device, &way), open_server(cpu, &way) };
    const struct qn_launcher launchers[] = { qn_server_launcher(servers[0]),
                                             qn_server_launcher(servers[1]) };
    struct qn_queue_stats stats;
    clear_sums();
    for (int k = 0; k < RIVALS; k++)
        must(qn_split_create(rivals[k].policy, &launchers[0], &launchers[1], NULL,
                             &rivals[k].split));
    for (int i = -WARM_BOTH; i < TIMES; i++)
        for (int k = 0; k < RIVALS; k++) {
            struct rival *const own = &rivals[k];
            thrd_sleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
            const double seconds = own->part > 0 ? serve_parts(launchers, own->part)
                : serve(qn_split_launcher(own->split), 0, &stats);
            if (i >= 0)
                own->seconds[i] = seconds;
        }
    for (int s = 0; s < 2; s++)
        qn_server_free(servers[s]);
    for (int k = 0; k < RIVALS; k++)
        tell_rival(&rivals[k]);
    printf("error %.1e\n", error_beside_loops((WARM_BOTH + TIMES) * RIVALS));
}

int main(int argc, char **argv)
{
    static const struct way ways[] = {
        { "fields on the device, as they come", 0, QN_REUSE_ALWAYS, QN_ORDER_NONE },
        { "fields on the device, sorted", 0, QN_REUSE_ALWAYS, QN_ORDER_FLUSH },
        { "moved for every batch, as they come", 1, QN_REUSE_NEVER, QN_ORDER_NONE },
        { "moved for every batch, sorted", 1, QN_REUSE_NEVER, QN_ORDER_FLUSH },
        { "reused, as they come", 1, QN_REUSE_ALWAYS, QN_ORDER_NONE },
        { "reused, sorted", 1, QN_REUSE_ALWAYS, QN_ORDER_FLUSH },
        { "as is better, sorted", 1, QN_REUSE_AUTO, QN_ORDER_FLUSH }
    };
    struct qn_context *context, *host;
    setvbuf(stdout, NULL, _IONBF, 0);
    if (argc < 5)
        return 2;
    reports = argc > 5 && strcmp(argv[5], "--report") == 0;
    for (int k = 0; k < 4; k++)
        values[k] = make_values();
    for (int k = 0; k < 3; k++)
        sums[k] = make_values();
    make_requests();
    must(qn_context_open(argv[1], &context));
    must(qn_context_runtime(context, argv[2]));
    must(qn_context_open("cpu", &host));
    struct qn_module *const cpu = open_module(host, argv[4]);
    struct qn_module *const module = open_module(context, argv[3]);
    printf("%s; %s\n", qn_context_device(context), qn_context_device(host));
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        play(module, &ways[i]);
    play_both(module, cpu);
    return 0;
}
