% -- What a CUDA kernel stands on, and the sizes that the host needs.
% include "part/cuda_headers"

% include "part/cuda_sizes"
% if structs[1] then

/* How far ahead the slots of a row lead, by its kind. */
$structs
% end
