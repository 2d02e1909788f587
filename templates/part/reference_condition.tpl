% -- Conditions and steps of numbers that are known only within a bound: plain C,
% -- needs reference_number.
/* A condition whose sides differ by less than their bounds is in doubt: a kernel may
 * take either branch. `value` is what the condition is in double. */
struct condition { int value, doubt; };

static inline struct condition difference(struct number a, struct number b, int value)
{
    const double doubt = bound(a) + bound(b);
    return (struct condition){ value, doubt > 0 && fabs(a.value - b.value) <= doubt };
}
% for _, c in ipairs(needs.comparisons) do

static inline struct condition ${c.name}(struct number a, struct number b)
{
    return difference(a, b, a.value ${c.op} b.value);
}
% end
% if needs.alike then

/* Points are the same or not, without doubt. */
static inline struct condition alike(int64_t a, int64_t b)
{
    return (struct condition){ a == b, 0 };
}
% end
% if needs.negation then

static inline struct condition negation(struct condition a)
{
    return (struct condition){ !a.value, a.doubt };
}
% end
% if needs.both then

/* In doubt unless a side that is sure decides. */
static inline struct condition both(struct condition a, struct condition b)
{
    const int decided = (!a.value && !a.doubt) || (!b.value && !b.doubt);
    return (struct condition){ a.value && b.value, !decided && (a.doubt || b.doubt) };
}
% end
% if needs.either then

static inline struct condition either(struct condition a, struct condition b)
{
    return negation(both(negation(a), negation(b)));
}
% end
% if needs.choose then

/* The branch taken; in doubt, the bound reaches to the other one's. A branch that
 * has no finite value is never excused by doubt. */
static inline struct number choose(struct condition which, struct number a, struct number b)
{
    const struct number taken = which.value ? a : b, other = which.value ? b : a;
    if (!which.doubt || !isfinite(other.value) || !isfinite(bound(other)))
        return taken;
    const double reach = fabs(other.value - taken.value) + bound(other);
    return term(taken.value, fmax(bound(taken), reach));
}
% end
