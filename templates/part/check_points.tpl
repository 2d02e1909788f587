% -- Part of check: what the points of a launch ask for.
struct quern_box list[$most_boxes];
const int count = $boxes_call;
if (count == 0)
    return 0;
% for _, l in ipairs(least) do
if (quern_check_least("${l.axis}", ${l.extent}, ${l.points}, why, size))
    return 1;
% end
% if placed then
% include "part/placed"
% end
% for _, t in ipairs(temporaries) do
if (quern_check_temporary("${t.name}", a->${t.member}, ${workspace}(a), why, size))
    return 1;
% end
% if mesh then
% include "part/mesh_check"
% else
struct quern_array all[$array_count];
arrays(a, all);
if (quern_check_arrays(&domain, list, count, all, $array_count, why, size))
    return 1;
% end
% if images[1] then
static const struct quern_image images[] = {
    $images
};
if (quern_check_images(&domain, list, count, images, ${#images}, why, size))
    return 1;
% end
% for _, w in ipairs(periods) do
if (quern_check_ring(&domain, "${w.field}", ${w.axis}, ${w.multiple}, why, size))
    return 1;
% end
% for _, part in ipairs(more_checks) do
% include(part)
% end
