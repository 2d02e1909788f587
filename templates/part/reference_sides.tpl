% -- Which sides a reference's choices have taken; needs reference_condition.
/* The sides that the choices of the formulas have taken: 1, where the condition held, and 2,
 * where it did not. In doubt it is neither. */
extern unsigned char ${plan}_sides[$choices];
unsigned char ${plan}_sides[$choices];

static inline struct condition noted(int choice, struct condition which)
{
    if (!which.doubt)
        ${plan}_sides[choice] |= which.value ? 1 : 2;
    return which;
}
