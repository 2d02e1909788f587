/* A published case, by hand: an acoustic wave in a cube of N^3 points with an
 * absorbing layer on every face, whose minimum, maximum and L2 norm after 300
 * and 1000 steps are known. Nothing here comes from Quern: the program proves
 * that the numbers are understood, and the generated kernels are compared
 * with it.
 *
 *     published_case STEPS [FILE]
 *
 * prints the three numbers, and writes the N^3 values of the wave to FILE, x
 * contiguous, as REAL: the type of storage and arithmetic, float by default. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "published_case.h"

#ifndef REAL
#define REAL float
#endif

/* Arrays store RADIUS points around the domain, all zero but eta's. */
enum { SY = N + 2 * RADIUS, SZ = SY * SY, POINTS = SZ * SY };

static int at(int x, int y, int z)
{
    return (z + RADIUS) * SZ + (y + RADIUS) * SY + x + RADIUS;
}

struct wave {
    REAL *u, *past, *phi, *eta;
    REAL weight[RADIUS + 1], half, vp2dt2;      /* half: 1/(2 dx) */
};

static REAL laplacian(const struct wave *w, const REAL *u)
{
    REAL sum = 3 * w->weight[0] * u[0];
    for (int r = 1; r <= RADIUS; r++)
        sum += w->weight[r] * (u[-r] + u[r] + u[-r * SY] + u[r * SY]
                               + u[-r * SZ] + u[r * SZ]);
    return sum;
}

static REAL slope(const struct wave *w, const REAL *f, int stride)
{
    return w->half * (f[stride] - f[-stride]);
}

static void update_inner(struct wave *w, int i)
{
    w->past[i] = 2 * w->u[i] - w->past[i] + w->vp2dt2 * laplacian(w, w->u + i);
}

static void update_layer(struct wave *w, int i)
{
    const REAL *u = w->u + i, *eta = w->eta + i, e = *eta;
    const REAL inner = slope(w, eta, 1) * slope(w, u, 1)
                       + slope(w, eta, SY) * slope(w, u, SY)
                       + slope(w, eta, SZ) * slope(w, u, SZ);
    w->past[i] = ((2 - e * e + 2 * e) * *u - w->past[i]
                  + w->vp2dt2 * (laplacian(w, u) + w->phi[i])) / (1 + 2 * e);
    w->phi[i] = (w->phi[i] - inner) / (1 + e);
}

static int in_layer(int x, int y, int z)
{
    return published_is_layer(x) || published_is_layer(y) || published_is_layer(z);
}

static void step(struct wave *w)
{
    for (int z = 0; z < N; z++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                if (in_layer(x, y, z))
                    update_layer(w, at(x, y, z));
                else
                    update_inner(w, at(x, y, z));
    REAL *const next = w->past;
    w->past = w->u;
    w->u = next;
}

static REAL *zeros(void)
{
    REAL *const array = calloc(POINTS, sizeof(REAL));
    if (!array) {
        fputs("published_case: no memory\n", stderr);
        exit(2);
    }
    return array;
}

static struct wave begin(void)
{
    struct wave w = { zeros(), zeros(), zeros(), zeros(), { 0 },
                      (REAL)(1 / (2 * PUBLISHED_DX)), (REAL)published_vp2dt2() };
    for (int r = 0; r <= RADIUS; r++)
        w.weight[r] = (REAL)(PUBLISHED_WEIGHT[r] / (PUBLISHED_DX * PUBLISHED_DX));
    for (int z = -1; z <= N; z++)
        for (int y = -1; y <= N; y++)
            for (int x = -1; x <= N; x++)
                w.eta[at(x, y, z)] = (REAL)published_eta(x, y, z);
    return w;
}

static REAL *domain(const struct wave *w)
{
    REAL *const values = malloc(sizeof(REAL) * N * N * N);
    for (int z = 0; values && z < N; z++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                values[(z * N + y) * N + x] = w->u[at(x, y, z)];
    return values;
}

static void norms(const REAL *values, double *least, double *most, double *l2)
{
    double squares = 0;
    *least = *most = (double)values[0];
    for (int i = 0; i < N * N * N; i++) {
        const double v = (double)values[i];
        *least = fmin(*least, v);
        *most = fmax(*most, v);
        squares += v * v;
    }
    *l2 = sqrt(squares);
}

static int save(const char *path, const REAL *values)
{
    FILE *const file = fopen(path, "wb");
    if (!file)
        return 0;
    const size_t written = fwrite(values, sizeof(REAL), N * N * N, file);
    return fclose(file) == 0 && written == N * N * N;
}

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? atoi(argv[1]) : 300;
    published_flush();
    struct wave w = begin();
    for (int it = 1; it <= steps; it++) {
        step(&w);
        w.u[at(N / 2, N / 2, N / 2)] += (REAL)published_source(it);
    }
    REAL *const values = domain(&w);
    double least, most, l2;
    if (!values || (argc > 2 && !save(argv[2], values)))
        return 2;
    norms(values, &least, &most, &l2);
    printf("%.9g %.9g %.9g\n", least, most, l2);
    free(values);
    free(w.u), free(w.past), free(w.phi), free(w.eta);
    return 0;
}
