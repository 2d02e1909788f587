/* The acoustic wave equation by hand: 25 points, inside alone and with absorbing layers. Blocks
 * in y, each swept along z: nine planes of a block stay in the cache. With layers a row is cut
 * where they end, so that every array is swept once. */
#include "case.h"
#include "acoustic_iso_r4_d3_float.h"

#include <math.h>

enum { BLOCK_Y = 16, BLOCK_Z = 64 };

struct weights {
    float here, x1, x2, x3, x4, y1, y2, y3, y4, z1, z2, z3, z4;
    float x, y, z;              /* of first derivatives */
};

/* One row of all arrays, at x = 0. */
struct row {
    float *u_prev, *phi;
    const float *u, *vp2dt2, *eta;
    int64_t y, z;               /* strides of u */
    int64_t eta_y, eta_z;
};

static inline float laplacian(const float *u, int64_t y, int64_t z, const struct weights *w)
{
    float lap = w->here * u[0];
    lap = fmaf(w->x1, u[-1] + u[1], lap);
    lap = fmaf(w->x2, u[-2] + u[2], lap);
    lap = fmaf(w->x3, u[-3] + u[3], lap);
    lap = fmaf(w->x4, u[-4] + u[4], lap);
    lap = fmaf(w->y1, u[-y] + u[y], lap);
    lap = fmaf(w->y2, u[-2 * y] + u[2 * y], lap);
    lap = fmaf(w->y3, u[-3 * y] + u[3 * y], lap);
    lap = fmaf(w->y4, u[-4 * y] + u[4 * y], lap);
    lap = fmaf(w->z1, u[-z] + u[z], lap);
    lap = fmaf(w->z2, u[-2 * z] + u[2 * z], lap);
    lap = fmaf(w->z3, u[-3 * z] + u[3 * z], lap);
    lap = fmaf(w->z4, u[-4 * z] + u[4 * z], lap);
    return lap;
}

static inline void inner(struct row r, int64_t begin, int64_t end, struct weights w)
{
    float *const restrict u_prev = r.u_prev;
    const float *const restrict u = r.u, *const restrict vp2dt2 = r.vp2dt2;
#pragma omp simd
    for (int64_t x = begin; x < end; x++)
        u_prev[x] = fmaf(vp2dt2[x], laplacian(u + x, r.y, r.z, &w), 2 * u[x] - u_prev[x]);
}

static inline void layer(struct row r, int64_t begin, int64_t end, struct weights w)
{
    float *const restrict u_prev = r.u_prev, *const restrict phi = r.phi;
    const float *const restrict u = r.u, *const restrict vp2dt2 = r.vp2dt2,
                *const restrict eta = r.eta;
#pragma omp simd
    for (int64_t x = begin; x < end; x++) {
        const float e = eta[x];
        const float lap = laplacian(u + x, r.y, r.z, &w);
        float slopes = w.x * (eta[x + 1] - eta[x - 1]) * (w.x * (u[x + 1] - u[x - 1]));
        slopes = fmaf(w.y * (eta[x + r.eta_y] - eta[x - r.eta_y]),
                      w.y * (u[x + r.y] - u[x - r.y]), slopes);
        slopes = fmaf(w.z * (eta[x + r.eta_z] - eta[x - r.eta_z]),
                      w.z * (u[x + r.z] - u[x - r.z]), slopes);
        const float past = fmaf(fmaf(e, 2 - e, 2), u[x], -u_prev[x]);
        u_prev[x] = fmaf(vp2dt2[x], lap + phi[x], past) / (1 + 2 * e);
        phi[x] = (phi[x] - slopes) / (1 + e);
    }
}

static struct weights weights(const struct acoustic_iso_r4_d3_float_args *a)
{
    const double x = 1 / (a->hx * a->hx), y = 1 / (a->hy * a->hy), z = 1 / (a->hz * a->hz);
    const double one = 8.0 / 5, two = -1.0 / 5, three = 8.0 / 315, four = -1.0 / 560;
    return (struct weights){
        (float)(-205.0 / 72 * (x + y + z)),
        (float)(one * x), (float)(two * x), (float)(three * x), (float)(four * x),
        (float)(one * y), (float)(two * y), (float)(three * y), (float)(four * y),
        (float)(one * z), (float)(two * z), (float)(three * z), (float)(four * z),
        (float)(0.5 / a->hx), (float)(0.5 / a->hy), (float)(0.5 / a->hz),
    };
}

static inline struct row row_at(const struct acoustic_iso_r4_d3_float_args *a, int64_t y,
                                int64_t z)
{
    return (struct row){
        a->u_prev + y * a->u_stride[1] + z * a->u_stride[2],
        a->phi + y * a->phi_stride[1] + z * a->phi_stride[2],
        a->u + y * a->u_stride[1] + z * a->u_stride[2],
        a->vp2dt2 + y * a->vp2dt2_stride[1] + z * a->vp2dt2_stride[2],
        a->eta + y * a->eta_stride[1] + z * a->eta_stride[2],
        a->u_stride[1], a->u_stride[2], a->eta_stride[1], a->eta_stride[2],
    };
}

/* The part of a row in the layers that are `width` wide, and the part inside. */
static inline void cut_row(const struct acoustic_iso_r4_d3_float_args *a, int64_t y, int64_t z,
                           struct weights w)
{
    const int64_t nx = a->n[0], width = a->width;
    const struct row r = row_at(a, y, z);
    if (z < width || z >= a->n[2] - width || y < width || y >= a->n[1] - width
        || nx <= 2 * width) {
        layer(r, 0, nx, w);
        return;
    }
    layer(r, 0, width, w);
    inner(r, width, nx - width, w);
    layer(r, nx - width, nx, w);
}

void hand_acoustic_whole(const void *args)
{
    const struct acoustic_iso_r4_d3_float_args *const a = args;
    const struct weights w = weights(a);
#pragma omp parallel for collapse(2) schedule(static)
    for (int64_t z0 = 0; z0 < a->n[2]; z0 += BLOCK_Z)
        for (int64_t y0 = 0; y0 < a->n[1]; y0 += BLOCK_Y)
            for (int64_t z = z0; z < least(z0 + BLOCK_Z, a->n[2]); z++)
                for (int64_t y = y0; y < least(y0 + BLOCK_Y, a->n[1]); y++)
                    cut_row(a, y, z, w);
}

void hand_acoustic_inner(const void *args)
{
    const struct acoustic_iso_r4_d3_float_args *const a = args;
    const struct weights w = weights(a);
    const int64_t width = a->width;
#pragma omp parallel for collapse(2) schedule(static)
    for (int64_t z0 = width; z0 < a->n[2] - width; z0 += BLOCK_Z)
        for (int64_t y0 = width; y0 < a->n[1] - width; y0 += BLOCK_Y)
            for (int64_t z = z0; z < least(z0 + BLOCK_Z, a->n[2] - width); z++)
                for (int64_t y = y0; y < least(y0 + BLOCK_Y, a->n[1] - width); y++)
                    inner(row_at(a, y, z), width, a->n[0] - width, w);
}
