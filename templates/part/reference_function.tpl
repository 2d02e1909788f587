% -- Functions of numbers that are known only within a bound: plain C, needs
% -- reference_number. LIBRARY is how wrong a library function may be.
#define LIBRARY (16 * UNIT)     /* 8 ulp */
% if needs.absolute then

static inline struct number absolute(struct number a) { return term(fabs(a.value), bound(a)); }
% end
% if needs.monotone then

/* A function that only rises or only falls between low and high, outside of which it has
 * no value: the ends of what the argument may be are the ends of the result. */
static inline struct number monotone(double (*f)(double), struct number a, double low,
                                     double high)
{
    const double value = f(a.value), doubt = bound(a);
    const double first = f(fmax(a.value - doubt, low)), last = f(fmin(a.value + doubt, high));
    const double reach = doubt > 0 ? fmax(fabs(first - value), fabs(last - value)) : 0;
    return term(value, reach + LIBRARY * fabs(value) + TINY);
}
% end
% if needs.wave then

/* sin and cos: as steep as 1 at most. */
static inline struct number wave(double (*f)(double), struct number a)
{
    const double value = f(a.value);
    return term(value, bound(a) + LIBRARY * fabs(value) + TINY);
}
% end
% if needs.tangent then

/* tan falls only across a pole; then nothing is known. */
static inline struct number tangent(struct number a)
{
    const double doubt = bound(a);
    const int pole = tan(a.value + doubt) < tan(a.value - doubt) || doubt > 1;
    return pole ? term(tan(a.value), INFINITY) : monotone(tan, a, -INFINITY, INFINITY);
}
% end
% if needs.sign_of then

static inline double sign_of(double a) { return (a > 0) - (a < 0); }
% end
% if needs.step then

/* floor, ceil and the sign: any step that the argument may have taken. */
static inline struct number step(double (*f)(double), struct number a)
{
    const double value = f(a.value), doubt = bound(a);
    const double down = value - f(a.value - doubt), up = f(a.value + doubt) - value;
    return term(value, fmax(down, up));
}
% end
% if needs.angle then

/* atan2: the way around the origin, and all of it across the cut. */
static inline struct number angle(struct number y, struct number x)
{
    const double value = atan2(y.value, x.value), dy = bound(y), dx = bound(x);
    const double away = hypot(fmax(fabs(y.value) - dy, 0), fmax(fabs(x.value) - dx, 0));
    const int cut = dy >= fabs(y.value) && dy > 0 && x.value - dx < 0;
    const double reach = cut ? 6.3 : dx + dy > 0 ? (dx + dy) / away : 0;
    return term(value, reach + LIBRARY * fabs(value) + TINY);
}
% end
% if needs.raised then

/* pow rises or falls along each argument: its ends are at the corners. */
static inline struct number raised(struct number a, struct number b)
{
    const double value = pow(a.value, b.value), da = bound(a), db = bound(b);
    double reach = 0;
    for (int corner = 0; corner < 4; corner++) {
        const double base = a.value + (corner & 1 ? da : -da);
        const double exponent = b.value + (corner & 2 ? db : -db);
        reach = fmax(reach, fabs(pow(fmax(base, 0), exponent) - value));
    }
    return term(value, (da + db > 0 ? reach : 0) + LIBRARY * fabs(value) + TINY);
}
% end
