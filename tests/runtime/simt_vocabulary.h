/* The interface of simt_vocabulary.cu, as an emitted header would have it. */
#ifndef SIMT_VOCABULARY_H
#define SIMT_VOCABULARY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct laplace_args {
    int64_t n[3], stride[3];
    const float *u;             /* the point (0, 0, 0); a halo of two points is stored */
    float *v;
    double w[3];
};

int laplace_gmem_launch(const struct laplace_args *args, int wide, void *stream);
int laplace_st_reg_shft_launch(const struct laplace_args *args, int wide, void *stream);

#ifdef __cplusplus
}
#endif
#endif
