% -- One launch for all regions of a kernel, whatever its shape.
% --
% --      | boxes of one region | boxes of the next |       the number of a block says which
% --      |---|-------|---|-----|-------------------|       box it works on, and so which code
% --        blocks 0, 1, 2, ..                              it runs
% --
% -- Each region is a namespace: its code as a function, its boxes, what they ask for.
% include "part/head"
% include "part/cuda_headers"

#include "quern_together.h"

#if QUERN_TOGETHER != 2
#error "quern_together.h is of another version of Quern: regenerate with gen/quern"
#endif
% for _, part in ipairs(headers) do
% include(part)
% end
% include "part/functions"

% include "part/domain"
% if dynamic then

% include "part/cuda_shared"
% end
% for _, region in ipairs(regions) do

/* Region ${region.name}. */
% include "part/together_region", region
% end
% if dynamic then

/* The shared memory of a block, whichever region it is of. */
namespace {
union shared_planes {
% for _, region in ipairs(sharing) do
    ${region.space}::shared_planes ${region.space};
% end
};
}
% end

/* A block updates points of one box, so of one region. */
template <typename index_t>
__global__ void __launch_bounds__($threads)
${plan}_kernel(
    const __grid_constant__ quern_regions<$most_all> regions,
    $parameters)
{
    const quern_region_box &box = quern_find(regions, blockIdx.x);
    const dim3 block = quern_place(box, blockIdx.x);
    $ends

    switch (box.region) {
% for _, region in ipairs(regions) do
    case ${region.number}:
        ${region.space}::update<index_t>(
            block,
            ${region.call});
        break;
% end
    }
}

% include "part/together_host"
