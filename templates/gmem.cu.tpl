% -- gmem: one thread per point; every value is read from global memory and the
% -- caches do the rest. Any loads, any rank.
% include "part/head"
% include "part/cuda_includes"
% include "part/functions"

% include "part/gmem_kernel"

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
