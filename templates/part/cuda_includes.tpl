% -- What a CUDA kernel stands on, whoever compiles it, and the sizes that the host needs.
#include "$header"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#else
#include "simt.h"
#endif

#define LARGEST (INT64_C(1) << 40)      /* no extent or halo is larger */

static const char *const AXIS[$rank] = { $axis_names };

/* Along each axis: points that a block updates, points that its idle threads lie beyond a
 * box at most, and blocks that a device launches at most. */
static const int64_t TILE[$rank] = { $tile };
static const int64_t MARGIN[$rank] = { $margin };
static const int64_t GRID[$rank] = { $grid_limits };
