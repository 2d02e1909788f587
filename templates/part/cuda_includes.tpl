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
static const int64_t GRID[$rank] = { $grid_limits };    /* blocks, the device's limits */
static const int64_t TILE[$rank] = { $tile };           /* points that a block updates */
static const int64_t MARGIN[$rank] = { $margin };       /* points of idle threads */
