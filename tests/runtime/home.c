/* Requests on values that are at home in the host's arrays, of which the module has
 * room for a few blocks: whatever is moved, kept, evicted and written back, and
 * whichever of two devices serves a request, results are those of plain loops.
 *
 *     home CONTEXT RUNTIME requests.so [requests.so for the CPU] */
#include "lib.h"
#include "cache.h"
#include "server.h"

enum { POINTS = 3001, CELLS = 40, BLOCK = 64, ROOM = 20, REQUESTS = 120, LONGEST = 12, LISTS = 3,
       ROUNDS = 4, WINDOW = 150, CELL_BLOCK = 8 };

struct request {
    struct qn_request own;
    struct qn_work work;
    struct qn_points list[LISTS];
    int32_t point[LISTS][LONGEST];
    double shift;
};

static struct request requests[REQUESTS];
static double px[POINTS], m[POINTS], f[POINTS], q[CELLS], wanted[POINTS], scale[POINTS];
static uint64_t state = 11;

static double draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

/* Each about a window of the points: some blocks, often the same. */
static void draw_request(struct request *own, int number)
{
    const int first = (int)(draw() * (draw() < 0.5 ? 4 * WINDOW : POINTS - WINDOW));
    memset(own, 0, sizeof *own);
    for (int l = 0; l < LISTS; l++) {
        own->list[l].point = own->point[l];
        own->list[l].count = number == 2 + l ? 0 : (size_t)(draw() * LONGEST);
        for (size_t i = 0; i < own->list[l].count; i++)
            own->point[l][i] = l == 2 ? (int32_t)(draw() * CELLS)
                                      : first + (int32_t)(draw() * WINDOW);
    }
    own->shift = 2 * draw() - 1;
    own->work = (struct qn_work){ own->list, &own->shift };
    own->own.data = &own->work;
    own->own.items = (int64_t)(own->list[0].count + own->list[1].count);
}

static void add(int p, double value)
{
    wanted[p] += value;
    scale[p] += fabs(value);
}

static void serve_by_hand(const struct request *own)
{
    const struct qn_points *const a = &own->list[0], *const b = &own->list[1];
    double masses = 0;
    for (size_t i = 0; i < a->count; i++) {
        const int p = a->point[i];
        double sum = 0, cells = 0;
        for (size_t j = 0; j < b->count; j++)
            sum += m[b->point[j]] * (px[b->point[j]] + own->shift - px[p]);
        for (size_t c = 0; c < own->list[2].count; c++)
            cells += q[own->list[2].point[c]];
        add(p, sum + 0.75 * cells * px[p]);
        masses += m[p];
    }
    for (size_t j = 0; j < b->count; j++)
        add(b->point[j], own->shift * masses);
}

static double worst(void)
{
    double most = 0;
    for (int p = 0; p < POINTS; p++)
        most = fmax(most, fabs(f[p] - wanted[p]) / (scale[p] + 1));
    return most;
}

/* --- servers ------------------------------------------------------------------ */

static int axis_of(const struct quern_module *info, const char *name)
{
    int at = 0;
    while (strcmp(info->axis[at], name) != 0)
        at++;
    return at;
}

static struct qn_module *open_module(struct qn_context *context, const char *path, int room,
                                     int cells)
{
    struct qn_module *module;
    int64_t n[QUERN_MAX_AXES] = { 0 };
    must(qn_module_load(context, path, &module));
    const struct quern_module *const info = qn_module_describe(module);
    n[axis_of(info, "particle")] = room;
    n[axis_of(info, "cell")] = cells;
    must(qn_module_resize(module, n));
    must(qn_module_set(module, "pole", 0.75));
    for (int i = 0; i < 4; i++)
        field_of(module, (const char *const[]){ "px", "m", "f", "g" }[i]);
    struct qn_field *const field = field_of(module, "q");
    if (cells == CELLS)
        must(qn_field_write(field, 0, q));
    return module;
}

/* homes 2: cells are at home on the host, too. */
static struct qn_server *open_with(struct qn_module *module, enum qn_reuse reuse, int sum,
                                   int homes, int distinct)
{
    const struct qn_home_field fields[] = { { "px", px, 0 }, { "m", m, 0 }, { "f", f, sum } };
    const struct qn_home home[] = {
        { "particle", POINTS, BLOCK, reuse, 3, fields },
        { "cell", CELLS, CELL_BLOCK, reuse, 1, (const struct qn_home_field[]){ { "q", q, 0 } } }
    };
    const struct qn_server_settings settings = {
        .request = "pull", .list_count = LISTS, .scalar_count = 1,
        .lists = (const char *const[]){ "a", "b", "far" },
        .scalars = (const char *const[]){ "shift" }, .home_count = (size_t)homes,
        .homes = home, .distinct = distinct, .threads = 4
    };
    struct qn_server *server;
    must(qn_server_create(module, &settings, &server));
    return server;
}

static struct qn_server *open_server(struct qn_module *module, enum qn_reuse reuse, int sum)
{
    return open_with(module, reuse, sum, 1, 0);
}

static void reset(void)
{
    state = 77;
    for (int p = 0; p < POINTS; p++) {
        px[p] = 2 * draw() - 1;
        m[p] = draw();
        wanted[p] = f[p] = draw();
        scale[p] = 0;
    }
}

/* The servers' copies of what the host changes between rounds are no good. */
static void play(struct qn_queue *queue, struct qn_server *const *servers, int count)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int r = 0; r < REQUESTS; r++) {
            draw_request(&requests[r], r);
            serve_by_hand(&requests[r]);
            must(qn_queue_submit(queue, &requests[r].own));
        }
        must(qn_queue_drain(queue));
        for (int s = 0; s < count; s++)
            must(qn_server_read(servers[s], "particle", 0, POINTS));
        const int first = (int)(draw() * (POINTS - 500));
        for (int p = first; p < first + 500; p++)
            px[p] = 2 * draw() - 1;
        for (int s = 0; s < count; s++)
            must(qn_server_written(servers[s], "particle", first, 500));
    }
}

static int count_failed(void)
{
    int failed = 0;
    for (int r = 0; r < REQUESTS; r++)
        failed += requests[r].own.status != QN_OK;
    return failed;
}

/* The table has the numbers, and stays within what it is given. */
static void test_report(struct qn_module *module)
{
    static const char table[] =
        "batches served                    2\n"
        "requests                          3\n"
        "items                             4\n"
        "points read for them              5\n"
        "bytes of tables                   6\n"
        "us a batch                      3.5\n"
        "at home: particle, 3001 points, blocks of 64\n"
        "  blocks found                    8\n"
        "  blocks moved                    9\n"
        "  that made place                10\n"
        "  on the device                  11\n"
        "  bytes to the device            12\n"
        "  bytes back                     13\n"
        "  bytes saved                    14\n"
        "  ms for moves                 15.0\n"
        "  batches                        16\n"
        "  that reused blocks             17\n";
    struct qn_server *const server = open_server(module, QN_REUSE_ALWAYS, 0);
    char text[2048], cut[40];
    server->stats = (struct qn_server_stats){ 2, 3, 4, 5, 6, 7e-6 };
    server->homes[0].cache->stats = (struct qn_cache_stats){
        .hits = 8, .misses = 9, .evicted = 10, .resident = 11, .up = 12, .saved = 14,
        .seconds = 15e-3, .leases = 16, .reused = 17
    };
    server->homes[0].fetched = 13;
    const size_t length = qn_server_report(server, text, sizeof text);
    ok(length == strlen(text) && strcmp(text, table) == 0
           && qn_server_report(server, cut, sizeof cut) == length && strlen(cut) == 39
           && strncmp(cut, text, 39) == 0,
       "a table of what was served, moved and saved");
    must(qn_server_free(server));
}

/* Bytes there and back: all fields of a block go there, what is written comes back. */
static void check_bytes(const struct qn_cache_stats *stats, enum qn_reuse reuse)
{
    const uint64_t last = (BLOCK - POINTS % BLOCK) * sizeof(double);   /* it is shorter */
    const uint64_t up = stats->misses * BLOCK * 3 * sizeof(double);
    const uint64_t saved = stats->hits * BLOCK * 3 * sizeof(double);
    ok(stats->up <= up && stats->saved <= saved && (up - stats->up) % (3 * last) == 0
           && (saved - stats->saved) % (3 * last) == 0 && stats->down > 0
           && stats->down % sizeof(double) == 0
           && (reuse != QN_REUSE_NEVER || stats->down <= stats->up / 3),
       "bytes there %llu, back %llu, saved %llu", (unsigned long long)stats->up,
       (unsigned long long)stats->down, (unsigned long long)stats->saved);
}

static void test_one(struct qn_module *module, enum qn_reuse reuse, int sum, int thread)
{
    static const char *const names[] = { "as is better", "always", "never" };
    struct qn_server *const server = open_server(module, reuse, sum);
    const struct qn_launcher launcher = qn_server_launcher(server);
    struct qn_cache_stats stats;
    struct qn_queue *queue;
    must(qn_queue_create(&(struct qn_queue_settings){ .policy = QN_FIXED, .count = 3,
                                                      .max_delay = 1e-4, .thread = thread },
                         &launcher, &queue));
    reset();
    play(queue, &server, 1);
    must(qn_server_cache_stats(server, "particle", &stats));
    qn_queue_destroy(queue);
    check_bytes(&stats, reuse);
    const double error = worst();
    ok(error < 1e-12 && count_failed() == 0, "%s: blocks reused %s%s%s: error %.1e", where,
       names[reuse], sum ? ", sums" : "", thread ? ", by a thread" : "", error);
    ok(reuse == QN_REUSE_NEVER ? stats.hits == 0
           : reuse == QN_REUSE_AUTO || (stats.hits > 0 && stats.evicted > 0),
       "blocks found %llu, moved %llu, made place %llu", (unsigned long long)stats.hits,
       (unsigned long long)stats.misses, (unsigned long long)stats.evicted);
    qn_server_free(server);
}

/* A block that is lost is good again when the host has written all of it, not a part:
 * which points, not which blocks, is what it says. */
static void test_host(struct qn_server *server)
{
    enum { FIRST = 7 * BLOCK, LAST = POINTS / BLOCK * BLOCK };
    must(qn_server_read(server, "particle", 0, POINTS));
    server->homes[0].data->lost[7] = server->homes[0].data->lost[POINTS / BLOCK] = true;
    fails(qn_server_read(server, "particle", FIRST + 5, 1), QN_DEVICE, "block 7 was lost", "a read");
    fails(qn_server_written(server, "particle", FIRST, BLOCK - 1), QN_DEVICE, "all of it",
          "a write of a part");
    fails(qn_server_written(server, "particle", LAST + 1, POINTS - LAST - 1), QN_DEVICE, "all of it",
          "a write of a part of the last block");
    ok(qn_server_written(server, "particle", FIRST, BLOCK) == QN_OK
           && qn_server_written(server, "particle", LAST, POINTS - LAST) == QN_OK
           && qn_server_read(server, "particle", 0, POINTS) == QN_OK,
       "writing all of them mends them");
    fails(qn_server_read(server, "particle", -1, 2), QN_INVALID,
          "2 points of 'particle' from -1 on: there are 3001", "points that are not there");
    fails(qn_server_written(server, "particle", POINTS, 1), QN_INVALID, "from 3001 on", "a write");
    fails(qn_server_written(server, "particle", 5, -1), QN_INVALID, "-1 points", "a write");
    fails(qn_server_read(server, "none", 0, 1), QN_NOT_FOUND, "without a home for 'none'", "a read");
}

/* What is left on the device when the server goes is written back. */
static void test_end(struct qn_module *module)
{
    struct qn_server *const server = open_server(module, QN_REUSE_ALWAYS, 1);
    const struct qn_launcher launcher = qn_server_launcher(server);
    struct qn_queue *queue;
    must(qn_queue_create(&(struct qn_queue_settings){ .policy = QN_FIXED, .count = 2 }, &launcher,
                         &queue));
    reset();
    for (int r = 0; r < 4; r++) {
        draw_request(&requests[r], r + 9);
        if (r % 2 == 0)
            serve_by_hand(&requests[r]);
    }
    requests[3].own.data = NULL;
    requests[1].point[0][0] = POINTS;
    requests[1].list[0].count = 1;
    for (int r = 0; r < 4; r++)
        must(qn_queue_submit(queue, &requests[r].own));
    qn_queue_destroy(queue);
    test_host(server);
    must(qn_server_free(server));
    ok(requests[1].own.status == QN_INVALID && requests[3].own.status == QN_INVALID
           && requests[0].own.status == QN_OK && worst() < 1e-12,
       "%s: a point that is not there, or nothing, fails alone; what is left is written back",
       where);
    memset(requests, 0, sizeof requests);
}

/* A batch that is refused before a kernel of it is launched has written nothing: what
 * those before it wrote stays. Only the second of two requests is right by itself. */
static void test_refused(struct qn_module *module)
{
    struct qn_server *const server = open_with(module, QN_REUSE_ALWAYS, 1, 1, 1);
    const struct qn_launcher launcher = qn_server_launcher(server);
    struct qn_queue *queue;
    must(qn_queue_create(&(struct qn_queue_settings){ .policy = QN_FIXED, .count = 1 }, &launcher,
                         &queue));
    reset();
    for (int r = 0; r < 3; r++) {
        draw_request(&requests[r], 9);
        requests[r].list[1].count = 0;
        requests[r].list[0].count = r == 1 ? 2 : 1;
        requests[r].point[0][0] = requests[r].point[0][1] = 70;
        if (r != 1)
            serve_by_hand(&requests[r]);
        must(qn_queue_submit(queue, &requests[r].own));
        must(qn_queue_drain(queue));
    }
    ok(requests[1].own.status == QN_INVALID && count_failed() == 1, "%s: a batch is refused",
       where);
    const enum qn_status status = qn_server_read(server, "particle", 0, POINTS);
    ok(status == QN_OK && worst() < 1e-12,
       "%s: what others wrote in its blocks stays, error %.1e", where, worst());
    qn_queue_destroy(queue);
    qn_server_free(server);
}

static enum qn_status fail_to_move(void *self, void *host, size_t offset, size_t size)
{
    (void)self;
    (void)host;
    (void)offset;
    (void)size;
    return qn__fail(QN_DEVICE, "nothing comes back");
}

/* A server that goes says so where what is newer on the device cannot come back. */
static void test_no_way_back(struct qn_module *module)
{
    struct qn_server *const server = open_with(module, QN_REUSE_ALWAYS, 0, 1, 0);
    const struct qn_launcher launcher = qn_server_launcher(server);
    struct qn_queue *queue;
    must(qn_queue_create(&(struct qn_queue_settings){ 0 }, &launcher, &queue));
    draw_request(&requests[0], 9);
    requests[0].list[0].count = 1;
    must(qn_queue_submit(queue, &requests[0].own));
    qn_queue_destroy(queue);
    server->homes[0].cache->mover.download = fail_to_move;
    fails(qn_server_free(server), QN_DEVICE, "nothing comes back", "a server that goes");
}

/* --- what comes after what ---------------------------------------------------- */

enum { MOST_NOTES = 400 };
static struct note { const struct qn__lane *lane, *other; } notes[MOST_NOTES];
static int noted;
static const struct qn__lanes *real_lanes;

static enum qn_status note_follow(struct qn_context *context, struct qn__lane *lane,
                                  const struct qn__lane *other)
{
    if (noted < MOST_NOTES)
        notes[noted++] = (struct note){ lane, other };
    return real_lanes->follow(context, lane, other);
}

/* Was the lane that of another batch before, and does what is noted from i on have it
 * follow that one? */
static bool in_order(const struct note *from, const struct qn__lane *lane,
                     const struct qn__lane *before, const struct qn__lane *home)
{
    bool follows = !before || before == lane;
    for (const struct note *at = from; at < notes + noted && at->other != home; at++)
        follows = follows || (at->lane == lane && at->other == before);
    return follows;
}

/* A batch's lane comes after its blocks', and its sums after those of the batch before:
 * a device would else take them as it likes. */
static void test_order(struct qn_module *module)
{
    struct qn_server *const server = open_with(module, QN_REUSE_ALWAYS, 1, 1, 0);
    const struct qn_launcher launcher = qn_server_launcher(server);
    const struct qn__lane *const home = &server->homes[0].lane, *before = NULL;
    struct qn__lanes lanes = *server->lanes;
    struct qn_queue *queue;
    int batches = 0, wrong = 0, others = 0;
    real_lanes = server->lanes;
    lanes.follow = note_follow;
    server->lanes = &lanes;
    noted = 0;
    must(qn_queue_create(&(struct qn_queue_settings){ .policy = QN_FIXED, .count = 1 }, &launcher,
                         &queue));
    for (int r = 0; r < REQUESTS; r++) {
        draw_request(&requests[r], r);
        must(qn_queue_submit(queue, &requests[r].own));
        must(qn_queue_poll(queue, NULL));
    }
    qn_queue_destroy(queue);
    for (int i = 0; i < noted; i++) {
        if (notes[i].other != home)
            continue;
        batches++;
        others += before && before != notes[i].lane;
        wrong += !in_order(&notes[i + 1], notes[i].lane, before, home);
        before = notes[i].lane;
    }
    ok((uint64_t)batches == server->stats.batches && batches > 0 && wrong == 0, "%s: of %d batches each comes after its blocks, %d after"
       " one on another lane, %d do not", where, batches, others, wrong);
    server->lanes = real_lanes;
    must(qn_server_free(server));
}

/* Batches that find room in one home and not in the other wait, and have written nothing. */
static void test_two_homes(struct qn_context *context, const char *path, enum qn_reuse reuse)
{
    struct qn_module *const module = open_module(context, path, ROOM * BLOCK, CELL_BLOCK);
    struct qn_server *const server = open_with(module, reuse, 1, 2, 0);
    const struct qn_launcher launcher = qn_server_launcher(server);
    struct qn_queue_stats stats;
    struct qn_queue *queue;
    must(qn_queue_create(&(struct qn_queue_settings){ .policy = QN_FIXED, .count = 1 }, &launcher,
                         &queue));
    reset();
    for (int r = 0; r < REQUESTS; r++) {
        draw_request(&requests[r], r);
        for (size_t i = 0; i < requests[r].list[2].count; i++)
            requests[r].point[2][i] = r / 2 % (CELLS / CELL_BLOCK) * CELL_BLOCK
                                    + requests[r].point[2][i] % CELL_BLOCK;
        serve_by_hand(&requests[r]);
        must(qn_queue_submit(queue, &requests[r].own));
        must(qn_queue_poll(queue, NULL));
    }
    must(qn_queue_drain(queue));
    const enum qn_status status = qn_server_read(server, "particle", 0, POINTS);
    qn_queue_get_stats(queue, &stats);
    qn_queue_destroy(queue);
    qn_server_free(server);
    qn_module_unload(module);
    ok(status == QN_OK && worst() < 1e-12 && count_failed() == 0,
       "%s: two homes, one of them narrow, %d launches put off: error %.1e", where,
       (int)stats.postponed, worst());
}

/* Where all have room at once, several threads look at the lists of a batch. */
static void test_whole(struct qn_module *module)
{
    struct qn_server *const server = open_server(module, QN_REUSE_ALWAYS, 1);
    const struct qn_launcher launcher = qn_server_launcher(server);
    struct qn_server_stats served;
    struct qn_queue *queue;
    must(qn_queue_create(&(struct qn_queue_settings){ .policy = QN_FIXED, .count = REQUESTS },
                         &launcher, &queue));
    reset();
    play(queue, &server, 1);
    qn_server_get_stats(server, &served);
    qn_queue_destroy(queue);
    const double error = worst();
    ok(error < 1e-12 && count_failed() == 0 && served.batches == ROUNDS,
       "batches of %d requests, by four threads: error %.1e", (int)REQUESTS, error);
    qn_server_free(server);
}

static void test_split(struct qn_module *device, struct qn_module *cpu,
                       enum qn_split_policy policy)
{
    static const char *const names[] = { "cost", "items", "count", "device", "CPU" };
    struct qn_server *const servers[] = { open_server(device, QN_REUSE_ALWAYS, 1),
                                          open_server(cpu, QN_REUSE_ALWAYS, 1) };
    const struct qn_launcher launchers[] = { qn_server_launcher(servers[0]),
                                             qn_server_launcher(servers[1]) };
    struct qn_split_stats stats;
    struct qn_split *split;
    struct qn_queue *queue;
    must(qn_split_create(policy, &launchers[0], &launchers[1], NULL, &split));
    const struct qn_launcher both = qn_split_launcher(split);
    must(qn_queue_create(&(struct qn_queue_settings){ .policy = QN_FIXED, .count = 6,
                                                      .max_delay = 1e-4, .thread = 1 },
                         &both, &queue));
    reset();
    play(queue, servers, 2);
    qn_queue_destroy(queue);
    qn_split_get_stats(split, &stats);
    const double error = worst();
    ok(error < 1e-12 && count_failed() == 0
           && stats.requests[0] + stats.requests[1] == REQUESTS * ROUNDS
           && (policy == QN_SPLIT_COST     /* it may well leave one of them nothing */
               || ((policy == QN_SPLIT_CPU) == (stats.requests[0] == 0)
                   && (policy == QN_SPLIT_DEVICE) == (stats.requests[1] == 0))),
       "%s and the CPU, by %s: %llu and %llu requests, error %.1e", where, names[policy],
       (unsigned long long)stats.requests[0], (unsigned long long)stats.requests[1], error);
    char text[1024], line[64];
    const size_t length = qn_split_report(&stats, text, sizeof text);
    snprintf(line, sizeof line, "%-24s %10.6g %10.6g\n", "requests", (double)stats.requests[0],
             (double)stats.requests[1]);
    ok(length == strlen(text) && strstr(text, line), "a table of both");
    qn_split_free(split);
    for (int s = 0; s < 2; s++)
        qn_server_free(servers[s]);
}

static void test_refusals(struct qn_module *module)
{
    struct qn_home_field field = { "q", q, 0 };
    struct qn_home home = { "particle", POINTS, BLOCK, QN_REUSE_AUTO, 1, &field };
    const struct qn_server_settings settings = {
        .request = "pull", .list_count = LISTS, .scalar_count = 1,
        .lists = (const char *const[]){ "a", "b", "far" },
        .scalars = (const char *const[]){ "shift" }, .home_count = 1, .homes = &home
    };
    struct qn_server *server;
    fails(qn_server_create(module, &settings, &server), QN_NOT_FOUND,
          "no field 'q' on 'particle'", "a field of another domain");
    field = (struct qn_home_field){ "px", px, 1 };
    fails(qn_server_create(module, &settings, &server), QN_INVALID, "nothing is added to 'px'",
          "a sum of nothing");
    field = (struct qn_home_field){ "px", px, 0 };
    fails(qn_server_create(module, &settings, &server), QN_INVALID,
          "uses 'm', which is not among the fields at home on 'particle'", "a home without a field");
    home.domain = "none";
    fails(qn_server_create(module, &settings, &server), QN_NOT_FOUND, "no domain 'none'",
          "a home");
    home.domain = "particle";
    home.block = 5000;
    fails(qn_server_create(module, &settings, &server), QN_INVALID, "0 of which have room",
          "blocks larger than the device");
    const struct qn_home_field all[] = { { "px", px, 0 }, { "m", m, 0 }, { "f", f, 0 } };
    const struct qn_home twice[] = { { "particle", POINTS, BLOCK, 0, 3, all },
                                     { "particle", POINTS, BLOCK, 0, 3, all } };
    struct qn_server_settings two = settings;
    two.home_count = 2;
    two.homes = twice;
    fails(qn_server_create(module, &two, &server), QN_INVALID, "two homes for 'particle'",
          "a domain with two homes");
}

int main(int argc, char **argv)
{
    struct qn_context *context, *host;
    where = argv[1];
    for (int c = 0; c < CELLS; c++)
        q[c] = draw();
    must(qn_context_open(where, &context));
    must(qn_context_runtime(context, argv[2]));
    must(qn_context_open("cpu", &host));
    struct qn_module *const module = open_module(context, argv[3], ROOM * BLOCK, CELLS);
    struct qn_module *const cpu =
        open_module(host, argv[argc > 4 ? 4 : 3], (POINTS / BLOCK + 1) * BLOCK, CELLS);
    for (int reuse = QN_REUSE_AUTO; reuse <= QN_REUSE_NEVER; reuse++)
        for (int sum = 0; sum < 2; sum++)
            test_one(module, (enum qn_reuse)reuse, sum, reuse == QN_REUSE_ALWAYS);
    test_report(module);
    test_end(module);
    test_refused(module);
    test_no_way_back(module);
    test_order(module);
    for (int reuse = QN_REUSE_AUTO; reuse <= QN_REUSE_NEVER; reuse++)
        test_two_homes(context, argv[3], (enum qn_reuse)reuse);
    test_whole(cpu);
    for (int policy = QN_SPLIT_COST; policy <= QN_SPLIT_CPU; policy++)
        test_split(module, cpu, (enum qn_split_policy)policy);
    test_refusals(module);
    qn_module_unload(module);
    qn_module_unload(cpu);
    qn_context_close(context);
    qn_context_close(host);
    return done();
}
