% -- Numbers that know how wrong a kernel may be: plain C, needs the type compute, UNIT
% -- (half the distance from 1 to its next number) and TINY (its least normal number).
/* A value, and what is known of a kernel that computes it in rounded arithmetic.
 *
 * The value is a sum of `terms` terms whose absolute values add up to `magnitude`.
 * Each term may be wrong by its share of `error`; adding them up, in whatever order,
 * rounds every term, as the kernel has it, at most terms - 1 times. So a kernel's
 * result is within error + (terms - 1) * UNIT * (magnitude + error) of the value, for
 * any order of summation and any number of terms, sums of sums as one or one by one,
 * constants multiplied in before or after, multiply-adds fused or not. */
struct number { double value, error, magnitude, terms; };

static inline double bound(struct number a)
{
    return a.terms > 1 ? a.error + (a.terms - 1) * UNIT * (a.magnitude + a.error) : a.error;
}

static inline struct number term(double value, double error)
{
    return (struct number){ value, error, fabs(value), 1 };
}

static inline struct number exact(double value) { return term(value, 0); }
% if needs.nought then

/* Nought, and no kernel takes it for anything else: nor what is multiplied by it. */
static inline int nought(struct number a) { return a.value == 0 && bound(a) == 0; }
% end
% if needs.rounded then

/* A value that the kernel rounds to the compute type. */
static inline struct number rounded(double value) { return term(value, UNIT * fabs(value)); }
% end
% if needs.rounded_once then

/* Numbers and scalars alone are evaluated in double and rounded once. */
static inline struct number rounded_once(struct number a)
{
    if (bound(a) == 0 && (double)(compute)a.value == a.value)
        return a;
    return term(a.value, bound(a) * (0x1p-53 / UNIT) + UNIT * fabs(a.value));
}
% end
% if needs.kept then

/* A value that is rounded to a storage type between two stages. */
static inline struct number kept(struct number a, double relative, double least)
{
    return term(a.value, bound(a) + relative * fabs(a.value) + least);
}
% end
% if needs.add then

static inline struct number add(struct number a, struct number b)
{
    return (struct number){ a.value + b.value, a.error + b.error,
                            a.magnitude + b.magnitude, a.terms + b.terms };
}
% end
% if needs.negative then

static inline struct number negative(struct number a)
{
    return (struct number){ -a.value, a.error, a.magnitude, a.terms };
}
% end
% if needs.closed then

/* A factor that is there before it is multiplied into the terms of a sum. */
static inline struct number closed(struct number a) { return term(a.value, bound(a)); }
% end
% if needs.scaled then

/* A sum times a constant, before or after it is added up: every product is rounded. */
static inline struct number scaled(struct number constant, struct number a)
{
    const double size = fabs(constant.value), magnitude = size * a.magnitude;
    if (magnitude == 0 && (nought(constant) || nought(a)))
        return exact(constant.value * a.value);
    return (struct number){
        constant.value * a.value,
        size * a.error + constant.error * (a.magnitude + a.error)
            + UNIT * magnitude + TINY,
        magnitude, a.terms
    };
}
% end
% if needs.mul then

static inline struct number mul(struct number a, struct number b)
{
    const double value = a.value * b.value, a_bound = bound(a), b_bound = bound(b);
    if (value == 0 && (nought(a) || nought(b)))
        return exact(value);
    return term(value, fabs(a.value) * b_bound + fabs(b.value) * a_bound + a_bound * b_bound
                           + UNIT * fabs(value) + TINY);
}
% end
% if needs.quotient then

/* A quotient, a product with a rounded reciprocal, or a fast division of 2 ulp. */
static inline struct number quotient(struct number a, struct number b)
{
    const double value = a.value / b.value, least = fabs(b.value) - bound(b);
    if (!(least > 0))
        return term(value, INFINITY);
    return term(value, (bound(a) + fabs(value) * bound(b)) / least
                           + 4 * UNIT * fabs(value) + TINY);
}
% end
% if needs.power then

static inline struct number power(struct number a, int exponent)
{
    struct number product = exact(1);
    if (exponent != 0)
        product = a;
    for (int i = abs(exponent); i > 1; i--)
        product = mul(product, a);
    return exponent < 0 ? quotient(exact(1), product) : product;
}
% end
