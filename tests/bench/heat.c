/* The heat equation by hand: 7 points. Blocks in y, each swept along z, so that three planes of
 * a block stay in the cache. */
#include "case.h"
#include "heat_r1_float.h"

#include <math.h>

enum { BLOCK_Y = 32, BLOCK_Z = 32 };

struct weights {
    float here, x, y, z, dt, kappa, power;
};

static inline void row(float *restrict next, const float *restrict t,
                       const float *restrict source, int64_t n, int64_t sy, int64_t sz,
                       struct weights w)
{
#pragma omp simd
    for (int64_t x = 0; x < n; x++) {
        float lap = w.here * t[x];
        lap = fmaf(w.x, t[x - 1] + t[x + 1], lap);
        lap = fmaf(w.y, t[x - sy] + t[x + sy], lap);
        lap = fmaf(w.z, t[x - sz] + t[x + sz], lap);
        next[x] = fmaf(w.dt, fmaf(w.kappa, lap, w.power * source[x]), t[x]);
    }
}

void hand_heat(const void *args)
{
    const struct heat_r1_float_args *const a = args;
    const double x2 = a->hx * a->hx, y2 = a->hy * a->hy, z2 = a->hz * a->hz;
    const struct weights w = {
        (float)(-2 / x2 - 2 / y2 - 2 / z2), (float)(1 / x2), (float)(1 / y2), (float)(1 / z2),
        (float)a->dt, (float)a->kappa, (float)a->power
    };
    const int64_t sy = a->t_stride[1], sz = a->t_stride[2];
#pragma omp parallel for collapse(2) schedule(static)
    for (int64_t z0 = 0; z0 < a->n[2]; z0 += BLOCK_Z)
        for (int64_t y0 = 0; y0 < a->n[1]; y0 += BLOCK_Y)
            for (int64_t z = z0; z < least(z0 + BLOCK_Z, a->n[2]); z++)
                for (int64_t y = y0; y < least(y0 + BLOCK_Y, a->n[1]); y++)
                    row(a->t_next + y * sy + z * sz, a->t + y * sy + z * sz,
                        a->source + y * a->source_stride[1] + z * a->source_stride[2],
                        a->n[0], sy, sz, w);
}
