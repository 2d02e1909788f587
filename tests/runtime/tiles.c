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
static const int centres[] = { 0, 0, 0 };
static const struct quern_tile_fan edges_of_vertex = { 0, 6, centres, number };

/* Another half of the edges of a vertex, two of which end there. */
static const int other_number[] = { 0, 1, 2, 3, 1, 4, 2, 5, 2, 1, 4, 0 };
static const int other_centres[] = { 1, 0, 1 };
static const struct quern_tile_fan other_half = { 0, 6, other_centres, other_number };

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

/* The centre of the points that a thread has of the first stage; -1: it has none. */
static int64_t centre_of(const struct qn__tiling *tiling, const int32_t *tile, int64_t thread)
{
    const struct quern_tile_fan *const fan = tiling->form->stages[0].fan;
    for (int m = 0; m < tiling->form->stages[0].each; m++) {
        const int32_t point = tile[m * tiling->form->threads + thread];
        if (point >= 0)
            return qn__way_follow(tiling, &ways[fan->way], point, fan->centres[m]);
    }
    return -1;
}

/* Targets that are not in the thread that has the fan around them, where one has. */
static int64_t apart(const struct qn__tiling *tiling, const int32_t *tile)
{
    const struct quern_tile_form *const form = tiling->form;
    const int32_t *const targets = points_of(form, tile, 1, -1);
    int64_t found = 0;
    for (int64_t t = 0; form->stages[0].fan && t < form->threads; t++) {
        if (targets[t] < 0 || centre_of(tiling, tile, t) == targets[t])
            continue;
        for (int64_t other = 0; other < form->threads; other++)
            found += centre_of(tiling, tile, other) == targets[t];
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

static void check(struct grid *grid, int threads, int64_t resident,
                  const struct quern_tile_fan *fan, const char *what)
{
    const struct quern_tile_stage stages[] = { { EDGE, fan ? 3 : 4, fan ? 5 : 0, fan },
                                                 { VERTEX, 1, 0, NULL } };
    struct quern_tile_form form = { .threads = threads, .stage_count = 2, .list_count = 1,
        .way_count = 3, .stages = stages, .lists = lists, .ways = ways };
    prepare(grid);
    form.words = (int)words_of(&form);
    const struct qn__tiling tiling = { &form, grid->tables, grid->points, { resident, 1 } };
    int32_t *words;
    struct qn_tiles made;
    int64_t wrong = 0, far = 0;
    must(qn__tiling_make(&tiling, &words, &made));
    const int64_t count = made.count;
    for (int64_t t = 0; t < count; t++) {
        wrong += strays(&tiling, words + t * form.words * threads);
        far += apart(&tiling, words + t * form.words * threads);
    }
    const int64_t missed = lost(&tiling, words, count);
    ok(wrong == 0 && missed == 0, "%s%s, %d threads: %lld tiles, %lld wrong places, %lld points"
       " lost", what, fan ? ", fans" : "", threads, (long long)count, (long long)wrong, (long long)missed);
    ok(far == 0, "%lld targets apart from their fans", (long long)far);
    free(words);
}

/* Tiles of one stage are as large as they may be where what is left of a wave is a few, which are
 * cut along their levels; as many as make whole waves where it is many. */
static void check_waves(int64_t blocks, int64_t least, int64_t most)
{
    struct grid grid;
    static const struct quern_tile_stage stages[] = { { EDGE, 3, 0, NULL } };
    static const struct quern_tile_way way[] = { { 0, -1, 0, 1, { { E2C2V, 4, NULL } } } };
    struct quern_tile_form form = { .threads = 64, .stage_count = 1, .list_count = 1,
        .way_count = 1, .stages = stages, .lists = lists, .ways = way };
    must(qn_mesh_torus(30, 26, &grid.mesh));
    prepare(&grid);
    form.words = (int)words_of(&form);
    const struct qn__tiling tiling = { &form, grid.tables, grid.points, { blocks, 1 } };
    int32_t *words;
    struct qn_tiles made;
    must(qn__tiling_make(&tiling, &words, &made));
    ok(made.count >= least && made.count <= most, "%lld tiles, wanted %lld to %lld",
       (long long)made.count, (long long)least, (long long)most);
    ok(made.at_once == blocks && made.rows == 4 && made.run == 0 && made.computed == 1
       && made.copied > 0.3 && made.copied < 1, "it is told what tiles are");
    free(words);
    qn_mesh_free(grid.mesh);
}

/* Is each level of each tile in one block of some turns? */
static bool is_dealt(const struct quern_turns *turns, int64_t levels, int64_t tiles)
{
    char *const times = calloc((size_t)(levels * tiles) + 1, 1);
    bool once = true;
    for (int64_t row = 0; row < turns->waves + turns->parts; row++)
        for (int64_t x = 0; x < turns->side; x++) {
            const int64_t wave = row < turns->waves ? row : turns->waves;
            const int64_t tile = wave * turns->side + x, first = (row - wave) * turns->levels;
            const int64_t last = wave == turns->waves && first + turns->levels < levels
                ? first + turns->levels : levels;
            for (int64_t k = first; tile < tiles && k < last; k++)
                times[tile * levels + k]++;
        }
    for (int64_t i = 0; i < levels * tiles; i++)
        once = once && times[i] == 1;
    free(times);
    return once;
}

/* Levels of a block: all of them while tiles are whole waves; parts of them where what is left
 * leaves a device half empty. */
static void check_turns(void)
{
    static const struct { int64_t levels, tiles, blocks, each, waves, part; } cases[] = {
        { 80, 396, 264, 2, 1, 40 }, { 80, 352, 264, 2, 1, 27 }, { 80, 520, 264, 2, 0, 80 },
        { 80, 1376, 264, 2, 0, 80 }, { 80, 132, 132, 1, 0, 80 }, { 80, 1, 264, 2, 0, 8 },
        { 7, 1, 264, 2, 0, 7 }, { 1, 5, 1, 1, 0, 1 }, { 83, 13, 8, 1, 1, 28 },
        { 80, 100000, 264, 2, 0, 80 }, { 0, 3, 2, 1, 0, 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct quern_room room = { cases[i].blocks, cases[i].each };
        const struct quern_turns turns = quern_deal(cases[i].levels, cases[i].tiles, room, 7);
        ok(turns.waves == cases[i].waves && turns.levels == cases[i].part,
           "%lld tiles of %lld levels, %lld at once: %d whole waves, then by %lld, wanted %lld, %lld",
           (long long)cases[i].tiles, (long long)cases[i].levels, (long long)cases[i].blocks,
           turns.waves, (long long)turns.levels, (long long)cases[i].waves,
           (long long)cases[i].part);
        ok(is_dealt(&turns, cases[i].levels, cases[i].tiles), "each level of each tile is in one");
    }
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
    const struct qn__tiling tiling = { &form, grid.tables, grid.points, { 1, 1 } };
    int32_t *words = NULL;
    struct qn_tiles made;
    fails(qn__tiling_make(&tiling, &words, &made), QN_INVALID, "point 0 ",
          "a point that no tile has room for");
    ok(words == NULL, "nothing is made of it");
    qn_mesh_free(grid.mesh);
}

/* Pieces of a lattice are some rows of as many points each, `row` apart; 0: what is none has no
 * strips. */
static void check_strips(enum qn_status made, struct grid *grid, int64_t row, const char *what)
{
    const struct quern_tile_stage stages[] = { { EDGE, 8, 0, NULL }, { VERTEX, 1, 0, NULL } };
    struct quern_tile_form form = { .threads = 32, .stage_count = 2, .list_count = 1,
        .way_count = 3, .stages = stages, .lists = lists, .ways = ways };
    struct qn__growth *growth;
    struct qn__kin kin;
    int32_t points[32];
    must(made);
    prepare(grid);
    form.words = (int)words_of(&form);
    const struct qn__tiling tiling = { &form, grid->tables, grid->points, { 1, 1 } };
    const bool lattice = row > 0;
    ok(qn__kin_find(&tiling, &kin), "%s: which points read the same", what);
    must(qn__growth_make(&kin, &growth));
    ok(qn__growth_has_strips(growth) == lattice, "%s %s strips", what,
       lattice ? "has" : "has no");
    int64_t rows = 1, count = 0, all = 0;
    if (lattice)
        qn__growth_start_strips(growth, 4);
    else
        qn__growth_start(growth, 16);
    while ((count = qn__growth_take(growth, 32, points)) > 0) {
        for (int64_t i = 1; all == 0 && i < count; i++)
            rows += points[i] != points[i - 1] + 1;
        if (all == 0 && lattice)
            ok(points[8] - points[0] == row, "%s: rows of %lld, wanted %lld", what,
               (long long)(points[8] - points[0]), (long long)row);
        all += count;
    }
    ok(all == grid->points[VERTEX], "%s: %lld of %lld points", what, (long long)all,
       (long long)grid->points[VERTEX]);
    if (lattice)
        ok(rows == 4, "%s: a piece of %lld rows, wanted 4", what, (long long)rows);
    qn__growth_free(growth);
    qn__kin_free(&kin);
    qn_mesh_free(grid->mesh);
}

/* Vertices that read vertices across edges, all as one list: a kernel of one stage. */
static const struct quern_tile_way across[] = {
    { 0, -1, 0, 2, { { V2E, 6, NULL }, { E2C2V, 4, NULL } } },
};

/* How many vertices the points of a part read. */
static int64_t around(const struct qn__kin *kin, const int32_t *points, int64_t count)
{
    char *const seen = calloc((size_t)kin->neighbours + 1, 1);
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++)
        for (int64_t e = 0; e < kin->entries; e++) {
            const int64_t near = qn__kin_follow(kin, points[i], e);
            found += near >= 0 && !seen[near];
            if (near >= 0)
                seen[near] = 1;
        }
    free(seen);
    return found;
}

/* Parts of a mesh: as many as are asked for, each point in one, of about as many points, and none
 * is scattered: what it reads lies around it. */
static void check_parts(enum qn_status made, struct grid *grid, int64_t parts, int64_t wanted,
                        int64_t most_near, const char *what)
{
    const struct quern_tile_stage stages[] = { { VERTEX, 1, 0, NULL } };
    struct quern_tile_form form = { .threads = 64, .stage_count = 1, .list_count = 1,
        .way_count = 1, .stages = stages, .lists = lists, .ways = across };
    struct qn__halves *halves;
    struct qn__kin kin;
    int32_t points[64];
    must(made);
    prepare(grid);
    const struct qn__tiling tiling = { &form, grid->tables, grid->points, { 1, 1 } };
    int32_t *const times = calloc((size_t)grid->points[VERTEX] + 1, sizeof *times);
    int64_t count, found = 0, least = 64, most = 0, near = 0, wrong = 0;
    ok(qn__kin_find(&tiling, &kin), "%s: which points read the same", what);
    must(qn__halves_make(&kin, &halves));
    for (qn__halves_start(halves, parts); (count = qn__halves_take(halves, 64, points)) > 0; found++) {
        const int64_t read = around(&kin, points, count);
        least = count < least ? count : least;
        most = count > most ? count : most;
        near = read > near ? read : near;
        for (int64_t i = 0; i < count; i++)
            times[points[i]]++;
    }
    for (int64_t i = 0; i < grid->points[VERTEX]; i++)
        wrong += times[i] != 1;
    ok(found == wanted && wrong == 0, "%s: %lld parts, wanted %lld; %lld points not in one", what,
       (long long)found, (long long)wanted, (long long)wrong);
    ok(most - least <= 12 && near <= most_near, "%s: parts of %lld to %lld points, which read at most "
       "%lld", what, (long long)least, (long long)most, (long long)near);
    free(times);
    qn__halves_free(halves);
    qn__kin_free(&kin);
    qn_mesh_free(grid->mesh);
}

/* The same without fans, and with either. */
static void check_both(enum qn_status made, struct grid *grid, int threads, int64_t resident,
                       const char *what)
{
    must(made);
    check(grid, threads, resident, NULL, what);
    check(grid, threads, resident, &edges_of_vertex, what);
    check(grid, threads, resident, &other_half, what);
    qn_mesh_free(grid->mesh);
}

int main(void)
{
    struct grid grid;
    check_both(qn_mesh_torus(30, 26, &grid.mesh), &grid, 32, 5, "a torus");
    check_both(qn_mesh_torus(30, 26, &grid.mesh), &grid, 1024, 264, "a torus of a few tiles");
    check_both(qn_mesh_plane(17, 9, &grid.mesh), &grid, 32, 3, "a plane with rims");
    check_both(qn_mesh_icosahedron(2, 2, &grid.mesh), &grid, 64, 7, "an icosahedron with pentagons");
    check_both(qn_mesh_plane(2, 2, &grid.mesh), &grid, 32, 1, "a mesh of one tile");
    check_waves(10, 13, 13);
    check_waves(8, 15, 16);
    check_turns();
    check_crowd();
    check_parts(qn_mesh_icosahedron(2, 3, &grid.mesh), &grid, 48, 48, 140, "an icosahedron");
    check_parts(qn_mesh_icosahedron(2, 2, &grid.mesh), &grid, 132, 132, 60, "parts of a unit or two");
    check_parts(qn_mesh_torus(30, 26, &grid.mesh), &grid, 16, 16, 112, "a torus");
    check_parts(qn_mesh_plane(2, 9, &grid.mesh), &grid, 1, 1, 18, "a mesh of one part");
    check_parts(qn_mesh_icosahedron(1, 0, &grid.mesh), &grid, 99, 3, 12, "a mesh of few units");
    check_strips(qn_mesh_torus(30, 26, &grid.mesh), &grid, 26, "a torus");
    check_strips(qn_mesh_plane(30, 29, &grid.mesh), &grid, 29, "a plane");
    check_strips(qn_mesh_icosahedron(2, 2, &grid.mesh), &grid, 0, "an icosahedron");
    return done();
}
