/* The two shapes of structured kernels, written by hand in the style of what is
 * emitted: gmem and st_reg_shft, 3-D, radius 2. One text for nvcc and for simt. */
#ifdef __CUDACC__
#include <cuda_runtime.h>
#else
#include "simt.h"
#endif
#include "simt_vocabulary.h"

#define R 2
#define TILE_X 32
#define TILE_Y 8

/* --- gmem: one thread per point ----------------------------------------------- */

template <typename index>
__global__ void __launch_bounds__(256)
laplace_gmem(const float *__restrict__ u, float *__restrict__ v, const float w0, const float w1,
             const float w2, const index nx, const index ny, const index nz, const index sy,
             const index sz)
{
    const index x = (index)blockIdx.x * 32 + threadIdx.x;
    const index y = (index)blockIdx.y * 4 + threadIdx.y;
    const index z = (index)blockIdx.z * 2 + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz)
        return;

    const index p = x + y * sy + z * sz;
    const float ring1 = ((u[p - 1] + u[p + 1]) + (u[p - sy] + u[p + sy]))
                      + (u[p - sz] + u[p + sz]);
    const float ring2 = ((u[p - 2] + u[p + 2]) + (u[p - 2 * sy] + u[p + 2 * sy]))
                      + (u[p - 2 * sz] + u[p + 2 * sz]);
    v[p] = fmaf(w2, ring2, fmaf(w1, ring1, w0 * u[p]));
}

/* --- st_reg_shft: the plane in shared memory, the column in scalars -------------- */

template <typename index>
__global__ void __launch_bounds__(TILE_X * TILE_Y)
laplace_st_reg_shft(const float *__restrict__ u, float *__restrict__ v, const float w0,
                    const float w1, const float w2, const index nx, const index ny,
                    const index nz, const index sy, const index sz, const index chunk)
{
    __shared__ float tile[TILE_Y + 2 * R][TILE_X + 2 * R];
    const int i = threadIdx.x + R, j = threadIdx.y + R;
    const index x = (index)blockIdx.x * TILE_X + threadIdx.x;
    const index y = (index)blockIdx.y * TILE_Y + threadIdx.y;
    const index first = (index)blockIdx.z * chunk, last = min(first + chunk, nz);
    const bool inside = x < nx && y < ny;

    /* Threads beyond the domain load the halo, where it has points. */
    const bool stored = x < nx + R && y < ny + R;
    index p = stored ? x + y * sy + first * sz : first * sz;

    float behind2 = __ldg(&u[p - 2 * sz]);
    float behind1 = __ldg(&u[p - sz]);
    float current = __ldg(&u[p]);
    float front1 = __ldg(&u[p + sz]);
    #pragma unroll 1
    for (index z = first; z < last; z++) {
        const float front2 = __ldg(&u[p + 2 * sz]);

        /* the plane, with the halo of its four sides */
        tile[j][i] = current;
        if (threadIdx.x < R && stored)
            tile[j][i - R] = u[p - R];
        if (threadIdx.x >= TILE_X - R && x + R < nx + R && y < ny + R)
            tile[j][i + R] = u[p + R];
        if (threadIdx.y < R && stored)
            tile[j - R][i] = u[p - R * sy];
        if (threadIdx.y >= TILE_Y - R && y + R < ny + R && x < nx + R)
            tile[j + R][i] = u[p + R * sy];
        __syncthreads();

        if (inside) {
            const float ring1 = ((tile[j][i - 1] + tile[j][i + 1])
                              + (tile[j - 1][i] + tile[j + 1][i])) + (behind1 + front1);
            const float ring2 = ((tile[j][i - 2] + tile[j][i + 2])
                              + (tile[j - 2][i] + tile[j + 2][i])) + (behind2 + front2);
            v[p] = fmaf(w2, ring2, fmaf(w1, ring1, w0 * current));
        }
        __syncthreads();

        /* advance the window */
        behind2 = behind1;
        behind1 = current;
        current = front1;
        front1 = front2;
        p += sz;
    }
}

/* --- launchers ------------------------------------------------------------------- */

template <typename index>
static cudaError_t launch_gmem(const struct laplace_args *a, cudaStream_t stream)
{
    const float *u = a->u;
    float *v = a->v, w0 = (float)a->w[0], w1 = (float)a->w[1], w2 = (float)a->w[2];
    index nx = (index)a->n[0], ny = (index)a->n[1], nz = (index)a->n[2];
    index sy = (index)a->stride[1], sz = (index)a->stride[2];
    void *args[] = {&u, &v, &w0, &w1, &w2, &nx, &ny, &nz, &sy, &sz};
    const dim3 grid((unsigned)(nx + 31) / 32, (unsigned)(ny + 3) / 4, (unsigned)(nz + 1) / 2);
    return cudaLaunchKernel(laplace_gmem<index>, grid, dim3(32, 4, 2), args, 0, stream);
}

template <typename index>
static cudaError_t launch_st_reg_shft(const struct laplace_args *a, cudaStream_t stream)
{
    const float *u = a->u;
    float *v = a->v, w0 = (float)a->w[0], w1 = (float)a->w[1], w2 = (float)a->w[2];
    index nx = (index)a->n[0], ny = (index)a->n[1], nz = (index)a->n[2];
    index sy = (index)a->stride[1], sz = (index)a->stride[2], chunk = 16;
    void *args[] = {&u, &v, &w0, &w1, &w2, &nx, &ny, &nz, &sy, &sz, &chunk};
    const dim3 grid((unsigned)(nx + TILE_X - 1) / TILE_X, (unsigned)(ny + TILE_Y - 1) / TILE_Y,
                    (unsigned)(nz + chunk - 1) / (unsigned)chunk);
    return cudaLaunchKernel(laplace_st_reg_shft<index>, grid, dim3(TILE_X, TILE_Y), args, 0,
                            stream);
}

extern "C" int laplace_gmem_launch(const struct laplace_args *a, int wide, void *stream)
{
    const cudaStream_t s = static_cast<cudaStream_t>(stream);
    return wide ? launch_gmem<int64_t>(a, s) : launch_gmem<int32_t>(a, s);
}

extern "C" int laplace_st_reg_shft_launch(const struct laplace_args *a, int wide, void *stream)
{
    const cudaStream_t s = static_cast<cudaStream_t>(stream);
    return wide ? launch_st_reg_shft<int64_t>(a, s) : launch_st_reg_shft<int32_t>(a, s);
}
