/* What a hand-written loop is given, and how the program that times it finds it. */
#ifndef BENCH_CASE_H
#define BENCH_CASE_H

#include <stdint.h>

/* A hand-written loop; args are the instance's, as for the generated kernels. */
typedef void hand_loop(const void *args);

hand_loop hand_heat, hand_acoustic_inner, hand_acoustic_whole, hand_elastic_velocity,
    hand_elastic_stress;

static inline int64_t least(int64_t p, int64_t q)
{
    return p < q ? p : q;
}

#endif
