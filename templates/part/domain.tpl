% -- What a launch is asked for.
/* The axes, their extents, and the range asked for. */
static struct quern_domain domain_of(
    const struct $args *a)
{
    const struct quern_domain domain = {
        $rank, { $axis_names }, { $range_n },
        { { $range_lower },
          { $range_upper } },
    };
    return domain;
}
