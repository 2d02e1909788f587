/* Gravity with the requests of specs/nbody.lua. */
#include "galaxy.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#define PROGRAM "nbody"
#include "../must.h"

static const char *const fields[] = { "px", "py", "pz", "m", "qx", "qy", "qz", "qm",
                                      "ax", "ay", "az" };
static const char *const domains[] = { "particle", "cell" };
static const double still[3];           /* no periodic image */

enum { BLOCK = 256 };           /* points that move to the device together */

/* --- accelerations -------------------------------------------------------- */

static void make_values(struct galaxy *galaxy)
{
    for (int i = 0; i < galaxy->count; i++) {
        for (int k = 0; k < 3; k++)
            galaxy->place[k][i] = (float)galaxy->at[k][i];
        galaxy->place[3][i] = (float)galaxy->mass[i];
    }
    for (int c = 0; c < galaxy->tree.cells; c++) {
        for (int k = 0; k < 3; k++)
            galaxy->centre[k][c] = (float)galaxy->tree.cell[c].at[k];
        galaxy->centre[3][c] = (float)galaxy->tree.cell[c].mass;
    }
}

/* What threads find, and where that of one bucket begins. */
struct found {
    struct items near, far;
};

struct walk {
    int bucket, thread;
    size_t near, far;
};

static void walk(struct galaxy *galaxy, int request)
{
    struct walk *const walk = &galaxy->walk[request];
    struct qn_points *const own = galaxy->lists[request];
    walk->thread = omp_get_thread_num();
    struct found *const found = &galaxy->found[walk->thread];
    walk->near = found->near.count;
    walk->far = found->far.count;
    tree_walk(&galaxy->tree, galaxy->at, walk->bucket, galaxy->angle, &found->near, &found->far);
    own[1].count = found->near.count - walk->near;
    own[2].count = found->far.count - walk->far;
}

/* Arrays moved while they grew: where lists are is known at last. */
static void make_request(struct galaxy *galaxy, int request)
{
    const struct walk *const walk = &galaxy->walk[request];
    const struct cell *const cell = &galaxy->tree.cell[walk->bucket];
    const struct found *const found = &galaxy->found[walk->thread];
    struct qn_points *const own = galaxy->lists[request];
    own[0].point = &galaxy->tree.order[cell->first];
    own[0].count = (size_t)(cell->end - cell->first);
    own[1].point = found->near.item + walk->near;
    own[2].point = found->far.item + walk->far;
    galaxy->work[request] = (struct qn_work){ own, still };
    galaxy->request[request] = (struct qn_request){ .data = &galaxy->work[request] };
    galaxy->request[request].items = (int64_t)(own[0].count * (own[1].count + own[2].count));
}

static void make_requests(struct galaxy *galaxy)
{
    galaxy->requests = 0;
    for (int c = 0; c < galaxy->tree.cells; c++)
        if (galaxy->tree.cell[c].children == 0)
            galaxy->walk[galaxy->requests++].bucket = c;
    for (int t = 0; t < galaxy->threads; t++)
        galaxy->found[t].near.count = galaxy->found[t].far.count = 0;
#pragma omp parallel for schedule(dynamic, 16) num_threads(galaxy->threads)
    for (int r = 0; r < galaxy->requests; r++)
        walk(galaxy, r);
    for (int r = 0; r < galaxy->requests; r++)
        make_request(galaxy, r);
}

/* Where values stay with the host, it says that it has written them. */
static void send(struct galaxy *galaxy)
{
    for (int k = 0; k < 3; k++)
        memset(galaxy->pull[k], 0, (size_t)galaxy->count * sizeof *galaxy->pull[k]);
    if (galaxy->moved) {
        must(qn_server_written(galaxy->server, domains[0], 0, galaxy->count));
        must(qn_server_written(galaxy->server, domains[1], 0, galaxy->tree.cells));
        return;
    }
    for (int k = 0; k < 4; k++) {
        must(qn_field_write(galaxy->field[k], 0, galaxy->place[k]));
        must(qn_field_write(galaxy->field[4 + k], 0, galaxy->centre[k]));
    }
    for (int k = 0; k < 3; k++)
        must(qn_field_fill(galaxy->field[8 + k], 0));
}

static void fetch(struct galaxy *galaxy)
{
    if (galaxy->moved)
        must(qn_server_read(galaxy->server, domains[0], 0, galaxy->count));
    for (int k = 0; k < 3 && !galaxy->moved; k++)
        must(qn_field_read(galaxy->field[8 + k], 0, galaxy->pull[k]));
}

void galaxy_pull(struct galaxy *galaxy)
{
    tree_build(&galaxy->tree, galaxy->at, galaxy->mass);
    make_values(galaxy);
    make_requests(galaxy);
    send(galaxy);
    for (int r = 0; r < galaxy->requests; r++)
        must(qn_queue_submit(galaxy->queue, &galaxy->request[r]));
    must(qn_queue_drain(galaxy->queue));
    for (int r = 0; r < galaxy->requests; r++)
        must(galaxy->request[r].status);
    fetch(galaxy);
}

double galaxy_pulls(const struct galaxy *galaxy)
{
    double sum = 0;
    for (int r = 0; r < galaxy->requests; r++)
        sum += (double)galaxy->request[r].items;
    return sum / galaxy->count;
}

/* --- motion --------------------------------------------------------------- */

static void kick(struct galaxy *galaxy, double dt)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < galaxy->count; i++)
            galaxy->v[k][i] += dt * (double)galaxy->pull[k][i];
}

static void drift(struct galaxy *galaxy, double dt)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < galaxy->count; i++)
            galaxy->at[k][i] += dt * galaxy->v[k][i];
}

void galaxy_step(struct galaxy *galaxy, double dt, int steps)
{
    for (int s = 0; s < steps; s++) {
        kick(galaxy, 0.5 * dt);
        drift(galaxy, dt);
        galaxy_pull(galaxy);
        kick(galaxy, 0.5 * dt);
    }
}

/* --- made and freed ------------------------------------------------------- */

static void make_room(struct galaxy *galaxy, int count)
{
    tree_open(&galaxy->tree, count);
    for (int k = 0; k < 3; k++) {
        galaxy->at[k] = room((size_t)count, sizeof *galaxy->at[k]);
        galaxy->v[k] = room((size_t)count, sizeof *galaxy->v[k]);
        galaxy->pull[k] = room((size_t)count, sizeof *galaxy->pull[k]);
    }
    galaxy->mass = room((size_t)count, sizeof *galaxy->mass);
    for (int k = 0; k < 4; k++) {
        galaxy->place[k] = room((size_t)count, sizeof *galaxy->place[k]);
        galaxy->centre[k] = room((size_t)tree_most_cells(count), sizeof *galaxy->centre[k]);
    }
    galaxy->threads = omp_get_max_threads();
    galaxy->found = room((size_t)galaxy->threads, sizeof *galaxy->found);
    galaxy->walk = room((size_t)count, sizeof *galaxy->walk);
    galaxy->lists = room((size_t)count, sizeof *galaxy->lists);
    galaxy->work = room((size_t)count, sizeof *galaxy->work);
    galaxy->request = room((size_t)count, sizeof *galaxy->request);
}

static void open_module(struct galaxy *galaxy, const struct machine *machine)
{
    /* particle and cell are the first; where they move, whole blocks do */
    const int64_t whole = machine->moved ? BLOCK - 1 : 0;
    const int64_t extents[QUERN_MAX_AXES] = { galaxy->count + whole,
                                              tree_most_cells(galaxy->count) + whole };
    must(qn_context_open(machine->context, &galaxy->context));
    if (machine->runtime)
        must(qn_context_runtime(galaxy->context, machine->runtime));
    must(qn_module_load(galaxy->context, machine->module, &galaxy->module));
    must(qn_module_resize(galaxy->module, extents));
    must(qn_module_set(galaxy->module, "G", 1));
    must(qn_module_set(galaxy->module, "soft2", galaxy->soft2));
    for (int k = 0; k < 11; k++)
        must(qn_field_create(galaxy->module, fields[k], &galaxy->field[k]));
}

static void open_server(struct galaxy *galaxy, const struct machine *machine)
{
    struct qn_home_field own[7], cells[4];
    for (int k = 0; k < 4; k++) {
        own[k] = (struct qn_home_field){ fields[k], galaxy->place[k], 0 };
        cells[k] = (struct qn_home_field){ fields[4 + k], galaxy->centre[k], 0 };
    }
    for (int k = 0; k < 3; k++)
        own[4 + k] = (struct qn_home_field){ fields[8 + k], galaxy->pull[k], 0 };
    const struct qn_home homes[] = {
        { domains[0], galaxy->count, BLOCK, machine->reuse, 7, own },
        { domains[1], tree_most_cells(galaxy->count), BLOCK, machine->reuse, 4, cells }
    };
    const struct qn_server_settings settings = {
        .request = "force", .list_count = 3, .scalar_count = 3,
        .lists = (const char *const[]){ "bucket", "near", "far" },
        .scalars = (const char *const[]){ "shift_x", "shift_y", "shift_z" },
        .home_count = machine->moved ? 2 : 0, .homes = homes, .order = machine->order
    };
    must(qn_server_create(galaxy->module, &settings, &galaxy->server));
    const struct qn_launcher launcher = qn_server_launcher(galaxy->server);
    const struct qn_queue_settings wishes = { .capacity = (size_t)galaxy->count, .thread = 1 };
    must(qn_queue_create(&wishes, &launcher, &galaxy->queue));
}

void galaxy_open(struct galaxy *galaxy, const struct machine *machine, int count, double soft2)
{
    *galaxy = (struct galaxy){ .count = count, .soft2 = soft2, .angle = 0.5,
                               .moved = machine->moved };
    make_room(galaxy, count);
    open_module(galaxy, machine);
    open_server(galaxy, machine);
}

void galaxy_close(struct galaxy *galaxy)
{
    qn_queue_destroy(galaxy->queue);
    must(qn_server_free(galaxy->server));
    qn_module_unload(galaxy->module);
    qn_context_close(galaxy->context);
    tree_close(&galaxy->tree);
    for (int k = 0; k < 3; k++) {
        free(galaxy->at[k]);
        free(galaxy->v[k]);
        free(galaxy->pull[k]);
    }
    for (int k = 0; k < 4; k++) {
        free(galaxy->place[k]);
        free(galaxy->centre[k]);
    }
    for (int t = 0; t < galaxy->threads; t++) {
        free(galaxy->found[t].near.item);
        free(galaxy->found[t].far.item);
    }
    void *const others[] = { galaxy->mass, galaxy->found, galaxy->walk, galaxy->lists,
                             galaxy->work, galaxy->request };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        free(others[i]);
}

void galaxy_times(const struct galaxy *galaxy, double *batches, double *moves)
{
    struct qn_server_stats stats;
    struct qn_cache_stats cache[2] = { { 0 }, { 0 } };
    qn_server_get_stats(galaxy->server, &stats);
    for (int d = 0; d < 2 && galaxy->moved; d++)
        must(qn_server_cache_stats(galaxy->server, domains[d], &cache[d]));
    *batches = stats.seconds;
    *moves = cache[0].seconds + cache[1].seconds;
}

void galaxy_report(const struct galaxy *galaxy)
{
    struct qn_queue_stats stats;
    char text[4096];
    qn_queue_get_stats(galaxy->queue, &stats);
    qn_queue_report(&stats, text, sizeof text);
    printf("\n%s", text);
    qn_server_report(galaxy->server, text, sizeof text);
    printf("%s", text);
}
