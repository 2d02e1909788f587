/* What defines the published case, for the program that computes it by hand
 * and for the one that runs the generated kernels. */
#ifndef PUBLISHED_CASE_H
#define PUBLISHED_CASE_H

#include <math.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

enum { N = 100, RADIUS = 4, WIDTH = 27 };

#define PUBLISHED_DX 20.0
#define PUBLISHED_VMAX 4500.0
#define PUBLISHED_SPEED 2000.0          /* of the medium, everywhere */
#define PUBLISHED_CFL 0.8

/* Of the second derivative, order 8. */
static const double PUBLISHED_WEIGHT[RADIUS + 1] = {
    -205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560
};

/* Numbers below the least normal one are nought from here on, also to threads
 * that start later. Nothing that is published sees them; the rim of the wave is
 * full of them, and the processor takes a hundred times as long for each. */
static inline void published_flush(void)
{
#ifdef __SSE__
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

/* The largest stable step of this stencil, times CFL. */
static inline double published_dt(void)
{
    double sum = -PUBLISHED_WEIGHT[0];
    for (int r = 1; r <= RADIUS; r++)
        sum += 2 * fabs(PUBLISHED_WEIGHT[r]);
    const double all = 3 * sum / (PUBLISHED_DX * PUBLISHED_DX);
    return 2 * PUBLISHED_CFL / (sqrt(all) * PUBLISHED_VMAX);
}

static inline double published_vp2dt2(void)
{
    const double way = PUBLISHED_SPEED * published_dt();
    return way * way;
}

/* The damping along one axis, at j = -1 .. N: the ghost points continue the
 * square, so that its slope is right at the faces. */
static inline double published_profile(int j)
{
    const int depth = j < N - 1 - j ? j : N - 1 - j;
    const double s = (double)(WIDTH - 1 - depth) / WIDTH;
    return depth < WIDTH ? 0.139031798 * s * s : 0;
}

static inline double published_eta(int x, int y, int z)
{
    return published_profile(x) + published_profile(y) + published_profile(z);
}

static inline int published_is_layer(int j)
{
    return j < WIDTH || j >= N - WIDTH;
}

/* What is added at (N/2, N/2, N/2) after step it = 1, 2, ..: no dt^2. */
static inline double published_source(int it)
{
    const double sg = 15, t = sg * published_dt() * (it - 1) - 1;
    return -2 * 8 * sg * (sg - 2 * sg * 8 * t * t) * exp(-8 * t * t);
}

#endif
