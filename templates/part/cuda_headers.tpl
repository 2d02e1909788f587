% -- What a CUDA kernel stands on, whoever compiles it.
#include "$header"
% include "part/launch_header"

#include <math.h>
#include <string.h>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#else
#include "simt.h"
#endif
