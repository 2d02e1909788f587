/* Elastic waves by hand, order 4 in space: all velocities in one sweep, all stresses in
 * another. Blocks in y and z. The fields share one layout here. */
#include "case.h"
#include "elastic_r2_halo_float.h"

#include <math.h>

enum { BLOCK_Y = 16, BLOCK_Z = 16 };

struct weights {
    float x1, x2, y1, y2, z1, z2, dt;
};

static struct weights weights(const struct elastic_r2_halo_float_args *a)
{
    const double near = 9.0 / 8, far = -1.0 / 24;
    return (struct weights){
        (float)(near / a->hx), (float)(far / a->hx), (float)(near / a->hy),
        (float)(far / a->hy), (float)(near / a->hz), (float)(far / a->hz), (float)a->dt
    };
}

/* The difference half a step ahead of f[0], or behind it, s elements a step. */
static inline float ahead(const float *f, int64_t s, float near, float far)
{
    return fmaf(far, f[2 * s] - f[-s], near * (f[s] - f[0]));
}

static inline float behind(const float *f, int64_t s, float near, float far)
{
    return ahead(f - s, s, near, far);
}

static inline void velocity_row(const struct elastic_r2_halo_float_args *a, int64_t at,
                                int64_t sy, int64_t sz, struct weights w)
{
    float *const restrict vx = a->vx + at, *const restrict vy = a->vy + at,
          *const restrict vz = a->vz + at;
    const float *const restrict sxx = a->sxx + at, *const restrict syy = a->syy + at,
                *const restrict szz = a->szz + at, *const restrict sxy = a->sxy + at,
                *const restrict sxz = a->sxz + at, *const restrict syz = a->syz + at,
                *const restrict b = a->buoyancy + at;
    const float half = 0.5f * w.dt;
#pragma omp simd
    for (int64_t x = 0; x < a->n[0]; x++) {
        const float fx = ahead(sxx + x, 1, w.x1, w.x2) + behind(sxy + x, sy, w.y1, w.y2)
                         + behind(sxz + x, sz, w.z1, w.z2);
        const float fy = behind(sxy + x, 1, w.x1, w.x2) + ahead(syy + x, sy, w.y1, w.y2)
                         + behind(syz + x, sz, w.z1, w.z2);
        const float fz = behind(sxz + x, 1, w.x1, w.x2) + behind(syz + x, sy, w.y1, w.y2)
                         + ahead(szz + x, sz, w.z1, w.z2);
        vx[x] = fmaf(half * (b[x] + b[x + 1]), fx, vx[x]);
        vy[x] = fmaf(half * (b[x] + b[x + sy]), fy, vy[x]);
        vz[x] = fmaf(half * (b[x] + b[x + sz]), fz, vz[x]);
    }
}

static inline float smaller(float p, float q)
{
    return p < q ? p : q;
}

/* dt times the harmonic mean of four moduli, 0 if one is. */
static inline float rigid(const float *mu, int64_t s, int64_t t, float dt)
{
    const float p = mu[0], q = mu[s], r = mu[t], m = mu[s + t];
    const float inverse = 0.25f * ((1 / p + 1 / q) + (1 / r + 1 / m));
    return smaller(smaller(p, q), smaller(r, m)) > 0 ? dt / inverse : 0;
}

static inline void stress_row(const struct elastic_r2_halo_float_args *a, int64_t at,
                              int64_t sy, int64_t sz, struct weights w)
{
    const float *const restrict vx = a->vx + at, *const restrict vy = a->vy + at,
                *const restrict vz = a->vz + at, *const restrict lambda = a->lambda + at,
                *const restrict mu = a->mu + at;
    float *const restrict sxx = a->sxx + at, *const restrict syy = a->syy + at,
          *const restrict szz = a->szz + at, *const restrict sxy = a->sxy + at,
          *const restrict sxz = a->sxz + at, *const restrict syz = a->syz + at;
#pragma omp simd
    for (int64_t x = 0; x < a->n[0]; x++) {
        const float ex = behind(vx + x, 1, w.x1, w.x2), ey = behind(vy + x, sy, w.y1, w.y2),
                    ez = behind(vz + x, sz, w.z1, w.z2);
        const float volume = lambda[x] * (ex + ey + ez), twice = 2 * mu[x];
        sxx[x] = fmaf(w.dt, fmaf(twice, ex, volume), sxx[x]);
        syy[x] = fmaf(w.dt, fmaf(twice, ey, volume), syy[x]);
        szz[x] = fmaf(w.dt, fmaf(twice, ez, volume), szz[x]);
        sxy[x] = fmaf(rigid(mu + x, 1, sy, w.dt), ahead(vx + x, sy, w.y1, w.y2)
                      + ahead(vy + x, 1, w.x1, w.x2), sxy[x]);
        sxz[x] = fmaf(rigid(mu + x, 1, sz, w.dt), ahead(vx + x, sz, w.z1, w.z2)
                      + ahead(vz + x, 1, w.x1, w.x2), sxz[x]);
        syz[x] = fmaf(rigid(mu + x, sy, sz, w.dt), ahead(vy + x, sz, w.z1, w.z2)
                      + ahead(vz + x, sy, w.y1, w.y2), syz[x]);
    }
}

void hand_elastic_velocity(const void *args)
{
    const struct elastic_r2_halo_float_args *const a = args;
    const struct weights w = weights(a);
    const int64_t sy = a->vx_stride[1], sz = a->vx_stride[2];
#pragma omp parallel for collapse(2) schedule(static)
    for (int64_t z0 = 0; z0 < a->n[2]; z0 += BLOCK_Z)
        for (int64_t y0 = 0; y0 < a->n[1]; y0 += BLOCK_Y)
            for (int64_t z = z0; z < least(z0 + BLOCK_Z, a->n[2]); z++)
                for (int64_t y = y0; y < least(y0 + BLOCK_Y, a->n[1]); y++)
                    velocity_row(a, y * sy + z * sz, sy, sz, w);
}

void hand_elastic_stress(const void *args)
{
    const struct elastic_r2_halo_float_args *const a = args;
    const struct weights w = weights(a);
    const int64_t sy = a->vx_stride[1], sz = a->vx_stride[2];
#pragma omp parallel for collapse(2) schedule(static)
    for (int64_t z0 = 0; z0 < a->n[2]; z0 += BLOCK_Z)
        for (int64_t y0 = 0; y0 < a->n[1]; y0 += BLOCK_Y)
            for (int64_t z = z0; z < least(z0 + BLOCK_Z, a->n[2]); z++)
                for (int64_t y = y0; y < least(y0 + BLOCK_Y, a->n[1]); y++)
                    stress_row(a, y * sy + z * sz, sy, sz, w);
}
