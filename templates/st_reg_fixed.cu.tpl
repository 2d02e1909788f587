% -- st_reg_fixed: as st_reg_shft, but no value moves from register to register.
% --
% --      step 1     u_0: z - 1   u_1: z       u_2: z + 1      a value stays where it is, its
% --      step 2     u_0: z + 1   u_1: z - 1   u_2: z          role changes: the newest takes
% --      step 3     u_0: z       u_1: z + 1   u_2: z - 1      the place of the oldest
% --
% -- The walk is unrolled as many times as the longest window has planes. Every thread of a block
% -- makes every step: what differs is what it loads and stores.
% include "part/head"
% include "part/cuda_includes"
% for _, part in ipairs(headers) do
% include(part)
% end
% include "part/functions"

% include "part/st_reg_fixed_kernel"

% if edge then
% include "part/cuda_edge"

% end
% include "part/boxes"
% if edge then

% include "part/interior"
% end

% include "part/entry"

% include "part/points"

% include "part/cuda_run"
