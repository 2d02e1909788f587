% -- What check asks about the shared memory of a launch.
/* The shared memory that a block of the current device may have, -1 where there is none. */
static int64_t most_shared()
{
    int device = 0, bytes = 0;
    const bool known = cudaGetDevice(&device) == cudaSuccess
        && cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                  device) == cudaSuccess;
    return known ? bytes : -1;
}
