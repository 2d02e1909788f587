/* Blocks that keep in step, as those of st_tma do, right and with faults. */
#include "simt.h"
#include "quern_steps.h"
#include <string.h>
#include "mutant.h"

enum fault { RIGHT, TWO_COMPANIES, MANY_COMPANIES, COMPANIES_OF_ONE, TOO_MANY_BLOCKS, NEVER_LEAVES,
             NEVER_MARKS, ONE_TOO_MANY, NOT_STAMPED, NEVER_WAITS, GOES_ON_ONCE, MARKS_ONCE_MORE };

constexpr int DISTANCE = 2, WALK = 300, THREADS = 64;
constexpr int BLOCKS = 5, MANY = 3 * 32 + 1;    /* more than the device holds at once */

static __device__ quern_steps in_step;

/* Each block goes on plane by plane, the last one not so far; `ahead` learns who was more than
 * two distances before another. */
template <fault wrong>
__global__ void __launch_bounds__(THREADS)
walk(int *__restrict__ plane, int *__restrict__ ahead, const quern_company company)
{
    struct planes { quern_companion own; int most; } &s = *dynamic_shared<planes>();
    const int block = (int)blockIdx.x, blocks = (int)gridDim.x;
    const int first = block / company.size * company.size, last = min(first + company.size, blocks);
    const int planes = block == blocks - 1 ? WALK - 7 : WALK;
    const bool leader = threadIdx.x == 0;
    if (leader) quern_join(&s.own, &in_step, company);
    if (leader && wrong == ONE_TOO_MANY) s.own.members++;
    if (leader && wrong == NOT_STAMPED) {       /* what an earlier launch has counted counts */
        s.own.stamp = 0;
        for (int i = 0; i < 3 * BLOCKS * quern_steps::MARKS; i++)
            quern_word_raise(&s.own.word[i % quern_steps::MARKS], 0);
    }
    for (int p = 0; p < planes; p++) {
        if (leader) {
            plane[block] = p;
            const bool at_mark = p % DISTANCE == 0 && (wrong != NEVER_MARKS || p != 20 || block > 0);
            const bool waits = wrong != NEVER_WAITS && (wrong != GOES_ON_ONCE || p != 22 || block > 0);
            const unsigned long long said = at_mark ? quern_mark_step(&s.own, p / DISTANCE) : 0;
            if (at_mark && waits)
                quern_await_step(&s.own, p / DISTANCE, said);
            s.most = p;
            for (int b = first; b < last; b++)
                s.most = min(s.most, plane[b] < WALK - 8 ? plane[b] : p);
            if (s.most < p - 2 * DISTANCE) ahead[block] = 1;
        }
        __syncthreads();
    }
    if (leader && wrong != NEVER_LEAVES)
        quern_leave_step(&s.own, (planes + 1) / DISTANCE - (wrong == MARKS_ONCE_MORE), WALK / DISTANCE);
}

template <fault wrong>
static int run()
{
    const int blocks = wrong == TOO_MANY_BLOCKS || wrong == MANY_COMPANIES ? MANY : BLOCKS;
    quern_company company = {wrong == TWO_COMPANIES ? blocks / 2 + 1
                             : wrong == MANY_COMPANIES ? 40 : wrong == COMPANIES_OF_ONE ? 1 : blocks,
                             WALK};
    int *plane, *ahead;
    cudaMalloc(&plane, MANY * sizeof(int));
    cudaMalloc(&ahead, MANY * sizeof(int));
    void *args[] = {&plane, &ahead, &company};
    cudaError_t error = cudaSuccess;
    int wrong_block = 0;
    for (int launch = 0; launch < 2 && error == cudaSuccess; launch++) {
        cudaMemset(plane, 0, MANY * sizeof(int));
        cudaMemset(ahead, 0, MANY * sizeof(int));
        error = cudaLaunchKernel(walk<wrong>, dim3(blocks), dim3(THREADS), args, 64, nullptr);
        for (int b = 0; b < blocks; b++) wrong_block |= ahead[b];
    }
    cudaFree(plane);
    cudaFree(ahead);
    return error != cudaSuccess ? error : wrong_block ? MUTANT_WRONG : 0;
}

/* Tiles of 128x16 points on 132 multiprocessors: blocks, those of a company, planes. */
struct cut { int64_t nx, ny, nz, blocks, size, walk; };
static const cut CUTS[] = {
    {512, 512, 512, 128, 128, 512},             /* one wave of whole columns */
    {1024, 1024, 512, 512, 132, 512},           /* four */
    {256, 256, 256, 128, 128, 64},              /* one, of parts of columns */
    {1000, 1000, 1000, 504, 132, 1000},         /* four, the last not full */
    {130, 17, 7, 28, 28, 1},                    /* less than one */
    {2000, 2000, 20, 2000, 0, 128},             /* too short to keep in step */
};

static int waves()
{
    const int64_t tile[3] = {128, 16, 128};
    for (const cut &c : CUTS) {
        const quern_box box = {{3, 5, 7}, {3 + c.nx, 5 + c.ny, 7 + c.nz}};
        quern_tilings<1> tilings;
        quern_company company;
        const int64_t blocks = quern_tile_waves(&tilings, &company, &box, 1, tile, 5, 8, 132, true);
        if (blocks != c.blocks || company.walk != c.walk || company.size != c.size)
            return MUTANT_WRONG;
    }
    return 0;
}

/* Tiles of 128 points and at most 20 rows there, two of which are a thread's, or one. */
struct fit { int64_t nx, ny, nz, each, rows, blocks, walk; };
static const fit FITS[] = {
    {512, 512, 512, 1, 16, 128, 512},           /* one wave: taller would leave some idle */
    {946, 946, 946, 1, 20, 384, 946},           /* three of long walks, not eleven of short ones */
    {600, 600, 600, 1, 16, 380, 300},
    {600, 600, 600, 2, 16, 380, 300},
    {400, 400, 400, 1, 13, 124, 400},
    {400, 400, 400, 2, 20, 240, 134},           /* 13 are no whole rows of threads */
    {300, 3, 300, 1, 10, 129, 7},               /* never less than half */
};

static int fits()
{
    const int64_t most[3] = {128, 20, 128};
    for (const fit &f : FITS) {
        const quern_box box = {{3, 5, 7}, {3 + f.nx, 5 + f.ny, 7 + f.nz}};
        quern_tilings<1> tilings;
        quern_company company;
        const int64_t rows = quern_fit_rows(&tilings, &box, 1, most, f.each, 5, 8, 132);
        const int64_t tile[3] = {128, rows, 128};
        const int64_t blocks = quern_tile_waves(&tilings, &company, &box, 1, tile, 5, 8, 132, true);
        if (rows != f.rows || blocks != f.blocks || company.walk != f.walk)
            return MUTANT_WRONG;
    }
    return 0;
}

/* Copies of 40 points for narrow boxes at all places in tiles of 32, four read on either side:
 * they bring what is read, and begin on a sector wherever those that begin there do. */
template <int MORE> static int narrow()
{
    for (int late = 0; late < 8; late++)
        for (int width = 1; width <= 70; width++) {
            const quern_box box = {{16 + late, 0, 0}, {16 + late + width, 1, 1}};
            const int64_t tile[3] = {32, 8, 8};
            quern_tilings<1> tilings;
            quern_tile_boxes(&tilings, &box, 1, tile, 0, 8);
            quern_shift_copies(&tilings, 4, 4, 28 + MORE, 4);
            const quern_tiling &cut = tilings.box[0];
            const bool one = cut.across[0] == 1;
            const int from = cut.start - 4 + cut.shift, least = int(box.lower[0]) - 4,
                      most = int(box.upper[0]) + 4;
            const bool early = least >= 8 && most <= 48, then = least >= 16 && most <= 56;
            if (one && (from > least || from + 40 < most)) return MUTANT_WRONG;
            if (one && (early || then) && from % 8 != 0) return MUTANT_WRONG;
            if (!one && cut.shift != 0) return MUTANT_WRONG;
        }
    return 0;
}

extern "C" const mutant mutants[] = {
    {"walks that make whole waves", waves, 0, ""},
    {"as many rows as make waves shortest", fits, 0, ""},
    {"narrow copies that begin on a sector", narrow<0>, 0, ""},
    {"narrow copies that end too early", narrow<1>, MUTANT_WRONG, ""},
    {"blocks that keep in step, twice", run<RIGHT>, 0, ""},
    {"two companies, the second smaller", run<TWO_COMPANIES>, 0, ""},
    {"more companies than there are words for", run<COMPANIES_OF_ONE>, 0, ""},
    {"companies that begin when others end", run<MANY_COMPANIES>, 0, ""},
    {"a company that is not resident", run<TOO_MANY_BLOCKS>, 719, "the device is full, others have not begun"},
    {"a short walk that the others wait for", run<NEVER_LEAVES>, 719, "none can go on"},
    {"a mark that is never set", run<NEVER_MARKS>, 719, "a mark that is not its next"},
    {"a wait for one more than there are", run<ONE_TOO_MANY>, 719, "none can go on"},
    {"counts of the launch before", run<NOT_STAMPED>, 719, "a mark that is not its next"},
    {"blocks that never wait", run<NEVER_WAITS>, 719, "before others of its company"},
    {"a block that once does not wait", run<GOES_ON_ONCE>, 719, "before others of its company"},
    {"a mark that is set again at the end", run<MARKS_ONCE_MORE>, 719, "others of its company"},
    {nullptr, nullptr, 0, nullptr},
};
