% -- The oracle of one block: a plain loop over the whole domain in double precision,
% -- straight from the model, that writes each point's value and how far a right kernel
% -- may be from it. It never writes the fields themselves.
% --   p            the index of a point
% --   q            a place, in half points from index 0
% --   in           the arguments of a launch and what they decide once
% --   X_at(in, q)  the field or the node X of the model at q
% include "part/head"
#include "$header"
% include "part/launch_header"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RANK $places
#define UNIT $unit          /* what $compute rounds by, relative */
#define TINY $tiny         /* what it may flush to zero */
#define SLACK $slack            /* terms of second order, and the rounding of double here */

typedef $compute compute;

% include "part/reference_number"
% if needs.conditions then

% include "part/reference_condition"
% end
% if choices > 0 then

% include "part/reference_sides"
% end
% if needs.functions then

% include "part/reference_function"
% end

/* The arguments, and what numbers and scalars alone decide. */
struct inputs {
    const struct $args *a;
    int64_t n[RANK];
% if count > 0 then
    struct number constant[$count];
% end
% for _, s in ipairs(sums) do
    struct number *${s.field}_sum;      /* what is added to each point */
% end
};

% if slabs[1] then
% include "part/reference_slab"

% end
% include "part/reference_place"
% for _, t in ipairs(tables) do

/* The neighbour that ${t.of} has in a slot of a row, -1: none. */
static inline int64_t ${t.name}(const struct inputs *in, int64_t row, int64_t slot)
{
% if t.unused then
    (void)row;
% end
    return ${t.entry};
}
% end
% if #taps > 0 then

struct tap { int shift[RANK], weight; };        /* weight: which constant */

/* An operator: each weight times the argument at its tap. */
static struct number applied(const struct inputs *in, struct place q, const struct tap *taps,
                             int count,
                             struct number (*argument)(const struct inputs *, struct place))
{
    struct number sum = { 0, 0, 0, 0 };
    for (int t = 0; t < count; t++)
        sum = add(sum, scaled(in->constant[taps[t].weight],
                              argument(in, shifted(q, taps[t].shift))));
    return sum;
}
% end
% for _, t in ipairs(taps) do

/* ${t.operator} */
static const struct tap ${t.name}[${t.count}] = {
    ${t.rows}
};
% end
% for _, v in ipairs(values) do

static struct number ${v.name}(const struct inputs *in, struct place q)
{
    ${v.lines}
    return ${v.result};
}
% end
% if count > 0 then

static void evaluate_constants(struct inputs *in)
{
    ${constants}
}
% end
% if #regions > 0 then

/* The first region that holds the point, in the order of the spec. */
static int region(const struct inputs *in, struct point p)
{
    const int64_t *n = in->n;
    (void)in, (void)n, (void)p;
% for i, r in ipairs(regions) do
% if r.test then
    if (${r.test})
        return $i;      /* ${r.name} */
% else
    return $i;          /* ${r.name}: the rest */
% end
% end
% if regions[#regions].test then
    return 0;           /* none of them */
% end
}
% end

% include "part/reference_set"
% for i, g in ipairs(groups) do

/* What lies at one place, for the point p. */
static void assign_$i(const struct inputs *in, struct point p)
{
% if g.placed then
    const struct place q = PLACE(p, ${g.half});
% end
    ${g.lines}
% for _, s in ipairs(g.stores) do
% if s.adds then
    in->${s.field}_sum[${s.index}] = add(in->${s.field}_sum[${s.index}], ${s.value});
% else
    set(in->a->${s.field}_value, in->a->${s.field}_bound, ${s.index},
        ${s.value}, ${s.relative}, ${s.least});
% end
% end
}
% end

/* The block at one point. */
static void assign(const struct inputs *in, struct point p)
{
% for i in ipairs(groups) do
    assign_$i(in, p);
% end
}

% if passes and passes.test then

/* Is it a point of this pass? */
static int in_pass(struct point p, int64_t pass)
{
    return ${passes.test};
}
% end

% include "part/boxes"

% include "part/entry"

% include "part/reference_points"

% include "part/reference_launch"
