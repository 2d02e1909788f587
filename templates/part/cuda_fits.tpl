% -- Which offsets a launch needs.
/* Do the offsets of all threads, idle ones too, fit into 32 bits? */
static bool fits_32_bits(
    const struct $args *a)
{
    const struct quern_domain domain = domain_of(a);
% if mesh then
    % include "part/mesh_fits"
% else
    struct quern_array all[$array_count];
    arrays(a, all);
    return quern_fits_32_bits(&domain, all, $array_count, MARGIN);
% end
}
