% -- The boxes of points that a launch updates.
/* A box of points, lower <= i < upper along each axis. */
struct box {
    int64_t lower[$rank], upper[$rank];
};

% if uses_least then
static int64_t least(int64_t p, int64_t q)
{
    return p < q ? p : q;
}

% end
static int64_t most(int64_t p, int64_t q)
{
    return p > q ? p : q;
}

static int empty(const struct box *box)
{
    for (int axis = 0; axis < $rank; axis++)
        if (box->lower[axis] >= box->upper[axis])
            return 1;
    return 0;
}
% if cuts then

/* Appends a box that is not empty; returns the new count. */
static int append(struct box *list, int count, const struct box *box)
{
    if (!empty(box))
        list[count++] = *box;
    return count;
}
% end
% if steps[1] then

/* Moves a box into the domain, so that 0 <= lower <= upper <= n. */
static void clamp(struct box *box, const int64_t *n)
{
    for (int axis = 0; axis < $rank; axis++) {
        box->lower[axis] = least(most(box->lower[axis], 0), n[axis]);
        box->upper[axis] = least(most(box->upper[axis], box->lower[axis]), n[axis]);
    }
}
% end
% if keeps then

/* What each box of the list shares with `box`; returns the new count. */
static int keep(struct box *list, int count, const struct box *box)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        struct box part = list[i];
        for (int axis = 0; axis < $rank; axis++) {
            part.lower[axis] = most(part.lower[axis], box->lower[axis]);
            part.upper[axis] = least(part.upper[axis], box->upper[axis]);
        }
        if (!empty(&part))
            list[kept++] = part;
    }
    return kept;
}
% end
% if cuts then

/* What each box of the list has outside of `hole`; returns the new count. The last axis is
 * cut first, so that the pieces keep long rows. */
static int cut(struct box *list, int count, const struct box *hole)
{
    struct box old[$most_boxes];
    int total = 0;
    for (int i = 0; i < count; i++)
        old[i] = list[i];
    for (int i = 0; i < count; i++) {
        struct box rest = old[i];
        for (int axis = ${rank - 1}; axis >= 0; axis--) {
            struct box below = rest, above = rest;
            below.upper[axis] = least(rest.upper[axis], most(rest.lower[axis], hole->lower[axis]));
            above.lower[axis] = most(below.upper[axis], least(rest.upper[axis], hole->upper[axis]));
            total = append(list, total, &below);
            total = append(list, total, &above);
            rest.lower[axis] = below.upper[axis];
            rest.upper[axis] = above.lower[axis];
        }
    }
    return total;
}
% end

/* $boxes_comment */
static int boxes(const struct $args *a, struct box *list)
{
    const struct box all = {
        { $range_lower },
        { $range_upper },
    };
    int count = empty(&all) ? 0 : 1;
    list[0] = all;
% if steps[1] then
    const int64_t n[$rank] = { $range_n };
% end
% for _, step in ipairs(steps) do

    /* ${step.comment} */
    struct box ${step.name} = {
        { ${step.lower} },
        { ${step.upper} },
    };
    clamp(&${step.name}, n);
    count = ${step.verb}(list, count, &${step.name});
% end
    return count;
}
