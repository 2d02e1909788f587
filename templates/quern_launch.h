/* What the launchers of generated kernels share: which points a launch updates, and whether
 * its arrays are fit for it. Host code that allocates nothing and keeps nothing, C11 and
 * C++17 alike. The generator copies this header beside the kernels, which then need nothing
 * else of Quern. Change QUERN_LAUNCH when anything below changes its meaning. */
#ifndef QUERN_LAUNCH_H
#define QUERN_LAUNCH_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Every file has these functions for itself. Who builds many kernels and does not optimise
 * may have them once: QUERN_PRIVATE is `extern inline __attribute__((gnu_inline))` in each
 * file, and nothing where this header is compiled by itself. */
#ifndef QUERN_PRIVATE
#define QUERN_PRIVATE static inline
#endif

#define QUERN_LAUNCH 4
#define QUERN_LARGEST (INT64_C(1) << 40)        /* no extent or halo is larger */

enum { QUERN_AXES = 4 };        /* QUERN_MAX_RANK of quern_abi.h */

/* A box of points, lower <= i < upper along each axis. */
struct quern_box {
    int64_t lower[QUERN_AXES], upper[QUERN_AXES];
};

/* The axes of a kernel, contiguous first, their extents, and the range that a launch is asked
 * to update. */
struct quern_domain {
    int rank;
    const char *axis[QUERN_AXES];
    int64_t n[QUERN_AXES];
    struct quern_box range;
};

/* What an array is along one of its axes: points read below and above, points that it has
 * more than the domain (fewer: negative), and points in the middle that it leaves out. Along
 * its first axis alone: how many arrays interleave with it (0: none), which of them it is, and
 * the number of their group. */
enum { QUERN_BELOW, QUERN_ABOVE, QUERN_MORE, QUERN_HOLLOW,
       QUERN_PACKED, QUERN_PLACE, QUERN_GROUP, QUERN_FACTS };

/* One array of a kernel. */
struct quern_array {
    const char *name;
    const void *data;           /* the point (0, ..) */
    int64_t size;               /* bytes of an element */
    int written, rank;
    int axis[QUERN_AXES];       /* its axes among those of the domain, contiguous first */
    const int64_t *stride, *halo;
    int64_t along[QUERN_AXES][QUERN_FACTS];     /* per axis of the array */
};

/* The points of an axis between two slabs: lower <= i < upper. Arrays of the slabs store all
 * of the low one, then all of the high one. */
struct quern_hollow {
    int64_t lower, upper;
};

/* A mirror image of a field that a kernel reads from, beyond one face. */
struct quern_image {
    const char *field, *kind;
    int axis, high;             /* high: beyond n - 1, not below 0 */
    int64_t reach;              /* points read beyond the face */
    int64_t missing;            /* points of the domain that the image has not */
};

QUERN_PRIVATE int64_t quern_least(int64_t p, int64_t q)
{
    return p < q ? p : q;
}

QUERN_PRIVATE int64_t quern_most(int64_t p, int64_t q)
{
    return p > q ? p : q;
}

/* Where a range ends along an axis of which a kernel has `more` points than its extent n: a
 * range up to the extent has them too. */
QUERN_PRIVATE int64_t quern_end(int64_t upper, int64_t n, int64_t more)
{
    return upper == n ? n + more : upper;
}

/* --- boxes: lists without empty ones, in which no point is twice --- */

/* Appends a box unless it is empty; returns the new count. */
QUERN_PRIVATE int quern_append(const struct quern_domain *domain, struct quern_box *list,
                               int count, const struct quern_box *box)
{
    for (int axis = 0; axis < domain->rank; axis++)
        if (box->lower[axis] >= box->upper[axis])
            return count;
    list[count] = *box;
    return count + 1;
}

/* The list that holds the whole range; returns its count. */
QUERN_PRIVATE int quern_whole(const struct quern_domain *domain, struct quern_box *list)
{
    return quern_append(domain, list, 0, &domain->range);
}

/* The part of a box in the domain, 0 <= lower <= upper <= n. */
QUERN_PRIVATE struct quern_box quern_clamped(const struct quern_domain *domain,
                                             struct quern_box box)
{
    for (int axis = 0; axis < domain->rank; axis++) {
        const int64_t n = domain->n[axis];
        box.lower[axis] = quern_least(quern_most(box.lower[axis], 0), n);
        box.upper[axis] = quern_least(quern_most(box.upper[axis], box.lower[axis]), n);
    }
    return box;
}

/* Keeps what the list has in `box`; returns the new count. */
QUERN_PRIVATE int quern_keep(const struct quern_domain *domain, struct quern_box *list,
                             int count, const struct quern_box *box)
{
    const struct quern_box keep = quern_clamped(domain, *box);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        struct quern_box part = list[i];
        for (int axis = 0; axis < domain->rank; axis++) {
            part.lower[axis] = quern_most(part.lower[axis], keep.lower[axis]);
            part.upper[axis] = quern_least(part.upper[axis], keep.upper[axis]);
        }
        kept = quern_append(domain, list, kept, &part);
    }
    return kept;
}

/* Keeps what the list has outside of `box`; returns the new count, at most two for each old
 * box and axis. The last axis is cut first, so that the pieces keep long rows. */
QUERN_PRIVATE int quern_cut(const struct quern_domain *domain, struct quern_box *list,
                            int count, const struct quern_box *box)
{
    const struct quern_box hole = quern_clamped(domain, *box);
    for (int i = count - 1; i >= 0; i--) {
        struct quern_box rest = list[i];
        list[i] = list[--count];        /* cut already, or box i itself */
        for (int axis = domain->rank - 1; axis >= 0; axis--) {
            struct quern_box below = rest, above = rest;
            const int64_t lower = rest.lower[axis], upper = rest.upper[axis];
            below.upper[axis] = quern_least(upper, quern_most(lower, hole.lower[axis]));
            above.lower[axis] = quern_most(below.upper[axis],
                                           quern_least(upper, hole.upper[axis]));
            count = quern_append(domain, list, count, &below);
            count = quern_append(domain, list, count, &above);
            rest.lower[axis] = below.upper[axis];
            rest.upper[axis] = above.lower[axis];
        }
    }
    return count;
}

/* Keeps what the list has at lower <= i < upper along an axis; returns the new count. */
QUERN_PRIVATE int quern_slice(const struct quern_domain *domain, struct quern_box *list,
                              int count, int axis, int64_t lower, int64_t upper)
{
    struct quern_box slice = { { 0 }, { 0 } };
    for (int i = 0; i < domain->rank; i++)
        slice.upper[i] = domain->n[i];
    slice.lower[axis] = lower;
    slice.upper[axis] = upper;
    return quern_keep(domain, list, count, &slice);
}

/* Puts boxes into the order of a sweep: those of one column follow each other, as no point is
 * twice. */
QUERN_PRIVATE void quern_order(struct quern_box *list, int count, int axis, int up)
{
    for (int i = 1; i < count; i++) {
        const struct quern_box box = list[i];
        int b = i;
        for (; b > 0 && (list[b - 1].lower[axis] > box.lower[axis]) == (up != 0); b--)
            list[b] = list[b - 1];
        list[b] = box;
    }
}

/* Sorts what is between the first and the last of some places, which stay; returns how many
 * pieces they make, empty ones too. */
QUERN_PRIVATE int quern_pieces(int64_t *place, int count)
{
    const int64_t first = place[0], last = place[count - 1];
    for (int i = 1; i < count - 1; i++) {
        const int64_t at = quern_least(quern_most(place[i], first), last);
        int p = i;
        for (; p > 1 && place[p - 1] > at; p--)
            place[p] = place[p - 1];
        place[p] = at;
    }
    return count - 1;
}

/* The points of all boxes. (From the last on: else gcc 12 may warn of what is beyond it.) */
QUERN_PRIVATE int64_t quern_points(const struct quern_domain *domain,
                                   const struct quern_box *list, int count)
{
    int64_t points = 0;
    for (int b = count - 1; b >= 0; b--) {
        int64_t volume = 1;
        for (int axis = 0; axis < domain->rank; axis++)
            volume *= list[b].upper[axis] - list[b].lower[axis];
        points += volume;
    }
    return points;
}

/* Tiles that cover a box along one axis. */
QUERN_PRIVATE int64_t quern_tiles(const struct quern_box *box, const int64_t *tile, int axis)
{
    return (box->upper[axis] - box->lower[axis] + tile[axis] - 1) / tile[axis];
}

/* The size of the tiles along an axis, as even as tiles of that size or less come. */
QUERN_PRIVATE int64_t quern_even(const struct quern_box *box, const int64_t *tile, int axis)
{
    const int64_t tiles = quern_tiles(box, tile, axis);
    return (box->upper[axis] - box->lower[axis] + tiles - 1) / tiles;
}

/* --- memory --- */

/* The hollow of n points between two bounds, as quern_clamped cuts a box. */
QUERN_PRIVATE struct quern_hollow quern_between(int64_t n, int64_t lower, int64_t upper)
{
    struct quern_hollow hollow;
    hollow.lower = quern_least(quern_most(lower, 0), n);
    hollow.upper = quern_least(quern_most(upper, hollow.lower), n);
    return hollow;
}

/* How many of n points are not between two bounds. */
QUERN_PRIVATE int64_t quern_kept(int64_t n, int64_t lower, int64_t upper)
{
    const struct quern_hollow hollow = quern_between(n, lower, upper);
    return n - (hollow.upper - hollow.lower);
}

/* How many points of an axis an array leaves out before a box that begins at `lower`: all of
 * the hollow or none of it, as no box has points of it. */
QUERN_PRIVATE int64_t quern_skipped(struct quern_hollow hollow, int64_t lower)
{
    return lower >= hollow.upper ? hollow.upper - hollow.lower : 0;
}

/* The points stored along the i-th axis of an array. */
QUERN_PRIVATE int64_t quern_stored(const struct quern_domain *domain,
                                   const struct quern_array *array, int i)
{
    return domain->n[array->axis[i]] + array->along[i][QUERN_MORE]
        - array->along[i][QUERN_HOLLOW] + 2 * array->halo[i];
}

/* Elements from the lowest stored one to one past the highest; -1 if 64 bits cannot count
 * them with room to spare. */
QUERN_PRIVATE int64_t quern_span(const struct quern_domain *domain,
                                 const struct quern_array *array)
{
    int64_t elements = 1;
    for (int i = 0; i < array->rank; i++) {
        const int64_t points = quern_stored(domain, array, i);
        if (array->stride[i] > INT64_MAX / 64 / (points + 1))
            return -1;
        elements += (points - 1) * array->stride[i];
    }
    return elements;
}

/* The address of the lowest stored element. */
QUERN_PRIVATE uintptr_t quern_lowest(const struct quern_array *array)
{
    int64_t elements = 0;
    for (int i = 0; i < array->rank; i++)
        elements += array->halo[i] * array->stride[i];
    return (uintptr_t)array->data - (uintptr_t)(elements * array->size);
}

/* Points along the i-th axis that an offset may pass and the array does not store: those left
 * out (kernels count them), and those that the domain has more. */
QUERN_PRIVATE int64_t quern_passed(const struct quern_array *array, int i)
{
    return array->along[i][QUERN_HOLLOW] + quern_most(-array->along[i][QUERN_MORE], 0);
}

/* Do the offsets into all arrays fit into 32 bits, also `margin` points beyond the domain
 * along each axis, where idle threads are? */
QUERN_PRIVATE int quern_fits_32_bits(const struct quern_domain *domain,
                                     const struct quern_array *list, int count,
                                     const int64_t *margin)
{
    for (int i = 0; i < count; i++) {
        int64_t elements = quern_span(domain, &list[i]);
        for (int axis = 0; axis < list[i].rank; axis++)
            elements += (margin[list[i].axis[axis]] + quern_passed(&list[i], axis))
                * list[i].stride[axis];
        if (elements > INT32_MAX)
            return 0;
    }
    return 1;
}

/* --- temporaries: dense arrays without halo in a workspace --- */

/* A product that may be too large for any array, but not for 64 bits. */
QUERN_PRIVATE int64_t quern_times(int64_t p, int64_t q)
{
    const int64_t most = INT64_MAX / 128;
    return q > 0 && p > most / q ? most : p * quern_most(q, 0);
}

/* The bytes of such an array: the next one begins on a multiple of 256. */
QUERN_PRIVATE size_t quern_bytes(int rank, const int64_t *points, size_t size)
{
    int64_t elements = 1;
    for (int i = 0; i < rank; i++)
        elements = quern_times(elements, points[i]);
    return ((size_t)quern_times(elements, (int64_t)size) + 255) / 256 * 256;
}

/* The part of a workspace that begins there; NULL if there is none. */
QUERN_PRIVATE void *quern_part(void *workspace, size_t begin)
{
    return workspace == NULL ? NULL : (char *)workspace + begin;
}

QUERN_PRIVATE void quern_dense(int rank, const int64_t *points, int64_t *stride, int64_t *halo)
{
    int64_t elements = 1;
    for (int i = 0; i < rank; i++) {
        stride[i] = elements;
        halo[i] = 0;
        elements = quern_times(elements, points[i]);
    }
}

/* The same array where `count` of them interleave. */
QUERN_PRIVATE void quern_spread(int rank, int64_t count, int64_t *stride)
{
    for (int i = 0; i < rank; i++)
        stride[i] = quern_times(stride[i], count);
}

/* --- checks: 0, or 1 and a sentence in `why` where it is not NULL --- */

QUERN_PRIVATE int quern_refuse(char *why, size_t size, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (why != NULL && size > 0)
        vsnprintf(why, size, format, values);
    va_end(values);
    return 1;
}

/* The arguments are those that the kernel was compiled for. */
QUERN_PRIVATE int quern_check_size(size_t given, size_t wanted, char *why, size_t size)
{
    if (given == wanted)
        return 0;
    return quern_refuse(why, size, "struct_size is not that of this header: %llu, wanted %llu",
                        (unsigned long long)given, (unsigned long long)wanted);
}

/* A temporary has an array, or a place in the workspace. */
QUERN_PRIVATE int quern_check_temporary(const char *name, const void *data, size_t bytes,
                                        char *why, size_t size)
{
    if (data != NULL)
        return 0;
    return quern_refuse(why, size, "%s: the pointer is null, and so is the workspace of %llu "
                        "bytes", name, (unsigned long long)bytes);
}

/* Extents that can be counted, and a range within them. */
QUERN_PRIVATE int quern_check_domain(const struct quern_domain *domain, char *why, size_t size)
{
    for (int axis = 0; axis < domain->rank; axis++) {
        const char *name = domain->axis[axis];
        const int64_t n = domain->n[axis];
        const int64_t lower = domain->range.lower[axis], upper = domain->range.upper[axis];
        if (n < 0 || n > QUERN_LARGEST)
            return quern_refuse(why, size, "the extent along %s is %lld, wanted 0 to %lld", name,
                                (long long)n, (long long)QUERN_LARGEST);
        if (lower < 0 || lower > upper || upper > n)
            return quern_refuse(why, size, "the range along %s is %lld to %lld of %lld points",
                                name, (long long)lower, (long long)upper, (long long)n);
    }
    return 0;
}

/* Levels enough for what is read along them. */
QUERN_PRIVATE int quern_check_least(const char *axis, int64_t n, int64_t least, char *why,
                                    size_t size)
{
    if (n >= least)
        return 0;
    return quern_refuse(why, size, "the extent along %s is %lld, this kernel needs at least %lld",
                        axis, (long long)n, (long long)least);
}

/* A scalar that bounds a region: sums with extents do not overflow. */
QUERN_PRIVATE int quern_check_bound(const char *name, int64_t value, char *why, size_t size)
{
    if (value >= -QUERN_LARGEST && value <= QUERN_LARGEST)
        return 0;
    return quern_refuse(why, size, "%s is %lld, wanted %lld to %lld", name, (long long)value,
                        (long long)-QUERN_LARGEST, (long long)QUERN_LARGEST);
}

/* Strides that keep elements apart, contiguous first, and a halo that can be counted. */
QUERN_PRIVATE int quern_check_strides(const struct quern_domain *domain,
                                      const struct quern_array *array, char *why, size_t size)
{
    const int64_t first = quern_most(array->along[0][QUERN_PACKED], 1);
    int64_t least = first;
    for (int i = 0; i < array->rank; i++) {
        const char *axis = domain->axis[array->axis[i]];
        const int64_t stride = array->stride[i], halo = array->halo[i];
        if (halo < 0 || halo > QUERN_LARGEST)
            return quern_refuse(why, size, "%s: the halo along %s is %lld, wanted 0 to %lld",
                                array->name, axis, (long long)halo, (long long)QUERN_LARGEST);
        if (stride < least || (i == 0 && stride != first))
            return quern_refuse(why, size, "%s: the stride along %s is %lld, wanted %s%lld",
                                array->name, axis, (long long)stride,
                                i == 0 ? "" : "at least ", (long long)least);
        const int64_t points = quern_stored(domain, array, i);
        if (stride > INT64_MAX / 64 / (points + 1))
            return quern_refuse(why, size, "%s: more elements than 64 bits can count",
                                array->name);
        least = stride * points;
    }
    return 0;
}

/* A halo as wide as the boxes read. */
QUERN_PRIVATE int quern_check_halo(const struct quern_domain *domain,
                                   const struct quern_box *box,
                                   const struct quern_array *array, char *why, size_t size)
{
    for (int i = 0; i < array->rank; i++) {
        const int axis = array->axis[i];
        const int64_t below = array->along[i][QUERN_BELOW] - box->lower[axis];
        const int64_t above = array->along[i][QUERN_ABOVE] + box->upper[axis]
            - domain->n[axis] - array->along[i][QUERN_MORE];
        if (quern_most(below, above) > array->halo[i])
            return quern_refuse(why, size,
                                "%s: the halo along %s is %lld, this kernel reads %lld",
                                array->name, domain->axis[axis], (long long)array->halo[i],
                                (long long)quern_most(below, above));
    }
    return 0;
}

/* One array by itself. */
QUERN_PRIVATE int quern_check_array(const struct quern_domain *domain,
                                    const struct quern_box *boxes, int box_count,
                                    const struct quern_array *array, char *why, size_t size)
{
    if (array->data == NULL)
        return quern_refuse(why, size, "%s: the pointer is null", array->name);
    if ((uintptr_t)array->data % (uintptr_t)array->size != 0)
        return quern_refuse(why, size, "%s: the pointer is not aligned to %d bytes",
                            array->name, (int)array->size);
    if (quern_check_strides(domain, array, why, size))
        return 1;
    for (int b = 0; b < box_count; b++)
        if (quern_check_halo(domain, &boxes[b], array, why, size))
            return 1;
    return 0;
}

/* No array that is written shares memory with another. */
QUERN_PRIVATE int quern_check_overlap(const struct quern_domain *domain,
                                      const struct quern_array *p, const struct quern_array *q,
                                      char *why, size_t size)
{
    const uintptr_t p_from = quern_lowest(p), q_from = quern_lowest(q);
    const uintptr_t p_to = p_from + (uintptr_t)(quern_span(domain, p) * p->size);
    const uintptr_t q_to = q_from + (uintptr_t)(quern_span(domain, q) * q->size);
    if (!(p->written || q->written) || p_from >= q_to || q_from >= p_to)
        return 0;
    return quern_refuse(why, size, "%s and %s overlap", p->name, q->name);
}

/* Two arrays that interleave: the same strides, and their points side by side. */
QUERN_PRIVATE int quern_check_packed(const struct quern_array *p, const struct quern_array *q,
                                     char *why, size_t size)
{
    const int64_t places = q->along[0][QUERN_PLACE] - p->along[0][QUERN_PLACE];
    const uintptr_t wanted = (uintptr_t)p->data + (uintptr_t)(places * p->size);
    for (int i = 0; i < p->rank; i++)
        if (p->stride[i] != q->stride[i])
            return quern_refuse(why, size, "%s and %s interleave: their strides are %lld and "
                                "%lld, wanted the same", p->name, q->name,
                                (long long)p->stride[i], (long long)q->stride[i]);
    if ((uintptr_t)q->data == wanted)
        return 0;
    return quern_refuse(why, size, "%s and %s interleave: the pointer of %s is not %lld element%s "
                        "beyond that of %s", p->name, q->name, q->name, (long long)places,
                        places == 1 ? "" : "s", p->name);
}

/* Two arrays of a kernel, `p` before `q` in its table. */
QUERN_PRIVATE int quern_check_pair(const struct quern_domain *domain,
                                   const struct quern_array *p, const struct quern_array *q,
                                   char *why, size_t size)
{
    const int64_t group = p->along[0][QUERN_GROUP];
    if (group != 0 && group == q->along[0][QUERN_GROUP])
        return quern_check_packed(p, q, why, size);
    return quern_check_overlap(domain, p, q, why, size);
}

/* All arrays of a kernel, for the points of some boxes. */
QUERN_PRIVATE int quern_check_arrays(const struct quern_domain *domain,
                                     const struct quern_box *boxes, int box_count,
                                     const struct quern_array *arrays, int array_count,
                                     char *why, size_t size)
{
    for (int i = 0; i < array_count; i++)
        if (quern_check_array(domain, boxes, box_count, &arrays[i], why, size))
            return 1;
    for (int i = 0; i < array_count; i++)
        for (int j = 0; j < i; j++)
            if (quern_check_pair(domain, &arrays[j], &arrays[i], why, size))
                return 1;
    return 0;
}

/* Strides that the tensor unit of a GPU can take: multiples of 16 bytes below 2^40. */
QUERN_PRIVATE int quern_check_tensor_strides(const struct quern_domain *domain,
                                             const struct quern_array *array, char *why,
                                             size_t size)
{
    const int64_t limit = (INT64_C(1) << 40) / array->size;
    for (int k = 1; k < array->rank; k++) {
        const char *axis = domain->axis[array->axis[k]];
        const int64_t stride = array->stride[k];
        if (stride * array->size % 16 != 0)
            return quern_refuse(why, size, "%s: the stride along %s is %lld, wanted a multiple "
                                "of %lld", array->name, axis, (long long)stride,
                                (long long)(16 / array->size));
        if (stride >= limit)
            return quern_refuse(why, size, "%s: the stride along %s is %lld, the tensor unit's "
                                "limit is %lld", array->name, axis, (long long)stride,
                                (long long)(limit - 1));
    }
    return 0;
}

/* Arrays that the tensor unit of a GPU can copy: of all, the same index of a row is on 16
 * bytes, and 32 bits count the extents. */
QUERN_PRIVATE int quern_check_tensors(const struct quern_domain *domain,
                                      const struct quern_array *arrays, int count, char *why,
                                      size_t size)
{
    for (int i = 0; i < count; i++) {
        const struct quern_array *array = &arrays[i];
        if ((uintptr_t)array->data % 16 != (uintptr_t)arrays[0].data % 16)
            return quern_refuse(why, size, "%s and %s: their points 0 differ modulo 16 bytes",
                                arrays[0].name, array->name);
        if (quern_check_tensor_strides(domain, array, why, size))
            return 1;
    }
    for (int axis = 0; axis < domain->rank; axis++)
        if (domain->n[axis] > INT32_MAX / 2)
            return quern_refuse(why, size, "the extent along %s is %lld, this shape's limit is "
                                "%d", domain->axis[axis], (long long)domain->n[axis],
                                INT32_MAX / 2);
    return 0;
}

/* No box reads further beyond a face than its image reaches. */
QUERN_PRIVATE int quern_check_images(const struct quern_domain *domain,
                                     const struct quern_box *boxes, int box_count,
                                     const struct quern_image *images, int image_count,
                                     char *why, size_t size)
{
    for (int i = 0; i < image_count; i++)
        for (int b = 0; b < box_count; b++) {
            const struct quern_image *image = &images[i];
            const int64_t n = domain->n[image->axis];
            const int64_t inside = image->high ? n - boxes[b].upper[image->axis]
                                               : boxes[b].lower[image->axis];
            if (image->reach - inside > n - image->missing)
                return quern_refuse(why, size, "%s: along %s this kernel reads %lld points "
                                    "beyond the %s face, its %s image has %lld at extent %lld",
                                    image->field, domain->axis[image->axis],
                                    (long long)(image->reach - inside),
                                    image->high ? "high" : "low", image->kind,
                                    (long long)quern_most(n - image->missing, 0), (long long)n);
        }
    return 0;
}

/* The colours of a field go on where it is periodic. */
QUERN_PRIVATE int quern_check_ring(const struct quern_domain *domain, const char *field,
                                   int axis, int64_t multiple, char *why, size_t size)
{
    if (domain->n[axis] % multiple == 0)
        return 0;
    return quern_refuse(why, size, "%s: it is periodic along %s, where its colours need an "
                        "extent that is a multiple of %lld, not %lld", field,
                        domain->axis[axis], (long long)multiple, (long long)domain->n[axis]);
}

/* No more blocks along any axis of a grid than a device launches; the fourth shares with the
 * first. */
QUERN_PRIVATE int quern_check_grid(const struct quern_domain *domain,
                                   const struct quern_box *boxes, int count,
                                   const int64_t *tile, char *why, size_t size)
{
    for (int b = 0; b < count; b++)
        for (int axis = 0; axis < domain->rank && axis < 3; axis++) {
            const int shared = axis == 0 && domain->rank > 3;
            const int64_t more = shared ? quern_tiles(&boxes[b], tile, 3) : 1;
            const int64_t blocks = quern_times(quern_tiles(&boxes[b], tile, axis), more);
            const int64_t limit = axis == 0 ? INT32_MAX : 65535;
            if (blocks > limit)
                return quern_refuse(why, size,
                                    "%lld blocks along %s%s%s, the device's limit is %lld",
                                    (long long)blocks, domain->axis[axis],
                                    shared ? " and " : "", shared ? domain->axis[3] : "",
                                    (long long)limit);
        }
    return 0;
}

/* No more blocks in a row than a device launches. */
QUERN_PRIVATE int quern_check_blocks(int64_t blocks, char *why, size_t size)
{
    if (blocks <= INT32_MAX)
        return 0;
    return quern_refuse(why, size, "%lld blocks, the device's limit is %d", (long long)blocks,
                        INT32_MAX);
}

/* No more shared memory than a block of this device may have; limit < 0: it is not known. */
QUERN_PRIVATE int quern_check_shared(size_t bytes, int64_t limit, char *why, size_t size)
{
    if (limit < 0 || (int64_t)bytes <= limit)
        return 0;
    return quern_refuse(why, size, "a block needs %llu bytes of shared memory, this device's "
                        "limit is %lld", (unsigned long long)bytes, (long long)limit);
}

#endif
