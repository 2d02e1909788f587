/* When a CUDA launcher takes 32-bit offsets: its file is included whole. */
#include KERNEL_FILE

static wave_r2_args cube(int64_t n)
{
    wave_r2_args a = {};
    a.struct_size = sizeof a;
    for (int axis = 0; axis < 3; axis++) {
        a.n[axis] = a.upper[axis] = n;
        a.u_halo[axis] = a.vp2dt2_halo[axis] = 2;
    }
    a.u_stride[0] = a.vp2dt2_stride[0] = 1;
    a.u_stride[1] = a.vp2dt2_stride[1] = n + 4;
    a.u_stride[2] = a.vp2dt2_stride[2] = (n + 4) * (n + 4);
    return a;
}

int main()
{
    const int64_t sizes[] = { 100, 566, 1200, 1290, 1295, 3000 };
    for (int64_t n : sizes) {
        const wave_r2_args a = cube(n);
        printf("%lld: %s\n", (long long)n, fits_32_bits(&a) ? "32" : "64");
    }
    wave_r2_args wide = cube(100);
    wide.vp2dt2_stride[2] = INT64_C(1) << 31;
    printf("wide stride: %s\n", fits_32_bits(&wide) ? "32" : "64");
    return 0;
}
