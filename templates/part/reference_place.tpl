% -- Points and places of the reference, moves between them, and the fields at a place,
% -- beyond the faces of the domain too.
struct point { int64_t at[RANK]; };     /* an index */
struct place { int64_t half[RANK]; };   /* half points from index 0 */

#define SHIFTED(q, ...) shifted(q, (const int[RANK]){ __VA_ARGS__ })
#define PLACE(p, ...) SHIFTED(place(p), __VA_ARGS__)

static inline struct place place(struct point p)
{
    struct place q;
    for (int axis = 0; axis < RANK; axis++)
        q.half[axis] = 2 * p.at[axis];
    return q;
}

static inline struct place shifted(struct place q, const int *shift)
{
    for (int axis = 0; axis < RANK; axis++)
        q.half[axis] += shift[axis];
    return q;
}
% if needs.moved then

static inline struct place moved(struct place q, int axis, int64_t half)
{
    q.half[axis] = half;
    return q;
}
% end
% if needs.wrapped then

/* i modulo n, from 0 to n - 1. */
static inline int64_t wrapped(int64_t i, int64_t n) { return (i % n + n) % n; }
% end
% for _, r in ipairs(readers) do

static struct number ${r.name}(const struct inputs *in, struct place q)
{
    const int64_t *s = in->a->${r.strides};
    const int64_t i[] = { ${r.indices} };
% for _, b in ipairs(r.sides) do
    if (${b.test}) {
        ${b.lines}
    }
% end
    return exact(${r.element});
}
% end
