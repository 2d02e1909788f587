% -- Functions that C has not, where the block calls them.
% if signs then

/* -1, 0 or 1; 0 for what is not a number. */
% if on_device then
static __device__ __forceinline__
% else
static inline
% end
$compute ${sign_name}($compute value)
{
    return ($compute)((value > 0) - (value < 0));
}
% end
