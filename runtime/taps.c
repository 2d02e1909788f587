/* The points around a place along one axis, and their weights: linear, or the
 * sinc of G. J. Hicks (Arbitrary source and receiver positioning in finite-
 * difference schemes using Kaiser windowed sinc functions, Geophysics 67, 2002,
 * 156-165). */
#include "internal.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* The b of a window of half-width r + 1 for which the largest error in any wave
 * of at least 4 points, at any place, is least. The first nine are the paper's
 * (table 1, monopoles up to half the Nyquist wavenumber), the others were found
 * the same way: there the paper's are limited by single precision. */
static const double best[QN_MOST_HALF_WIDTH] = {
    1.24, 2.94, 4.53, 6.31, 7.91, 9.42, 10.95, 12.53,
    14.09, 15.68, 17.26, 18.84, 20.38, 21.96, 23.54, 25.08
};

double qn__taps_best(int half_width)
{
    return best[half_width - 1];
}

/* The modified Bessel function of order 0: its series, every term positive. */
static double bessel(double x)
{
    double sum = 1, term = 1;
    for (int k = 1; term > 1e-17 * sum; k++) {
        term *= x / (2 * k) * (x / (2 * k));
        sum += term;
    }
    return sum;
}

static double window(double distance, double r, double b)
{
    const double inside = (1 - distance / r) * (1 + distance / r);
    return bessel(b * sqrt(inside)) / bessel(b);
}

/* Of the point `step` above the one below the place, which is `part` above that
 * one, 0 < part < 1: the sine is that of the nearer end, without cancelling. */
static double sinc(int step, double part, const struct qn_interpolation *how)
{
    const double near = part < 0.5 ? part : 1 - part;
    const double distance = step - part;
    const double sine = (step % 2 == 0 ? -1 : 1) * sin(PI * near);
    return sine / (PI * distance) * window(distance, how->half_width, how->b);
}

static double linear(int step, double part)
{
    return step == 0 ? 1 - part : part;
}

int qn__taps_make(const struct qn_interpolation *how, double index, int64_t n,
                  struct qn__tap *taps)
{
    const double below = floor(index), part = index - below;
    const int reach = part == 0 ? 0 : how->half_width ? how->half_width : 1;
    int count = 0;
    for (int step = part == 0 ? 0 : 1 - reach; step <= reach; step++) {
        const int64_t point = (int64_t)below + step;
        if (point < 0 || point >= n)
            continue;
        taps[count].point = point;
        taps[count++].weight = part == 0 ? 1
            : how->half_width ? sinc(step, part, how) : linear(step, part);
    }
    return count;
}
