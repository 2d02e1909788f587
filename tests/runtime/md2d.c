/* specs/md2d.lua at work: particles in a periodic box that is cut into patches, one
 * request for each patch and for each pair of neighbours, which particles cross as they
 * move. Forces are those of all pairs, momentum and energy stay.
 *
 *     md2d CONTEXT RUNTIME md2d.so */
#include "lib.h"

enum { SIDE = 5, PATCHES = SIDE * SIDE, COUNT = 15 * 15, PAIRS = 4 * PATCHES,
       REQUESTS = PATCHES + PAIRS };
static const double cutoff = 2.5, box = 17, step = 0.004;

static struct qn_context *context;
static struct qn_module *module;
static struct qn_field *field[4];       /* px, py, fx, fy */
static double at[2][COUNT], v[2][COUNT], force[2][COUNT];
static int32_t members[PATCHES][COUNT];
static struct qn_points patch[PATCHES];
static struct qn_points lists[REQUESTS][2];
static double shift[REQUESTS][2];
static struct qn_work works[REQUESTS];
static struct qn_request requests[REQUESTS];
static struct qn_server *servers[2];    /* of within, of interact */
static struct qn_queue *queues[2];

/* A square lattice on the borders of the patches, warm, at rest as a whole. */
static void begin(void)
{
    uint64_t state = 3;
    double mean[2] = { 0, 0 };
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 2; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            at[k][i] = ((k ? i / 15 : i % 15) + 0.02) * box / 15;
            v[k][i] = 2 * ((double)(state >> 11) * 0x1p-53 - 0.5);
            mean[k] += v[k][i] / COUNT;
        }
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 2; k++)
            v[k][i] -= mean[k];
}

static void sort_into_patches(void)
{
    for (int p = 0; p < PATCHES; p++)
        patch[p] = (struct qn_points){ members[p], 0 };
    for (int i = 0; i < COUNT; i++) {
        const int x = (int)(at[0][i] / box * SIDE), y = (int)(at[1][i] / box * SIDE);
        struct qn_points *const own = &patch[x + SIDE * y];
        members[x + SIDE * y][own->count++] = i;
    }
}

/* Each patch, and four of its eight neighbours: those before see it as theirs. */
static void make_requests(void)
{
    static const int beside[4][2] = { { 1, 0 }, { -1, 1 }, { 0, 1 }, { 1, 1 } };
    int r = 0;
    for (int p = 0; p < PATCHES; p++)
        lists[r++][0] = patch[p];
    for (int p = 0; p < PATCHES; p++)
        for (int n = 0; n < 4; n++, r++) {
            const int x = p % SIDE + beside[n][0], y = p / SIDE + beside[n][1];
            lists[r][0] = patch[p];
            lists[r][1] = patch[(x + SIDE) % SIDE + SIDE * ((y + SIDE) % SIDE)];
            shift[r][0] = x < 0 ? -box : x == SIDE ? box : 0;
            shift[r][1] = y == SIDE ? box : 0;
        }
    for (r = 0; r < REQUESTS; r++) {
        works[r] = (struct qn_work){ lists[r], shift[r] };
        requests[r] = (struct qn_request){ .data = &works[r] };
    }
}

static void compute_forces(void)
{
    sort_into_patches();
    make_requests();
    must(qn_field_fill(field[2], 0));
    must(qn_field_fill(field[3], 0));
    for (int k = 0; k < 2; k++)
        must(qn_field_write(field[k], 0, at[k]));
    for (int r = 0; r < REQUESTS; r++)
        must(qn_queue_submit(queues[r >= PATCHES], &requests[r]));
    for (int kind = 0; kind < 2; kind++)
        must(qn_queue_drain(queues[kind]));
    for (int r = 0; r < REQUESTS; r++)
        must(requests[r].status);
    for (int k = 0; k < 2; k++)
        must(qn_field_read(field[2 + k], 0, force[k]));
}

static double nearest(double d) { return d - box * floor(d / box + 0.5); }

/* Forces of all pairs; the energy, with the potential cut off where forces are. */
static double energy(double (*forces)[COUNT])
{
    const double end = pow(cutoff, -6);
    double sum = 0;
    memset(forces, 0, 2 * sizeof *forces);
    for (int i = 0; i < COUNT; i++) {
        sum += 0.5 * (v[0][i] * v[0][i] + v[1][i] * v[1][i]);
        for (int j = 0; j < i; j++) {
            const double d[2] = { nearest(at[0][i] - at[0][j]), nearest(at[1][i] - at[1][j]) };
            const double r2 = d[0] * d[0] + d[1] * d[1], s6 = 1 / (r2 * r2 * r2);
            if (r2 >= cutoff * cutoff)
                continue;
            sum += 4 * (s6 * s6 - s6) - 4 * (end * end - end);
            for (int k = 0; k < 2; k++) {
                forces[k][i] += 24 * (2 * s6 * s6 - s6) / r2 * d[k];
                forces[k][j] -= 24 * (2 * s6 * s6 - s6) / r2 * d[k];
            }
        }
    }
    return sum;
}

static double difference(double (*wanted)[COUNT])
{
    double most = 0, size = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < COUNT; i++) {
            most = fmax(most, fabs(force[k][i] - wanted[k][i]));
            size = fmax(size, fabs(wanted[k][i]));
        }
    return most / size;
}

static void kick(void)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < COUNT; i++)
            v[k][i] += 0.5 * step * force[k][i];
}

static void drift(void)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < COUNT; i++) {
            at[k][i] += step * v[k][i];
            at[k][i] -= box * floor(at[k][i] / box);
        }
}

static double momentum(void)
{
    double sum[2] = { 0, 0 };
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < COUNT; i++)
            sum[k] += v[k][i];
    return fmax(fabs(sum[0]), fabs(sum[1]));
}

static void open_all(const char *path)
{
    static const char *const names[] = { "px", "py", "fx", "fy" };
    static const char *const of[] = { "within", "interact" };
    int64_t n[QUERN_MAX_AXES] = { COUNT };          /* particle is the first */
    must(qn_module_load(context, path, &module));
    must(qn_module_resize(module, n));
    must(qn_module_set(module, "eps", 1));
    must(qn_module_set(module, "sigma2", 1));
    must(qn_module_set(module, "cut2", cutoff * cutoff));
    for (int k = 0; k < 4; k++)
        field[k] = field_of(module, names[k]);
    for (int kind = 0; kind < 2; kind++) {
        const struct qn_server_settings settings = {
            of[kind], 2, 2, (const char *const[]){ "a", "b" },
            (const char *const[]){ "shift_x", "shift_y" }
        };
        must(qn_server_create(module, &settings, &servers[kind]));
        const struct qn_launcher launcher = qn_server_launcher(servers[kind]);
        must(qn_queue_create(&(struct qn_queue_settings){ 0 }, &launcher, &queues[kind]));
    }
}

int main(int argc, char **argv)
{
    const int steps = argc > 4 ? atoi(argv[4]) : 150;
    double wanted[2][COUNT], worst = 0;
    int moved = 0, last[COUNT];
    where = argv[1];
    must(qn_context_open(where, &context));
    must(qn_context_runtime(context, argv[2]));
    open_all(argv[3]);
    begin();
    compute_forces();
    const double first = energy(wanted);
    for (int i = 0; i < COUNT; i++)
        last[i] = (int)(at[0][i] / box * SIDE);
    double spread = 0;
    for (int s = 0; s < steps; s++) {
        kick();
        drift();
        compute_forces();
        kick();
        spread = fmax(spread, fabs(energy(wanted) - first));
        worst = fmax(worst, difference(wanted));
        for (int i = 0; i < COUNT; i++) {
            moved += last[i] != (int)(at[0][i] / box * SIDE);
            last[i] = (int)(at[0][i] / box * SIDE);
        }
    }
    ok(worst < 1e-12, "%s: forces of %d steps are those of all pairs, error %.1e", where, steps,
       worst);
    ok(moved > steps / 10, "though particles go from patch to patch: %d times", moved);
    ok(momentum() < 1e-11, "momentum stays: %.1e", momentum());
    ok(spread < 2e-3 * fabs(first), "energy stays: %.1e of %.1f", spread, first);
    for (int kind = 0; kind < 2; kind++) {
        qn_queue_destroy(queues[kind]);
        qn_server_free(servers[kind]);
    }
    qn_module_unload(module);
    qn_context_close(context);
    return done();
}
