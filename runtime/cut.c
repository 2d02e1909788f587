/* How a mesh is cut into tiles: which points make one, and how many. */
#include "tiling.h"

enum {
    SAMPLE = 24                 /* tiles by which a way is judged */
};

/* Ways to cut: strips of so many rows, where a mesh has rows, or runs. */
struct way {
    int64_t rows, run;
    double weight;              /* of the bytes that its tiles copy ahead */
};

/* Pieces of rows are side by side in memory, and so are those of a strip one
 * behind the other: measured on an H200 (tests/device/RESULTS.md), of more rows
 * than four less than they would save. */
static const struct way WAYS[] = {
    { 4, 0, 0.75 }, { 6, 0, 0.83 }, { 8, 0, 0.9 },
    { 0, 16, 1 }, { 0, 24, 1 }, { 0, 32, 1 }, { 0, 48, 1 }, { 0, 64, 1 },
    { 0, 96, 1 }, { 0, 128, 1 }
};

/* What comes of one: points of a tile, and how long it takes, in any unit. */
struct choice {
    struct way way;
    int64_t size;               /* 0: there is none */
    int64_t parts;              /* not 0: halves of halves, so many */
    double time;
};

static int64_t most_points(const struct qn__work *work)
{
    return work->stages[work->tiling->form->stage_count - 1].most;
}

static void start(const struct qn__work *work, const struct choice *choice)
{
    if (choice->parts > 0)
        qn__halves_start(work->halves, choice->parts);
    else if (choice->way.rows > 0)
        qn__growth_start_strips(work->growth, choice->way.rows);
    else
        qn__growth_start(work->growth, choice->way.run);
}

/* The points of the next tile; how many, 0: there is none. */
static int64_t take(const struct qn__work *work, const struct choice *choice)
{
    return choice->parts > 0
        ? qn__halves_take(work->halves, choice->size, work->points)
        : qn__growth_take(work->growth, choice->size, work->points);
}

/* Bytes that a level of so many points moves in the tiles of a sample, for each
 * of them; -1: a tile has no room for so many. */
static double try_size(struct qn__work *work, const struct way *way,
                       int64_t size)
{
    const struct choice choice = { .way = *way, .size = size };
    int64_t count, tiles = 0, all = 0;
    double cost = 0;
    start(work, &choice);
    while (tiles < SAMPLE && (count = take(work, &choice)) > 0) {
        if (!qn__tile_gather(work, work->points, count))
            return -1;
        cost += (double)qn__tile_cost(work);
        all += count;
        tiles++;
    }
    return all > 0 ? cost / (double)all : -1;
}

/* The largest size of tiles, at most `most`, of which those of a sample have
 * room, 0: none; and what a point of it costs. */
static int64_t try_way(struct qn__work *work, const struct way *way,
                       int64_t most, double *cost)
{
    for (int64_t size = most; size > 0; size -= (size + 63) / 64) {
        const int64_t whole = way->rows > 0 && size > way->rows
            ? size - size % way->rows : size;
        *cost = try_size(work, way, whole);
        if (*cost >= 0)
            return whole;
    }
    return 0;
}

/* How long tiles of a size take to go through their levels, of which a model of
 * the atmosphere has some 80: as long as they have points and, whether they are
 * full or not, as long as a step takes anyway. In a chain that is much longer,
 * as the stages of a thread wait for each other. */
static double time_of(const struct qn__work *work, int64_t tiles, int64_t size)
{
    enum { LEVELS = 80, BEGIN = 7 };
    const struct quern_room room = work->tiling->room;
    const int64_t most = most_points(work);
    const bool alone = work->tiling->form->stage_count == 1;
    const struct quern_turns turns = quern_deal(LEVELS, tiles, room, BEGIN);
    return quern_turns_take(&turns, LEVELS, room, BEGIN) / LEVELS
         * (double)((alone ? most / 2 : 2 * most) + size);
}

/* Points of tiles that make whole waves, and a few more: some may have to be
 * halved. */
static int64_t even_size(const struct qn__work *work, int64_t points,
                         const struct way *way, int64_t waves)
{
    const int64_t tiles = waves * quern_most(work->tiling->room.blocks, 1);
    const int64_t even = (points + tiles - 1) / tiles;
    const int64_t some = even + even / 64 + 1;
    return way->rows > 0 ? some + way->rows - 1 - (some - 1) % way->rows : some;
}

/* Makes tiles smaller where that takes less time. */
static void even_out(const struct qn__work *work, int64_t points,
                     struct choice *choice)
{
    enum { MORE = 2 };
    const int64_t full = quern_most(work->tiling->room.blocks, 1);
    const int64_t largest = choice->size;
    const int64_t tiles = (points + largest - 1) / largest;
    choice->time = time_of(work, tiles, largest);
    for (int64_t more = 0; more < MORE; more++) {
        const int64_t size = even_size(work, points, &choice->way,
                                       (tiles + full - 1) / full + more);
        if (size >= largest || 4 * size < largest)
            continue;
        const double time = time_of(work, (points + size - 1) / size, size);
        if (time < choice->time) {
            choice->size = size;
            choice->time = time;
        }
    }
}

/* The better of two ways to cut, if tiles of this one have room for points. */
static void compare(struct qn__work *work, int64_t points,
                    const struct way *way, struct choice *best)
{
    const struct quern_tile_form *const form = work->tiling->form;
    struct choice found = { .way = *way };
    double cost;
    found.size = try_way(work, way, most_points(work), &cost);
    if (found.size == 0)
        return;
    even_out(work, points, &found);
    found.time *= form->list_count > 0 ? cost * way->weight : cost;
    if (best->size == 0 || found.time < best->time)
        *best = found;
}

/* What a point costs in tiles that are so many parts of the mesh, and how many
 * more tiles there are, at most `most`, as some parts have no room; -1: there
 * are more than that. */
static double try_parts(struct qn__work *work, int64_t parts, int64_t most,
                        int64_t *more)
{
    const struct choice choice = { .size = most_points(work), .parts = parts };
    int64_t count, all = 0, tiles = 0;
    double cost = 0;
    start(work, &choice);
    for (*more = 0; *more <= most && (count = take(work, &choice)) > 0;
         tiles++) {
        if (!qn__tile_gather(work, work->points, count)) {
            ++*more;
            continue;
        }
        cost += (double)qn__tile_cost(work);
        all += count;
    }
    *more = *more <= most ? *more + tiles - parts : *more;
    return *more <= most && all > 0 ? cost / (double)all : -1;
}

/* So many tiles, which are parts of the mesh or halves of one, if that takes
 * less time than the best. */
static void compare_parts(struct qn__work *work, int64_t points, int64_t tiles,
                          struct choice *best)
{
    enum { TRIES = 3, MOST = 32 };      /* one part in so many is halved */
    int64_t parts = tiles, more = 0;
    double cost = 0;
    for (int i = 0; i < TRIES && (i == 0 || parts + more > tiles); i++) {
        parts -= more;
        cost = try_parts(work, parts, tiles / MOST, &more);
        if (cost < 0)
            return;
    }
    const int64_t size = (points + parts - 1) / parts;
    const double time = cost * time_of(work, parts + more, size);
    if (time < best->time)
        *best = (struct choice){ .size = most_points(work), .parts = parts,
                                 .time = time };
}

/* Parts of the mesh that make whole waves, or a half: as large as they may be,
 * as smaller ones cost more. For chains, whose tiles compute what lies around
 * them; others copy, and that lies in longer runs where tiles grow (measured on
 * an H200: tests/device/RESULTS.md). */
static void try_waves(struct qn__work *work, int64_t points,
                      struct choice *best)
{
    enum { TRIES = 4 };
    const struct quern_tile_form *const form = work->tiling->form;
    if (form->stage_count == 1 || form->list_count == 0
        || qn__halves_make(&work->kin, &work->halves) != QN_OK)
        return;
    const int64_t full = quern_most(work->tiling->room.blocks, 2);
    const int64_t least = (points + most_points(work) - 1) / most_points(work);
    const int64_t first = (2 * least + full - 1) / full;
    for (int64_t halves = first; halves < first + TRIES; halves++) {
        const int64_t tiles = halves * full / 2;
        if (tiles * most_points(work) > 4 * points)
            return;
        compare_parts(work, points, tiles, best);
    }
}

/* The way that takes least time; of a lattice that with as many rows as are
 * asked for. */
static struct choice choose(struct qn__work *work, int64_t points)
{
    enum { COUNT = sizeof WAYS / sizeof WAYS[0] };
    const bool lattice = qn__growth_has_strips(work->growth);
    const struct way asked = { lattice ? work->tiling->form->strips : 0, 0, 1 };
    struct choice best = { .size = 0 };
    if (asked.rows > 0)
        compare(work, points, &asked, &best);
    for (int i = 0; i < COUNT && (asked.rows == 0 || best.size == 0); i++)
        if (lattice == (WAYS[i].rows > 0) || (lattice && best.size == 0))
            compare(work, points, &WAYS[i], &best);
    if (!lattice && best.size > 0)
        try_waves(work, points, &best);
    if (best.size == 0)
        best = (struct choice){ .way = { 0, 1, 1 }, .size = 1 };
    return best;
}

enum qn_status qn__cut(struct qn__work *work)
{
    const struct quern_tile_form *const form = work->tiling->form;
    const int64_t points =
        work->tiling->points[form->stages[form->stage_count - 1].domain];
    struct qn_tiles *const made = &work->made;
    int64_t count;
    enum qn_status status = QN_OK;
    const struct choice chosen = choose(work, points);
    start(work, &chosen);
    while (status == QN_OK && (count = take(work, &chosen)) > 0)
        status = qn__tile_add(work, work->points, count);
    made->at_once = work->tiling->room.blocks;
    made->rows = chosen.way.rows;
    made->run = chosen.way.run;
    made->computed /= (double)(points > 0 ? points : 1);
    made->copied /= (double)(points > 0 ? points : 1);
    return status;
}
