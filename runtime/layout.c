/* Where the points of an array lie: in each row one index, 0 unless another is
 * asked for, is on 256 bytes, pitches are whole multiples of 256 bytes, and
 * every product is checked in 64 bits before anybody uses it (1295^3 doubles
 * are 17 GB). */
#include "internal.h"

/* Bytes. Rows that are whole pages apart lie in the same places of a cache. */
enum { ALIGNMENT = 256, PAGE = 4096 };

static bool multiply(int64_t a, int64_t b, int64_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

static bool add(int64_t a, int64_t b, int64_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

static bool round_up(int64_t count, int64_t unit, int64_t *rounded)
{
    return add(count, unit - 1, &count)
        && multiply(count / unit, unit, rounded);
}

/* The row: margin, domain, halo and guard behind it, padding; apart: so that
 * rows are not whole pages from each other. */
static bool make_pitch(struct qn__layout *layout, int64_t aligned, bool apart)
{
    const int64_t unit = ALIGNMENT / (int64_t)layout->size;
    const int64_t outside = layout->halo[0] + layout->guard;
    int64_t pitch;
    if (!round_up(outside + aligned, unit, &layout->margin))
        return false;
    layout->margin -= aligned;
    if (!add(layout->margin, layout->n[0], &pitch)
        || !add(pitch, outside, &pitch) || !round_up(pitch, unit, &pitch))
        return false;
    if (apart && pitch % (PAGE / (int64_t)layout->size) == 0
        && !add(pitch, unit, &pitch))
        return false;
    layout->stride[0] = 1;
    layout->full[0] = pitch > 0 ? pitch : unit;
    layout->origin = layout->margin;
    return true;
}

static bool make_axis(struct qn__layout *layout, int axis)
{
    const int64_t outside = layout->halo[axis] + layout->guard;
    int64_t skipped;
    return add(layout->n[axis], 2 * outside, &layout->full[axis])
        && multiply(layout->stride[axis - 1], layout->full[axis - 1],
                    &layout->stride[axis])
        && multiply(outside, layout->stride[axis], &skipped)
        && add(layout->origin, skipped, &layout->origin);
}

static bool make_total(struct qn__layout *layout)
{
    const int last = layout->rank - 1;
    int64_t bytes;
    if (!multiply(layout->stride[last], layout->full[last], &layout->count)
        || !multiply(layout->count, (int64_t)layout->size, &bytes))
        return false;
    layout->rows = layout->count / layout->full[0];
    layout->bytes = (size_t)bytes;
    return true;
}

static bool make(struct qn__layout *layout, int64_t aligned, bool apart)
{
    if (!make_pitch(layout, aligned, apart))
        return false;
    for (int axis = 1; axis < layout->rank; axis++)
        if (!make_axis(layout, axis))
            return false;
    return make_total(layout);
}

enum qn_status qn__layout_make(enum quern_type type, int rank, const int64_t *n,
                               const int64_t *halo, int64_t guard,
                               int64_t aligned, bool apart,
                               struct qn__layout *layout)
{
    enum { FARTHEST = 1 << 20 };
    *layout = (struct qn__layout){ .rank = rank, .guard = guard, .step = 1,
                                   .size = qn__type_size(type) };
    if (rank < 1 || rank > QUERN_MAX_RANK || layout->size == 0)
        return qn__fail(QN_INVALID,
                        "an array of rank %d and type %d: rank is 1 to %d",
                        rank, (int)type, QUERN_MAX_RANK);
    for (int axis = 0; axis < rank; axis++) {
        if (n[axis] < 0 || halo[axis] < 0 || halo[axis] > FARTHEST)
            return qn__fail(QN_INVALID,
                            "extent %lld with halo %lld: extents are at"
                            " least 0, halos 0 to %d",
                            (long long)n[axis], (long long)halo[axis],
                            FARTHEST);
        layout->n[axis] = n[axis];
        layout->halo[axis] = halo[axis];
    }
    if (!make(layout, aligned, apart))
        return qn__fail(QN_INVALID, "the array's bytes do not fit in 64 bits"
                        " (first extent %lld, rank %d)", (long long)n[0], rank);
    return QN_OK;
}

enum qn_status qn__layout_interleave(struct qn__layout *layout, int fields,
                                     int place)
{
    int64_t bytes;
    if (!multiply((int64_t)layout->bytes, fields, &bytes))
        return qn__fail(QN_INVALID, "the bytes of %d arrays in one do not fit"
                        " in 64 bits (first extent %lld)", fields,
                        (long long)layout->n[0]);
    layout->step = fields;
    layout->place = place;
    layout->origin = layout->origin * fields + place;
    for (int axis = 0; axis < layout->rank; axis++)
        layout->stride[axis] *= fields;
    return QN_OK;
}

void qn__layout_row(const struct qn__layout *layout, int64_t index,
                    struct qn__row *row)
{
    *row = (struct qn__row){ .start = index * layout->full[0] + layout->margin,
                             .inside = true, .stored = true };
    for (int axis = 1; axis < layout->rank; axis++) {
        const int64_t outside = layout->halo[axis] + layout->guard;
        const int64_t at = index % layout->full[axis] - outside;
        index /= layout->full[axis];
        row->at[axis] = at;
        row->inside = row->inside && at >= 0 && at < layout->n[axis];
        row->stored = row->stored && at >= -layout->halo[axis]
            && at < layout->n[axis] + layout->halo[axis];
    }
}

/* Fits in 64 bits, being less than count. */
int64_t qn__layout_points(const struct qn__layout *layout)
{
    int64_t points = 1;
    for (int axis = 0; axis < layout->rank; axis++)
        points *= layout->n[axis];
    return points;
}

int64_t qn__layout_dense(const struct qn__layout *layout,
                         const struct qn__row *row)
{
    int64_t point = 0;
    for (int axis = layout->rank - 1; axis > 0; axis--)
        point = (point + row->at[axis]) * layout->n[axis - 1];
    return point;
}

int64_t qn__layout_left_out(const struct qn__layout *layout, int axis)
{
    return axis == layout->hollow_axis
        ? layout->hollow[1] - layout->hollow[0] : 0;
}

int64_t qn__layout_fold(const struct qn__layout *layout, int axis, int64_t i)
{
    return i < layout->hollow[1] ? i : i - qn__layout_left_out(layout, axis);
}

int64_t qn__layout_unfold(const struct qn__layout *layout, int axis, int64_t at)
{
    return at < layout->hollow[0] ? at : at + qn__layout_left_out(layout, axis);
}
