/* Compiles where NVIDIA's header is: driver.h says the same as cuda.h. */
#include <cuda.h>

#include "driver.h"

#define SAME(mine, theirs) \
    _Static_assert(offsetof(struct driver_copy, mine) \
                   == offsetof(CUDA_MEMCPY2D, theirs), #theirs)
SAME(from_x, srcXInBytes);
SAME(from_kind, srcMemoryType);
SAME(from_host, srcHost);
SAME(from_device, srcDevice);
SAME(from_array, srcArray);
SAME(from_pitch, srcPitch);
SAME(to_x, dstXInBytes);
SAME(to_y, dstY);
SAME(to_kind, dstMemoryType);
SAME(to_host, dstHost);
SAME(to_device, dstDevice);
SAME(to_pitch, dstPitch);
SAME(width, WidthInBytes);
SAME(height, Height);
_Static_assert(sizeof(struct driver_copy) == sizeof(CUDA_MEMCPY2D), "size");
_Static_assert(sizeof(driver_address) == sizeof(CUdeviceptr), "CUdeviceptr");
_Static_assert(DRIVER_HOST == CU_MEMORYTYPE_HOST, "host");
_Static_assert(DRIVER_DEVICE == CU_MEMORYTYPE_DEVICE, "device");
_Static_assert(DRIVER_MAJOR == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, "major");
_Static_assert(DRIVER_MINOR == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, "minor");
_Static_assert(DRIVER_NO_MEMORY == CUDA_ERROR_OUT_OF_MEMORY, "memory");
_Static_assert(DRIVER_STUB == CUDA_ERROR_STUB_LIBRARY, "stub");
_Static_assert(DRIVER_NO_DEVICE == CUDA_ERROR_NO_DEVICE, "no device");
_Static_assert(DRIVER_NOT_READY == CUDA_ERROR_NOT_READY, "not ready");
