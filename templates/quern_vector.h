/* What kernels stand on whose threads have several points side by side: WIDTH elements of a row
 * at a time, 2 or 4, in pieces of at most 16 bytes, to which rows are aligned. The generator copies
 * this header beside the kernels. Change QUERN_VECTOR when anything below changes its meaning. */
#ifndef QUERN_VECTOR_H
#define QUERN_VECTOR_H

#define QUERN_VECTOR 2

#include "quern_async.h"

/* Elements of one piece. */
template <typename T, int WIDTH> struct quern_piece_width {
    static constexpr int value = WIDTH * (int)sizeof(T) > 16 ? 16 / (int)sizeof(T) : WIDTH;
};

/* Writes a vector. */
template <typename T, int WIDTH>
static __device__ __forceinline__ void quern_put(T *to, const T (&values)[WIDTH])
{
    constexpr int PIECE = quern_piece_width<T, WIDTH>::value;
#pragma unroll
    for (int i = 0; i < WIDTH; i += PIECE) {
        quern_piece<T, PIECE> v;
#pragma unroll
        for (int k = 0; k < PIECE; k++)
            v.element[k] = values[i + k];
        *reinterpret_cast<typename quern_vector<T, PIECE>::type *>(to + i) = v.vector;
    }
}

/* --- of a vector only the elements first <= i < last: at once where that is all of them --- */

/* Reads them; the others stay what they were. */
template <typename T, int WIDTH>
static __device__ __forceinline__ void quern_take_some(T (&to)[WIDTH], const T *from, int first,
                                                       int last)
{
    if (first <= 0 && last >= WIDTH) {
        quern_take<WIDTH, WIDTH>(to, from);
    } else {
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            if (i >= first && i < last)
                to[i] = from[i];
    }
}

/* Writes them. */
template <typename T, int WIDTH>
static __device__ __forceinline__ void quern_put_some(T *to, const T (&values)[WIDTH], int first,
                                                      int last)
{
    if (first <= 0 && last >= WIDTH) {
        quern_put(to, values);
    } else {
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            if (i >= first && i < last)
                to[i] = values[i];
    }
}

/* Copies them. */
template <int WIDTH, typename T>
static __device__ __forceinline__ void quern_share_some(T *to, const T *from, int first, int last)
{
    if (first <= 0 && last >= WIDTH) {
        T values[WIDTH];
        quern_take<WIDTH, WIDTH>(values, from);
        quern_put(to, values);
    } else {
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            if (i >= first && i < last)
                to[i] = from[i];
    }
}

/* Starts to copy them to shared memory. */
template <int WIDTH, typename T>
static __device__ __forceinline__ void quern_fetch_some(T *to, const T *from, int first, int last)
{
    constexpr int PIECE = quern_piece_width<T, WIDTH>::value;
    typedef typename quern_vector<T, PIECE>::type piece;
    if (first <= 0 && last >= WIDTH) {
#pragma unroll
        for (int i = 0; i < WIDTH; i += PIECE)
            quern_fetch(reinterpret_cast<piece *>(to + i),
                        reinterpret_cast<const piece *>(from + i));
    } else {
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            if (i >= first && i < last)
                quern_fetch(to + i, from + i);
    }
}

/* --- where vectors begin --- */

/* The index of a row's first vector, where its first point is `first`: both are in one sector of
 * 32 bytes. */
template <typename T, typename index_t>
static __host__ __device__ __forceinline__ index_t quern_sector_start(const T *data,
                                                                      index_t first)
{
    const uintptr_t place = (uintptr_t)data / sizeof(T) + (uintptr_t)first;
    return first - (index_t)(place % (32 / sizeof(T)));
}

/* The tiles of a box along its rows. */
template <typename T>
static inline int64_t quern_sector_tiles(const T *data, const struct quern_box *box,
                                         const int64_t *tile)
{
    struct quern_box whole = *box;
    whole.lower[0] = quern_sector_start(data, box->lower[0]);
    return quern_tiles(&whole, tile, 0);
}

/* Of all arrays the same index of a row is on `bytes`. */
static inline int quern_check_vectors(const struct quern_domain *domain,
                                      const struct quern_array *arrays, int count, int64_t bytes,
                                      char *why, size_t size)
{
    for (int i = 0; i < count; i++) {
        const struct quern_array *array = &arrays[i];
        if ((uintptr_t)array->data % (uintptr_t)bytes
            != (uintptr_t)arrays[0].data % (uintptr_t)bytes)
            return quern_refuse(why, size, "%s and %s: their points 0 differ modulo %lld bytes; "
                                "vec=1 takes any", arrays[0].name, array->name, (long long)bytes);
        for (int k = 1; k < array->rank; k++)
            if (array->stride[k] * array->size % bytes != 0)
                return quern_refuse(why, size, "%s: the stride along %s is %lld, wanted a "
                                    "multiple of %lld; vec=1 takes any", array->name,
                                    domain->axis[array->axis[k]], (long long)array->stride[k],
                                    (long long)(bytes / array->size));
    }
    return 0;
}

#endif
