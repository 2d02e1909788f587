/* Marks the points of every region of the kernel of tests/unit/emit_spec.lua
 * and compares with which region each point belongs to, asked one by one: the
 * first, in order, that has it. Many extents, widths and ranges. */
#include "regions.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 9 };

static int inside(int64_t lower, int64_t i, int64_t upper)
{
    return lower <= i && i < upper;
}

/* 10^(the region's number), 0 outside of the range asked for. */
static float wanted(const struct regions_args *a, const int64_t *p)
{
    const int64_t *n = a->n, w = a->w, v = a->v;
    for (int axis = 0; axis < 3; axis++)
        if (!inside(a->lower[axis], p[axis], a->upper[axis]))
            return 0;
    if (inside(0, p[0], 1))
        return 1;
    if (p[1] < w || p[1] >= n[1] - v || p[2] < 2 || p[2] >= n[2] - w)
        return 10;
    if (inside(w, p[0], n[0] - 2) && inside(1, p[2], v))
        return 100;
    if (p[0] < 2 || p[0] >= n[0] - 2 || p[1] < 2 || p[1] >= n[1] - 2 || p[2] < 2 || p[2] >= n[2] - 2)
        return 1000;
    return 10000;
}

static int64_t launch(struct regions_args *a)
{
    int bad = 0;
    bad |= regions_mark_low_blocked_3x2x4_launch(a, NULL);
    bad |= regions_mark_rim_blocked_3x2x4_launch(a, NULL);
    bad |= regions_mark_hole_blocked_3x2x4_launch(a, NULL);
    bad |= regions_mark_skin_blocked_3x2x4_launch(a, NULL);
    bad |= regions_mark_mid_blocked_3x2x4_launch(a, NULL);
    if (bad)
        return -1;
    return regions_mark_low_blocked_3x2x4_points(a) + regions_mark_rim_blocked_3x2x4_points(a)
         + regions_mark_hole_blocked_3x2x4_points(a) + regions_mark_skin_blocked_3x2x4_points(a)
         + regions_mark_mid_blocked_3x2x4_points(a);
}

static int compare(struct regions_args *a, const float *s)
{
    const int64_t points = launch(a);
    int64_t count = 0, p[3];
    for (p[2] = 0; p[2] < a->n[2]; p[2]++)
        for (p[1] = 0; p[1] < a->n[1]; p[1]++)
            for (p[0] = 0; p[0] < a->n[0]; p[0]++) {
                const float got = s[p[0] + MOST * (p[1] + MOST * p[2])];
                count += wanted(a, p) > 0;
                if (got < wanted(a, p) || got > wanted(a, p)) {
                    printf("n %d %d %d, w %d, v %d: at %d %d %d got %g, wanted %g\n", (int)a->n[0],
                           (int)a->n[1], (int)a->n[2], (int)a->w, (int)a->v, (int)p[0], (int)p[1],
                           (int)p[2], (double)got, (double)wanted(a, p));
                    return 1;
                }
            }
    return points == count ? 0 : 1;
}

int main(void)
{
    static float s[MOST * MOST * MOST];
    struct regions_args a = { .struct_size = sizeof a, .s = s, .s_stride = { 1, MOST, MOST * MOST } };
    int cases = 0;
    for (int code = 0; code < 7 * 7 * 7 * 5 * 5; code++) {
        const int n[3] = { 1 + code % 7, 1 + code / 7 % 7, 1 + code / 49 % 7 };
        a.w = code / 343 % 5 - 1;
        a.v = code / 1715 - 1;
        for (int axis = 0; axis < 3; axis++) {
            a.n[axis] = n[axis];
            a.lower[axis] = code % 3 == 0 ? n[axis] / 3 : 0;
            a.upper[axis] = code % 5 == 0 ? n[axis] - n[axis] / 4 : n[axis];
        }
        memset(s, 0, sizeof s);
        if (compare(&a, s))
            return 1;
        cases++;
    }
    printf("%d cases agree\n", cases);
    return 0;
}
