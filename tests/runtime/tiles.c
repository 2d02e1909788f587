/* Tiles of meshes: every point is in one, all that it needs has a place, and
 * the places are those of its neighbours. */
#include "../../runtime/tiling.h"
#include "lib.h"

enum { VERTEX, EDGE, V2E = 0, E2C2V };

/* The mesh of a test as the runtime sees it: vertices and edges, two tables. */
struct grid {
    struct qn_mesh *mesh;
    struct quern_mesh_table tables[2];
    int64_t points[2];
};

static struct quern_mesh_table table_of(const struct grid *grid, const char *name, int from,
                                        int to)
{
    int64_t count;
    const int32_t *const entries = qn_mesh_table(grid->mesh, name, &count);
    const struct quern_mesh_table table = { .name = name, .rows = grid->points[from],
        .targets = grid->points[to], .count = count, .skips = 1, .by_slot = 1, .data = entries,
        .stride = count };
    return table;
}

static void prepare(struct grid *grid)
{
    grid->points[VERTEX] = qn_mesh_extent(grid->mesh, "vertex");
    grid->points[EDGE] = qn_mesh_extent(grid->mesh, "edge");
    grid->tables[V2E] = table_of(grid, "v2e", VERTEX, EDGE);
    grid->tables[E2C2V] = table_of(grid, "e2c2v", EDGE, VERTEX);
}

/* Vertices that read edges that read vertices: the three stages of points that a chain has; two
 * slots of the last table in another order. */
static const int slots[] = { 3, 1 };
static const struct quern_tile_list lists[] = { { VERTEX, 3, 16 } };
static const struct quern_tile_way ways[] = {
    { 0, -1, 0, 1, { { E2C2V, 4, NULL } } },
    { 1, 0, -1, 1, { { V2E, 6, NULL } } },
    { 1, -1, 0, 2, { { V2E, 6, NULL }, { E2C2V, 2, slots } } },
};

/* The edges of a vertex that begin there, as a torus has them; meshes with others have to do with
 * it too. */
static const int number[] = { 0, 1, 2, 3, 0, 2, 4, 1, 0, 3, 1, 5 };
static const struct quern_tile_fan edges_of_vertex = { 0, 6, 0, number };

static int64_t words_of(const struct quern_tile_form *form)
{
    int64_t words = 0;
    for (int i = 0; i < form->stage_count; i++)
        words += form->stages[i].each;
    for (int i = 0; i < form->list_count; i++)
        words += form->lists[i].each;
    for (int i = 0; i < form->way_count; i++)
        words += qn__way_words(form, &form->ways[i]);
    return words;
}

/* Where the points of a stage (to_list < 0) or a list begin. */
static const int32_t *points_of(const struct quern_tile_form *form, const int32_t *tile,
                                int stage, int list)
{
    for (int i = 0; i < (list < 0 ? stage : form->stage_count); i++)
        tile += form->stages[i].each * form->threads;
    for (int i = 0; i < list; i++)
        tile += form->lists[i].each * form->threads;
    return tile;
}

/* The place that a tile tells of a neighbour of its i-th point. */
static uint32_t told(const struct quern_tile_form *form, int w, const int32_t *words, int64_t i,
                     int64_t entry)
{
    const int64_t entries = qn__way_entries(&form->ways[w]), m = i / form->threads;
    const struct quern_tile_fan *const fan = form->stages[form->ways[w].stage].fan;
    const int64_t n = fan && fan->way == w ? fan->number[m * entries + entry]
                                           : m * (entries + entries % 2) + entry;
    return (uint32_t)words[n / 2 * form->threads + i % form->threads] >> n % 2 * 16 & 0xffff;
}

/* Places of a tile that are not those of the neighbours. */
static int64_t strays(const struct qn__tiling *tiling, const int32_t *tile)
{
    const struct quern_tile_form *const form = tiling->form;
    const int64_t threads = form->threads;
    const int32_t *words = points_of(form, tile, 0, form->list_count);
    int64_t found = 0;
    for (int w = 0; w < form->way_count; w++) {
        const struct quern_tile_way *const way = &form->ways[w];
        const int64_t entries = qn__way_entries(way), each = form->stages[way->stage].each;
        const int32_t *const from = points_of(form, tile, way->stage, -1);
        const int32_t *const to = points_of(form, tile, way->to_stage, way->to_list);
        for (int64_t i = 0; i < each * threads; i++)
            for (int64_t e = 0; from[i] >= 0 && e < entries; e++) {
                const int64_t near = qn__way_follow(tiling, way, from[i], e);
                const uint32_t place = told(form, w, words, i, e);
                const uint32_t pitch = way->to_list < 0
                    ? (uint32_t)form->stages[way->to_stage].pitch : 0;
                found += near < 0 ? place != QUERN_MISSING : place >= QUERN_PLACES
                    || to[pitch ? place % pitch * (uint32_t)threads + place / pitch : place]
                        != near;
            }
        words += qn__way_words(form, way) * threads;
    }
    return found;
}

/* Points of the last stage that are in no tile, or in two. */
static int64_t lost(const struct qn__tiling *tiling, const int32_t *words, int64_t count)
{
    const struct quern_tile_form *const form = tiling->form;
    const int last = form->stage_count - 1;
    const int64_t all = tiling->points[form->stages[last].domain];
    int64_t *const times = calloc((size_t)all + 1, sizeof *times), found = 0;
    for (int64_t t = 0; t < count; t++) {
        const int32_t *const points =
            points_of(form, words + t * form->words * form->threads, last, -1);
        for (int64_t i = 0; i < (int64_t)form->stages[last].each * form->threads; i++)
            if (points[i] >= 0)
                times[points[i]]++;
    }
    for (int64_t i = 0; i < all; i++)
        found += times[i] != 1;
    free(times);
    return found;
}

static void check(struct grid *grid, int threads, int64_t resident, bool whole,
                  const struct quern_tile_fan *fan, const char *what)
{
    const struct quern_tile_stage stages[] = { { EDGE, fan ? 3 : 4, fan ? 5 : 0, fan },
                                                 { VERTEX, 1, 0, NULL } };
    struct quern_tile_form form = { .threads = threads, .stage_count = 2, .list_count = 1,
        .way_count = 3, .stages = stages, .lists = lists, .ways = ways };
    prepare(grid);
    form.words = (int)words_of(&form);
    const struct qn__tiling tiling = { &form, grid->tables, grid->points, resident };
    int32_t *words;
    int64_t count, wrong = 0;
    must(qn__tiling_make(&tiling, &words, &count));
    for (int64_t t = 0; t < count; t++)
        wrong += strays(&tiling, words + t * form.words * threads);
    const int64_t missed = lost(&tiling, words, count);
    ok(wrong == 0 && missed == 0, "%s%s, %d threads: %lld tiles, %lld wrong places, %lld points"
       " lost", what, fan ? ", fans" : "", threads, (long long)count, (long long)wrong, (long long)missed);
    if (whole && !fan)
        ok(count == resident, "%lld tiles are a wave of %lld", (long long)count,
           (long long)resident);
    free(words);
}

/* A vertex whose edges have more vertices than a tile may copy. */
static void check_crowd(void)
{
    struct grid grid;
    const struct quern_tile_stage stages[] = { { EDGE, 8, 0, NULL }, { VERTEX, 1, 0, NULL } };
    const struct quern_tile_list small[] = { { VERTEX, 1, 16 } };
    struct quern_tile_form form = { .threads = 4, .stage_count = 2, .list_count = 1,
        .way_count = 3, .stages = stages, .lists = small, .ways = ways };
    must(qn_mesh_torus(8, 8, &grid.mesh));
    prepare(&grid);
    form.words = (int)words_of(&form);
    const struct qn__tiling tiling = { &form, grid.tables, grid.points, 1 };
    int32_t *words = NULL;
    int64_t count = 0;
    fails(qn__tiling_make(&tiling, &words, &count), QN_INVALID, "point 0 ",
          "a point that no tile has room for");
    ok(words == NULL, "nothing is made of it");
    qn_mesh_free(grid.mesh);
}

/* Pieces of a lattice are some rows of as many points each; what is none has no strips. */
static void check_strips(enum qn_status made, struct grid *grid, bool lattice, const char *what)
{
    const struct quern_tile_stage stages[] = { { EDGE, 8, 0, NULL }, { VERTEX, 1, 0, NULL } };
    struct quern_tile_form form = { .threads = 32, .stage_count = 2, .list_count = 1,
        .way_count = 3, .stages = stages, .lists = lists, .ways = ways };
    struct qn__growth *growth;
    int32_t points[32];
    must(made);
    prepare(grid);
    form.words = (int)words_of(&form);
    const struct qn__tiling tiling = { &form, grid->tables, grid->points, 1 };
    must(qn__growth_make(&tiling, &growth));
    ok(qn__growth_has_strips(growth) == lattice, "%s %s strips", what,
       lattice ? "has" : "has no");
    int64_t rows = 1, count = 0, all = 0;
    qn__growth_start(growth, lattice ? 0 : 16);
    while ((count = qn__growth_take(growth, 32, points)) > 0) {
        for (int64_t i = 1; all == 0 && i < count; i++)
            rows += points[i] != points[i - 1] + 1;
        all += count;
    }
    ok(all == grid->points[VERTEX], "%s: %lld of %lld points", what, (long long)all,
       (long long)grid->points[VERTEX]);
    if (lattice)
        ok(rows == 4, "%s: a piece of %lld rows, wanted 4", what, (long long)rows);
    qn__growth_free(growth);
    qn_mesh_free(grid->mesh);
}

/* The same with and without fans. */
static void check_both(enum qn_status made, struct grid *grid, int threads, int64_t resident,
                       bool whole, const char *what)
{
    must(made);
    check(grid, threads, resident, whole, NULL, what);
    check(grid, threads, resident, whole, &edges_of_vertex, what);
    qn_mesh_free(grid->mesh);
}

int main(void)
{
    struct grid grid;
    check_both(qn_mesh_torus(30, 26, &grid.mesh), &grid, 32, 5, false, "a torus");
    check_both(qn_mesh_torus(30, 26, &grid.mesh), &grid, 1024, 264, false, "a torus of a few tiles");
    check_both(qn_mesh_plane(17, 9, &grid.mesh), &grid, 32, 3, false, "a plane with rims");
    check_both(qn_mesh_icosahedron(2, 2, &grid.mesh), &grid, 64, 7, false,
               "an icosahedron with pentagons");
    check_both(qn_mesh_icosahedron(2, 2, &grid.mesh), &grid, 256, 7, true,
               "an icosahedron of a wave");
    check_both(qn_mesh_plane(2, 2, &grid.mesh), &grid, 32, 1, false, "a mesh of one tile");
    check_crowd();
    check_strips(qn_mesh_torus(30, 26, &grid.mesh), &grid, true, "a torus");
    check_strips(qn_mesh_plane(30, 29, &grid.mesh), &grid, true, "a plane");
    check_strips(qn_mesh_icosahedron(2, 2, &grid.mesh), &grid, false, "an icosahedron");
    return done();
}
