/* What kernels that copy ahead stand on: the tensor unit of GPUs from sm_90 on, which copies a
 * box of an array into shared memory, barriers that count the bytes that have come, and copies
 * that threads start themselves. One small function for each instruction; simt.h has the same
 * ones for CPUs. The generator copies this header beside the kernels. Change QUERN_ASYNC when
 * anything below changes its meaning. */
#ifndef QUERN_ASYNC_H
#define QUERN_ASYNC_H

#define QUERN_ASYNC 10

#ifdef __CUDACC__

#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>

/* Where an array lies, and the box of it that one copy takes. */
typedef CUtensorMap quern_tensor;

static __device__ __forceinline__ unsigned quern_shared(const void *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

/* Is this the thread that goes ahead alone? All of its warp ask. What stands under this condition
 * has one copy in the compiled text, where a comparison of threadIdx has loops over the threads
 * that might be there, one around each instruction of the tensor unit. */
static __device__ __forceinline__ bool quern_elected()
{
    unsigned elected;
    asm volatile("{\n"
                 ".reg .pred elected;\n"
                 "elect.sync _|elected, 0xffffffff;\n"
                 "selp.u32 %0, 1, 0, elected;\n"
                 "}"
                 : "=r"(elected));
    return elected;
}

/* --- barriers: a phase is over when all members have arrived and all expected bytes have
 * come; phases are 0, 1, 0, .. --- */

static __device__ __forceinline__ void quern_barrier_init(uint64_t *barrier, unsigned members)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                 :: "r"(quern_shared(barrier)), "r"(members) : "memory");
}

/* Barriers that were initialised are known to other threads and to the tensor unit. */
static __device__ __forceinline__ void quern_barrier_publish()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

static __device__ __forceinline__ void quern_barrier_arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];"
                 :: "r"(quern_shared(barrier)) : "memory");
}

/* Arrives, and has this phase wait for so many bytes more. */
static __device__ __forceinline__ void quern_barrier_expect(uint64_t *barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(quern_shared(barrier)), "r"(bytes) : "memory");
}

/* Asks whether a phase is over; from sm_90 on the answer may be late, and another warp at work. */
#if __CUDA_ARCH__ >= 900
#define QUERN_BARRIER_TEST "mbarrier.try_wait.parity.shared::cta.b64"
#else
#define QUERN_BARRIER_TEST "mbarrier.test_wait.parity.shared::cta.b64"
#endif

/* Returns when the phase of this parity is over. */
static __device__ __forceinline__ void quern_barrier_wait(uint64_t *barrier, unsigned parity)
{
    unsigned over;
    do
        asm volatile("{\n"
                     ".reg .pred over;\n"
                     QUERN_BARRIER_TEST " over, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, over;\n"
                     "}"
                     : "=r"(over) : "r"(quern_shared(barrier)), "r"(parity) : "memory");
    while (!over);
}

/* Starts to copy the box whose first element is (x, y, z); what is outside of the tensor is
 * nought, and counts. `to` is aligned to 128 bytes. */
static __device__ __forceinline__ void quern_tensor_load(void *to, const quern_tensor *tensor,
                                                         int x, int y, int z,
                                                         uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4}], [%5];"
                 :: "r"(quern_shared(to)), "l"(tensor), "r"(x), "r"(y), "r"(z),
                    "r"(quern_shared(barrier)) : "memory");
}

/* --- pieces: a few bytes that a thread copies to shared memory itself, from sm_80 on; they come
 * in groups, for others behind the next barrier of the block --- */

/* Starts to copy 4, 8 or 16 bytes, both places aligned to as many. */
template <typename T> static __device__ __forceinline__ void quern_fetch(T *to, const T *from)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16, "no piece is as large");
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
                 :: "r"(quern_shared(to)), "l"(from), "n"(sizeof(T)) : "memory");
}

/* The same if it is wanted: no branch, so that addresses are found once for all copies. */
template <typename T>
static __device__ __forceinline__ void quern_fetch_if(bool wanted, T *to, const T *from)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16, "no piece is as large");
    asm volatile("{\n"
                 ".reg .pred wanted;\n"
                 "setp.ne.u32 wanted, %3, 0;\n"
                 "@wanted cp.async.ca.shared.global [%0], [%1], %2;\n"
                 "}"
                 :: "r"(quern_shared(to)), "l"(from), "n"(sizeof(T)), "r"((unsigned)wanted)
                 : "memory");
}

/* The pieces since the last group are the next. */
static __device__ __forceinline__ void quern_fetch_close()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Returns when all groups of this thread have come but the latest MOST. */
template <int MOST> static __device__ __forceinline__ void quern_fetch_wait()
{
    asm volatile("cp.async.wait_group %0;" :: "n"(MOST) : "memory");
}

/* --- division --- */

template <typename T> static __device__ __noinline__ T quern_divide(T a, T b)
{
    return a / b;
}

/* a / b, rounded as IEEE asks. The compiler's own division leaves its short way where a is 0, as
 * it is wherever a field is at rest; the steps of that way are these. Operands so large or small
 * that a step could overflow or lose digits go the long way. */
static __device__ __forceinline__ float quern_quotient(float a, float b)
{
    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(b));
    inverse = fmaf(fmaf(-b, inverse, 1.0f), inverse, inverse);
    const float first = a * inverse;
    float result = fmaf(fmaf(-b, first, a), inverse, first);
    result = fmaf(fmaf(-b, result, a), inverse, result);
    const float size = fabsf(a), by = fabsf(b);
    if (size == 0.0f)
        result = first;         /* with its sign */
    if (!((size == 0.0f || size > 1e-25f) && size < 1e25f && by > 1e-10f && by < 1e10f))
        result = quern_divide(a, b);
    return result;
}

/* 1 / b, rounded as IEEE asks, whatever b is: no branch, so that several are on their way at a
 * time. An approximation, and what is missing from it; 0 and infinities have none. */
static __device__ __forceinline__ float quern_inverse(float b)
{
    float first;
    asm("rcp.approx.f32 %0, %1;" : "=f"(first) : "f"(b));
    const float error = fmaf(-b, first, 1.0f);
    return fabsf(error) < 1.0f ? fmaf(fmaf(error, error, error), first, first) : first;
}

/* The same as quern_quotient where its short way does, and where b is infinite; elsewhere `odd` is
 * set. */
static __device__ __forceinline__ float quern_short_quotient(float a, float b, bool &odd)
{
    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(b));
    const float first = a * inverse;
    inverse = fmaf(fmaf(-b, inverse, 1.0f), inverse, inverse);
    float result = fmaf(fmaf(-b, first, a), inverse, first);
    result = fmaf(fmaf(-b, result, a), inverse, result);
    const float size = fabsf(a), by = fabsf(b);
    const bool fit = (size == 0.0f || (size > 1e-25f && size < 1e25f)) && by > 1e-10f && by < 1e10f;
    odd |= !fit && by != INFINITY;
    return size == 0.0f || by == INFINITY ? first : result;
}

/* The shared memory that a launch asked for. */
template <typename T> static __device__ __forceinline__ T *dynamic_shared()
{
    extern __shared__ __align__(128) unsigned char quern_dynamic[];
    return reinterpret_cast<T *>(quern_dynamic);
}

/* --- the host's side --- */

typedef CUresult (*quern_encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                                 const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                                 const cuuint32_t *, CUtensorMapInterleave,
                                 CUtensorMapSwizzle, CUtensorMapL2promotion,
                                 CUtensorMapFloatOOBfill);

/* The driver's own function, or null: nothing is linked with the driver. */
static quern_encode quern_find_encode()
{
    void *found = nullptr;
    cudaDriverEntryPointQueryResult result;
#if CUDART_VERSION >= 12050
    const cudaError_t error = cudaGetDriverEntryPointByVersion(
        "cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result);
#else
    const cudaError_t error = cudaGetDriverEntryPoint(
        "cuTensorMapEncodeTiled", &found, cudaEnableDefault, &result);
#endif
    const bool well = error == cudaSuccess && result == cudaDriverEntryPointSuccess;
    return well ? reinterpret_cast<quern_encode>(found) : nullptr;
}

/* The tensor of an array: `size` bytes an element (2, 4 or 8), the element (0, 0, 0) at
 * `data`, aligned to 16 bytes, extent[3] elements, stride[2] of the last two axes in
 * elements, multiples of 16 bytes; box[2] elements along the first two. */
static inline cudaError_t quern_tensor_make(quern_tensor *tensor, int size, const void *data,
                                            const int64_t *extent, const int64_t *stride,
                                            const int *box)
{
    static const quern_encode encode = quern_find_encode();
    if (encode == nullptr)
        return cudaErrorNotSupported;
    const CUtensorMapDataType type = size == 2 ? CU_TENSOR_MAP_DATA_TYPE_UINT16
        : size == 4 ? CU_TENSOR_MAP_DATA_TYPE_UINT32 : CU_TENSOR_MAP_DATA_TYPE_UINT64;
    const cuuint64_t extents[3] = { (cuuint64_t)extent[0], (cuuint64_t)extent[1],
                                    (cuuint64_t)extent[2] };
    const cuuint64_t strides[2] = { (cuuint64_t)(stride[0] * size),
                                    (cuuint64_t)(stride[1] * size) };
    const cuuint32_t boxes[3] = { (cuuint32_t)box[0], (cuuint32_t)box[1], 1 };
    const cuuint32_t steps[3] = { 1, 1, 1 };
    /* Promotion to longer lines of the cache would fetch what the next tile does again. */
    const CUresult result = encode(tensor, type, 3, const_cast<void *>(data), extents, strides,
                                   boxes, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                   CU_TENSOR_MAP_SWIZZLE_NONE,
                                   CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                   CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

#else
#include "simt.h"
#endif

#include "quern_boxes.h"
#include "quern_launch.h"

/* How long rows of `points` elements are in a tensor, the first at `first`: to the end of the
 * sector of 32 bytes that they end in (of 16 bytes, unless all begin on a sector). What a sector
 * has behind a row can be read as well as the row; a copy that ends within its tensor is faster. */
static inline int64_t quern_whole_sectors(const void *first, int64_t points,
                                          const int64_t *stride, int64_t size)
{
    int64_t unit = 32 / size;
    while (((int64_t)((uintptr_t)first / (uintptr_t)size) | stride[1] | stride[2]) % unit != 0)
        unit /= 2;
    return (points + unit - 1) / unit * unit;
}

/* --- launches side by side --- */

#ifdef __CUDACC__

/* The next launch may begin, if it is told that it may, as soon as all blocks have come here. */
static __device__ __forceinline__ void quern_let_next_begin()
{
    asm volatile("griddepcontrol.launch_dependents;");
}

/* Returns when the launch before has ended: so that who waits for this one waits for both. */
static __device__ __forceinline__ void quern_await_last_end()
{
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

/* cudaLaunchKernel; `beside`: the blocks may begin before the launch before this one has ended,
 * whose points are others. */
template <typename KERNEL>
static inline cudaError_t quern_launch_beside(KERNEL kernel, dim3 grid, dim3 block,
                                              void **arguments, size_t shared,
                                              cudaStream_t stream, bool beside)
{
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t how = {};
    how.gridDim = grid;
    how.blockDim = block;
    how.dynamicSmemBytes = shared;
    how.stream = stream;
    how.attrs = &early;
    how.numAttrs = beside ? 1 : 0;
    return cudaLaunchKernelExC(&how, reinterpret_cast<const void *>(kernel), arguments);
}

#endif

/* --- one launch for several boxes --- */

/* A box in tiles: tiles along the first axis are next to each other, and begin `start`. */
struct quern_tiling {
    int lower[3], upper[3];
    int start, across[2];       /* tiles along the first two axes */
    int last;                   /* where the last tile of a row begins */
    int first;                  /* number of its first block */
    int shift;                  /* points that copies begin later in its tiles */
};

template <int MOST> struct quern_tilings {
    int count;
    quern_tiling box[MOST];
};

/* Cuts boxes into tiles of three axes; the rows of tiles begin where (index + lead) is a
 * multiple of `unit`, and the last of a row as early as that allows: what a copy brings of points
 * beyond the box costs more than what the tile before has too. Returns the number of blocks;
 * beyond INT32_MAX the tiles are of no use. */
template <int MOST>
static inline int64_t quern_tile_boxes(quern_tilings<MOST> *tilings, const quern_box *list,
                                       int count, const int64_t *tile, int lead, int unit)
{
    int64_t blocks = 0;
    tilings->count = count;
    for (int b = 0; b < count; b++) {
        quern_box box = list[b];
        quern_tiling *cut = &tilings->box[b];
        for (int axis = 0; axis < 3; axis++) {
            cut->lower[axis] = (int)box.lower[axis];
            cut->upper[axis] = (int)box.upper[axis];
        }
        box.lower[0] -= (box.lower[0] + lead) % unit;
        cut->start = (int)box.lower[0];
        cut->first = (int)blocks;
        cut->shift = 0;
        cut->across[0] = (int)quern_tiles(&box, tile, 0);
        cut->across[1] = (int)quern_tiles(&box, tile, 1);
        const int64_t beyond = cut->across[0] * tile[0] - (box.upper[0] - box.lower[0]);
        cut->last = cut->start + (int)((cut->across[0] - 1) * tile[0]);
        if (cut->across[0] > 1)
            cut->last -= (int)(beyond - beyond % unit);
        blocks += quern_times((int64_t)cut->across[0] * cut->across[1],
                              quern_tiles(&box, tile, 2));
    }
    return blocks;
}

/* Has copies begin on a sector, where they do not by themselves, and the box, one tile wide,
 * begins so late in its tile, or ends so early, that what is read is copied all the same. */
template <int MOST>
static inline void quern_shift_copies(quern_tilings<MOST> *tilings, int least, int later,
                                      int most, int earlier)
{
    for (int b = 0; b < tilings->count; b++) {
        quern_tiling *box = &tilings->box[b];
        if (box->across[0] == 1 && box->lower[0] - box->start >= least)
            box->shift = later;
        else if (box->across[0] == 1 && box->upper[0] - box->start <= most)
            box->shift = -earlier;
    }
}

/* Those boxes of a list, of three axes, that are thinnest along an axis; returns how many. */
static inline int quern_thin_boxes(const quern_box *list, int count, int axis, quern_box *thin)
{
    int found = 0;
    for (int b = 0; b < count; b++) {
        int least = 0;
        for (int i = 1; i < 3; i++)
            if (list[b].upper[i] - list[b].lower[i]
                < list[b].upper[least] - list[b].lower[least])
                least = i;
        if (least == axis)
            thin[found++] = list[b];
    }
    return found;
}

/* Gives boxes of three axes another order of the axes. */
static inline void quern_turn_boxes(quern_box *list, int count, const int *order)
{
    for (int b = 0; b < count; b++) {
        const quern_box box = list[b];
        for (int i = 0; i < 3; i++) {
            list[b].lower[i] = box.lower[order[i]];
            list[b].upper[i] = box.upper[order[i]];
        }
    }
}

/* --- 16 bytes at a time --- */

/* The type of several elements side by side, and they themselves; 16 bytes unless said. */
template <typename T, int WIDTH = 16 / sizeof(T)> struct quern_vector;
template <typename T> struct quern_vector<T, 1> { typedef T type; };
template <> struct quern_vector<float, 2> { typedef float2 type; };
template <> struct quern_vector<float, 4> { typedef float4 type; };
template <> struct quern_vector<int32_t, 2> { typedef int2 type; };
template <> struct quern_vector<int32_t, 4> { typedef int4 type; };
template <> struct quern_vector<double, 2> { typedef double2 type; };

template <typename T, int WIDTH = 16 / sizeof(T)> union quern_piece {
    typename quern_vector<T, WIDTH>::type vector;
    T element[WIDTH];
};

template <typename T, int COUNT>
static __device__ __forceinline__ void quern_read(T (&to)[COUNT], const T *from)
{
    constexpr int WIDTH = 16 / sizeof(T);
#pragma unroll
    for (int i = 0; i < COUNT; i += WIDTH) {
        quern_piece<T> v;
        v.vector = *reinterpret_cast<const typename quern_vector<T>::type *>(from + i);
#pragma unroll
        for (int k = 0; k < WIDTH; k++)
            to[i + k] = v.element[k];
    }
}

/* Points of one row, read at once. */
template <typename T, int COUNT> struct quern_row {
    T at[COUNT];
    __device__ __forceinline__ explicit quern_row(const T *from) { quern_read(at, from); }
    __device__ __forceinline__ const T &operator[](int i) const { return at[i]; }
};

/* Reads COUNT elements that begin or end where vectors of WIDTH do, in as few pieces as both
 * numbers allow. */
template <int WIDTH, int COUNT, typename T>
static __device__ __forceinline__ void quern_take(T *to, const T *from)
{
    constexpr int SIZE = sizeof(T);
    constexpr bool WHOLE = WIDTH * SIZE % 16 == 0 && COUNT * SIZE % 16 == 0;
    constexpr bool HALF = WIDTH * SIZE % 8 == 0 && COUNT * SIZE % 8 == 0;
    constexpr int PIECE = WHOLE ? 16 / SIZE : HALF ? 8 / SIZE : 1;
#pragma unroll
    for (int i = 0; i < COUNT; i += PIECE) {
        quern_piece<T, PIECE> v;
        v.vector = *reinterpret_cast<const typename quern_vector<T, PIECE>::type *>(from + i);
#pragma unroll
        for (int k = 0; k < PIECE; k++)
            to[i + k] = v.element[k];
    }
}

/* A vector and its neighbours in the row, BELOW and ABOVE. */
template <typename T, int WIDTH, int BELOW = 0, int ABOVE = 0> struct quern_line {
    T at[BELOW + WIDTH + ABOVE];
    __device__ __forceinline__ explicit quern_line(const T *from)
    {
        quern_take<WIDTH, BELOW + WIDTH + ABOVE>(at, from - BELOW);
    }
    /* The vector itself is at hand. */
    __device__ __forceinline__ quern_line(const T (&own)[WIDTH], const T *from)
    {
        quern_take<WIDTH, BELOW>(at, from - BELOW);
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            at[BELOW + i] = own[i];
        quern_take<WIDTH, ABOVE>(at + BELOW + WIDTH, from + WIDTH);
    }
    __device__ __forceinline__ const T &operator[](int i) const { return at[i]; }
};

/* Writes the elements from <= i < to of one vector, at once where that is all of them. */
template <typename T, int WIDTH>
static __device__ __forceinline__ void quern_write(T *at, const T (&values)[WIDTH],
                                                   int from, int to)
{
    if (from <= 0 && to >= WIDTH) {
        quern_piece<T> v;
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            v.element[i] = values[i];
        *reinterpret_cast<typename quern_vector<T>::type *>(at) = v.vector;
    } else {
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            if (i >= from && i < to)
                at[i] = values[i];
    }
}

/* How far a kernel reads along each axis, below and above a point. */
struct quern_reach {
    int below[3], above[3];
};

/* Which of some rows of a vector are outside of the box along the first two axes, and read:
 * bit WIDTH * row + element. */
template <int ROWS, int WIDTH>
static __device__ __forceinline__ unsigned quern_outside(const quern_tiling &box, int x, int y,
                                                         const quern_reach &read)
{
    static_assert(ROWS * WIDTH <= 32, "a bit for each point");
    unsigned points = 0;
    for (int i = 0; i < ROWS * WIDTH; i++) {
        const int place[2] = { x + i % WIDTH, y + i / WIDTH };
        bool inside = true, near = true;
        for (int axis = 0; axis < 2; axis++) {
            inside = inside && place[axis] >= box.lower[axis] && place[axis] < box.upper[axis];
            near = near && place[axis] >= box.lower[axis] - read.below[axis]
                && place[axis] < box.upper[axis] + read.above[axis];
        }
        if (near && !inside)
            points |= 1u << i;
    }
    return points;
}

/* Such points are what they were. */
template <typename T, int ROWS, int WIDTH>
static __device__ __forceinline__ void quern_stay(T (&values)[ROWS][WIDTH],
                                                  const T (&were)[ROWS][WIDTH],
                                                  unsigned points)
{
    if (points == 0)
        return;
#pragma unroll
    for (int i = 0; i < ROWS * WIDTH; i++)
        if (points >> i & 1)
            values[i / WIDTH][i % WIDTH] = were[i / WIDTH][i % WIDTH];
}

/* Sends for such points, of which a thread has ROWS rows of WIDTH. */
template <int ROWS, int WIDTH, typename T, typename index_t>
static __device__ __forceinline__ void quern_send_for(unsigned points, T *to, int pitch,
                                                      const T *from, index_t stride)
{
#pragma unroll
    for (int i = 0; i < ROWS * WIDTH; i++)
        quern_fetch_if(points >> i & 1, to + i / WIDTH * pitch + i % WIDTH,
                       from + i / WIDTH * stride + i % WIDTH);
}

/* Writes all others. */
template <typename T, int ROWS, int WIDTH>
static __device__ __forceinline__ void quern_hand_on(T *to, int pitch,
                                                     const T (&values)[ROWS][WIDTH],
                                                     unsigned points)
{
    if (points == 0) {
#pragma unroll
        for (int j = 0; j < ROWS; j++)
            quern_write(to + j * pitch, values[j], 0, WIDTH);
    } else {
#pragma unroll
        for (int i = 0; i < ROWS * WIDTH; i++)
            if (!(points >> i & 1))
                to[i / WIDTH * pitch + i % WIDTH] = values[i / WIDTH][i % WIDTH];
    }
}

/* Takes what memory has of the points that are in the box along the first two axes. */
template <typename T, int ROWS, int WIDTH>
static __device__ __forceinline__ void quern_recall(T (&values)[ROWS][WIDTH], const T *from,
                                                    int64_t stride, const quern_tiling &box,
                                                    int x, int y)
{
#pragma unroll
    for (int j = 0; j < ROWS; j++)
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            if (x + e >= box.lower[0] && x + e < box.upper[0]
                && y + j >= box.lower[1] && y + j < box.upper[1])
                values[j][e] = from[j * stride + e];
}

/* Copies points in registers. */
template <typename T, int ROWS, int WIDTH>
static __device__ __forceinline__ void quern_copy(T (&to)[ROWS][WIDTH],
                                                  const T (&from)[ROWS][WIDTH])
{
#pragma unroll
    for (int j = 0; j < ROWS; j++)
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            to[j][e] = from[j][e];
}

/* The slot of a ring that is `back` slots before `slot`. */
template <int SLOTS> static __device__ __forceinline__ int quern_back(int slot, int back)
{
    return slot < back ? slot - back + SLOTS : slot - back;
}

#endif
