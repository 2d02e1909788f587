% -- st_smem: a block of threads walks along the last axis; all planes that a step reads lie in
% -- shared memory.
% --
% --      step 1     | z - 1 |   z   | z + 1 |        a plane stays where it is, its role changes:
% --      step 2     | z + 1 | z - 1 |   z   |        the newest takes the place of the oldest
% --      step 3     |   z   | z + 1 | z - 1 |
% --
% -- The walk is unrolled as many times as there are planes, so that every index is a number.
% -- Every thread of a block makes every step: what differs is what it loads and stores.
% include "part/head"
% include "part/cuda_includes"
% for _, part in ipairs(headers) do
% include(part)
% end
% include "part/functions"

% include "part/st_smem_kernel"

% if edge then
% include "part/cuda_edge"

% end
% include "part/boxes"
% if edge then

% include "part/interior"
% end

% include "part/cuda_shared"

% include "part/entry"

% include "part/points"

% include "part/cuda_run"
