/* The header that all launchers share, by itself: boxes against a count of points one by one,
 * the edges of every check, sizes beyond 32 bits. Compiled as C and as C++; prints a line for
 * each thing that is wrong, and how many cases it went through. */
#include "quern_launch.h"

#include <string.h>

enum { SIDE = 6, MOST = 4096 };

static int64_t random_below(int64_t limit)
{
    static uint64_t state = 12345;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)(state >> 33) % limit;
}

static int holds(int rank, const struct quern_box *box, const int64_t *p)
{
    for (int axis = 0; axis < rank; axis++)
        if (p[axis] < box->lower[axis] || p[axis] >= box->upper[axis])
            return 0;
    return 1;
}

static struct quern_domain random_domain(int rank)
{
    struct quern_domain domain;
    memset(&domain, 0, sizeof domain);
    domain.rank = rank;
    for (int axis = 0; axis < rank; axis++) {
        domain.n[axis] = random_below(SIDE + 1);
        domain.range.lower[axis] = random_below(domain.n[axis] + 1);
        domain.range.upper[axis] = domain.range.lower[axis]
            + random_below(domain.n[axis] - domain.range.lower[axis] + 1);
    }
    return domain;
}

/* Also beyond the domain, and inside out. */
static struct quern_box random_box(void)
{
    struct quern_box box;
    for (int axis = 0; axis < QUERN_AXES; axis++) {
        box.lower[axis] = random_below(SIDE + 4) - 2;
        box.upper[axis] = random_below(SIDE + 4) - 2;
    }
    return box;
}

/* Each point of the range that is left is in one box, every other in none. */
static int agree(const struct quern_domain *domain, const struct quern_box *list, int count,
                 const struct quern_box *used, const int *cuts, int uses)
{
    int64_t points = 0, volume = 1;
    for (int axis = 0; axis < domain->rank; axis++)
        volume *= SIDE;
    for (int64_t code = 0; code < volume; code++) {
        int64_t p[QUERN_AXES], rest = code;
        for (int axis = 0; axis < domain->rank; axis++, rest /= SIDE)
            p[axis] = rest % SIDE;
        int wanted = holds(domain->rank, &domain->range, p), found = 0;
        for (int i = 0; i < uses; i++)
            if (holds(domain->rank, &used[i], p) == cuts[i])
                wanted = 0;
        for (int b = 0; b < count; b++)
            found += holds(domain->rank, &list[b], p);
        if (found != wanted)
            return 0;
        points += found;
    }
    return points == quern_points(domain, list, count);
}

static void try_boxes(int rank)
{
    static struct quern_box list[MOST];
    const struct quern_domain domain = random_domain(rank);
    struct quern_box used[3];
    int cuts[3], most = 1, count = quern_whole(&domain, list);
    for (int i = 0; i < 3; i++) {
        used[i] = random_box();
        cuts[i] = random_below(3) > 0;
        most *= cuts[i] ? 2 * rank : 1;
        memset(&list[most], 0x55, sizeof list[most]);
        const struct quern_box guard = list[most];
        count = cuts[i] ? quern_cut(&domain, list, count, &used[i])
                        : quern_keep(&domain, list, count, &used[i]);
        if (memcmp(&guard, &list[most], sizeof guard) != 0 || count > most)
            printf("rank %d: more than %d boxes\n", rank, most);
        if (!agree(&domain, list, count, used, cuts, i + 1))
            printf("rank %d: other points after %d boxes\n", rank, i + 1);
    }
}

static void expect(const char *what, int fine)
{
    if (!fine)
        printf("%s\n", what);
}

/* Does a check say this, or "" where it has nothing to say? */
#define SAYS(wanted, call) do { \
        char why[200] = ""; \
        const size_t size = sizeof why; \
        const int refused = (call); \
        if (refused != (why[0] != '\0') || strcmp(why, wanted) != 0) \
            printf("said '%s', wanted '%s'\n", why, wanted); \
    } while (0)

static struct quern_domain cube(int64_t n)
{
    const struct quern_domain domain = { 3, { "x", "y", "z" }, { n, n, n },
                                         { { 0, 0, 0 }, { n, n, n } } };
    return domain;
}

static int64_t stride[3], halo[3];

/* Floats on a cube with a halo of 4, read 4 away, the lowest at `address`. */
static struct quern_array array_at(const char *name, int64_t n, uintptr_t address)
{
    const int64_t row = n + 8;
    for (int axis = 0; axis < 3; axis++)
        halo[axis] = 4;
    stride[0] = 1, stride[1] = row, stride[2] = row * row;
    const uintptr_t first = (uintptr_t)(4 * 4 * (1 + row + row * row));
    const struct quern_array array = { name, (const void *)(address + first), 4, 0, 3,
                                       { 0, 1, 2 }, stride, halo,
                                       { { 4, 4 }, { 4, 4 }, { 4, 4 } } };
    return array;
}

static void check_domains(void)
{
    struct quern_domain domain = cube(7);
    SAYS("", quern_check_domain(&domain, why, size));
    domain.range.upper[1] = 8;
    SAYS("the range along y is 0 to 8 of 7 points", quern_check_domain(&domain, why, size));
    domain = cube(QUERN_LARGEST);
    SAYS("", quern_check_domain(&domain, why, size));
    domain.n[2]++;
    SAYS("the extent along z is 1099511627777, wanted 0 to 1099511627776",
         quern_check_domain(&domain, why, size));
    SAYS("", quern_check_bound("w", -QUERN_LARGEST, why, size));
    SAYS("w is -9223372036854775808, wanted -1099511627776 to 1099511627776",
         quern_check_bound("w", INT64_MIN, why, size));
    SAYS("struct_size is not that of this header: 8, wanted 16",
         quern_check_size(8, 16, why, size));
    expect("a check without room for a sentence", quern_check_size(8, 16, NULL, 0) == 1);
}

static void check_arrays(void)
{
    const struct quern_domain domain = cube(7);
    struct quern_array both[2] = { array_at("u", 7, 4096), array_at("v", 7, 4096 + 4 * 3375) };
#define CHECK quern_check_arrays(&domain, &domain.range, 1, both, 2, why, size)
    both[0].written = 1;
    SAYS("", CHECK);
    both[1] = array_at("v", 7, 4096 + 4 * 3374);
    SAYS("u and v overlap", CHECK);
    both[0].written = 0;
    SAYS("", CHECK);
    both[1].along[2][QUERN_ABOVE] = 5;
    SAYS("v: the halo along z is 4, this kernel reads 5", CHECK);
    stride[1] = 14;
    SAYS("u: the stride along y is 14, wanted at least 15", CHECK);
    stride[0] = 2;
    SAYS("u: the stride along x is 2, wanted 1", CHECK);
    both[0].data = NULL;
    SAYS("u: the pointer is null", CHECK);
}

static int hollow_is(int64_t n, int64_t lower, int64_t upper, int64_t from, int64_t to)
{
    const struct quern_hollow hollow = quern_between(n, lower, upper);
    return hollow.lower == from && hollow.upper == to;
}

/* Slabs of w points at both ends of n: what lies between, and how far the high one moves. */
static void check_hollows(void)
{
    const struct quern_hollow hollow = { 3, 7 };
    expect("slabs with a hollow", hollow_is(10, 3, 10 - 3, 3, 7));
    expect("slabs that meet", hollow_is(6, 3, 6 - 3, 3, 3));
    expect("slabs that overlap", hollow_is(5, 3, 5 - 3, 3, 3));
    expect("a slab beyond the domain", hollow_is(2, 3, 2 - 3, 2, 2));
    expect("no slabs", hollow_is(5, 0, 5, 0, 5));
    expect("slabs of less than no point", hollow_is(5, -2, 5 + 2, 0, 5));
    expect("no domain", hollow_is(0, 3, -3, 0, 0));
    expect("a box of the low slab", quern_skipped(hollow, 0) == 0);
    expect("the last row of the low slab", quern_skipped(hollow, 2) == 0);
    expect("a box of the high slab", quern_skipped(hollow, 7) == 4);
}

/* A point more along y, points left out along z. */
static void check_extents(void)
{
    const struct quern_domain domain = cube(7);
    struct quern_array both[2] = { array_at("u", 7, 40960), array_at("v", 7, 40960 + 4 * 3375) };
    both[0].written = 1;
    both[0].along[2][QUERN_MORE] = 1;
    expect("a plane more", quern_span(&domain, &both[0]) == 3375 + 225);
    SAYS("u and v overlap", CHECK);
    both[0].along[2][QUERN_MORE] = 0;
    both[1] = array_at("v", 7, 40960 - 4 * (3375 - 2 * 225));
    SAYS("u and v overlap", CHECK);
    both[1].along[2][QUERN_HOLLOW] = 2;
    SAYS("", CHECK);
    both[1].along[2][QUERN_HOLLOW] = 0;
    both[0].written = 0;
    both[1].along[2][QUERN_MORE] = -1;
    SAYS("v: the halo along z is 4, this kernel reads 5", CHECK);
    both[0].along[1][QUERN_MORE] = 1;
    SAYS("u: the stride along z is 225, wanted at least 240", CHECK);
}

/* Two arrays of a group of two, and one that is none of it. */
static void check_packed(void)
{
    const struct quern_domain domain = cube(7);
    const int64_t strides[3] = { 2, 30, 450 }, others[3] = { 2, 30, 452 };
    struct quern_array both[2] = { array_at("u", 7, 40960), array_at("v", 7, 40960 + 4) };
    for (int i = 0; i < 2; i++) {
        both[i].stride = strides;
        both[i].written = 1;
        both[i].along[0][QUERN_PACKED] = 2;
        both[i].along[0][QUERN_PLACE] = i;
        both[i].along[0][QUERN_GROUP] = 1;
    }
    SAYS("", CHECK);
    expect("the last of 2 * 15^3 elements is the other's",
           quern_span(&domain, &both[0]) == 2 * 3375 - 1);
    both[1].data = (const char *)both[1].data + 4;
    SAYS("u and v interleave: the pointer of v is not 1 element beyond that of u", CHECK);
    both[1].data = (const char *)both[0].data - 4;
    SAYS("u and v interleave: the pointer of v is not 1 element beyond that of u", CHECK);
    both[1].along[0][QUERN_PLACE] = 0, both[0].along[0][QUERN_PLACE] = 1;
    SAYS("", CHECK);
    both[1].stride = others;
    SAYS("u and v interleave: their strides are 450 and 452, wanted the same", CHECK);
    both[1].stride = strides;
    both[1].along[0][QUERN_GROUP] = 2;
    SAYS("u and v overlap", CHECK);
    both[0].along[0][QUERN_PACKED] = 3;
    SAYS("u: the stride along x is 2, wanted 3", CHECK);
}

/* Offsets run over what an array leaves out, and over all of the domain. */
static void check_passed(void)
{
    const int64_t none[3] = { 0, 0, 0 };
    struct quern_domain row = cube(1);
    row.n[0] = INT32_MAX - 8;
    struct quern_array line = array_at("u", 1, 4096);
    line.rank = 1;
    line.along[0][QUERN_HOLLOW] = row.n[0] - 2;
    expect("few points that are stored", quern_span(&row, &line) == 10);
    expect("offsets up to the last", quern_fits_32_bits(&row, &line, 1, none));
    row.n[0]++;
    line.along[0][QUERN_HOLLOW]++;
    expect("offsets beyond", !quern_fits_32_bits(&row, &line, 1, none));
    line.along[0][QUERN_HOLLOW] = 0;
    line.along[0][QUERN_MORE] = -1;
    expect("a domain beyond", !quern_fits_32_bits(&row, &line, 1, none));
}

static void check_grids(void)
{
    const int64_t tile[3] = { 32, 4, 4 };
    struct quern_domain domain = cube(4 * 65535);
    SAYS("", quern_check_grid(&domain, &domain.range, 1, tile, why, size));
    domain.range.upper[1]++;
    SAYS("65536 blocks along y, the device's limit is 65535",
         quern_check_grid(&domain, &domain.range, 1, tile, why, size));
    domain = cube(1);
    domain.range.upper[0] = 32 * (int64_t)INT32_MAX + 1;
    SAYS("2147483648 blocks along x, the device's limit is 2147483647",
         quern_check_grid(&domain, &domain.range, 1, tile, why, size));
    domain = cube(1);
    domain.range.upper[2] = 4 * 65535 + 1;
    SAYS("65536 blocks along z, the device's limit is 65535",
         quern_check_grid(&domain, &domain.range, 1, tile, why, size));
    SAYS("", quern_check_blocks(INT32_MAX, why, size));
    SAYS("2147483648 blocks, the device's limit is 2147483647",
         quern_check_blocks(INT64_C(1) << 31, why, size));
}

/* The fourth axis shares with the first, which has room: their product counts, also where it
 * has more than 64 bits. */
static void check_four_axes(void)
{
    const int64_t tile[4] = { 32, 4, 4, 1 }, ones[4] = { 1, 1, 1, 1 };
    struct quern_domain domain = { 4, { "x", "y", "z", "w" }, { 0 },
                                   { { 0 }, { 64, 4 * 65535, 4 * 65535, INT32_MAX / 2 } } };
    SAYS("", quern_check_grid(&domain, &domain.range, 1, tile, why, size));
    domain.range.upper[3]++;
    SAYS("2147483648 blocks along x and w, the device's limit is 2147483647",
         quern_check_grid(&domain, &domain.range, 1, tile, why, size));
    domain.range.upper[0] = domain.range.upper[3] = QUERN_LARGEST;
    SAYS("72057594037927935 blocks along x and w, the device's limit is 2147483647",
         quern_check_grid(&domain, &domain.range, 1, ones, why, size));
}

static void check_memory(void)
{
    SAYS("", quern_check_shared(101376, 101376, why, size));
    SAYS("a block needs 101377 bytes of shared memory, this device's limit is 101376",
         quern_check_shared(101377, 101376, why, size));
    SAYS("", quern_check_shared(101377, -1, why, size));
}

/* What the tensor unit takes: starts and strides on 16 bytes, strides below 2^40 bytes. */
static void check_tensors(void)
{
    struct quern_domain domain = cube(8);
    struct quern_array both[2] = { array_at("u", 8, 4096), array_at("v", 8, 4096 + 32) };
#undef CHECK
#define CHECK quern_check_tensors(&domain, both, 2, why, size)
    SAYS("", CHECK);
    both[1].data = (const char *)both[1].data + 4;
    SAYS("u and v: their points 0 differ modulo 16 bytes", CHECK);
    both[1].data = both[0].data;
    stride[1] = 18;
    SAYS("u: the stride along y is 18, wanted a multiple of 4", CHECK);
    stride[1] = 16;
    stride[2] = (INT64_C(1) << 38) - 4;
    SAYS("", CHECK);
    stride[2] += 4;
    SAYS("u: the stride along z is 274877906944, the tensor unit's limit is 274877906943", CHECK);
    stride[2] = 256;
    domain.n[1] = INT32_MAX / 2 + 1;
    SAYS("the extent along y is 1073741824, this shape's limit is 1073741823", CHECK);
}

static void check_large(void)
{
    const struct quern_domain domain = cube(1295);
    const struct quern_array array = array_at("u", 1295, 4096);
    const int64_t none[3] = { 0, 0, 0 }, one[3] = { 1, 0, 0 };
    expect("the points of 1295 cubed",
           quern_points(&domain, &domain.range, 1) == INT64_C(2171747375));
    expect("the elements of 1303 cubed",
           quern_span(&domain, &array) == INT64_C(2212245127));
    expect("the lowest element", quern_lowest(&array) == 4096);
    expect("1295 cubed in 32 bits", !quern_fits_32_bits(&domain, &array, 1, none));
    struct quern_domain row = cube(1);
    row.n[0] = INT32_MAX - 8;
    struct quern_array line = array_at("u", 1, 4096);
    line.rank = 1;
    expect("the last row that fits", quern_fits_32_bits(&row, &line, 1, none));
    expect("an idle thread beyond it", !quern_fits_32_bits(&row, &line, 1, one));
    stride[2] = INT64_C(1) << 62;
    expect("more than can be counted", quern_span(&domain, &array) == -1);
}

/* Boxes in the order of a sweep, and the pieces between places. */
static void check_sweeps(void)
{
    const struct quern_domain domain = cube(9);
    struct quern_box list[3] = { { { 0, 0, 4 }, { 9, 9, 9 } }, { { 0, 0, 0 }, { 9, 5, 1 } },
                                 { { 0, 0, 1 }, { 9, 9, 3 } } };
    quern_order(list, 3, 2, 1);
    expect("boxes upwards", list[0].lower[2] == 0 && list[1].lower[2] == 1
           && list[2].lower[2] == 4 && list[0].upper[1] == 5);
    quern_order(list, 3, 2, 0);
    expect("boxes downwards", list[0].lower[2] == 4 && list[2].lower[2] == 0);
    expect("a slice", quern_slice(&domain, list, 3, 2, 2, 6) == 2 && list[0].lower[2] == 4
           && list[0].upper[2] == 6 && list[1].lower[2] == 2 && list[1].upper[2] == 3);
    int64_t place[] = { 2, 8, 9, 0, 1, 5, 7 };
    expect("pieces", quern_pieces(place, 7) == 6);
    static const int64_t SORTED[] = { 2, 2, 2, 5, 7, 7, 7 };
    expect("places", memcmp(place, SORTED, sizeof SORTED) == 0);
    expect("a range with extra points", quern_end(9, 9, 1) == 10 && quern_end(8, 9, 1) == 8);
}

int main(void)
{
    const int cases = 2000;
    for (int i = 0; i < cases; i++)
        try_boxes(1 + i % QUERN_AXES);
    check_domains();
    check_arrays();
    check_hollows();
    check_extents();
    check_packed();
    check_passed();
    check_grids();
    check_four_axes();
    check_memory();
    check_tensors();
    check_sweeps();
    check_large();
    printf("%d cases\n", cases);
    return 0;
}
