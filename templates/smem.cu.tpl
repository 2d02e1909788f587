% -- smem_u, smem_eta_3, smem_eta_1: one thread per point; some buffers are read from a tile
% -- in shared memory, which the block fills first.
% --
% --            halo above
% --        +----------------+
% --   halo |   one thread   | halo      along each axis its first threads fetch both sides
% --  below |    a point     | above     (smem_u, smem_eta_3), or the first threads along x
% --        +----------------+           one plane of a side each (smem_eta_1)
% --            halo below
% --
% -- Every thread reaches the barrier: threads beyond the end fetch what others read.
% include "part/head"
% include "part/cuda_includes"
% include "part/functions"
% if dynamic then
% include "part/cuda_dynamic"
% end

% include "part/smem_kernel"

% if edge then
% include "part/cuda_edge"

% end
% include "part/boxes"
% if edge then

% include "part/interior"
% end

% if dynamic then
% include "part/cuda_shared"

% end
% include "part/entry"

% include "part/points"

% include "part/cuda_run"
