/* What kernels in C stand on that turn the tiles of a mesh: where points are contiguous, what a
 * piece of a tile reads is copied so that QUERN_BESIDE levels of a point lie side by side, as one
 * vector. Neighbours are then whole vectors, and are gathered no more. What is copied are lines:
 * QUERN_BESIDE points of a domain, from a multiple of that on. The generator copies this header
 * beside the kernels. Change QUERN_TURNED when anything below changes its meaning. */
#ifndef QUERN_TURNED_H
#define QUERN_TURNED_H

#include "quern_mesh.h"

#include <string.h>

#define QUERN_TURNED 3

enum {
    QUERN_BESIDE = 8,           /* levels side by side, and points of a line */
    QUERN_MOST_LINES = 1024,    /* that a piece may read of a domain */
    QUERN_LINE_SEATS = 4096,    /* of the lines' numbers, four for each: few meet another */
    QUERN_NOWHERE = 0xffff,     /* the place of a neighbour that is missing */
    QUERN_AHEAD = 64            /* points that the next ones to be fetched are ahead */
};

/* A loop over levels that lie side by side is one of vectors. */
#ifdef _OPENMP
#define QUERN_LEVELS _Pragma("omp simd")
#else
#define QUERN_LEVELS
#endif

/* What one loop over levels hands to the next. gcc keeps what is an array in memory, from where
 * each slot of a row would fetch and add to it: where eight doubles are one register, it is told
 * so, and not to halve them. */
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("prefer-vector-width=512")
typedef double quern_levels_double __attribute__((vector_size(8 * sizeof(double))));
typedef float quern_levels_float __attribute__((vector_size(8 * sizeof(float))));
#else
typedef double quern_levels_double[8];
typedef float quern_levels_float[8];
#endif

/* gcc would make two turns of a loop around such a one at once, and then gather what lies side by
 * side, and set sums to nought in halves, which are then not yet there to be read as a whole: a
 * function with such loops is compiled without either. */
#if defined(__GNUC__) && !defined(__clang__)
#define QUERN_ONE_BY_ONE \
    __attribute__((optimize("no-loop-unroll-and-jam", "no-tree-loop-distribute-patterns")))
#else
#define QUERN_ONE_BY_ONE
#endif

/* The lines of a domain that a piece reads, in the order in which they were met; in a seat, found
 * by its number, is where a line is among them, or -1. */
struct quern_lines {
    int32_t count, most;
    int32_t line[QUERN_MOST_LINES];
    int16_t seat[QUERN_LINE_SEATS];
};

static inline void quern_lines_clear(struct quern_lines *lines, int32_t most)
{
    lines->count = 0;
    lines->most = most;
    memset(lines->seat, 0xff, sizeof lines->seat);
}

/* Where a line is among them, which it joins; -1: there is no room. */
QUERN_INLINE int32_t quern_line_at(struct quern_lines *lines, int32_t line)
{
    uint32_t seat = (uint32_t)line * UINT32_C(0x9e3779b1) >> 20;
    int32_t at = lines->seat[seat];
    while (at >= 0 && lines->line[at] != line) {
        seat = (seat + 1) % QUERN_LINE_SEATS;
        at = lines->seat[seat];
    }
    if (at >= 0 || lines->count == lines->most)
        return at;
    lines->seat[seat] = (int16_t)lines->count;
    lines->line[lines->count] = line;
    return lines->count++;
}

/* The lines of the points from `lower` to before `upper` join them, the first of all: point p is
 * at p - lower + lower % QUERN_BESIDE. 0: there is no room. */
static inline int quern_lines_join(struct quern_lines *lines, int64_t lower, int64_t upper)
{
    for (int64_t line = lower / QUERN_BESIDE; line * QUERN_BESIDE < upper; line++)
        if (quern_line_at(lines, (int32_t)line) < 0)
            return 0;
    return 1;
}

/* Where `count` entries of a table lead, each `step` after the one before and counting from
 * `first`: their places in these lines, which are told in points. 0: there is no room. */
static inline int quern_lines_find(struct quern_lines *lines, const int32_t *entries,
                                   int64_t step, int64_t count, int32_t first, uint16_t *places)
{
    for (int64_t i = 0; i < count; i++) {
        const int32_t point = entries[i * step] - first;
        const int32_t at = point < 0 ? 0 : quern_line_at(lines, point / QUERN_BESIDE);
        if (at < 0)
            return 0;
        places[i] = point < 0 ? QUERN_NOWHERE
                              : (uint16_t)(at * QUERN_BESIDE + point % QUERN_BESIDE);
    }
    return 1;
}

/* The same of all rows from `lower` to before `upper` of a table of so many slots; of each slot the
 * places lie `pitch` after those of the one before. */
static inline int quern_lines_find_rows(struct quern_lines *lines, const int32_t *entries,
                                        int64_t row_step, int64_t slot_step, int count,
                                        int32_t first, int64_t lower, int64_t upper,
                                        uint16_t *places, int64_t pitch)
{
    for (int slot = 0; slot < count; slot++)
        if (!quern_lines_find(lines, entries + lower * row_step + slot * slot_step, row_step,
                              upper - lower, first, places + slot * pitch))
            return 0;
    return 1;
}

/* Is turning faster? A value that is moved, there or back, takes as long as one and a half that
 * are gathered. */
static inline int quern_turning_pays(int64_t moved, int64_t gathered)
{
    return 3 * moved <= 2 * gathered;
}

#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector) && !defined(QUERN_NO_SHUFFLES)
#define QUERN_SHUFFLES 1
#endif
#endif

#ifdef __clang__
#define QUERN_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define QUERN_UNROLL _Pragma("GCC unroll 8")
#else
#define QUERN_UNROLL
#endif

#ifdef QUERN_SHUFFLES
#define QUERN_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

/* Turns 8 x 8 elements of so many bytes: what were rows are columns. */
#define QUERN_TURN_SQUARE(bytes, word) \
    typedef word quern_vector_##bytes \
        __attribute__((vector_size(8 * bytes), aligned(bytes), may_alias)); \
    QUERN_INLINE void quern_turn_##bytes(word *to, int64_t to_step, const word *from, \
                                         int64_t from_step) \
    { \
        quern_vector_##bytes row[8], pair[8], four[8]; \
        QUERN_UNROLL for (int i = 0; i < 8; i++) \
            row[i] = *(const quern_vector_##bytes *)(from + i * from_step); \
        QUERN_UNROLL for (int i = 0; i < 8; i += 2) { \
            pair[i] = QUERN_SHUFFLE(row[i], row[i + 1], 0, 8, 2, 10, 4, 12, 6, 14); \
            pair[i + 1] = QUERN_SHUFFLE(row[i], row[i + 1], 1, 9, 3, 11, 5, 13, 7, 15); \
        } \
        QUERN_UNROLL for (int i = 0; i < 4; i++) { \
            const int k = i + i / 2 * 2; \
            four[k] = QUERN_SHUFFLE(pair[k], pair[k + 2], 0, 1, 8, 9, 4, 5, 12, 13); \
            four[k + 2] = QUERN_SHUFFLE(pair[k], pair[k + 2], 2, 3, 10, 11, 6, 7, 14, 15); \
        } \
        QUERN_UNROLL for (int i = 0; i < 4; i++) { \
            *(quern_vector_##bytes *)(to + i * to_step) = \
                QUERN_SHUFFLE(four[i], four[i + 4], 0, 1, 2, 3, 8, 9, 10, 11); \
            *(quern_vector_##bytes *)(to + (i + 4) * to_step) = \
                QUERN_SHUFFLE(four[i], four[i + 4], 4, 5, 6, 7, 12, 13, 14, 15); \
        } \
    }
#else
#define QUERN_TURN_SQUARE(bytes, word) \
    QUERN_INLINE void quern_turn_##bytes(word *to, int64_t to_step, const word *from, \
                                         int64_t from_step) \
    { \
        for (int i = 0; i < 8; i++) \
            for (int j = 0; j < 8; j++) \
                to[i * to_step + j] = from[j * from_step + i]; \
    }
#endif

/* What is touched next is on its way early: processors see that they go through rows, but not
 * through eight and as many again that are written. */
#ifdef __GNUC__
#define QUERN_SOON(place, written) __builtin_prefetch(place, written, 2)
#else
#define QUERN_SOON(place, written) ((void)(place))
#endif

/* Each point has one line fetched, of one level, for points that come QUERN_AHEAD later: there are
 * never many on their way at once, which the processor would wait for. */
#define QUERN_NEXT(field, step, point, written) \
    QUERN_SOON((field) + (point) / 8 * 8 + QUERN_AHEAD + (point) % 8 * (step), written)

/* Elements of so many bytes, whatever they are. The levels of a point are `step` apart where
 * points are contiguous, and side by side where they are turned.
 *
 * quern_beside: `count` points are turned.
 * quern_apart: what was computed of `count` points goes where it belongs.
 * quern_line_soon: what of a field will be turned after line l is on its way.
 * quern_lines_copy: these lines are turned, of a field on so many points. */
#define QUERN_TURNING(bytes, word) \
    typedef word quern_word_##bytes __attribute__((may_alias)); \
    QUERN_TURN_SQUARE(bytes, quern_word_##bytes) \
    QUERN_INLINE void quern_turn_points_##bytes(quern_word_##bytes *turned, \
                                                const quern_word_##bytes *field, int64_t step, \
                                                int64_t count) \
    { \
        int64_t i = 0; \
        for (; i + 8 <= count; i += 8) \
            quern_turn_##bytes(turned + i * 8, 8, field + i, step); \
        for (; i < count; i++) \
            for (int j = 0; j < 8; j++) \
                turned[i * 8 + j] = field[i + j * step]; \
    } \
    QUERN_INLINE void quern_beside_##bytes(void *to, const void *from, int64_t step, \
                                           int64_t count) \
    { \
        const quern_word_##bytes *const field = (const quern_word_##bytes *)from; \
        quern_turn_points_##bytes((quern_word_##bytes *)to, field, step, count); \
    } \
    QUERN_INLINE void quern_apart_##bytes(void *to, int64_t step, const void *from, \
                                          int64_t count) \
    { \
        quern_word_##bytes *const field = (quern_word_##bytes *)to; \
        const quern_word_##bytes *const turned = (const quern_word_##bytes *)from; \
        int64_t i = 0; \
        for (; i + 8 <= count; i += 8) \
            quern_turn_##bytes(field + i, step, turned + i * 8, 8); \
        for (; i < count; i++) \
            for (int j = 0; j < 8; j++) \
                field[i + j * step] = turned[i * 8 + j]; \
    } \
    QUERN_INLINE void quern_line_soon_##bytes(const quern_word_##bytes *field, int64_t step, \
                                              const struct quern_lines *lines, int32_t l) \
    { \
        if (l + QUERN_AHEAD / 8 < lines->count) \
            QUERN_UNROLL for (int j = 0; j < 8; j++) \
                QUERN_SOON(field + (int64_t)lines->line[l + QUERN_AHEAD / 8] * 8 + j * step, 0); \
    } \
    static inline void quern_lines_copy_##bytes(void *to, const struct quern_lines *lines, \
                                                const void *from, int64_t step, int64_t points) \
    { \
        quern_word_##bytes *turned = (quern_word_##bytes *)to; \
        const quern_word_##bytes *const field = (const quern_word_##bytes *)from; \
        for (int32_t l = 0; l < lines->count; l++) { \
            const int64_t first = (int64_t)lines->line[l] * 8; \
            quern_line_soon_##bytes(field, step, lines, l); \
            quern_turn_points_##bytes(turned + l * 64, field + first, step, \
                                      quern_least(points - first, 8)); \
        } \
    }

/* These lines are turned, of a field that has elements of one type, to be computed with as another:
 * each line is converted while a first cache has it. */
#define QUERN_CONVERTING(stored, bytes, computed) \
    static inline void quern_lines_copy_##stored##_##computed( \
        computed *to, const struct quern_lines *lines, const void *from, int64_t step, \
        int64_t points) \
    { \
        const quern_word_##bytes *const field = (const quern_word_##bytes *)from; \
        for (int32_t l = 0; l < lines->count; l++) { \
            const int64_t first = (int64_t)lines->line[l] * 8; \
            _Alignas(64) stored line[64]; \
            quern_line_soon_##bytes(field, step, lines, l); \
            quern_turn_points_##bytes((quern_word_##bytes *)line, field + first, step, \
                                      quern_least(points - first, 8)); \
            QUERN_LEVELS \
            for (int i = 0; i < 64; i++) \
                to[l * 64 + i] = (computed)line[i]; \
        } \
    }

QUERN_TURNING(4, uint32_t)
QUERN_TURNING(8, uint64_t)

QUERN_CONVERTING(int, 4, double)
QUERN_CONVERTING(float, 4, double)
QUERN_CONVERTING(int, 4, float)
QUERN_CONVERTING(double, 8, float)

#endif
