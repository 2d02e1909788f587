/* Boxes of points of one time level, the whole domain or any other that is
 * stored, copied between a dense array of the host and a field. */
#include "internal.h"

/* A box of points, from lower up to upper, which it does not hold. */
struct range {
    int64_t lower[QUERN_MAX_RANK], upper[QUERN_MAX_RANK];
};

static struct range domain(const struct qn_field *field)
{
    struct range box = { { 0 }, { 0 } };
    for (int axis = 0; axis < field->layout.rank; axis++)
        box.upper[axis] = field->layout.n[axis];
    return box;
}

static bool is_empty(const struct qn__layout *layout, const struct range *box)
{
    bool empty = false;
    for (int axis = 0; axis < layout->rank; axis++)
        empty = empty || box->lower[axis] >= box->upper[axis];
    return empty;
}

/* Has a range of the domain's points along an axis some that are left out? */
static bool has_gap(const struct qn__layout *layout, int axis, int64_t lower,
                    int64_t upper)
{
    return qn__layout_left_out(layout, axis) > 0 && lower < upper
        && lower < layout->hollow[1] && upper > layout->hollow[0];
}

/* QN_OK for a box of stored points in indices of the domain. */
static enum qn_status look_at(const struct qn_field *field,
                              const struct range *box)
{
    const struct qn__layout *const layout = &field->layout;
    for (int axis = 0; axis < layout->rank; axis++) {
        const int64_t halo = layout->halo[axis];
        const int64_t n = layout->n[axis] + qn__layout_left_out(layout, axis);
        const int64_t lower = box->lower[axis], upper = box->upper[axis];
        if (has_gap(layout, axis, lower, upper))
            return qn__fail(QN_INVALID,
                            "'%s' does not store the points %lld to %lld along"
                            " its axis %d: the range %lld to %lld has some",
                            field->info->name, (long long)layout->hollow[0],
                            (long long)layout->hollow[1], axis,
                            (long long)lower, (long long)upper);
        if (lower < -halo || upper > n + halo || lower > upper)
            return qn__fail(QN_INVALID,
                            "'%s' stores the points %lld to %lld along its axis"
                            " %d, not the range %lld to %lld",
                            field->info->name, (long long)-halo,
                            (long long)(n + halo), axis, (long long)lower,
                            (long long)upper);
    }
    return QN_OK;
}

/* What one copy moves: rows of equal length. Those of a box are its lines along
 * axis 0, a plane of them; in an array that fields share, single elements, a
 * line of them. */
struct piece {
    size_t width, pitch, rows;      /* bytes, bytes in the array, count */
    int axes;                       /* of the box that it spans */
};

static struct piece piece_of(const struct qn__layout *layout,
                             const struct range *box)
{
    const size_t line = (size_t)(box->upper[0] - box->lower[0]);
    struct piece piece = { .width = layout->size, .axes = 1, .rows = line };
    piece.pitch = (size_t)layout->step * layout->size;
    if (layout->step > 1)
        return piece;
    piece.width = piece.pitch = line * layout->size;
    piece.rows = 1;
    if (layout->rank < 2)
        return piece;
    piece.pitch = (size_t)layout->stride[1] * layout->size;
    piece.rows = (size_t)(box->upper[1] - box->lower[1]);
    piece.axes = 2;
    return piece;
}

/* Element of the first point of a piece of so many axes; then of the next. */
static bool next_piece(const struct qn__layout *layout,
                       const struct range *box, int axes, int64_t *at,
                       int64_t *element)
{
    for (int axis = axes; axis < layout->rank; axis++) {
        *element += layout->stride[axis];
        if (++at[axis] < box->upper[axis])
            return true;
        *element -= (at[axis] - box->lower[axis]) * layout->stride[axis];
        at[axis] = box->lower[axis];
    }
    return false;
}

/* Copies a box of the array's own points, piece by piece; exactly one of from
 * and to is not NULL. */
static enum qn_status transfer(struct qn_field *field, int level,
                               const struct range *box, const char *from,
                               char *to)
{
    struct qn_context *const context = field->module->context;
    const struct qn__layout *const layout = &field->layout;
    const struct piece piece = piece_of(layout, box);
    int64_t at[QUERN_MAX_RANK] = { 0 }, element = 0;
    char *origin = NULL;
    enum qn_status status = qn__field_level(field, level, &origin);
    if (status != QN_OK || is_empty(layout, box))
        return status;
    for (int axis = 0; axis < layout->rank; axis++) {
        at[axis] = box->lower[axis];
        element += at[axis] * layout->stride[axis];
    }
    size_t done = 0;
    do {
        char *const start = origin + element * (int64_t)layout->size;
        status = from ? context->backend->upload(
                     context, start, piece.pitch, from + done, piece.width,
                     piece.width, piece.rows)
                      : context->backend->download(
                     context, to + done, piece.width, start, piece.pitch,
                     piece.width, piece.rows);
        done += piece.width * piece.rows;
    } while (status == QN_OK
             && next_piece(layout, box, piece.axes, at, &element));
    return status;
}

enum qn_status qn_field_write(struct qn_field *field, int level,
                              const void *values)
{
    const struct range box = domain(field);
    qn__field_changed(field);
    return transfer(field, level, &box, values, NULL);
}

enum qn_status qn_field_read(struct qn_field *field, int level, void *values)
{
    const struct range box = domain(field);
    return transfer(field, level, &box, NULL, values);
}

/* The box of the array that stores a box of the domain. */
static enum qn_status find(const struct qn_field *field, const int64_t *lower,
                           const int64_t *upper, struct range *found)
{
    struct range box = { { 0 }, { 0 } };
    for (int axis = 0; axis < field->layout.rank; axis++) {
        box.lower[axis] = lower[axis];
        box.upper[axis] = upper[axis];
    }
    const enum qn_status status = look_at(field, &box);
    for (int axis = 0; axis < field->layout.rank; axis++) {
        box.lower[axis] = qn__layout_fold(&field->layout, axis, lower[axis]);
        box.upper[axis] += box.lower[axis] - lower[axis];
    }
    *found = box;
    return status;
}

enum qn_status qn_field_write_box(struct qn_field *field, int level,
                                  const int64_t *lower, const int64_t *upper,
                                  const void *values)
{
    struct range box;
    const enum qn_status status = find(field, lower, upper, &box);
    qn__field_changed(field);
    return status == QN_OK ? transfer(field, level, &box, values, NULL)
                           : status;
}

enum qn_status qn_field_read_box(struct qn_field *field, int level,
                                 const int64_t *lower, const int64_t *upper,
                                 void *values)
{
    struct range box;
    const enum qn_status status = find(field, lower, upper, &box);
    return status == QN_OK ? transfer(field, level, &box, NULL, values)
                           : status;
}
