% -- semi: the semi-stencil along the last axis. A sum has two phases, R planes apart.
% --
% --            behind3  behind2  behind1   here      forward phase: when its plane is the newest,
% --      sum =    o   +    o   +    o   +   o         what is behind it and beside it
% --            here     front1   front2   front3     backward phase: when the walk gets there,
% --      sum +=            o   +    o   +   o         what is ahead of it
% --
% -- Between the phases it waits in registers, as the planes ahead do: of a column no plane behind
% -- is read. Every thread of a block makes every step: what differs is what it loads and stores.
% include "part/head"
% include "part/cuda_includes"
% for _, part in ipairs(headers) do
% include(part)
% end
% include "part/functions"

% include "part/semi_kernel"

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
