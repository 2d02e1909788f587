/* Blocks on the device, lists of items, lines through measured times: case by
 * case. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"
#include "data_device.h"
#include "tap.h"

/* --- costs ------------------------------------------------------------------ */

static void test_cost(void)
{
    struct qn__cost cost = { 0 };
    ok(qn__cost_of(&cost, 5) == 0, "what was never measured is expected to take no"
       " time");
    for (int i = 0; i < 40; i++) {
        const double n = 10 + i % 7;
        qn__cost_add(&cost, n, i % 4 == 1 ? 1e3 * (i % 3) : 3 + 0.5 * n);
    }
    ok(fabs(qn__cost_of(&cost, 100) - 53) < 1e-9, "3 + n/2 is found though one time"
       " in four is out of all reason: 100 take %g", qn__cost_of(&cost, 100));
    struct qn__cost few = { 0 };
    qn__cost_add(&few, 2, 6);
    qn__cost_add(&few, 3, 9000);
    qn__cost_add(&few, 2, 6);
    ok(fabs(qn__cost_of(&few, 4) - 12) < 1e-9, "of three, one that is does not tilt the"
       " line: 4 take %g", qn__cost_of(&few, 4));
    struct qn__cost equal = { 0 };
    for (int i = 0; i < 5; i++)
        qn__cost_add(&equal, 20, i == 0 ? 1e6 : 10);
    ok(fabs(qn__cost_of(&equal, 40) - 20) < 1e-9, "of one size alone, the time of an"
       " item: 40 take %g", qn__cost_of(&equal, 40));
    for (int i = 0; i < QN_COST_SAMPLES; i++)
        qn__cost_add(&equal, 20 + i, 7 - 0.1 * i);
    ok(qn__cost_of(&equal, 1e9) >= 0, "more is never expected to take less");
    for (int i = 0; i < QN_COST_SAMPLES; i++)
        qn__cost_add(&equal, 1 + i, 1 + i);
    ok(fabs(qn__cost_of(&equal, 50) - 50) < 1e-9, "what is long ago is forgotten");
}

/* --- items ------------------------------------------------------------------- */

enum { ITEMS = 3000 };
static uint32_t keys[ITEMS], wanted[ITEMS], owners[ITEMS];

/* Stable, and as plain as can be: an item's place is the count of those before. */
static void place_all(size_t count, size_t part)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        for (size_t j = 0; j < count; j++)
            at += keys[j] < keys[i] || (keys[j] == keys[i] && j < i);
        wanted[at] = keys[i];
        owners[at] = (uint32_t)(i / part);
    }
}

static bool taken(enum qn_order order, size_t count, size_t part, int rounds)
{
    struct qn_items *items;
    bool well = true;
    must(qn_items_create(order, &items));
    for (int round = 0; round < rounds; round++) {
        size_t got = 0;
        const uint32_t *index, *owner;
        for (size_t i = 0; i < count; i += part)
            must(qn_items_add(items, i + part < count ? part : count - i, keys + i,
                              (uint32_t)(i / part)));
        must(qn_items_take(items, &got, &index, &owner));
        well = well && got == count;
        for (size_t i = 0; well && i < count; i++)
            well = order == QN_ORDER_NONE
                ? index[i] == keys[i] && owner[i] == i / part
                : index[i] == wanted[i] && owner[i] == owners[i];
    }
    qn_items_free(items);
    return well;
}

static void test_items(void)
{
    static const struct { size_t count, part; uint32_t range; } cases[] = {
        { 0, 1, 1 }, { 1, 1, 9 }, { 2, 1, 2 }, { ITEMS, 7, 50 }, { ITEMS, 100, 5000 },
        { 1500, 3, UINT32_MAX }, { 1025, 1025, 3000000 }, { 400, 9, 1 }
    };
    uint32_t state = 7;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (size_t i = 0; i < cases[c].count; i++) {
            state = state * 1664525 + 1013904223;
            keys[i] = (uint32_t)((uint64_t)state * cases[c].range >> 32);
            if (cases[c].range == UINT32_MAX && i % 5 == 0)
                keys[i] = UINT32_MAX - (uint32_t)i / 10;
        }
        place_all(cases[c].count, cases[c].part);
        ok(taken(QN_ORDER_FLUSH, cases[c].count, cases[c].part, 3)
               && taken(QN_ORDER_INSERT, cases[c].count, cases[c].part, 2)
               && taken(QN_ORDER_NONE, cases[c].count, cases[c].part, 2),
           "%zu items below %u come in order, equal ones as they were added",
           cases[c].count, cases[c].range);
    }
    struct qn_items *items;
    fails(qn_items_create((enum qn_order)3, &items), QN_INVALID, "order 3", "items");
}

/* --- blocks ------------------------------------------------------------------- */

enum { BLOCK = 16 };
static struct device device;
static unsigned char first[5 * BLOCK + 3], second[4 * BLOCK];

static struct qn_cache *cache_of(size_t blocks, enum qn_reuse reuse)
{
    const struct qn_mover mover = device_mover(&device);
    struct qn_cache *cache;
    device = (struct device){ 0 };
    must(qn_cache_create(&(struct qn_cache_settings){ BLOCK, blocks * BLOCK + 5, reuse },
                         &mover, &cache));
    for (size_t i = 0; i < sizeof first; i++)
        first[i] = (unsigned char)i;
    memset(second, 99, sizeof second);
    return cache;
}

/* Acquires and releases; seconds: of the kernel. */
static enum qn_status use(struct qn_cache *cache, struct qn_data *data, size_t block,
                          enum qn_access access, double seconds)
{
    struct qn_use one = { .data = data, .block = block, .access = access };
    struct qn_lease lease = { .count = 1, .uses = &one };
    enum qn_status status = qn_cache_acquire(cache, &lease);
    if (status != QN_OK)
        return status;
    if (access == QN_READ
        && memcmp(device.memory + one.offset, (block < 5 ? first : first + 0)
                  + block * BLOCK, block == 5 ? 3 : BLOCK) != 0)
        status = QN_WRONG;
    if (access != QN_READ)
        memset(device.memory + one.offset, 200, BLOCK);
    const enum qn_status ended = qn_cache_release(cache, &lease, QN_OK, seconds);
    return status == QN_OK ? ended : status;
}

static void test_residency(void)
{
    struct qn_cache_stats stats;
    struct qn_cache *const cache = cache_of(3, QN_REUSE_ALWAYS);
    struct qn_data *data;
    must(qn_data_create(cache, first, sizeof first, &data));
    static const size_t order[] = { 0, 1, 5, 0, 2, 0, 1 };
    /* 1 goes for 2, being the oldest; then 5 for 1 */
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        must(use(cache, data, order[i], QN_READ, 0));
    qn_cache_get_stats(cache, &stats);
    ok(stats.hits == 2 && stats.misses == 5 && stats.evicted == 2
           && stats.up == 4 * BLOCK + 3 && stats.down == 0 && stats.saved == 2 * BLOCK
           && stats.resident == 3 && stats.pinned == 0,
       "the least recently used makes place: %d hits, %d misses, %d evicted",
       (int)stats.hits, (int)stats.misses, (int)stats.evicted);
    must(use(cache, data, 1, QN_WRITE, 0));
    qn_cache_get_stats(cache, &stats);
    ok(stats.up == 4 * BLOCK + 3 && stats.down == 0 && first[BLOCK] == BLOCK,
       "a block that is written whole is not moved to the device, nor back at once");
    must(use(cache, data, 3, QN_READ, 0));
    must(use(cache, data, 4, QN_READ, 0));
    ok(first[BLOCK] == BLOCK, "what was used last stays");
    must(use(cache, data, 0, QN_READ, 0));
    ok(first[BLOCK] == 200 && first[2 * BLOCK - 1] == 200 && first[2 * BLOCK] == 2 * BLOCK,
       "what was modified is written back when it makes place");
    must(use(cache, data, 5, QN_UPDATE, 0));
    must(qn_data_read(data, 5 * BLOCK + 1, 1));
    ok(first[5 * BLOCK + 2] == 200, "and when the host is about to read it");
    first[0] = 77;
    must(qn_data_written(data, 0, 1));
    ok(use(cache, data, 0, QN_READ, 0) == QN_OK && device.uploads == 10,
       "what the host has written comes again: %d uploads", device.uploads);
    must(use(cache, data, 2, QN_UPDATE, 0));
    must(qn_cache_destroy(cache));
    ok(first[2 * BLOCK] == 200, "all is written back when the cache goes");
}

static void test_refusals(void)
{
    struct qn_cache *const cache = cache_of(2, QN_REUSE_ALWAYS), *none;
    struct qn_data *data, *other;
    must(qn_data_create(cache, first, sizeof first, &data));
    must(qn_data_create(cache, second, sizeof second, &other));
    struct qn_use uses[3] = { { .data = data }, { .data = other, .access = QN_WRITE },
                              { .data = data, .block = 1 } };
    struct qn_lease all = { .count = 3, .uses = uses }, two = { .count = 2, .uses = uses };
    fails(qn_cache_acquire(cache, &all), QN_INVALID, "budget has: 2",
          "more than the budget");
    must(qn_cache_acquire(cache, &two));
    fails(use(cache, data, 3, QN_READ, 0), QN_BUSY, "all of the cache's 2 blocks",
          "while others use all");
    struct qn_use more[2] = { { .data = data }, { .data = data, .block = 3 } };
    struct qn_cache_stats stats;
    fails(qn_cache_acquire(cache, &(struct qn_lease){ .count = 2, .uses = more }), QN_BUSY,
          "all of the cache's 2 blocks", "one that is there, and one more");
    qn_cache_get_stats(cache, &stats);
    ok(stats.hits == 1 && stats.saved == BLOCK && stats.leases == 1,
       "what is put off has found nothing yet: one block was found before, %d are",
       (int)stats.hits);
    fails(qn_data_read(other, 0, 1), QN_BUSY, "block 0 is being written",
          "a read during a write");
    ok(qn_data_read(data, 0, 1) == QN_OK, "a read during a read is none");
    fails(qn_data_written(data, 0, 1), QN_BUSY, "block 0 is in use", "a write");
    fails(qn_data_free(data), QN_BUSY, "(1 blocks) cannot be freed", "freeing");
    fails(qn_cache_destroy(cache), QN_BUSY, "1 leases", "destroying");
    must(qn_cache_release(cache, &two, QN_OK, 0));
    fails(qn_data_written(other, 1, 1), QN_INVALID, "qn_data_read comes between",
          "a write of the host over one of the device");
    fails(use(cache, data, 6, QN_READ, 0), QN_INVALID, "block 6: the data has 6", "a use");
    fails(qn_data_read(data, 80, 4), QN_INVALID, "data of 83", "a range");
    device.failing = true;
    fails(use(cache, data, 4, QN_READ, 0), QN_DEVICE, "the device failed", "a move");
    fails(qn_data_read(other, 0, 1), QN_DEVICE, "the device failed", "a move back");
    device.failing = false;
    ok(use(cache, data, 4, QN_READ, 0) == QN_OK && qn_data_read(other, 0, 1) == QN_OK
           && second[0] == 0, "and well again when the device is");
    must(qn_cache_destroy(cache));
    fails(qn_cache_create(&(struct qn_cache_settings){ 16, 15, 0 },
                          &(struct qn_mover){ 0 }, &none), QN_INVALID, "one block",
          "a cache of nothing");
    fails(qn_cache_create(&(struct qn_cache_settings){ 16, 16, 0 },
                          &(struct qn_mover){ 0 }, &none), QN_INVALID, "that moves",
          "a mover of nothing");
    struct qn_mover still = device_mover(&device);
    still.now = NULL;
    fails(qn_cache_create(&(struct qn_cache_settings){ 16, 16, QN_REUSE_AUTO }, &still,
                          &none), QN_INVALID, "with a clock", "AUTO without one");
}

/* A batch that fails after it wrote. */
static void fail_update(struct qn_cache *cache, struct qn_data *data, size_t block)
{
    struct qn_use one = { .data = data, .block = block, .access = QN_UPDATE };
    struct qn_lease lease = { .count = 1, .uses = &one };
    must(qn_cache_acquire(cache, &lease));
    memset(device.memory + one.offset, 13, BLOCK);
    must(qn_cache_release(cache, &lease, QN_DEVICE, 0));
}

static void test_failed_batches(enum qn_reuse reuse)
{
    struct qn_cache *const cache = cache_of(3, reuse);
    struct qn_data *data;
    must(qn_data_create(cache, first, sizeof first, &data));
    fail_update(cache, data, 1);
    ok(use(cache, data, 1, QN_READ, 0) == QN_OK && first[BLOCK] == BLOCK,
       "a failed batch's writes are forgotten: the host's copy is good");
    must(use(cache, data, 1, QN_UPDATE, 0));
    fail_update(cache, data, 1);
    if (reuse == QN_REUSE_NEVER) {
        ok(use(cache, data, 1, QN_READ, 0) == QN_OK && first[BLOCK] == 200,
           "what was written before is back on the host");
    } else {
        fails(use(cache, data, 1, QN_READ, 0), QN_DEVICE, "block 1 was lost",
              "where it is not, a read");
        fails(qn_data_read(data, BLOCK, 1), QN_DEVICE, "block 1 was lost", "of the host");
        fails(qn_data_written(data, BLOCK, 1), QN_DEVICE, "all of it is to be written",
              "a write of a part");
        memset(first + BLOCK, 5, BLOCK);
        must(qn_data_written(data, BLOCK, BLOCK));
        ok(use(cache, data, 1, QN_READ, 0) == QN_OK, "writing all of it mends it");
    }
    must(qn_cache_destroy(cache));
}

static void test_fresh(void)
{
    struct qn_cache_stats stats;
    struct qn_cache *const cache = cache_of(4, QN_REUSE_NEVER);
    struct qn_data *data;
    must(qn_data_create(cache, first, sizeof first, &data));
    struct qn_use uses[4] = { { .data = data, .block = 3 }, { .data = data, .block = 0 },
                              { .data = data, .block = 3 },
                              { .data = data, .block = 2, .access = QN_UPDATE } };
    struct qn_lease lease = { .count = 4, .uses = uses, .reused = 1 };
    device.per_move = 10;
    for (int i = 0; i < 2; i++) {
        must(qn_cache_acquire(cache, &lease));
        bool well = !lease.reused && lease.moved == 4 * BLOCK;
        for (size_t k = 0; k < 4; k++)
            well = well && uses[k].offset == k * BLOCK
                && memcmp(device.memory + k * BLOCK, first + uses[k].block * BLOCK,
                          BLOCK) == 0;
        ok(well, "without reuse blocks are moved side by side, each as often as used");
        memset(device.memory + 3 * BLOCK, 50 + i, BLOCK);
        must(qn_cache_release(cache, &lease, QN_OK, 0));
        ok(first[2 * BLOCK] == 50 + i, "and what was written is back at once");
    }
    device.per_move = 0;
    qn_cache_get_stats(cache, &stats);
    ok(stats.resident == 0 && stats.saved == 0 && stats.up == 8 * BLOCK,
       "nothing stays, nothing is saved");
    ok(stats.seconds == 10 * 10, "ten moves, there and back, take their time: %g",
       stats.seconds);
    uses[0] = uses[3];
    fails(qn_cache_acquire(cache, &lease), QN_INVALID, "block 2 is used twice",
          "two writes of one block");
    must(qn_cache_destroy(cache));
}

/* How many of 400 leases reuse, when kernels take so long a block. */
static int reused(double kept, double fresh, bool outlier)
{
    struct qn_cache_stats stats;
    struct qn_cache *const cache = cache_of(6, QN_REUSE_AUTO);
    struct qn_data *data;
    device.per_move = 10;
    must(qn_data_create(cache, first, sizeof first, &data));
    for (int i = 0; i < 400; i++) {
        struct qn_use uses[3] = { { .data = data, .block = (size_t)i % 5 },
                                  { .data = data, .block = (size_t)(i + 1) % 5 },
                                  { .data = data, .block = (size_t)(i + 2) % 5 } };
        struct qn_lease lease = { .count = 2 + (size_t)i % 2, .uses = uses };
        must(qn_cache_acquire(cache, &lease));
        double seconds = (lease.reused ? kept : fresh) * (double)lease.count;
        if (outlier && i % 10 == 5)
            seconds *= 1000;
        must(qn_cache_release(cache, &lease, QN_OK, seconds));
    }
    qn_cache_get_stats(cache, &stats);
    must(qn_cache_destroy(cache));
    return (int)stats.reused;
}

/* One lease of two blocks after the other, which kernels take so long a block: how many
 * of the last 100 reuse? */
static int reused_at_last(struct qn_cache *cache, struct qn_data *data, int count, double kept,
                          double fresh)
{
    int last = 0;
    for (int i = 0; i < count; i++) {
        struct qn_use uses[2] = { { .data = data, .block = (size_t)i % 5 },
                                  { .data = data, .block = (size_t)(i + 1) % 5 } };
        struct qn_lease lease = { .count = 2, .uses = uses };
        must(qn_cache_acquire(cache, &lease));
        must(qn_cache_release(cache, &lease, QN_OK, (lease.reused ? kept : fresh) * 2));
        last += i >= count - 100 && lease.reused;
    }
    return last;
}

/* What is best may change: it is tried now and then, for a hundredth of the time. */
static void test_changes(void)
{
    struct qn_cache *const cache = cache_of(6, QN_REUSE_AUTO);
    struct qn_data *data;
    device.per_move = 10;
    must(qn_data_create(cache, first, sizeof first, &data));
    const int at_first = reused_at_last(cache, data, 300, 3, 1);
    const int then = reused_at_last(cache, data, 300, 14, 1);
    const int again = reused_at_last(cache, data, 1500, 3, 1);
    ok(at_first >= 90 && then <= 10 && again >= 90, "AUTO changes its mind, and back: of 100 leases"
       " %d, %d and %d reuse", at_first, then, again);
    must(qn_cache_destroy(cache));
}

/* Whether a lease has its blocks side by side or where they are: what was moved for it. */
static void test_counts(enum qn_reuse reuse)
{
    const bool kept = reuse == QN_REUSE_ALWAYS;
    struct qn_cache_stats stats;
    struct qn_cache *const cache = cache_of(3, reuse);
    struct qn_data *data;
    must(qn_data_create(cache, first, sizeof first, &data));
    struct qn_use uses[3] = { { .data = data, .block = 0 }, { .data = data, .block = 5 },
                              { .data = data, .block = 1, .access = QN_UPDATE } };
    struct qn_lease lease = { .count = 3, .uses = uses };
    must(qn_cache_acquire(cache, &lease));
    const bool moved = lease.moved == 2 * BLOCK + 3 && lease.saved == 0;
    must(qn_cache_release(cache, &lease, QN_OK, 0));
    must(qn_cache_acquire(cache, &lease));
    ok(moved && lease.moved == (kept ? 0 : 2 * BLOCK + 3)
           && lease.saved == (kept ? 2 * BLOCK + 3 : 0), "a lease knows what was moved for it");
    struct qn_lease wide = { .count = 4, .uses = (struct qn_use[4]){ uses[0], uses[1], uses[0],
                                                                     uses[1] } };
    if (!kept)
        fails(qn_cache_acquire(cache, &wide), QN_INVALID, "4 blocks: the cache's budget has 3",
              "more than all, while others have some");
    must(qn_cache_release(cache, &lease, QN_OK, 0));
    must(qn_data_read(data, 0, sizeof first));
    must(use(cache, data, 2, QN_READ, 0));
    qn_cache_get_stats(cache, &stats);
    ok(stats.leases == 3 && stats.reused == (kept ? 3 : 0) && stats.misses == (kept ? 4 : 7)
           && stats.hits == (kept ? 3 : 0) && stats.evicted == (kept ? 1 : 0)
           && stats.up == (kept ? 3 * BLOCK + 3 : 5 * BLOCK + 6)
           && stats.down == (kept ? BLOCK : 2 * BLOCK),
       "and the cache of all: %d moved, %d bytes up, %d down", (int)stats.misses, (int)stats.up,
       (int)stats.down);
    must(qn_cache_destroy(cache));
}

static void test_auto(void)
{
    ok(reused(3, 1, false) >= 380, "AUTO reuses where moving costs 10 a block and going"
       " through offsets 2: %d of 400", reused(3, 1, false));
    ok(reused(30, 1, false) <= 25, "and does not where that costs 29: %d of 400",
       reused(30, 1, false));
    ok(reused(3, 1, true) >= 380 && reused(30, 1, true) <= 25,
       "kernels that took a thousand times as long for once do not change its mind:"
       " %d, %d", reused(3, 1, true), reused(30, 1, true));
}

/* Leases that go through an array, block by block, some of which they write. */
struct passage {
    const char *name;
    size_t room, blocks;        /* on the device, of the array */
    size_t count, written;      /* of a lease */
    double move, kept, fresh;   /* what a block takes */
    double chance;              /* kernels take so much more or less */
    size_t batch;               /* pieces of work a block, where blocks are
                                   reused; 0: always one */
};

static const struct passage passages[] = {
    { "dear moves, all have room", 20, 20, 8, 2, 10, 3, 1, 0, 0 },
    { "dear moves, few have room", 10, 20, 8, 2, 10, 3, 1, 0, 0 },
    { "cheap moves", 20, 20, 8, 2, 1, 30, 1, 0, 0 },
    { "kernels alike, by chance", 20, 20, 8, 2, 0.3, 10, 10, 0.5, 0 },
    { "nothing to choose", 8, 20, 8, 8, 2, 5, 5, 0.2, 0 },
    { "what is written goes back, too", 20, 20, 8, 8, 1, 2.6, 1, 0, 0 },
    { "kernels that are slower, by chance more so", 20, 20, 8, 0, 1, 6, 2, 0.3, 0 },
    { "larger batches where blocks are reused", 20, 20, 8, 2, 10, 4, 4, 0.1, 5 }
};

enum { LEASES = 600, LEARNT = 24 };
static unsigned char long_array[40 * BLOCK];

static double next_chance(void)
{
    static uint64_t state = 5;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-52 - 1;
}

/* What a piece of work takes, of all leases but the first ones. */
static double pass(const struct passage *passage, enum qn_reuse reuse)
{
    struct qn_cache *const cache = cache_of(passage->room, reuse);
    struct qn_data *data;
    struct qn_use uses[16];
    bool reused = true;         /* the lease before */
    double began = 0, pieces = 0;
    device.clock = 0;
    device.per_move = passage->move;
    must(qn_data_create(cache, long_array, passage->blocks * BLOCK, &data));
    for (size_t i = 0; i < LEASES; i++) {
        struct qn_lease lease = { .count = passage->count, .uses = uses };
        for (size_t k = 0; k < passage->count; k++)
            uses[k] = (struct qn_use){ .data = data, .block = (i + k) % passage->blocks,
                                       .access = k < passage->written ? QN_UPDATE : QN_READ };
        if (i == LEARNT)
            began = device.clock;
        lease.work = passage->count * (reused && passage->batch ? passage->batch : 1);
        must(qn_cache_acquire(cache, &lease));
        reused = lease.reused != 0;
        const double each = lease.reused ? passage->kept : passage->fresh;
        const double seconds = each * (double)lease.work
                             * (1 + passage->chance * next_chance());
        device.clock += seconds;
        pieces += i < LEARNT ? 0 : (double)lease.work;
        must(qn_cache_release(cache, &lease, QN_OK, seconds));
    }
    const double all = device.clock - began;
    must(qn_cache_destroy(cache));
    return all / pieces;
}

static void test_auto_beside_both(void)
{
    for (size_t i = 0; i < sizeof passages / sizeof passages[0]; i++) {
        const struct passage *const own = &passages[i];
        const double always = pass(own, QN_REUSE_ALWAYS), never = pass(own, QN_REUSE_NEVER);
        const double found = pass(own, QN_REUSE_AUTO);
        ok(found <= 1.05 * fmin(always, never), "%s: AUTO takes %.2f, ALWAYS %.2f, NEVER %.2f",
           own->name, found, always, never);
    }
}

int main(void)
{
    test_cost();
    test_items();
    test_residency();
    test_refusals();
    test_failed_batches(QN_REUSE_ALWAYS);
    test_failed_batches(QN_REUSE_NEVER);
    test_fresh();
    test_counts(QN_REUSE_ALWAYS);
    test_counts(QN_REUSE_NEVER);
    test_changes();
    test_auto();
    test_auto_beside_both();
    return done();
}
