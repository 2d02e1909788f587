% -- Fields that are stored in a shell along one axis only.
/* How many of n points a slab has that is so wide. */
static inline int64_t slab(int64_t width, int64_t n)
{
    return width < 0 ? 0 : width > n ? n : width;
}
% for _, s in ipairs(slabs) do

/* The points of ${s.axis} that ${s.name} has. */
static inline int64_t points_in_${s.name}(const struct $args *a)
{
    const int64_t n = ${s.extent};
    const int64_t both = slab(${s.low}, n) + slab(${s.high}, n);
    return both < n ? both : n;
}

/* Where its array has the point i: counted from the low face, or back from the high one. */
static inline int64_t place_in_${s.name}(const struct $args *a, int64_t i)
{
    const int64_t n = ${s.extent};
    return i < slab(${s.low}, n) ? i : points_in_${s.name}(a) - (n - i);
}
% end
