% -- A region of a kernel that serves all: its code, its points, what they ask for.
namespace $space {

% include "part/cuda_sizes"

% include(kernel_text)
% if edge then

% include "part/cuda_edge"
% end
% include "part/region"
% if edge then

% include "part/interior"
% end

/* Why a launch cannot update the points of the region. */
static int check(
    const struct $args *a, char *why, size_t size)
{
    const struct quern_domain domain = domain_of(a);
    % include "part/check_points"
    return 0;
}

/* How many points it has. */
static int64_t points(
    const struct $args *a)
{
    const struct quern_domain domain = domain_of(a);
    struct quern_box list[$most_boxes];
    const int count = $boxes_call;
    return quern_points(&domain, list, count);
}

% include "part/cuda_fits"

/* Adds the boxes of the region. */
static void add_boxes(
    const struct $args *a, quern_regions<$most_all> *regions)
{
    const struct quern_domain domain = domain_of(a);
    struct quern_box list[$most_boxes];
    const int count = $own_boxes;
    for (int b = 0; b < count; b++)
% if slab then
        quern_add_box(regions, &list[b], $number,
                      $blocks)->skipped =
            quern_skipped(hollow_of(a), list[b].lower[${slab.position}]);
% else
        quern_add_box(regions, &list[b], $number,
                      $blocks);
% end
}
% if slab and edge then

% include "part/slab_view"
% end
% if edge then

% include "part/cuda_run_edge"
% end

}
