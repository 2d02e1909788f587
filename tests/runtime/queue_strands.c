/* Requests that producers string together, strand by strand of the ring, and many that
 * are submitted at once: in order, each once, whatever is there of a strand when the
 * poller comes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue.h"
#include "tap.h"

enum { MOST = 5000 };

static struct qn_request requests[MOST];
static struct qn_request *all[MOST];
static struct qn_queue *queue;
static size_t launched, told, wrong;
static double time_now;
static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
}

static double now(void *self)
{
    (void)self;
    return time_now;
}

static void pause_a_little(void *self, double until)
{
    (void)self;
    (void)until;
    time_now += 1;
}

/* A batch is what was submitted next, no more, of so many blocks; one in four is
 * put off, but that of a flush. */
static enum qn_status launch(void *self, struct qn_batch *batch)
{
    const struct qn_request *at = batch->first;
    int64_t blocks = 0;
    (void)self;
    if (batch->reason != QN_BY_FLUSH && draw(4) == 0)
        return QN_BUSY;
    for (size_t i = 0; i < batch->count; i++, at = at->next) {
        if (at != &requests[launched % MOST]) {
            wrong++;
            return QN_OK;
        }
        launched++;
        blocks += at->blocks > 0 ? at->blocks : 1;
    }
    wrong += at != NULL || blocks != batch->blocks;
    return QN_OK;
}

static int finished(void *self, struct qn_batch *batch, enum qn_status *status)
{
    (void)self;
    (void)batch;
    *status = QN_OK;
    return draw(3) == 0;
}

static void count(struct qn_request *request)
{
    (void)request;
    told++;
}

static void open(struct qn_queue_settings settings, int64_t limit)
{
    const struct qn_launcher launcher = { .resident = 300, .limit = limit,
                                          .launch = launch, .finished = finished };
    settings.clock = (struct qn_clock){ NULL, now, pause_a_little };
    memset(requests, 0, sizeof requests);
    for (size_t i = 0; i < MOST; i++) {
        all[i] = &requests[i];
        requests[i].blocks = (int64_t)draw(5);
        requests[i].done = count;
    }
    launched = told = wrong = 0;
    time_now = 0;
    must(qn_queue_create(&settings, &launcher, &queue));
}

static enum qn__stringing stringing(size_t number)
{
    return (enum qn__stringing)(qn__queue_strand(queue, number)->state % QN_STRAND);
}

static int64_t blocks_of(size_t first, size_t end)
{
    int64_t blocks = 0;
    for (size_t i = first; i < end; i++)
        blocks += requests[i].blocks > 0 ? requests[i].blocks : 1;
    return blocks;
}

/* --- strands ------------------------------------------------------------------ */

static void test_strung(void)
{
    int well = 1;
    open((struct qn_queue_settings){ 0 }, 0);
    for (size_t i = 0; i < 1000; i++)
        must(qn_queue_submit(queue, &requests[i]));
    for (size_t first = 0; first < 960; first += QN_STRAND)
        well &= stringing(first) == QN_STRUNG
            && qn__queue_strand(queue, first)->blocks == blocks_of(first, first + QN_STRAND);
    ok(well && stringing(960) == QN_LOOSE,
       "who submits strings the strands behind together, with their blocks");
    must(qn_queue_drain(queue));
    ok(told == 1000 && wrong == 0, "which are launched in order");
    qn_queue_destroy(queue);
}

/* Nor is more seen of them than can be of use; OCCUPANCY sees each interval. */
static void test_use(void)
{
    open((struct qn_queue_settings){ .flights = 1 }, 0);
    for (size_t i = 0; i < 1000; i++)
        must(qn_queue_submit(queue, &requests[i]));
    while (launched == 0)
        must(qn_queue_poll(queue, NULL));
    ok(blocks_of(0, launched) >= 150 && blocks_of(0, launched) < 155 && wrong == 0,
       "a batch of half a device is a part of a strand, too");
    ok(blocks_of(launched, queue->seen) < 155, "and the poller sees no more of what is behind it");
    qn_queue_destroy(queue);
    open((struct qn_queue_settings){ .policy = QN_OCCUPANCY }, 0);
    for (size_t i = 0; i < 200; i++)
        must(qn_queue_submit(queue, &requests[i]));
    ok(stringing(0) == QN_LOOSE, "OCCUPANCY sees every interval");
    qn_queue_destroy(queue);
}

/* What a producer leaves that has its number and stops there. */
static void test_gap(void)
{
    open((struct qn_queue_settings){ 0 }, 0);
    for (size_t i = 0; i < 63; i++)
        must(qn_queue_submit(queue, &requests[i]));
    qn__strand_string(queue, 96);
    ok(stringing(0) == QN_LOOSE, "a strand of which one is not there is left to the poller");
    for (size_t i = 63; i < 200; i++)
        must(qn_queue_submit(queue, &requests[i]));
    must(qn_queue_drain(queue));
    ok(told == 200 && wrong == 0, "who has them all, when the last one is there");
    qn_queue_destroy(queue);
}

/* And one that stops while it strings. */
static void test_held(void)
{
    double due;
    open((struct qn_queue_settings){ 0 }, 0);
    for (size_t i = 0; i < 80; i++)
        must(qn_queue_submit(queue, &requests[i]));
    queue->strands[0].state = 0 + QN_STRINGING;
    must(qn_queue_poll(queue, &due));
    ok(launched == 0 && due == 0 && qn__queue_news(queue),
       "a strand that is being strung waits, and is asked for again at once");
    queue->strands[0].state = 0 + QN_LOOSE;
    must(qn_queue_drain(queue));
    ok(told == 80 && wrong == 0, "until it is done with");
    qn_queue_destroy(queue);
}

static void test_begun(void)
{
    open((struct qn_queue_settings){ .policy = QN_FIXED, .count = 1000 }, 0);
    must(qn_queue_submit(queue, &requests[0]));
    must(qn_queue_poll(queue, NULL));
    for (size_t i = 1; i < 200; i++)
        must(qn_queue_submit(queue, &requests[i]));
    ok(stringing(0) == QN_BEGUN && stringing(64) == QN_STRUNG,
       "the poller's own strands no producer touches");
    must(qn_queue_drain(queue));
    ok(told == 200 && wrong == 0, "and all are launched in order");
    qn_queue_destroy(queue);
}

/* Rounds of a ring of four strands. */
static void test_rounds(void)
{
    size_t strung = 0;
    open((struct qn_queue_settings){ .capacity = 255 }, 0);
    for (size_t i = 0; i < 4000; i++) {
        must(qn_queue_submit(queue, &requests[i]));
        if (i % 200 < 199)
            continue;
        for (size_t at = 0; at < 256; at += QN_STRAND)
            strung += stringing(at) == QN_STRUNG;
        must(qn_queue_drain(queue));
    }
    ok(told == 4000 && wrong == 0 && strung >= 20,
       "strands are strung in every round of the ring: %zu", strung);
    qn_queue_destroy(queue);
}

/* --- any order of events --------------------------------------------------- */

static void put_some(size_t *at)
{
    const size_t left = MOST - *at, some = draw(2) ? draw(4) : draw(300);
    size_t taken = 0;
    if (draw(2))
        (void)qn_queue_submit_many(queue, some < left ? some : left, all + *at, &taken);
    else
        while (taken < some && taken < left
               && qn_queue_submit(queue, all[*at + taken]) == QN_OK)
            taken++;
    *at += taken;
}

static void test_orders(void)
{
    static const size_t capacities[] = { 50, 64, 300, 0 };
    size_t bad = 0;
    for (uint64_t seed = 0; seed < 64; seed++) {
        state = seed;
        open((struct qn_queue_settings){ .policy = (enum qn_policy)(seed % 4), .count = 37,
                                         .max_delay = 3, .capacity = capacities[seed / 4 % 4] },
             seed % 3 ? 0 : 90);
        for (size_t at = 0; at < MOST; time_now += 0.5) {
            put_some(&at);
            if (draw(3) == 0)
                must(qn_queue_poll(queue, NULL));
            if (draw(20) == 0)
                qn_queue_flush(queue);
        }
        must(qn_queue_drain(queue));
        bad += told != MOST || launched != MOST || wrong > 0;
        qn_queue_destroy(queue);
    }
    ok(bad == 0, "in any order of events all come in order, each once: %zu of 64 do not", bad);
}

/* --- many at once ----------------------------------------------------------- */

static void test_many(void)
{
    size_t taken = 7;
    open((struct qn_queue_settings){ .capacity = 100, .policy = QN_FIXED, .count = 100 }, 0);
    ok(qn_queue_submit_many(queue, 0, all, &taken) == QN_OK && taken == 0, "none at once");
    ok(qn_queue_submit_many(queue, 70, all, &taken) == QN_OK && taken == 70, "70 at once");
    ok(qn_queue_submit_many(queue, 70, all + 70, &taken) == QN_BUSY && taken == 30
       && strstr(qn_last_error(), "100 requests") != NULL,
       "of 70 more there is room for 30: it says so");
    ok(qn_request_state(all[99]) == QN_WAITING && qn_request_state(all[100]) == QN_NEW,
       "the others are as they were");
    struct qn_queue_stats stats;
    qn_queue_get_stats(queue, &stats);
    ok(stats.submitted == 100 && stats.refused == 40, "and are counted");
    must(qn_queue_drain(queue));
    ok(told == 100 && wrong == 0, "what was taken is done, in order");
    must(qn_queue_submit_many(queue, 40, all + 100, &taken));
    must(qn_queue_drain(queue));
    ok(taken == 40 && told == 140 && wrong == 0, "and the others can be submitted then");
    qn_queue_destroy(queue);
}

static void test_many_wrong(void)
{
    size_t taken = 7;
    open((struct qn_queue_settings){ .policy = QN_FIXED, .count = 100 }, 0);
    requests[3].blocks = -1;
    ok(qn_queue_submit_many(queue, 5, all, &taken) == QN_INVALID && taken == 3
       && qn_request_state(all[2]) == QN_WAITING && qn_request_state(all[3]) == QN_NEW,
       "those before one that cannot be are taken");
    requests[3].blocks = 1;
    struct qn_request *const twice[] = { all[3], all[4], all[3], all[5] };
    ok(qn_queue_submit_many(queue, 4, twice, &taken) == QN_INVALID && taken == 2
       && strstr(qn_last_error(), "before") != NULL, "one that is there twice is taken once");
    ok(qn_queue_submit_many(queue, 1, all, &taken) == QN_INVALID && taken == 0,
       "one that waits is not taken again");
    must(qn_queue_drain(queue));
    ok(told == 5 && wrong == 0, "what was taken is done, in order");
    qn_queue_destroy(queue);
}

/* A refused request has its last status and times still. */
static void test_many_again(void)
{
    size_t taken = 7;
    open((struct qn_queue_settings){ .capacity = 2, .policy = QN_FIXED, .count = 2 }, 0);
    must(qn_queue_submit(queue, all[0]));
    must(qn_queue_drain(queue));
    struct qn_request *const three[] = { all[1], all[2], all[0] };
    const double arrived = (time_now += 5, all[0]->arrived);
    ok(qn_queue_submit_many(queue, 3, three, &taken) == QN_BUSY && taken == 2
       && qn_request_state(all[0]) == QN_DONE && all[0]->arrived == arrived,
       "one for which there is no room is done, as before");
    qn_queue_destroy(queue);
}

static void test_room(void)
{
    open((struct qn_queue_settings){ .capacity = 65535 }, 0);
    ok(queue->mask + 1 > 65535 + QN_MANY, "a ring has places for producers that all see room"
       " before one of them has taken it");
    qn_queue_destroy(queue);
}

int main(void)
{
    test_strung();
    test_use();
    test_gap();
    test_held();
    test_begun();
    test_rounds();
    test_orders();
    test_many();
    test_many_wrong();
    test_many_again();
    test_room();
    return done();
}
