% -- What every kernel file offers beside its launch.
int ${plan}_check(
    const struct $args *a, char *why, size_t size)
{
    if (quern_check_size(a == NULL ? 0 : a->struct_size, sizeof *a, why, size))
        return 1;
    const struct quern_domain domain = domain_of(a);
    if (quern_check_domain(&domain, why, size))
        return 1;
% for _, scalar in ipairs(bound_scalars) do
    if (quern_check_bound("${scalar.name}", a->${scalar.member}, why, size))
        return 1;
% end
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
    return 0;
}
% if not prepares then

size_t ${plan}_workspace(
    const struct $args *a)
% if placed then
{ return ${workspace}(a); }
% else
{ (void)a; return 0; }
% end

int ${plan}_prepare(
    const struct $args *a, void *stream)
{ (void)a; (void)stream; return 0; }
% end
