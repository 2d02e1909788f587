% -- The shared memory that a launch asked for; simt.h has the same function.

#ifdef __CUDACC__
template <typename T> static __device__ __forceinline__ T *dynamic_shared()
{
    extern __shared__ __align__(16) unsigned char quern_dynamic[];
    return reinterpret_cast<T *>(quern_dynamic);
}
#endif
