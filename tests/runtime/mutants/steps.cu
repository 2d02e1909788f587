/* Blocks that keep in step, as those of st_tma do, right and with faults. */
#include "simt.h"
#include "quern_steps.h"
#include <string.h>
#include "mutant.h"

enum fault { RIGHT, NOT_TOGETHER, TOO_MANY_BLOCKS, TOO_MANY_MEMBERS, NEVER_LEAVES, NEVER_MARKS,
             NOT_STAMPED };

constexpr int DISTANCE = 2, WALK = 300, THREADS = 64;
constexpr int BLOCKS = 5, MANY = 3 * 32 + 1;    /* more than the device holds at once */

static __device__ quern_steps in_step;

/* As these, but what an earlier launch has counted counts. */
static __device__ void keep_any_step(int mark, int members)
{
    quern_word_raise(&in_step.word[mark % quern_steps::WORDS], 0);
    if (mark > 0)
        quern_word_wait(&in_step.word[(mark - 1) % quern_steps::WORDS],
                        (unsigned long long)members * ((mark - 1) / quern_steps::WORDS + 1));
}

/* Each block goes on plane by plane, the last one not so far; `ahead` learns who was more than
 * two distances before another. */
template <fault wrong>
__global__ void __launch_bounds__(THREADS)
walk(int *__restrict__ plane, int *__restrict__ ahead, int members)
{
    int &most = *dynamic_shared<int>();
    const int block = (int)blockIdx.x, blocks = (int)gridDim.x;
    const int planes = block == blocks - 1 ? WALK - 7 : WALK;
    const bool leader = threadIdx.x == 0;
    for (int p = 0; p < planes; p++) {
        if (leader) {
            plane[block] = p;
            if (p % DISTANCE == 0 && wrong != NEVER_MARKS && wrong != NOT_STAMPED)
                quern_await_step(&in_step, p / DISTANCE, members,
                                 quern_mark_step(&in_step, p / DISTANCE));
            if (p % DISTANCE == 0 && wrong == NOT_STAMPED)
                keep_any_step(p / DISTANCE, members);
            most = p;
            for (int b = 0; b < blocks; b++)
                most = min(most, plane[b] < WALK - 8 ? plane[b] : p);
            if (most < p - 2 * DISTANCE) ahead[block] = 1;
        }
        __syncthreads();
    }
    if (leader && wrong != NEVER_LEAVES)
        quern_leave_step(&in_step, (planes + 1) / DISTANCE, WALK / DISTANCE);
}

template <fault wrong>
static int run()
{
    const int blocks = wrong == TOO_MANY_BLOCKS ? MANY : BLOCKS;
    int *plane, *ahead, members = wrong == TOO_MANY_MEMBERS ? blocks + 1 : blocks;
    cudaMalloc(&plane, MANY * sizeof(int));
    cudaMalloc(&ahead, MANY * sizeof(int));
    void *args[] = {&plane, &ahead, &members};
    cudaError_t error = cudaSuccess;
    int wrong_block = 0;
    for (int launch = 0; launch < 2 && error == cudaSuccess; launch++) {
        cudaMemset(plane, 0, MANY * sizeof(int));
        cudaMemset(ahead, 0, MANY * sizeof(int));
        if (wrong == NOT_TOGETHER)
            error = cudaLaunchKernel(walk<wrong>, dim3(blocks), dim3(THREADS), args, 64, nullptr);
        else
            error = cudaLaunchCooperativeKernel(walk<wrong>, dim3(blocks), dim3(THREADS), args,
                                                64, nullptr);
        for (int b = 0; b < blocks; b++) wrong_block |= ahead[b];
    }
    cudaFree(plane);
    cudaFree(ahead);
    return error != cudaSuccess ? error : wrong_block ? MUTANT_WRONG : 0;
}

/* Tiles of 128x16 points on 132 multiprocessors: blocks of a launch, planes of a walk, members. */
struct cut { int64_t nx, ny, nz, blocks, wave, walk; int together; };
static const cut CUTS[] = {
    {512, 512, 512, 128, 128, 512, 1},          /* one wave of whole columns */
    {1024, 1024, 512, 512, 128, 512, 1},        /* four */
    {256, 256, 256, 128, 128, 64, 1},           /* one, of parts of columns */
    {1000, 1000, 1000, 504, 126, 1000, 1},      /* waves alike */
    {130, 17, 7, 28, 28, 1, 1},                  /* less than one */
    {2000, 2000, 20, 2000, 2000, 128, 0},       /* too short to be worth waves */
};

static int waves()
{
    const int64_t tile[3] = {128, 16, 128};
    for (const cut &c : CUTS) {
        const quern_box box = {{3, 5, 7}, {3 + c.nx, 5 + c.ny, 7 + c.nz}};
        quern_tilings<1> tilings;
        quern_company company;
        int64_t wave;
        const int64_t blocks = quern_tile_waves(&tilings, &company, &wave, &box, 1, tile, 5, 8, 132,
                                                true);
        if (blocks != c.blocks || wave != c.wave || company.walk != c.walk
            || (company.members > 0) != c.together) return MUTANT_WRONG;
    }
    return 0;
}

extern "C" const mutant mutants[] = {
    {"walks that make whole waves", waves, 0, ""},
    {"blocks that keep in step, twice", run<RIGHT>, 0, ""},
    {"a launch that is not cooperative", run<NOT_TOGETHER>, 719, "not cooperative"},
    {"more blocks than are resident", run<TOO_MANY_BLOCKS>, 720, "holds 96 at once"},
    {"more members than blocks", run<TOO_MANY_MEMBERS>, 719, "none can go on"},
    {"a short walk that the others wait for", run<NEVER_LEAVES>, 719, "none can go on"},
    {"blocks that do not mark where they are", run<NEVER_MARKS>, 719, "order of the threads"},
    {"counts of the launch before", run<NOT_STAMPED>, 719, "order of the threads"},
    {nullptr, nullptr, 0, nullptr},
};
