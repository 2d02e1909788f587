/* Whatever batches, the host and a device that fails do, in any order: nothing
 * stale is ever read. Beside the cache goes an account of what every block holds,
 * and of the blocks that must have been lost, and no others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_device.h"
#include "tap.h"

enum { BLOCK = 8, ARRAYS = 3, BLOCKS = 7, SLOTS = 8, LEASES = 3, USES = 5 };

struct block {
    uint64_t value;             /* the newest */
    bool lost;
    int writers;                /* leases in flight that write it */
};

struct open_lease {
    bool open;
    struct qn_lease lease;
    struct qn_use uses[USES];
    bool overlapped[USES];      /* another wrote the block meanwhile */
    bool host_good[USES];       /* the host had the newest when it began */
    uint64_t before[USES];
};

static struct device device;
static struct qn_cache *cache;
static struct qn_data *data[ARRAYS];
static uint64_t host[ARRAYS][BLOCKS];
static struct block blocks[ARRAYS][BLOCKS];
static struct open_lease leases[LEASES];
static uint64_t state, serial;
static long stale, wrongly_lost, reads, refused;

static size_t draw(size_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 33) % below;
}

static size_t array_of(const struct qn_data *of)
{
    size_t at = 0;
    while (data[at] != of)
        at++;
    return at;
}

static struct block *block_of(const struct qn_use *use)
{
    return &blocks[array_of(use->data)][use->block];
}

static uint64_t on_device(const struct qn_use *use)
{
    uint64_t value;
    memcpy(&value, device.memory + use->offset, sizeof value);
    return value;
}

/* --- batches: each runs when it is acquired, in order ------------------------- */

static void look(const struct qn_use *use)
{
    const struct block *const block = block_of(use);
    if (use->access == QN_WRITE)
        return;
    reads++;
    stale += block->lost || on_device(use) != block->value;
}

/* Another lease that writes the block now shares it with this use. */
static void overlap(const struct qn_use *use, bool *own)
{
    for (int l = 0; l < LEASES; l++)
        for (size_t i = 0; leases[l].open && i < leases[l].lease.count; i++) {
            const struct qn_use *const other = &leases[l].uses[i];
            if (other != use && other->access != QN_READ
                && other->data == use->data && other->block == use->block)
                *own = leases[l].overlapped[i] = true;
        }
}

static void run(struct open_lease *own)
{
    for (size_t i = 0; i < own->lease.count; i++)
        look(&own->uses[i]);
    own->open = true;
    for (size_t i = 0; i < own->lease.count; i++) {
        struct qn_use *const use = &own->uses[i];
        struct block *const block = block_of(use);
        if (use->access == QN_READ)
            continue;
        own->overlapped[i] = false;
        overlap(use, &own->overlapped[i]);
        own->before[i] = block->value;
        own->host_good[i] = !block->lost
            && host[array_of(use->data)][use->block] == block->value;
        block->value = ++serial;
        block->lost = false;
        block->writers++;
        memcpy(device.memory + use->offset, &block->value, BLOCK);
    }
}

/* Each block once: what a batch does with one that it uses twice is its own. */
static bool chosen(const struct open_lease *own, size_t count, size_t array, size_t block)
{
    for (size_t i = 0; i < count; i++)
        if (own->uses[i].data == data[array] && own->uses[i].block == block)
            return true;
    return false;
}

static void acquire(struct open_lease *own)
{
    const size_t count = draw(USES + 1);
    bool lost = false;
    for (size_t i = 0; i < count; i++) {
        size_t array = draw(ARRAYS), block = draw(BLOCKS);
        while (chosen(own, i, array, block)) {
            array = draw(ARRAYS);
            block = draw(BLOCKS);
        }
        own->uses[i] = (struct qn_use){ data[array], block, (enum qn_access)draw(3), 0 };
        lost = lost || (blocks[array][block].lost && own->uses[i].access != QN_WRITE);
    }
    own->lease = (struct qn_lease){ .count = count, .uses = own->uses };
    const enum qn_status status = qn_cache_acquire(cache, &own->lease);
    stale += status == QN_OK && lost;
    wrongly_lost += status == QN_DEVICE && !lost && strstr(qn_last_error(), "was lost");
    refused += status != QN_OK;
    if (status == QN_OK)
        run(own);
}

/* What a write came to: the account says which value the block has now. */
static void settle(const struct open_lease *own, size_t i, enum qn_status status)
{
    struct block *const block = block_of(&own->uses[i]);
    block->writers--;
    if (status == QN_OK)
        return;
    if (own->overlapped[i] || !own->host_good[i])
        block->lost = true;
    else
        block->value = own->before[i];
}

static void release(struct open_lease *own)
{
    const enum qn_status meant = draw(6) ? QN_OK : QN_DEVICE;
    if (meant != QN_OK)         /* who knows what it wrote */
        for (size_t i = 0; i < own->lease.count; i++)
            if (own->uses[i].access != QN_READ)
                memset(device.memory + own->uses[i].offset, 0xdd, BLOCK);
    const enum qn_status status =
        qn_cache_release(cache, &own->lease, meant, (double)(1 + draw(50)));
    for (size_t i = 0; i < own->lease.count; i++)
        if (own->uses[i].access != QN_READ)
            settle(own, i, meant);
    /* What could not go back is lost, and only that. */
    for (size_t i = 0; status != QN_OK && meant == QN_OK && i < own->lease.count; i++) {
        struct block *const block = block_of(&own->uses[i]);
        if (own->uses[i].access != QN_READ)
            block->lost = host[array_of(own->uses[i].data)][own->uses[i].block]
                       != block->value;
    }
    own->open = false;
}

/* --- the host -------------------------------------------------------------------- */

static void read_host(size_t array)
{
    const size_t first = draw(BLOCKS), count = 1 + draw(BLOCKS - first);
    const enum qn_status status = qn_data_read(data[array], first * BLOCK, count * BLOCK);
    if (status != QN_OK) {
        refused++;
        return;
    }
    for (size_t i = first; i < first + count; i++) {
        reads++;
        stale += blocks[array][i].lost || host[array][i] != blocks[array][i].value;
    }
}

static void write_host(size_t array)
{
    const size_t at = draw(BLOCKS);
    const uint64_t before = host[array][at];
    host[array][at] = serial + 1;
    if (qn_data_written(data[array], at * BLOCK, BLOCK) != QN_OK) {
        host[array][at] = before;
        refused++;
        return;
    }
    blocks[array][at].value = ++serial;
    blocks[array][at].lost = false;
}

/* Freed, which writes back, and made again. */
static void renew(size_t array)
{
    if (qn_data_free(data[array]) != QN_OK) {
        refused++;
        return;
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        struct block *const block = &blocks[array][i];
        reads++;
        stale += !block->lost && host[array][i] != block->value;
        *block = (struct block){ .value = host[array][i] };
    }
    must(qn_data_create(cache, host[array], sizeof host[array], &data[array]));
}

static void act(void)
{
    struct open_lease *const own = &leases[draw(LEASES)];
    const size_t what = draw(20);
    if (what < 12 && own->open)
        release(own);
    else if (what < 12)
        acquire(own);
    else if (what < 15)
        read_host(draw(ARRAYS));
    else if (what < 19)
        write_host(draw(ARRAYS));
    else
        renew(draw(ARRAYS));
}

static void oracle(enum qn_reuse reuse, int failing, long acts)
{
    static const char *const names[] = { "AUTO", "ALWAYS", "NEVER" };
    const struct qn_mover mover = device_mover(&device);
    struct qn_cache_stats stats;
    device = (struct device){ .chance = failing ? 5 : 0, .per_move = 3 };
    state = 17 + (uint64_t)reuse;
    stale = wrongly_lost = reads = refused = 0;
    memset(blocks, 0, sizeof blocks);
    memset(host, 0, sizeof host);
    must(qn_cache_create(&(struct qn_cache_settings){ BLOCK, SLOTS * BLOCK, reuse },
                         &mover, &cache));
    for (size_t i = 0; i < ARRAYS; i++)
        must(qn_data_create(cache, host[i], sizeof host[i], &data[i]));
    for (long i = 0; i < acts; i++)
        act();
    device.chance = 0;
    for (size_t i = 0; i < LEASES; i++)
        if (leases[i].open)
            release(&leases[i]);
    for (size_t i = 0; i < ARRAYS; i++)
        renew(i);
    qn_cache_get_stats(cache, &stats);
    must(qn_cache_destroy(cache));
    ok(stale == 0 && wrongly_lost == 0 && stats.pinned == 0 && reads > acts / 4,
       "%s%s: %ld reads, %ld stale, %ld wrongly lost; %ld times refused, %d of %d leases"
       " reused, %d hits", names[reuse], failing ? ", moves fail" : "", reads, stale,
       wrongly_lost, refused, (int)stats.reused, (int)stats.leases, (int)stats.hits);
}

int main(int argc, char **argv)
{
    const long acts = argc > 1 ? atol(argv[1]) : 10000;
    for (int reuse = QN_REUSE_AUTO; reuse <= QN_REUSE_NEVER; reuse++)
        for (int failing = 0; failing < 2; failing++)
            oracle((enum qn_reuse)reuse, failing, acts);
    return done();
}
