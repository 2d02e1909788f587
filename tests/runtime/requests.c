/* Batches of requests, as the queue hands them to a launcher, against plain loops
 * over requests, items and what they read: specs/requests.lua here (points that many
 * requests share, that a list repeats, empty lists), and the shipped nbody.
 *
 *     requests CONTEXT RUNTIME requests.so nbody.so */
#include "lib.h"
#include "server.h"

enum { PARTICLES = 300, CELLS = 40, REQUESTS = 37, LONGEST = 23, LISTS = 3 };

struct request {
    struct qn_request own;
    struct qn_points list[LISTS];
    int32_t point[LISTS][LONGEST];
    double shift[3];
};

static struct qn_context *context;
static struct request requests[REQUESTS];
static uint64_t state = 5;

static double draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

/* distinct: no point is in two items of list 0. Half of the requests have few items, so that it
 * cannot be guessed where in a batch the others are. */
static void draw_requests(bool distinct)
{
    static const int domain[LISTS] = { PARTICLES, PARTICLES, CELLS };
    int next = 0;
    memset(requests, 0, sizeof requests);
    for (int r = 0; r < REQUESTS; r++) {
        struct request *const own = &requests[r];
        for (int l = 0; l < LISTS; l++) {
            own->list[l].point = own->point[l];
            own->list[l].count = r == 3 + l ? 0 : (size_t)(draw() * LONGEST);
            const size_t most = (r < REQUESTS / 2) != distinct ? 2 : distinct ? 8 : LONGEST;
            if (l == 0 && own->list[l].count > most)
                own->list[l].count = most;
            for (size_t i = 0; i < own->list[l].count; i++)
                own->point[l][i] = distinct && l == 0 ? next++ * 7 % PARTICLES
                                                      : (int32_t)(draw() * domain[l]);
        }
        for (int k = 0; k < 3; k++)
            own->shift[k] = 2 * draw() - 1;
    }
}

/* --- a batch in a module ------------------------------------------------------ */

static int axis_of(const struct quern_module *info, const char *name)
{
    for (int i = 0; i < info->axes; i++)
        if (strcmp(info->axis[i], name) == 0)
            return i;
    return -1;
}

static void set_extent(const struct quern_module *info, int64_t *n, const char *list,
                       const char *ending, int64_t extent)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", list, ending);
    if (axis_of(info, name) >= 0)
        n[axis_of(info, name)] = extent;
}

static const struct quern_table *table_of(const struct quern_module *info, const char *list,
                                          const char *ending)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", list, ending);
    for (int i = 0; i < info->table_count; i++)
        if (strcmp(info->tables[i].name, name) == 0)
            return &info->tables[i];
    return NULL;
}

static void connect(struct qn_module *module, const char *list, const char *ending,
                    const int64_t *start, const int32_t *entries)
{
    static const int32_t none[1] = { 0 };
    const struct quern_table *const table =
        table_of(qn_module_describe(module), list, ending);
    entries = entries ? entries : none;
    if (table && start)
        must(qn_module_connect_ragged(module, table->name, start, entries));
    else if (table)
        must(qn_module_connect(module, table->name, 1, entries));
}

/* The module's extents and tables are this batch's. */
static void load_batch(struct qn_module *module, struct qn_record *record,
                       const char *const *lists)
{
    const struct quern_module *const info = qn_module_describe(module);
    struct qn_record_list view[LISTS];
    int64_t n[QUERN_MAX_AXES] = { 0 };
    n[axis_of(info, "particle")] = PARTICLES;
    n[axis_of(info, "cell")] = CELLS;
    for (int l = 0; l < LISTS; l++) {
        qn_record_list(record, (size_t)l, &view[l]);
        n[axis_of(info, "request")] = view[l].requests;
        set_extent(info, n, lists[l], "", view[l].items);
        set_extent(info, n, lists[l], "_item", view[l].items);
        set_extent(info, n, lists[l], "_items", view[l].items);
    }
    must(qn_module_resize(module, n));
    for (int l = 0; l < LISTS; l++) {
        connect(module, lists[l], "", view[l].start, view[l].point);
        connect(module, lists[l], "_point", NULL, view[l].point);
        connect(module, lists[l], "_request", NULL, view[l].request);
        connect(module, lists[l], "_items", view[l].items_start, view[l].item);
    }
}

/* --- values: doubles, whatever the module stores -------------------------------- */

static double *values_of(const struct qn_module *module, const char *name, int64_t count)
{
    double *const values = calloc((size_t)count + 1, sizeof *values);
    (void)module;
    for (int64_t i = 0; i < count; i++)
        values[i] = name[0] == 'm' || strcmp(name, "qm") == 0 ? draw() : 2 * draw() - 1;
    return values;
}

static enum quern_type type_of(const struct qn_module *module, const char *name)
{
    const struct quern_module *const info = qn_module_describe(module);
    int at = 0;
    while (strcmp(info->fields[at].name, name) != 0)
        at++;
    return info->fields[at].type;
}

/* As stored; they are rounded to what is stored. */
static struct qn_field *put(struct qn_module *module, const char *name, double *values,
                            int64_t count)
{
    const enum quern_type type = type_of(module, name);
    struct qn_field *const field = field_of(module, name);
    void *const stored = calloc((size_t)count + 1, sizeof(double));
    for (int64_t i = 0; i < count; i++) {
        qn__value_set(type, stored, i, values[i]);
        values[i] = qn__value_get(type, stored, i);
    }
    must(qn_field_write(field, 0, stored));
    free(stored);
    return field;
}

static double worst(struct qn_module *module, const char *name, struct qn_field *field,
                    const double *wanted, const double *scale)
{
    const enum quern_type type = type_of(module, name);
    double stored[PARTICLES], most = 0;
    must(qn_field_read(field, 0, stored));
    for (int p = 0; p < PARTICLES; p++)
        most = fmax(most, fabs(qn__value_get(type, stored, p) - wanted[p]) / (scale[p] + 1));
    return most;
}

static void launch(struct qn_module *module, const char *name)
{
    must(qn_kernel_launch(kernel_of(module, name)));
}

/* --- specs/requests.lua ------------------------------------------------------------ */

static struct qn_module *module;
static struct qn_record *record;
static double *px, *m, *q, *f, *g, wanted_f[PARTICLES], wanted_g[PARTICLES], scale[PARTICLES];

static void add_f(int p, double value)
{
    wanted_f[p] += value;
    scale[p] += fabs(value);
}

static void pull_by_hand(const struct request *own)
{
    const struct qn_points *const a = &own->list[0], *const b = &own->list[1];
    for (size_t i = 0; i < a->count; i++) {
        const int p = a->point[i];
        double sum = 0, cells = 0;
        for (size_t j = 0; j < b->count; j++)
            sum += m[b->point[j]] * (px[b->point[j]] + own->shift[0] - px[p]);
        for (size_t c = 0; c < own->list[2].count; c++)
            cells += q[own->list[2].point[c]];
        add_f(p, sum + 0.75 * cells * px[p]);
    }
    for (size_t j = 0; j < b->count; j++) {
        double sum = 0;
        for (size_t i = 0; i < a->count; i++)
            sum += m[a->point[i]];
        add_f(b->point[j], own->shift[0] * sum);
    }
}

static void put_by_hand(const struct request *own)
{
    for (size_t i = 0; i < own->list[0].count; i++) {
        const int p = own->list[0].point[i];
        double sum = 0;
        for (size_t j = 0; j < own->list[1].count; j++)
            sum += own->list[1].point[j] == p ? 0 : m[own->list[1].point[j]];
        wanted_g[p] = sum + own->shift[0] * px[p];
    }
}

static struct qn_field *put_shift(struct qn_module *of, const char *name, int axis)
{
    double values[REQUESTS];
    for (int r = 0; r < REQUESTS; r++)
        values[r] = requests[r].shift[axis];
    struct qn_field *const field = put(of, name, values, REQUESTS);
    for (int r = 0; r < REQUESTS; r++)
        requests[r].shift[axis] = values[r];
    return field;
}

static void make_parts(struct qn_module *of)
{
    const struct quern_module *const info = qn_module_describe(of);
    for (int i = 0; i < info->field_count; i++)
        if (strstr(info->axis[info->fields[i].axis[0]], "_item"))
            field_of(of, info->fields[i].name);
}

static void fill_record(void)
{
    qn_record_clear(record);
    for (int r = 0; r < REQUESTS; r++)
        must(qn_record_add(record, requests[r].list));
}

static void test_requests(bool distinct)
{
    static const char *const lists[LISTS] = { "a", "b", "far" };
    draw_requests(distinct);
    fill_record();
    load_batch(module, record, lists);
    must(qn_module_set(module, "pole", 0.75));
    px = values_of(module, "px", PARTICLES);
    m = values_of(module, "m", PARTICLES);
    q = values_of(module, "q", CELLS);
    f = values_of(module, "f", PARTICLES);
    g = values_of(module, "g", PARTICLES);
    put(module, "px", px, PARTICLES);
    put(module, "m", m, PARTICLES);
    put(module, "q", q, CELLS);
    struct qn_field *const got_f = put(module, "f", f, PARTICLES);
    struct qn_field *const got_g = put(module, "g", g, PARTICLES);
    put_shift(module, "shift", 0);
    make_parts(module);
    memset(scale, 0, sizeof scale);
    memcpy(wanted_f, f, sizeof wanted_f);
    memcpy(wanted_g, g, sizeof wanted_g);
    for (int r = 0; r < REQUESTS; r++)
        pull_by_hand(&requests[r]);
    for (int k = 0; k < 4; k++)
        launch(module, (const char *const[]){ "pull_a", "pull_a_sum", "pull_b",
                                              "pull_b_sum" }[k]);
    const double error = worst(module, "f", got_f, wanted_f, scale);
    ok(error < 1e-13, "%s: what %d requests add%s, error %.1e", where, REQUESTS,
       distinct ? "" : " to points that they share and repeat", error);
    if (distinct) {
        ok(qn_record_distinct(record, 0) == QN_OK, "no point is in two items");
        for (int r = 0; r < REQUESTS; r++)
            put_by_hand(&requests[r]);
        launch(module, "put_a");
        launch(module, "put_a_sum");
        const double other = worst(module, "g", got_g, wanted_g, scale);
        ok(other < 1e-13, "%s: what they set, all else as it was, error %.1e", where, other);
    } else {
        fails(qn_record_distinct(record, 0), QN_INVALID, "of one batch",
              "a point in two items");
    }
    free(px);
    free(m);
    free(q);
    free(f);
    free(g);
}

/* --- through a queue ---------------------------------------------------------------- */

static struct qn_work works[REQUESTS];
static struct qn_server *server;

/* Point 9 is set by two requests of the first batch of so many. */
static void put_shared(int count)
{
    for (int r = 0; r < 2 * count; r++) {
        works[r] = (struct qn_work){ requests[r].list, requests[r].shift };
        requests[r].own = (struct qn_request){ .data = &works[r] };
        requests[r].list[0].count = 1;
        requests[r].point[0][0] = r < count ? 9 : 20 + r;
    }
}

static void close_server(struct qn_queue *queue)
{
    qn_queue_destroy(queue);
    qn_server_free(server);
}

static void load_domains(struct qn_module *of)
{
    const struct quern_module *const info = qn_module_describe(of);
    int64_t n[QUERN_MAX_AXES] = { 0 };
    n[axis_of(info, "particle")] = PARTICLES;
    n[axis_of(info, "cell")] = CELLS;
    must(qn_module_resize(of, n));
}

/* `=` is caught where two requests of a batch set one point, if that is asked for; the
 * next batch, in the same place, has none of that one. */
static void test_distinct(const char *const *lists, enum qn_order order,
                          struct qn_field *field)
{
    const struct qn_server_settings settings = { "put", LISTS, 1, lists,
                                                 (const char *const[]){ "shift" },
                                                 .distinct = 1, .order = order,
                                                 .flights = 1 };
    struct qn_queue *queue;
    put_shared(2);
    memcpy(wanted_g, m, sizeof wanted_g);       /* any values */
    must(qn_field_write(field, 0, wanted_g));
    put_by_hand(&requests[2]);
    put_by_hand(&requests[3]);
    must(qn_server_create(module, &settings, &server));
    const struct qn_launcher launcher = qn_server_launcher(server);
    must(qn_queue_create(&(struct qn_queue_settings){ .policy = QN_FIXED, .count = 2 },
                         &launcher, &queue));
    for (int r = 0; r < 4; r++) {
        must(qn_queue_submit(queue, &requests[r].own));
        must(qn_queue_poll(queue, NULL));
    }
    must(qn_queue_drain(queue));
    ok(requests[0].own.status == QN_INVALID && requests[1].own.status == QN_INVALID
           && requests[2].own.status == QN_OK && requests[3].own.status == QN_OK,
       "%s: a batch that sets a point twice is refused", where);
    close_server(queue);
    const double error = worst(module, "g", field, wanted_g, scale);
    ok(error < 1e-13, "%s: the next one sets what it should, error %.1e", where, error);
}

/* Requests without what they are about fail alone. */
static void test_nothing(const char *const *lists)
{
    const struct qn_server_settings settings = { "pull", LISTS, 1, lists,
                                                 (const char *const[]){ "shift" }, .distinct = 0 };
    static const char *const sentences[] = {
        "without data", "without lists", "without scalars", "list 1 of a request has 3 points and"
    };
    const double shift = 1;
    const struct qn_points none[LISTS] = { { NULL, 0 }, { NULL, 3 }, { NULL, 0 } };
    const struct qn_work odd[] = { { NULL, NULL }, { NULL, &shift }, { none, NULL },
                                   { none, &shift } };
    struct qn_queue *queue;
    must(qn_server_create(module, &settings, &server));
    const struct qn_launcher launcher = qn_server_launcher(server);
    must(qn_queue_create(&(struct qn_queue_settings){ .policy = QN_FIXED, .count = 2 },
                         &launcher, &queue));
    for (int i = 0; i < 4; i++) {
        struct qn_request two[2] = { { .data = i > 0 ? &odd[i] : NULL },
                                     { .data = &works[0] } };
        must(qn_queue_submit(queue, &two[0]));
        must(qn_queue_submit(queue, &two[1]));
        must(qn_queue_drain(queue));
        ok(two[1].status == QN_OK, "%s: a request beside one that lacks something", where);
        fails(qn__work_check(server, two[0].data), two[0].status, sentences[i], "that one");
    }
    close_server(queue);
}

/* A flush takes what waits in one batch: not before all of so many are launched. */
static void wait_for_launches(struct qn_queue *queue, size_t count)
{
    struct qn_queue_stats stats;
    do {
        must(qn_queue_poll(queue, NULL));
        qn_queue_get_stats(queue, &stats);
    } while (count > 0 && stats.waiting >= count);
}

/* May what requests add come in any order, and does it? */
static bool in_any_order(void)
{
    const struct quern_module *const info = qn_module_describe(module);
    return strcmp(info->fp, "fast") == 0 && strcmp(info->backend, "c") != 0;
}

static bool added;

/* All through a queue: the status of each, and field f as it is then. */
static void serve(const struct qn_server_settings *settings,
                  const struct qn_queue_settings *how, struct qn_field *field, const double *from,
                  double *to)
{
    struct qn_queue *queue;
    for (int r = 0; r < REQUESTS; r++) {
        works[r] = (struct qn_work){ requests[r].list, requests[r].shift };
        requests[r].own = (struct qn_request){ .data = &works[r] };
    }
    must(qn_field_write(field, 0, from));
    must(qn_server_create(module, settings, &server));
    added = server->lists[0].kernel[0]->adds;
    const struct qn_launcher launcher = qn_server_launcher(server);
    must(qn_queue_create(how, &launcher, &queue));
    for (int r = 0; r < REQUESTS; r++) {
        must(qn_queue_submit(queue, &requests[r].own));
        if (!how->thread)
            must(qn_queue_poll(queue, NULL));
    }
    wait_for_launches(queue, how->count);
    must(qn_queue_drain(queue));
    close_server(queue);
    must(qn_field_read(field, 0, to));
}

/* The same batches give the same bits, however they are ordered and run; others add
 * up in another way. */
static void test_ways(const struct qn_server_settings *plain, struct qn_field *field,
                      const double *from, const double *wanted)
{
    static const struct { const char *what; enum qn_order order; int flights, sleeps, same;
                          struct qn_queue_settings how; int threads; } ways[] = {
        { "in order of points", QN_ORDER_FLUSH, 0, 0, 1, { .policy = QN_FIXED, .count = 7 } },
        { "inserted", QN_ORDER_INSERT, 0, 0, 1, { .policy = QN_FIXED, .count = 7 } },
        { "one in flight", QN_ORDER_FLUSH, 1, 0, 1, { .policy = QN_FIXED, .count = 7 } },
        { "three, by a thread", QN_ORDER_FLUSH, 3, 0, 1,
          { .policy = QN_FIXED, .count = 7, .thread = 1 } },
        { "by a thread that sleeps", QN_ORDER_NONE, 0, 1, 1,
          { .policy = QN_FIXED, .count = 7, .thread = 1 } },
        { "one by one", QN_ORDER_NONE, 0, 0, 0, { .policy = QN_FIXED, .count = 1 } },
        { "all at once", QN_ORDER_FLUSH, 0, 0, 0, { .policy = QN_FIXED, .count = REQUESTS } },
        { "all at once, by three threads", QN_ORDER_NONE, 0, 0, 0,
          { .policy = QN_FIXED, .count = REQUESTS }, 3 },
        { "as they come", QN_ORDER_FLUSH, 2, 1, 0, { .thread = 1 } }
    };
    double got[PARTICLES];
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct qn_server_settings settings = *plain;
        settings.order = ways[i].order;
        settings.flights = ways[i].flights;
        settings.sleeps = ways[i].sleeps;
        settings.threads = ways[i].threads;
        serve(&settings, &ways[i].how, field, from, got);
        const bool same = ways[i].same && (!in_any_order() || strcmp(where, "simt") == 0);
        ok(same ? memcmp(got, wanted, sizeof got) == 0
                        : worst(module, "f", field, wanted_f, scale) < 1e-13,
           "%s: batches %s%s", where, ways[i].what, same ? ", the same bits" : "");
    }
    ok(added == in_any_order(), "%s: items %s", where,
       added ? "add to their points" : "have parts");
    struct qn_server_settings settings = *plain;
    settings.ordered = 1;
    serve(&settings, &ways[0].how, field, from, got);
    ok(!added && worst(module, "f", field, wanted_f, scale) < 1e-13,
       "%s: parts, where order is asked for", where);
}

static void test_settings(const char *const *lists)
{
    struct qn_server_settings settings = { "pull", 1, 0, (const char *const[]){ "none" },
                                           .distinct = 0 };
    fails(qn_server_create(module, &settings, &server), QN_NOT_FOUND, "no list 'none'", "a server");
    settings.lists = (const char *const[]){ "far" };
    fails(qn_server_create(module, &settings, &server), QN_NOT_FOUND, "no request 'pull'",
          "a server");
    settings = (struct qn_server_settings){ "pull", LISTS, 1, lists, (const char *const[]){ "m" },
                                             .distinct = 0 };
    fails(qn_server_create(module, &settings, &server), QN_NOT_FOUND, "no scalar 'm'", "a server");
    settings.flights = -1;
    fails(qn_server_create(module, &settings, &server), QN_INVALID, "-1 batches", "a server");
    settings.flights = 0;
    settings.threads = -1;
    fails(qn_server_create(module, &settings, &server), QN_INVALID, "-1 threads", "a server");
}

/* In batches of seven, and two: the same as all at once. One cannot be served. */
static void test_queue(void)
{
    static const char *const lists[LISTS] = { "a", "b", "far" };
    const struct qn_server_settings settings = { "pull", LISTS, 1, lists,
                                                 (const char *const[]){ "shift" },
                                                 .order = QN_ORDER_NONE };
    double stored[PARTICLES];
    draw_requests(false);
    load_domains(module);
    px = values_of(module, "px", PARTICLES);
    m = values_of(module, "m", PARTICLES);
    q = values_of(module, "q", CELLS);
    f = values_of(module, "f", PARTICLES);
    put(module, "px", px, PARTICLES);
    put(module, "m", m, PARTICLES);
    put(module, "q", q, CELLS);
    struct qn_field *const got = put(module, "f", f, PARTICLES);
    struct qn_field *const set = field_of(module, "g");
    memset(scale, 0, sizeof scale);
    memcpy(wanted_f, f, sizeof wanted_f);
    requests[5].point[1][0] = PARTICLES;
    requests[5].list[1].count = 1;
    for (int r = 0; r < REQUESTS; r++)
        if (r != 5)
            pull_by_hand(&requests[r]);
    serve(&settings, &(struct qn_queue_settings){ .policy = QN_FIXED, .count = 7 }, got, f,
          stored);
    int well = 0;
    for (int r = 0; r < REQUESTS; r++)
        well += requests[r].own.status == (r == 5 ? QN_INVALID : QN_OK);
    const double error = worst(module, "f", got, wanted_f, scale);
    ok(well == REQUESTS && error < 1e-13, "%s: through a queue, in batches of seven; one that"
       " cannot be served fails alone, error %.1e", where, error);
    test_ways(&settings, got, f, stored);
    for (int order = QN_ORDER_FLUSH; order <= QN_ORDER_NONE; order++)
        test_distinct(lists, (enum qn_order)order, set);
    test_nothing(lists);
    test_settings(lists);
    free(px);
    free(m);
    free(q);
    free(f);
}

/* --- nbody --------------------------------------------------------------------------- */

static double *at[2][4];        /* x, y, z, mass of particles, of cells */

static void add_pull(const struct request *own, int p, int of, int j, double *pull, double *size)
{
    double away[3], s = 0.01;
    for (int k = 0; k < 3; k++) {
        away[k] = at[of][k][j] + own->shift[k] - at[0][k][p];
        s += away[k] * away[k];
    }
    for (int k = 0; k < 3; k++) {
        pull[k] += at[of][3][j] * 1.5 / (s * sqrt(s)) * away[k];
        size[k] += fabs(at[of][3][j] * 1.5 / (s * sqrt(s)) * away[k]);
    }
}

static void test_nbody(struct qn_module *nbody)
{
    static const char *const lists[LISTS] = { "bucket", "near", "far" };
    static const char *const names[2][4] = { { "px", "py", "pz", "m" },
                                             { "qx", "qy", "qz", "qm" } };
    static double wanted[3][PARTICLES], size[3][PARTICLES];
    struct qn_field *a[3];
    draw_requests(true);
    for (int k = 0; k < 3; k++)         /* one without a shift */
        requests[9].shift[k] = 0;
    fill_record();
    load_batch(nbody, record, lists);
    must(qn_module_set(nbody, "G", 1.5));
    must(qn_module_set(nbody, "soft2", 0.01));
    for (int of = 0; of < 2; of++)
        for (int k = 0; k < 4; k++) {
            at[of][k] = values_of(nbody, names[of][k], of ? CELLS : PARTICLES);
            put(nbody, names[of][k], at[of][k], of ? CELLS : PARTICLES);
        }
    for (int k = 0; k < 3; k++) {
        a[k] = field_of(nbody, (const char *const[]){ "ax", "ay", "az" }[k]);
        put_shift(nbody, (const char *const[]){ "shift_x", "shift_y", "shift_z" }[k], k);
    }
    make_parts(nbody);
    launch(nbody, "force_bucket");
    launch(nbody, "force_bucket_sum");
    memset(wanted, 0, sizeof wanted);
    memset(size, 0, sizeof size);
    for (int r = 0; r < REQUESTS; r++)
        for (size_t i = 0; i < requests[r].list[0].count; i++) {
            const int p = requests[r].list[0].point[i];
            double pull[3] = { 0 }, sizes[3] = { 0 };
            for (int of = 0; of < 2; of++)
                for (size_t j = 0; j < requests[r].list[1 + of].count; j++)
                    add_pull(&requests[r], p, of, requests[r].list[1 + of].point[j], pull,
                             sizes);
            for (int k = 0; k < 3; k++) {
                wanted[k][p] += pull[k];
                size[k][p] += sizes[k];
            }
        }
    double most = 0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, worst(nbody, (const char *const[]){ "ax", "ay", "az" }[k], a[k],
                                wanted[k], size[k]));
    ok(most < 1e-5, "%s: gravity of %d buckets, error %.1e", where, REQUESTS, most);
    for (int of = 0; of < 2; of++)
        for (int k = 0; k < 4; k++)
            free(at[of][k]);
}

/* Blocks that serve requests want the items of each side by side. */
static void test_order(void)
{
    const struct quern_module *const info = qn_module_describe(module);
    struct qn_kernel *const kernel = kernel_of(module, "pull_a");
    struct qn_record_list view;
    int i = 0;
    while (strcmp(info->kernels[i].kernel, "pull_a") != 0)
        i++;
    if (info->kernels[i].share_items == 0)
        return;
    qn_record_list(record, 0, &view);
    int32_t *const turned = calloc((size_t)view.items, sizeof *turned);
    for (int64_t item = 0; item < view.items; item++)
        turned[item] = view.request[view.items - 1 - item];
    must(qn_module_connect(module, "a_request", 1, turned));
    fails(qn_kernel_launch(kernel), QN_INVALID, "the one before of 36: wanted in order",
          "items that are not in order of their requests");
    must(qn_module_connect(module, "a_request", 1, view.request));
    ok(qn_kernel_launch(kernel) == QN_OK, "%s: in order again", where);
    free(turned);
}

static void test_refusals(void)
{
    struct qn_record *none;
    struct qn_points lists[LISTS] = { { (const int32_t[]){ 1, CELLS }, 2 }, { 0 },
                                      { (const int32_t[]){ 1, CELLS }, 2 } };
    fails(qn_record_add(record, lists), QN_INVALID,
          "point 1 of list 2 is 40, wanted 0 to 39", "a point that is not there");
    fails(qn_record_create(1, (const int64_t[]){ -1 }, &none), QN_INVALID, "-1 points",
          "a domain");
}

int main(int argc, char **argv)
{
    (void)argc;
    where = argv[1];
    must(qn_context_open(where, &context));
    must(qn_context_runtime(context, argv[2]));
    must(qn_record_create(LISTS, (const int64_t[]){ PARTICLES, PARTICLES, CELLS }, &record));
    must(qn_module_load(context, argv[3], &module));
    test_requests(false);
    test_requests(true);
    test_order();
    test_refusals();
    test_queue();
    qn_module_unload(module);
    struct qn_module *nbody;
    must(qn_module_load(context, argv[4], &nbody));
    test_nbody(nbody);
    qn_module_unload(nbody);
    qn_record_free(record);
    qn_context_close(context);
    return done();
}
