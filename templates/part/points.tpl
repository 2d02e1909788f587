% -- How many points a launch updates.
int64_t ${plan}_points(
    const struct $args *a)
{
    const struct quern_domain domain = domain_of(a);
    struct quern_box list[$most_boxes];
    const int count = $boxes_call;
    return quern_points(&domain, list, count);
}
