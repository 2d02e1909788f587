/* What validate.c compares: a kernel and its reference, each with arrays of the
 * same data in a state of its own. */
#ifndef QUERN_TRIAL_H
#define QUERN_TRIAL_H

#include "internal.h"

/* One buffer: the array before the launch, in host memory. */
struct qn__image {
    int field, buffer;
    bool read, written;
    unsigned char *before;
};

struct qn__trial {
    struct qn_kernel *kernel, *reference;   /* reference: its kernel */
    struct qn__state kernel_user, reference_user;   /* the users' states */
    struct qn__image *images;           /* all buffers of all fields */
    int image_count;
    double **value, **bound;        /* the reference's, per field, or NULL */
    uint64_t seed;
    struct qn_validation *result;
};

/* Makes the fields of both modules, fills them, and makes the results of the
 * reference: bounds of -1, nothing assigned. */
enum qn_status qn__trial_make(struct qn__trial *trial);
/* passes.c: after the kernel's launch, the reference's, pass by pass. */
enum qn_status qn__trial_passes(struct qn__trial *trial);
void qn__trial_free(struct qn__trial *trial);

#endif
