% -- Functions that C has not, for device and host alike, where something calls them.
% for _, f in ipairs(functions) do

/* -1, 0 or 1; 0 for what is not a number. */
% if on_device then
static __host__ __device__ __forceinline__
% else
static inline
% end
${f.type} ${f.name}(${f.type} value)
{
    return (${f.type})((value > 0) - (value < 0));
}
% end
