/* Stands in for cuda_runtime.h so that a C++ compiler can build the CUDA text
 * that Quern emits, and any CPU can run it: CI without a GPU executes every
 * GPU kernel. A thread block is a set of fibres on one core (simt/block.h).
 * With SIMT_DETECT every launch is checked (simt/detect.h); simt/README.md
 * lists the vocabulary, the flags and what each detector finds. */
#ifndef QUERN_SIMT_H
#define QUERN_SIMT_H

#if !defined(__cplusplus) || __cplusplus < 201703L
#error "simt.h needs C++17: compile with -x c++ -std=c++17"
#endif

/* Of mathematics only what C has: where g++ has Bessel's functions and their
 * like, compilers spend more time on reading them than on a whole kernel. */
#include <cstddef>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All state belongs to one module: hidden, or modules would share it. */
#define SIMT_HIDDEN __attribute__((visibility("hidden")))

/* What kernels share is compiled with each file, or (SIMT_KERNELS) once for a
 * module and with flags of its own: simt/rest.cpp, which is linked with them.
 * (A compiler that optimises would inline every such function.) */
#if defined(SIMT_KERNELS) && defined(__OPTIMIZE__)
#error "SIMT_KERNELS is for kernels that are not optimised: -O0"
#elif defined(SIMT_KERNELS)
#define SIMT_INLINE extern inline __attribute__((gnu_inline))
#elif defined(SIMT_REST)
#define SIMT_INLINE
#else
#define SIMT_INLINE inline
#endif

/* Runs often and is not the kernel: detector builds do not instrument it. */
#define SIMT_BARE __attribute__((no_sanitize("address", "undefined")))

/* Kernels are static so that their shared arrays are plain objects of one
 * file, which is what the detector's instrumentation can see. */
#define __global__ static
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#ifdef SIMT_DETECT              /* one core runs all blocks */
#define __shared__ static __attribute__((used))
#define SIMT_CORE
#else
#define __shared__ static thread_local
#define SIMT_CORE thread_local
#endif

extern "C" {                    /* the loader calls these */
void simt_register(void *start, size_t bytes);
void simt_unregister(void *start);
const char *simt_report(void);
}

#include "simt/types.h"
#include "simt/report.h"
#include "simt/fibre.h"
#ifdef SIMT_DETECT
#include "simt/memory.h"
#endif
#include "simt/block.h"
#ifdef SIMT_DETECT
#include "simt/detect.h"
#include "simt/adds.h"
#ifndef SIMT_KERNELS
#include "simt/sanitize.h"
#endif
#else
#include "simt/fast.h"
#endif
#include "simt/launch.h"
#include "simt/async.h"
#include "simt/steps.h"
#include "simt/fetch.h"
#include "simt/device.h"
#include "simt/host.h"

#endif
