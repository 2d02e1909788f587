% -- The launch functions of a CUDA kernel file.
% include "part/cuda_fits"

int ${plan}${pass.suffix}_launch(
    const struct $args *a, ${pass.parameter}void *stream)
{
    if (${pass.refused}${plan}_check(a, NULL, 0))
        return cudaErrorInvalidValue;
% if placed then
    % include "part/placed"
% end
    const cudaStream_t queue = static_cast<cudaStream_t>(stream);
% if edge then
    const bool small = fits_32_bits(a);
    const cudaError_t error = small ? run<int32_t>(${pass.run}) : run<int64_t>(${pass.run});
    if (error != cudaSuccess)
        return error;
    return small ? run_edge<int32_t>(${pass.run}) : run_edge<int64_t>(${pass.run});
% else
    return fits_32_bits(a) ? run<int32_t>(${pass.run}) : run<int64_t>(${pass.run});
% end
}
% if colours then

% include "part/passes"
% end
