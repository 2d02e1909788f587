% -- Which points are next to faces without a halo, and which are not.
/* The box from which no read crosses a face without a halo. */
static struct quern_box interior_of(
    const struct $args *a)
{
    const struct quern_box interior = {
        { ${edge.lower} },
        { ${edge.upper} },
    };
    return interior;
}

/* The part of the boxes there; returns how many. */
static int interior_boxes(
    const struct $args *a,
    const struct quern_domain *domain, struct quern_box *list)
{
    const struct quern_box interior = interior_of(a);
    return quern_keep(domain, list, $boxes_within, &interior);
}

/* The rest of them. */
static int edge_boxes(
    const struct $args *a,
    const struct quern_domain *domain, struct quern_box *list)
{
    const struct quern_box interior = interior_of(a);
    return quern_cut(domain, list, $boxes_within, &interior);
}
