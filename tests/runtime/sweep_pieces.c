/* The launch of a sweep whose regions lie between each other, on fields with a point more than
 * the extent, against loops by hand; all of it and parts. Prints what is wrong. */
#include <stdio.h>
#include <string.h>

#include "pieces.h"

enum { NX = 5, NK = 23, CUT = 6 };

static float up[NK + 1][NX], down[NK + 1][NX], p[NK][NX];

static float by_hand_up(int x, int k, int n)
{
    (void)n;
    if (k == 0)
        return p[0][x];
    if (k >= CUT && k < CUT + 3)
        return 2 * up[k - 1][x] + 1;
    return (k < n ? p[k][x] : 0) - up[k - 1][x];
}

static void expect(const char *what, int lower, int upper, float (*got)[NX], float (*wanted)[NX])
{
    if (memcmp(got, wanted, sizeof up) != 0)
        printf("%s: %d to %d: other numbers than by hand\n", what, lower, upper);
}

static void try(int lower, int upper)
{
    static float u[NK + 1][NX], d[NK + 1][NX];
    struct pieces_args a = {
        .struct_size = sizeof a, .n = { NX, NK }, .lower = { 0, lower }, .upper = { NX, upper },
        .p = &p[0][0], .p_stride = { 1, NX }, .u = &u[0][0], .u_stride = { 1, NX },
        .d = &d[0][0], .d_stride = { 1, NX }, .cut = CUT,
    };
    const int last = upper == NK ? NK + 1 : upper;
    for (int k = 0; k <= NK; k++)
        for (int x = 0; x < NX; x++) {
            u[k][x] = up[k][x] = (float)(k * 7 + x);
            d[k][x] = down[k][x] = (float)(k * 3 - x);
            if (k < NK)
                p[k][x] = (float)((k * k + x) % 11);
        }
    for (int k = lower; k < last; k++)
        for (int x = 0; x < NX; x++)
            up[k][x] = by_hand_up(x, k, NK);
    for (int k = last - 1; k >= lower; k--)
        for (int x = 0; x < NX; x++)
            down[k][x] = k == NK ? p[NK - 1][x]
                : k >= CUT && k < CUT + 3 ? 3 - down[k + 1][x] : p[k][x] - 2 * down[k + 1][x];
    char why[200] = "";
    if (pieces_rise_check(&a, why, sizeof why) || pieces_rise_launch(&a, NULL)
        || pieces_fall_check(&a, why, sizeof why) || pieces_fall_launch(&a, NULL))
        printf("%s\n", why);
    expect("up", lower, upper, u, up);
    expect("down", lower, upper, d, down);
}

int main(void)
{
    for (int lower = 0; lower <= NK; lower++)
        for (int upper = lower; upper <= NK; upper++)
            try(lower, upper);
    printf("tried\n");
    return 0;
}
