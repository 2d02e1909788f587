/* A module written by hand to runtime/abi.h, in RANK dimensions, with its
 * reference (-DREFERENCE) and its mutants (-DMUTANT=n): what the library's own
 * tests load. Four kernels:
 *   step   u.next = 2 u - u.prev + c lap(u) m, u.next in the place of u.prev
 *   damp   w = s w + u[x-1] where d <= x < n-d (the region "inner"), in place
 *   copy   o = u + k, k by way of a workspace
 *   chase  w = u + w[x-1] / 2, of w nothing at x = 0, each x after the one before:
 *          as many passes as there are points along x
 * c, u: float; m: int; w, o: double. Every mutant is one mistake. */
#include <math.h>
#include <poll.h>
#include <stdio.h>

#include "abi.h"

enum mutant {
    NONE, HALO, SHORT, SHIFTED, NOT_A_NUMBER, NO_REGION, INPUT, NOTHING, NO_RANGE,
    TOO_FAR, COUNT, PADDING, OWN_OUTPUT, ROUNDED, OVERRUN, STALE, ONE_PASS, CRASH, HANG,
    LAUNCH_FAILS
};

#ifndef MUTANT
#define MUTANT NONE
#endif
#ifndef RANK
#define RANK 3
#endif
#ifndef ABI
#define ABI QUERN_ABI
#endif
#ifndef BACKEND
#define BACKEND "c"
#endif
#ifndef ARCH
#define ARCH ""
#endif
#ifndef CODE
#define CODE 700
#endif
#ifndef IN_PLACE
#define IN_PLACE 1
#endif
#ifndef BUFFER
#define BUFFER 0
#endif
#ifndef LAUNCH_PASS
#define LAUNCH_PASS chase_pass
#endif
#ifndef PREFIX
#define PREFIX "tiny_"
#endif
#ifndef HASH
#define HASH "4f2a"
#endif

struct args {
    size_t struct_size;
    int64_t n[RANK], lower[RANK], upper[RANK];
    void *workspace;
    float *u_prev, *u, *c;
    int32_t *m;
    double *w, *o;
    int64_t u_stride[RANK], c_stride[RANK], m_stride[RANK], w_stride[RANK],
        o_stride[RANK];
    int64_t u_halo[RANK], c_halo[RANK], m_halo[RANK], w_halo[RANK], o_halo[RANK];
    double s;
    int64_t k, d;
    double *u_value, *u_bound, *w_value, *w_bound, *o_value, *o_bound;
};

/* --- one point --------------------------------------------------------------- */

static int64_t at(const int64_t *stride, const int64_t *p)
{
    int64_t element = 0;
    for (int axis = 0; axis < RANK; axis++)
        element += p[axis] * stride[axis];
    return element;
}

static double lap(const struct args *a, const int64_t *p)
{
    const int64_t here = at(a->u_stride, p) + (MUTANT == SHIFTED ? 1 : 0);
    double sum = -2.0 * RANK * (double)a->u[here];
    for (int axis = 0; axis < RANK; axis++) {
        const int64_t far = (MUTANT == TOO_FAR ? 2 : 1) * a->u_stride[axis];
        sum += (double)a->u[here - far] + (double)a->u[here + far];
    }
    return sum;
}

static double step_of(const struct args *a, const int64_t *p)
{
    const int64_t here = at(a->u_stride, p);
    const double mask = a->m[at(a->m_stride, p)];
    return 2 * (double)a->u[here] - (double)a->u_prev[here]
        + (double)a->c[at(a->c_stride, p)] * lap(a, p) * mask;
}

static double damp_of(const struct args *a, const int64_t *p)
{
    return a->s * a->w[at(a->w_stride, p)] + (double)a->u[at(a->u_stride, p) - 1];
}

static double copy_of(const struct args *a, const int64_t *p)
{
    const double own = MUTANT == OWN_OUTPUT ? 0 * a->o[at(a->o_stride, p)] : 0;
#ifdef REFERENCE
    const double k = (double)a->k;
#else
    const double k = *(const double *)a->workspace;
#endif
    return (double)a->u[at(a->u_stride, p)] + k + own;
}

static double chase_of(const struct args *a, const int64_t *p)
{
    const double behind = p[0] > 0 ? a->w[at(a->w_stride, p) - 1] / 2 : 0;
    return (double)a->u[at(a->u_stride, p)] + behind;
}

/* --- storing, by the kernel and by the reference ------------------------------ */

#ifdef REFERENCE

static int64_t dense(const struct args *a, const int64_t *p)
{
    int64_t element = 0;
    for (int axis = RANK - 1; axis >= 0; axis--)
        element = element * a->n[axis] + p[axis];
    return element;
}

static void step_point(struct args *a, const int64_t *p)
{
    a->u_value[dense(a, p)] = step_of(a, p);
    a->u_bound[dense(a, p)] = 40 * ldexp(1, -24);
}

static void damp_point(struct args *a, const int64_t *p)
{
    a->w_value[dense(a, p)] = damp_of(a, p);
    a->w_bound[dense(a, p)] = 4 * ldexp(1, -53);
}

static void copy_point(struct args *a, const int64_t *p)
{
    a->o_value[dense(a, p)] = copy_of(a, p);
    a->o_bound[dense(a, p)] = 0;
}

static void chase_point(struct args *a, const int64_t *p)
{
    a->w_value[dense(a, p)] = chase_of(a, p);
    a->w_bound[dense(a, p)] = 4 * ldexp(1, -53);
}

#else

static void step_point(struct args *a, const int64_t *p)
{
    double value = step_of(a, p);
    if (MUTANT == NOT_A_NUMBER && p[0] == 1)
        value = nan("");
    if (MUTANT == ROUNDED)
        value += 100 * ldexp(1, -24);
    a->u_prev[at(a->u_stride, p)] = (float)value;
}

static void damp_point(struct args *a, const int64_t *p)
{
    a->w[at(a->w_stride, p)] = damp_of(a, p);
}

static void copy_point(struct args *a, const int64_t *p)
{
    a->o[at(a->o_stride, p)] = copy_of(a, p);
}

static void chase_point(struct args *a, const int64_t *p)
{
    a->w[at(a->w_stride, p)] = chase_of(a, p) + (MUTANT == ONE_PASS && p[0] == 3 ? 1 : 0);
}

#endif

/* --- loops -------------------------------------------------------------------- */

struct box { int64_t low[3], high[3]; };

static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* The sub-range, less inset points at both ends of x. */
static struct box box_of(const struct args *a, int64_t inset)
{
    struct box box = { { 0, 0, 0 }, { 1, 1, 1 } };
    for (int axis = 0; axis < RANK; axis++) {
        box.low[axis] = MUTANT == NO_RANGE ? 0 : a->lower[axis];
        box.high[axis] = MUTANT == NO_RANGE ? a->n[axis] : a->upper[axis];
    }
    box.low[0] = most(box.low[0], inset);
    box.high[0] = least(box.high[0], a->n[0] - inset);
    return box;
}

static int64_t volume(const struct box *box)
{
    int64_t points = 1;
    for (int axis = 0; axis < 3; axis++)
        points *= most(0, box->high[axis] - box->low[axis]);
    return points;
}

static void each(struct args *a, struct box box,
                 void (*point)(struct args *a, const int64_t *p))
{
    int64_t p[3];
    if (MUTANT == SHORT)
        box.high[RANK - 1]--;
    for (p[2] = box.low[2]; p[2] < box.high[2]; p[2]++)
        for (p[1] = box.low[1]; p[1] < box.high[1]; p[1]++)
            for (p[0] = box.low[0]; p[0] < box.high[0]; p[0]++)
                point(a, p);
}

static int step_launch(const void *args, void *stream)
{
    struct args a = *(const struct args *)args;
    (void)stream;
    if (MUTANT == LAUNCH_FAILS)
        return CODE;
    for (volatile int again = MUTANT == HANG; again;)
        poll(NULL, 0, -1);          /* for ever, and asleep */
    if (MUTANT == CRASH)
        a.u_prev = NULL;
    if (MUTANT != NOTHING)
        each(&a, box_of(&a, 0), step_point);
    if (MUTANT == HALO)
        a.u_prev[-1] = 1;
    if (MUTANT == PADDING)
        a.u_prev[a.n[0] + a.u_halo[0]] = 1;
    if (MUTANT == INPUT)
        a.c[0] += 1;
    return 0;
}

static int damp_launch(const void *args, void *stream)
{
    struct args a = *(const struct args *)args;
    (void)stream;
    struct box box = box_of(&a, MUTANT == NO_REGION ? 0 : a.d);
    each(&a, box, damp_point);
    box.low[0] = a.n[0];
    box.high[0] = a.n[0] + 3;
    if (MUTANT == OVERRUN)
        each(&a, box, damp_point);
    return 0;
}

static int copy_launch(const void *args, void *stream)
{
    struct args a = *(const struct args *)args;
    (void)stream;
    each(&a, box_of(&a, 0), copy_point);
    return 0;
}

/* The reference, which changes no field, has one pass for each x. */
static int chase_pass(const void *args, int64_t x, void *stream)
{
    struct args a = *(const struct args *)args;
    struct box box = box_of(&a, 0);
    (void)stream;
    box.low[0] = most(box.low[0], x);
    box.high[0] = least(box.high[0], x + 1);
#ifdef REFERENCE
    int64_t points = 1;
    for (int axis = 0; axis < RANK; axis++)
        points *= a.n[axis];
    for (int64_t i = 0; i < points; i++)
        a.w_bound[i] = -1;
#endif
    each(&a, box, chase_point);
    return 0;
}

static int64_t chase_passes(const void *args)
{
    return ((const struct args *)args)->n[0];
}

static int chase_launch(const void *args, void *stream)
{
    const int64_t passes = chase_passes(args);
    for (int64_t x = 0; x < passes; x++)
        chase_pass(args, MUTANT == STALE ? passes - 1 - x : x, stream);
    return 0;
}

static size_t copy_workspace(const void *args)
{
    (void)args;
    return sizeof(double);
}

static int copy_prepare(const void *args, void *stream)
{
    const struct args *const a = args;
    (void)stream;
    *(double *)a->workspace = (double)a->k;
    return 0;
}

static int64_t whole_points(const void *args)
{
    const struct box box = box_of(args, 0);
    return volume(&box) + (MUTANT == COUNT ? 1 : 0);
}

static int64_t inner_points(const void *args)
{
    const struct args *const a = args;
    const struct box box = box_of(a, a->d);
    return volume(&box);
}

static int check(const void *args, char *why, size_t size)
{
    const struct args *const a = args;
    if (a->struct_size != sizeof *a) {
        snprintf(why, size, "the arguments have %zu bytes, not %zu", a->struct_size,
                 sizeof *a);
        return 1;
    }
    if (a->n[0] > 5000) {
        snprintf(why, size, "x has %lld points, the limit is 5000", (long long)a->n[0]);
        return 1;
    }
    return 0;
}

#ifndef REFERENCE
static int step(void *args, void *stream)
{
    struct args *const a = args;
    float *const oldest = a->u_prev;
    int code = step_launch(a, stream);
    if (code == 0)
        code = damp_launch(a, stream);
    a->u_prev = a->u;
    a->u = oldest;
    return code;
}
#endif

/* --- the descriptor ------------------------------------------------------------ */

enum { U, C, M, W, O };

#define AT(member) offsetof(struct args, member)
#ifdef REFERENCE
#define RESULTS(name) .value = AT(name##_value), .bound = AT(name##_bound)
#else
#define RESULTS(name) .value = 0, .bound = 0
#endif
#define AXES { 0, RANK > 1 ? 1 : 0, RANK > 2 ? 2 : 0, 0 }

static const struct quern_field fields[] = {
    [U] = { .name = "u", .type = QUERN_FLOAT, .rank = RANK, .axis = AXES,
            .oldest = -1, .newest = 1, .buffers = 2, .level = { -1, 0 },
            .data = { AT(u_prev), AT(u) }, .stride = AT(u_stride), .halo = AT(u_halo),
            .need = { { 1, 1 }, { 1, 1 }, { 1, 1 } }, .low = -1, .high = 1,
            .written = 1, RESULTS(u) },
    [C] = { .name = "c", .type = QUERN_FLOAT, .rank = RANK, .axis = AXES, .buffers = 1,
            .data = { AT(c) }, .stride = AT(c_stride), .halo = AT(c_halo),
            .low = 0, .high = 0.5 },
    [M] = { .name = "m", .type = QUERN_INT, .rank = RANK, .axis = AXES, .buffers = 1,
            .data = { AT(m) }, .stride = AT(m_stride), .halo = AT(m_halo),
            .low = 0, .high = 1 },
    [W] = { .name = "w", .type = QUERN_DOUBLE, .rank = RANK, .axis = AXES, .buffers = 1,
            .data = { AT(w) }, .stride = AT(w_stride), .halo = AT(w_halo),
            .low = -1, .high = 1, .written = 1, RESULTS(w) },
    [O] = { .name = "o", .type = QUERN_DOUBLE, .rank = RANK, .axis = AXES, .buffers = 1,
            .data = { AT(o) }, .stride = AT(o_stride), .halo = AT(o_halo),
            .low = -1, .high = 1, .written = 1, RESULTS(o) }
};

static const struct quern_scalar scalars[] = {
    { "s", 0, 0.5, 1, AT(s), 0 },
    { "k", 1, 0, 4, AT(k), 0 },
    { "d", 1, 0, 40, AT(d), 0 }
};

static const struct quern_access step_accesses[] = {
    { U, 0, 1, 1, { { 0, 0 } }, 0 }, { U, 1, 1, 0, { { 1, 1 }, { 1, 1 }, { 1, 1 } }, 0 },
    { C, 0, 1, 0, { { 0, 0 } }, 0 }, { M, 0, 1, 0, { { 0, 0 } }, 0 }
};
static const struct quern_access damp_accesses[] = {
    { W, 0, 1, 1, { { 0, 0 } }, 0 }, { U, 1, 1, 0, { { 1, 0 } }, 0 }
};
static const struct quern_access copy_accesses[] = {
    { O, BUFFER, 0, 1, { { 0, 0 } }, 0 }, { U, 1, 1, 0, { { 0, 0 } }, 0 }
};
static const struct quern_access chase_accesses[] = {
    { W, 0, 1, 1, { { 1, 0 } }, 0 }, { U, 1, 1, 0, { { 0, 0 } }, 0 }
};

#define COUNT_OF(list) (int)(sizeof list / sizeof list[0])
#define KERNEL(verb, area, turn, counter) \
    .name = PREFIX #verb, .kernel = #verb, .region = area, .shape = "plain", \
    .step = turn, .launch = verb##_launch, .check = check, .points = counter, \
    .accesses = verb##_accesses, .access_count = COUNT_OF(verb##_accesses)

static const struct quern_kernel kernels[] = {
    { KERNEL(step, "", 0, whole_points), .flops = 4 + 2 * RANK, .bytes = 20,
      .reads = 4, .writes = 1, .in_place = IN_PLACE },
    { KERNEL(damp, "inner", 1, inner_points), .flops = 2, .bytes = 20,
      .reads = 2, .writes = 1, .in_place = 1 },
    { KERNEL(copy, "", -1, whole_points), .flops = 1, .bytes = 12,
      .reads = 1, .writes = 1, .workspace = copy_workspace,
      .prepare = copy_prepare },
    { KERNEL(chase, "", -1, whole_points), .flops = 2, .bytes = 20,
      .reads = 2, .writes = 1, .in_place = 1, .passes = chase_passes,
      .launch_pass = LAUNCH_PASS }
};

extern const struct quern_module quern_module;
const struct quern_module quern_module = {
    .abi = ABI, .spec = "tiny", .instance = "tiny", .hash = HASH,
#ifdef REFERENCE
    .backend = "reference",
#else
    .backend = BACKEND, .step = step,
#endif
    .arch = ARCH, .fp = "strict", .compute = QUERN_FLOAT,
    .axes = RANK, .axis = { "x", "y", "z" },
    .args_size = sizeof(struct args), .extent = AT(n), .lower = AT(lower),
    .upper = AT(upper), .workspace = AT(workspace),
    .field_count = COUNT_OF(fields), .scalar_count = COUNT_OF(scalars),
    .kernel_count = COUNT_OF(kernels),
    .fields = fields, .scalars = scalars, .kernels = kernels
};
