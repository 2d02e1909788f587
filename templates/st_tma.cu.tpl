% -- st_tma: the tensor unit copies planes ahead into rings in shared memory, a block of
% -- threads follows it along the last axis.
% --
% --      a ring, plane by plane                      one thread
% --
% --      | .. | here | .. | newest | ahead |         16 bytes of points along the first axis,
% --         ^ freed after each step                  on some rows; its own column in registers
% --
% -- Every thread of a block makes every step: what is not updated is not stored.
% include "part/head"
% include "part/cuda_includes"
% include "part/cuda_async"
% if waves then
#include "quern_steps.h"

#if QUERN_STEPS != 3
#error "quern_steps.h is of another version of Quern: regenerate with gen/quern"
#endif
% end
% include "part/functions"
% for _, walk in ipairs(walks) do

% include "part/cuda_walk", walk
% end

% if edge then
% include "part/cuda_edge"

% end
% include "part/boxes"
% if edge then

% include "part/interior"
% end

% include "part/cuda_tensors"

% include "part/cuda_shared"

% for _, walk in ipairs(walks) do
% include "part/cuda_run_boxes", walk

% end
% include "part/entry"

% include "part/points"

% include "part/cuda_run_walks"

% if edge then
% include "part/cuda_run_edge"

% end
% include "part/cuda_launch"
