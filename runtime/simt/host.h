/* What launchers and small host programs call. Device memory is host memory. */
#ifndef QUERN_SIMT_HOST_H
#define QUERN_SIMT_HOST_H

static inline cudaError_t cudaPeekAtLastError() { return simt::last_error; }

static inline cudaError_t cudaGetLastError() {
    cudaError_t error = simt::last_error;
    simt::last_error = cudaSuccess;
    return error;
}

static inline const char *cudaGetErrorString(cudaError_t error) {
    switch (error) {
    case cudaSuccess: return "no error";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorIllegalAddress: return "an illegal memory access";
    case cudaErrorMisalignedAddress: return "misaligned address";
    case cudaErrorLaunchFailure: return "unspecified launch failure";
    }
    return "unrecognized error code";
}

static inline cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}

static inline cudaError_t cudaDeviceGetAttribute(int *value,
                                                 cudaDeviceAttr what,
                                                 int device) {
    *value = what == cudaDevAttrMultiProcessorCount
        ? int(simt::MULTIPROCESSORS) : int(simt::MOST_SHARED);
    return device == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

template <typename T> cudaError_t cudaMalloc(T **pointer, size_t bytes) {
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    void *memory;
    if (posix_memalign(&memory, 256, bytes) != 0)
        return cudaErrorMemoryAllocation;
    simt_register(memory, bytes);
    *pointer = static_cast<T *>(memory);
    return cudaSuccess;
}

static inline cudaError_t cudaFree(void *pointer) {
    simt_unregister(pointer);
    free(pointer);
    return cudaSuccess;
}

static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                                     cudaMemcpyKind) {
    memmove(to, from, bytes);
    return cudaSuccess;
}

static inline cudaError_t cudaMemcpyAsync(void *to, const void *from,
                                          size_t bytes, cudaMemcpyKind kind,
                                          cudaStream_t = nullptr) {
    return cudaMemcpy(to, from, bytes, kind);
}

static inline cudaError_t cudaMemset(void *to, int value, size_t bytes) {
    memset(to, value, bytes);
    return cudaSuccess;
}

static inline cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes,
                                          cudaStream_t = nullptr) {
    return cudaMemset(to, value, bytes);
}

template <typename... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *count, void (*)(P...), int threads, size_t shared) {
    *count = int(simt::resident(unsigned(threads), shared));
    return cudaSuccess;
}

static inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
static inline cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return cudaSuccess;
}

#endif
