/* Molecular dynamics with the requests of specs/md2d.lua. */
#include "box.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#define PROGRAM "md2d"
#include "../must.h"

static const char *const kinds[KINDS] = { "within", "interact" };

/* --- patches -------------------------------------------------------------- */

/* Where a particle is; in the last patch where its place is no number. */
static int patch_at(const struct box *box, int particle)
{
    int place[2];
    for (int k = 0; k < 2; k++) {
        const double at = box->at[k][particle] / box->size[k] * box->side[k];
        place[k] = at < box->side[k] ? (int)at : box->side[k] - 1;
    }
    return place[0] + box->side[0] * place[1];
}

/* Particles go to the patches that they are in. */
static void migrate(struct box *box)
{
    int32_t *to = box->members;
    for (int p = 0; p < box->patches; p++)
        box->of[p].count = 0;
    for (int i = 0; i < box->count; i++) {
        const int now = patch_at(box, i);
        box->moved += now != box->patch[i];
        box->patch[i] = now;
        box->of[now].count++;
    }
    for (int p = 0; p < box->patches; p++) {
        box->of[p].point = to;
        to += box->of[p].count;
        box->of[p].count = 0;
    }
    for (int i = 0; i < box->count; i++) {
        struct qn_points *const own = &box->of[box->patch[i]];
        box->members[own->point - box->members + (ptrdiff_t)own->count++] = i;
    }
}

/* Between a patch and the one beside it, perhaps by way of the box's rim. */
static void pair(struct box *box, int patch, const int *step, int request)
{
    const int place[2] = { patch % box->side[0], patch / box->side[0] };
    int other[2];
    for (int k = 0; k < 2; k++) {
        const int next = place[k] + step[k], side = box->side[k];
        other[k] = (next + side) % side;
        box->shift[request][k] = next < 0 ? -box->size[k] : next == side ? box->size[k] : 0;
    }
    box->lists[request][0] = box->of[patch];
    box->lists[request][1] = box->of[other[0] + box->side[0] * other[1]];
}

/* Each patch, and four of its eight neighbours: the others have it as theirs. */
static void make_requests(struct box *box)
{
    static const int beside[4][2] = { { 1, 0 }, { -1, 1 }, { 0, 1 }, { 1, 1 } };
    int r = 0;
    for (int p = 0; p < box->patches; p++)
        box->lists[r++][0] = box->of[p];
    for (int p = 0; p < box->patches; p++)
        for (int n = 0; n < 4; n++)
            pair(box, p, beside[n], r++);
    while (r-- > 0) {
        const struct qn_points *const own = box->lists[r];
        box->work[r] = (struct qn_work){ own, box->shift[r] };
        box->request[r] = (struct qn_request){ .data = &box->work[r] };
        box->request[r].items = (int64_t)(own[0].count + own[1].count);
    }
}

/* --- forces --------------------------------------------------------------- */

void box_forces(struct box *box)
{
    migrate(box);
    make_requests(box);
    for (int k = 0; k < 2; k++) {
        must(qn_field_fill(box->field[2 + k], 0));
        must(qn_field_write(box->field[k], 0, box->at[k]));
    }
    struct qn_request *next = box->request;
    for (int kind = 0; kind < KINDS; kind++)
        for (int r = 0; r < box->requests[kind]; r++)
            must(qn_queue_submit(box->queue[kind], next++));
    for (int kind = 0; kind < KINDS; kind++)
        must(qn_queue_drain(box->queue[kind]));
    while (next-- > box->request)
        must(next->status);
    for (int k = 0; k < 2; k++)
        must(qn_field_read(box->field[2 + k], 0, box->force[k]));
}

static double nearest(double d, double size)
{
    return d - size * floor(d / size + 0.5);
}

void box_all_pairs(struct box *box, double **force)
{
    const double end = pow(box->cutoff, -6), most = box->cutoff * box->cutoff;
    box->energy = 0;
    for (int k = 0; k < 2; k++)
        memset(force[k], 0, (size_t)box->count * sizeof *force[k]);
    for (int i = 0; i < box->count; i++)
        for (int j = 0; j < i; j++) {
            double d[2];
            for (int k = 0; k < 2; k++)
                d[k] = nearest(box->at[k][i] - box->at[k][j], box->size[k]);
            const double r2 = d[0] * d[0] + d[1] * d[1];
            if (r2 >= most)
                continue;
            const double s6 = 1 / (r2 * r2 * r2);
            box->energy += 4 * (s6 * s6 - s6) - 4 * (end * end - end);
            for (int k = 0; k < 2; k++) {
                force[k][i] += 24 * (2 * s6 * s6 - s6) / r2 * d[k];
                force[k][j] -= 24 * (2 * s6 * s6 - s6) / r2 * d[k];
            }
        }
}

/* --- motion --------------------------------------------------------------- */

static void kick(struct box *box, double dt)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < box->count; i++)
            box->v[k][i] += dt * box->force[k][i];
}

static void drift(struct box *box, double dt)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < box->count; i++) {
            const double to = box->at[k][i] + dt * box->v[k][i];
            box->at[k][i] = to - box->size[k] * floor(to / box->size[k]);
        }
}

void box_step(struct box *box, double dt, int steps)
{
    for (int s = 0; s < steps; s++) {
        kick(box, 0.5 * dt);
        drift(box, dt);
        box_forces(box);
        kick(box, 0.5 * dt);
    }
}

double box_kinetic(const struct box *box)
{
    double sum = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < box->count; i++)
            sum += 0.5 * box->v[k][i] * box->v[k][i];
    return sum;
}

double box_momentum(const struct box *box)
{
    double sum[2] = { 0, 0 };
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < box->count; i++)
            sum[k] += box->v[k][i];
    return hypot(sum[0], sum[1]);
}

/* --- made and freed ------------------------------------------------------- */

static void open_module(struct box *box, const char *context, const char *runtime,
                        const char *module)
{
    static const char *const names[] = { "px", "py", "fx", "fy" };
    int64_t extents[QUERN_MAX_AXES] = { box->count };       /* particle is the first */
    must(qn_context_open(context, &box->context));
    if (runtime)
        must(qn_context_runtime(box->context, runtime));
    must(qn_module_load(box->context, module, &box->module));
    must(qn_module_resize(box->module, extents));
    must(qn_module_set(box->module, "eps", 1));
    must(qn_module_set(box->module, "sigma2", 1));
    must(qn_module_set(box->module, "cut2", box->cutoff * box->cutoff));
    for (int k = 0; k < 4; k++)
        must(qn_field_create(box->module, names[k], &box->field[k]));
}

static void open_queues(struct box *box)
{
    for (int kind = 0; kind < KINDS; kind++) {
        const struct qn_server_settings settings = {
            .request = kinds[kind], .list_count = 2, .scalar_count = 2,
            .lists = (const char *const[]){ "a", "b" },
            .scalars = (const char *const[]){ "shift_x", "shift_y" }
        };
        must(qn_server_create(box->module, &settings, &box->server[kind]));
        const struct qn_launcher launcher = qn_server_launcher(box->server[kind]);
        must(qn_queue_create(&(struct qn_queue_settings){ 0 }, &launcher, &box->queue[kind]));
    }
}

/* Patches as wide as the cutoff at least, so that neighbours are beside each other. */
static void cut(struct box *box)
{
    for (int k = 0; k < 2; k++) {
        box->side[k] = (int)(box->size[k] / box->cutoff);
        if (box->side[k] >= 3)
            continue;
        fprintf(stderr, "md2d: a box of %g by %g with a cutoff of %g: it is three times as"
                " wide at least\n", box->size[0], box->size[1], box->cutoff);
        exit(2);
    }
    box->patches = box->side[0] * box->side[1];
    box->requests[0] = box->patches;
    box->requests[1] = 4 * box->patches;
}

void box_open(struct box *box, const char *context, const char *runtime, const char *module,
              const double *size, double cutoff, int count)
{
    const size_t particles = (size_t)count;
    *box = (struct box){ .size = { size[0], size[1] }, .cutoff = cutoff, .count = count };
    cut(box);
    const size_t requests = (size_t)(box->requests[0] + box->requests[1]);
    for (int k = 0; k < 2; k++) {
        box->at[k] = room(particles, sizeof *box->at[k]);
        box->v[k] = room(particles, sizeof *box->v[k]);
        box->force[k] = room(particles, sizeof *box->force[k]);
    }
    box->patch = room(particles, sizeof *box->patch);
    box->members = room(particles, sizeof *box->members);
    box->of = room((size_t)box->patches, sizeof *box->of);
    box->lists = room(requests, sizeof *box->lists);
    box->shift = room(requests, sizeof *box->shift);
    box->work = room(requests, sizeof *box->work);
    box->request = room(requests, sizeof *box->request);
    open_module(box, context, runtime, module);
    open_queues(box);
}

void box_close(struct box *box)
{
    for (int kind = 0; kind < KINDS; kind++) {
        qn_queue_destroy(box->queue[kind]);
        qn_server_free(box->server[kind]);
    }
    qn_module_unload(box->module);
    qn_context_close(box->context);
    void *const all[] = { box->at[0], box->at[1], box->v[0], box->v[1], box->force[0],
                          box->force[1], box->patch, box->members, box->of, box->lists,
                          box->shift, box->work, box->request };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
}

void box_report(const struct box *box)
{
    char text[4096];
    for (int kind = 0; kind < KINDS; kind++) {
        struct qn_queue_stats stats;
        qn_queue_get_stats(box->queue[kind], &stats);
        printf("\n%s\n", kinds[kind]);
        qn_queue_report(&stats, text, sizeof text);
        printf("%s", text);
        qn_server_report(box->server[kind], text, sizeof text);
        printf("%s", text);
    }
}
