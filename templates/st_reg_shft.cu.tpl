% -- st_reg_shft: a block of threads walks along the last axis, plane by plane.
% --
% --      plane, seen from above             window of one thread, along the walk
% --
% --            halo above                   front2    read ahead from global memory
% --        +----------------+               front1
% --   halo |  the block's   | halo          current   also in the shared plane
% --   left |     tile       | right         behind1
% --        +----------------+               behind2   left behind at the next plane
% --            halo below
% --
% -- Every thread of a block makes every step: what differs is what it loads and stores.
% include "part/head"
% include "part/cuda_includes"
% for _, part in ipairs(headers) do
% include(part)
% end
% include "part/functions"

% include "part/st_reg_shft_kernel"

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
