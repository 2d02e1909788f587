% -- Arrays that leave out the points between two slabs, as a box of one slab sees them.
/* Arguments with which a point of the box lies in every array where its index says: in front
 * of the high slab they have fewer points than the domain. */
static struct $args seen_from(
    const struct $args *a, const struct quern_box *box)
{
    struct $args seen = *a;
    const int64_t skipped = quern_skipped(hollow_of(a), box->lower[${slab.position}]);
    ${slab.moved}
    return seen;
}
