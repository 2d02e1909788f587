% -- What the oracle says of one place: a value, and how far a right kernel may be from it.
static void set(double *value, double *bounds, int64_t at, struct number a, double relative,
                double least)
{
    value[at] = a.value;
    bounds[at] = SLACK * (bound(a) + TINY) + relative * fabs(a.value) + least;
}
