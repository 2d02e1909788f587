/* What requests are compared with: plain loops over all pairs, in double. */
#include "galaxy.h"

#include <math.h>

/* From particle i to j; the distance squared, softened. */
static double between(const struct galaxy *galaxy, int i, int j, double *d)
{
    double squares = galaxy->soft2;
    for (int k = 0; k < 3; k++) {
        d[k] = galaxy->at[k][j] - galaxy->at[k][i];
        squares += d[k] * d[k];
    }
    return squares;
}

void galaxy_direct(const struct galaxy *galaxy, int particle, double *pull)
{
    double d[3];
    pull[0] = pull[1] = pull[2] = 0;
    for (int j = 0; j < galaxy->count; j++) {
        if (j == particle)
            continue;
        const double s = between(galaxy, particle, j, d), factor = galaxy->mass[j] / (s * sqrt(s));
        for (int k = 0; k < 3; k++)
            pull[k] += factor * d[k];
    }
}

double galaxy_kinetic(const struct galaxy *galaxy)
{
    double sum = 0;
    for (int i = 0; i < galaxy->count; i++)
        for (int k = 0; k < 3; k++)
            sum += 0.5 * galaxy->mass[i] * galaxy->v[k][i] * galaxy->v[k][i];
    return sum;
}

double galaxy_potential(const struct galaxy *galaxy)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 64)
    for (int i = 0; i < galaxy->count; i++)
        for (int j = 0; j < i; j++) {
            double d[3];
            sum -= galaxy->mass[i] * galaxy->mass[j] / sqrt(between(galaxy, i, j, d));
        }
    return sum;
}
