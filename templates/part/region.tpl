% -- The points that a launch updates, and its arrays in a table.
% if steps[1] then

/* $boxes_comment */
static int boxes(
    const struct $args *a,
    const struct quern_domain *domain, struct quern_box *list)
{
% if not uses_args then
    (void)a;
% end
    ${count_type} count = quern_whole(domain, list);
% for _, step in ipairs(steps) do

    /* ${step.comment} */
    const struct quern_box ${step.name} = {
        { ${step.lower} },
        { ${step.upper} },
    };
    ${step.result} quern_${step.verb}(domain, list, count, &${step.name});
% end
}
% end

% if slab then
/* The points along ${slab.axis} between the slabs of ${slab.region}: its arrays leave them out. */
static struct quern_hollow hollow_of(
    const struct $args *a)
{
    return quern_between(${slab.extent}, ${slab.lower}, ${slab.upper});
}

/* The arrays: name, data, bytes of an element, is it written, rank, axes; strides, halo, and
 * along each axis points read below and above, points more than the domain, points left out. */
% elseif mesh then
% include "part/mesh"
% else
/* The arrays: name, data, bytes of an element, is it written, rank, axes; strides, halo, and
 * points read below and above along each axis. */
% end
% if not mesh then
static void arrays(
    const struct $args *a, struct quern_array *list)
{
% if slab then
    const struct quern_hollow hollow = hollow_of(a);
% end
    const struct quern_array all[$array_count] = {
        $array_rows
    };
    memcpy(list, all, sizeof all);
}
% end
