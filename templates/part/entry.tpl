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
    % include "part/check_points"
    return 0;
}
% if not prepares then

% include "part/unprepared"
% end
