/* A gas on a lattice: what its viscosity is, flow between walls, what a force
 * does, and that no mass is lost. */
#include "physics.h"

enum { VELOCITIES = 19 };

/* Of f0, f1, ..; weights as Qian, d'Humieres and Lallemand have them. */
static double velocity[VELOCITIES][3], weight[VELOCITIES];

static void make_velocities(void)
{
    static const double HALF[9][3] = {
        { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 0 }, { 1, -1, 0 },
        { 1, 0, 1 }, { 1, 0, -1 }, { 0, 1, 1 }, { 0, 1, -1 },
    };
    weight[0] = 1.0 / 3;
    for (int i = 1; i < VELOCITIES; i++) {
        for (int axis = 0; axis < 3; axis++)
            velocity[i][axis] = HALF[(i - 1) / 2][axis] * (i % 2 ? 1 : -1);
        weight[i] = i < 7 ? 1.0 / 18 : 1.0 / 36;
    }
}

static const char *population(int i)
{
    static char name[16];
    snprintf(name, sizeof name, "f%d", i);
    return name;
}

static void begin(const char *module, const int64_t *size, double omega, const double *force)
{
    make_velocities();
    load(module, size[0], size[1], size[2]);
    set("omega", omega);
    set("force_x", force[0]);
    set("force_y", force[1]);
    set("force_z", force[2]);
    for (int i = 0; i < VELOCITIES; i++)
        fill(population(i), weight[i]);
}

/* Density 1 and a small wave in a flow: u(x) = flow + SPEED * direction * cos(k x). */
struct shear {
    double k[3], direction[3], flow[3];
};
static const double SPEED = 1e-5;
static struct shear wave;
static double phase;
static int which;

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double mode(const double *x)
{
    return cos(dot(wave.k, x) + 0.4 - phase);
}

/* A population in equilibrium, to second order in the velocity. */
static double started(const double *x)
{
    double u[3];
    for (int axis = 0; axis < 3; axis++)
        u[axis] = wave.flow[axis] + SPEED * mode(x) * wave.direction[axis];
    const double along = dot(velocity[which], u);
    return weight[which] * (1 + 3 * along + 4.5 * along * along - 1.5 * dot(u, u));
}

static void start(void)
{
    phase = 0;
    for (which = 0; which < VELOCITIES; which++)
        put_function(population(which), 0, started, 0, 0, 0);
}

/* What is left of the wave. */
static double amplitude(void)
{
    static const char *const J[3] = { "jx", "jy", "jz" };
    double sum = 0;
    launch("moments");
    for (int axis = 0; axis < 3; axis++)
        sum += wave.direction[axis] * project(J[axis], 0, mode, 0, 0, 0);
    return sum;
}

/* The viscosity that a vortex decays with, over what it should be, less 1. Taylor and
 * Green's are shear waves at 45 degrees and their mirror images, one at a time here. */
static double decay_off(const char *module, const int64_t *size, double omega)
{
    begin(module, size, omega, (const double[3]) { 0, 0, 0 });
    start();
    const double square = dot(wave.k, wave.k);
    const int steps = (int)(1 / square);
    step(20);
    const double before = amplitude();
    step(steps);
    const double found = log(before / amplitude()) / (square * steps);
    unload();
    return isfinite(found) ? fabs(found / ((1 / omega - 0.5) / 3) - 1) : INFINITY;
}

static int viscosity(const char *module, int64_t size)
{
    static const double WAVES[][2][3] = {                /* k and the velocity across it */
        { { 1, 1, 0 }, { 1, -1, 0 } }, { { 1, -1, 0 }, { 1, 1, 0 } },
        { { 0, 1, 1 }, { 0, 1, -1 } }, { { 1, 0, -1 }, { 1, 0, 1 } },
        { { 1, 1, 0 }, { 0, 0, 1 } }, { { 0, 0, 1 }, { 1, 0, 0 } },
    };
    double worst = 0;
    for (size_t w = 0; w < sizeof WAVES / sizeof WAVES[0]; w++) {
        int64_t box[3];
        for (int axis = 0; axis < 3; axis++) {
            wave.k[axis] = WAVES[w][0][axis] * 2 * PI / (double)size;
            wave.direction[axis] = WAVES[w][1][axis];
            wave.flow[axis] = 0;
            box[axis] = WAVES[w][0][axis] != 0 ? size : 1;
        }
        worst = fmax(worst, decay_off(module, box, 1.3));
        worst = fmax(worst, decay_off(module, box, 0.8));
    }
    printf("%.17g\n", worst);
    return 0;
}

/* By how much the wave is ahead of where it started. */
static double turned(void)
{
    phase = 0;
    const double first = amplitude();
    phase = PI / 2;
    return atan2(amplitude(), first);
}

/* The largest relative error of the speed at which a flow carries shear waves. */
static int carried(const char *module, int64_t size)
{
    static const double K[][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, -1, 0 } };
    static const double ACROSS[][3] = { { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 }, { 0, 0, 1 } };
    static const double FLOW[3] = { 0.04, -0.03, 0.05 };
    const int steps = (int)(3 * size);
    double worst = 0;
    for (size_t w = 0; w < sizeof K / sizeof K[0]; w++) {
        int64_t box[3];
        for (int axis = 0; axis < 3; axis++) {
            wave.k[axis] = K[w][axis] * 2 * PI / (double)size;
            wave.direction[axis] = ACROSS[w][axis];
            wave.flow[axis] = FLOW[axis];
            box[axis] = K[w][axis] != 0 ? size : 1;
        }
        begin(module, box, 1.3, (const double[3]) { 0, 0, 0 });
        start();
        step(10);
        const double before = turned();
        step(steps);
        const double off = fabs((turned() - before) / (dot(wave.k, FLOW) * steps) - 1);
        worst = off < INFINITY ? fmax(worst, off) : INFINITY;
        unload();
    }
    printf("%.17g\n", worst);
    return 0;
}

/* The largest error of the steady flow along one axis between walls across another,
 * of its largest speed. One layer of solid is both walls. */
static double channel_off(const char *module, int along, int across, int64_t width,
                          double omega)
{
    static const char *const J[3] = { "jx", "jy", "jz" };
    int64_t size[3] = { 1, 1, 1 };
    double force[3] = { 0 };
    size[across] = width + 1;
    force[along] = 1e-6;
    begin(module, size, omega, force);
    int32_t *const solid = calloc((size_t)width + 1, sizeof *solid);
    solid[0] = 1;
    put_whole("solid", solid);
    const double nu = (1 / omega - 0.5) / 3, w = (double)width;
    step((int)(3 * w * w / nu));
    launch("moments");
    double *const j = get(J[along], 0), *const rho = get("rho", 0);
    double worst = 0;
    for (int64_t i = 1; i <= width; i++) {
        const double y = (double)i - 0.5, exact = force[along] / (2 * nu) * y * (w - y);
        const double off = fabs(j[i] / rho[i] - exact) / (force[along] / (8 * nu) * w * w);
        worst = off < INFINITY ? fmax(worst, off) : INFINITY;
    }
    free(solid);
    free(j);
    free(rho);
    unload();
    return worst;
}

static int channel(const char *module, int64_t width, double omega)
{
    double worst = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int turn = 1; turn < 3; turn++)
            worst = fmax(worst, channel_off(module, axis, (axis + turn) % 3, width, omega));
    printf("%.17g\n", worst);
    return 0;
}

/* The largest error of the momentum that a force has given a fluid without walls,
 * relative to it. */
static int falling(const char *module, int steps)
{
    static const char *const J[3] = { "jx", "jy", "jz" };
    const double force[3] = { 1e-5, -2e-5, 3e-5 };
    double worst = 0;
    begin(module, (const int64_t[3]) { 3, 2, 4 }, 1.4, force);
    step(steps);
    launch("moments");
    for (int axis = 0; axis < 3; axis++) {
        const double exact = force[axis] * (steps - 0.5);
        double *const j = get(J[axis], 0);
        for (int64_t i = 0; i < points; i++) {
            const double off = fabs(j[i] / exact - 1);
            worst = off < INFINITY ? fmax(worst, off) : INFINITY;
        }
        free(j);
    }
    unload();
    printf("%.17g\n", worst);
    return 0;
}

/* The momentum that crosses a plane across `a` along `b`, at the first point. */
static double flux(int a, int b)
{
    double sum = 0;
    for (int i = 0; i < VELOCITIES; i++) {
        double *const f = get(population(i), 0);
        sum += velocity[i][a] * velocity[i][b] * f[0];
        free(f);
    }
    return sum;
}

/* The largest error of the momentum that a fluid without walls carries while a force
 * accelerates it, relative to what the force adds in a step. It is that of equilibrium
 * and, as the force acts half before and half after the populations meet, half of what
 * is added: so exactly, whatever the rate, where the force's terms are right to second
 * order. */
static int accelerated(const char *module, int steps)
{
    const double force[3] = { 1e-4, -2e-4, 3e-4 };
    double worst = 0, u[3];
    begin(module, (const int64_t[3]) { 3, 2, 4 }, 1.4, force);
    step(steps);
    for (int axis = 0; axis < 3; axis++)
        u[axis] = force[axis] * (steps - 0.5);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b <= a; b++) {
            const double added = u[a] * force[b] + u[b] * force[a];
            const double exact = (a == b ? 1.0 / 3 : 0) + u[a] * u[b] + added / 2;
            const double off = fabs((flux(a, b) - exact) / added);
            worst = off < INFINITY ? fmax(worst, off) : INFINITY;
        }
    unload();
    printf("%.17g\n", worst);
    return 0;
}

static double mass(const int32_t *solid)
{
    launch("moments");
    double *const rho = get("rho", 0), sum = 0;
    for (int64_t i = 0; i < points; i++)
        sum += solid[i] ? 0 : rho[i];
    free(rho);
    return sum;
}

/* How much of its mass a fluid among random solids loses, and its largest momentum. */
static int kept(const char *module, int steps)
{
    begin(module, (const int64_t[3]) { 7, 6, 5 }, 1.7, (const double[3]) { 1e-4, 2e-4, -1e-4 });
    int32_t *const solid = calloc((size_t)points, sizeof *solid);
    for (int64_t i = 0; i < points; i++)
        solid[i] = drawn() > 0.6;
    put_whole("solid", solid);
    for (int i = 0; i < VELOCITIES; i++) {
        double *const f = get(population(i), 0);
        for (int64_t k = 0; k < points; k++)
            f[k] *= 1 + 0.1 * drawn();
        put(population(i), 0, f);
        free(f);
    }
    const double before = mass(solid);
    step(steps);
    const double lost = fabs(mass(solid) / before - 1);
    double *const j = get("jy", 0), most = 0;
    for (int64_t i = 0; i < points; i++)
        most = solid[i] ? most : fmax(most, fabs(j[i]));
    printf("%.17g %.17g\n", isfinite(lost) ? lost : INFINITY, most);
    free(j);
    free(solid);
    unload();
    return 0;
}

int prove_lattice(int count, char **words)
{
    if (count > 2 && strcmp(words[0], "viscosity") == 0)
        return viscosity(words[1], atoi(words[2]));
    if (count > 2 && strcmp(words[0], "carried") == 0)
        return carried(words[1], atoi(words[2]));
    if (count > 3 && strcmp(words[0], "channel") == 0)
        return channel(words[1], atoi(words[2]), strtod(words[3], NULL));
    if (count > 2 && strcmp(words[0], "falling") == 0)
        return falling(words[1], atoi(words[2]));
    if (count > 2 && strcmp(words[0], "accelerated") == 0)
        return accelerated(words[1], atoi(words[2]));
    if (count > 2 && strcmp(words[0], "kept") == 0)
        return kept(words[1], atoi(words[2]));
    return 2;
}
