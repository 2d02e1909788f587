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
    unsigned char *after;               /* a launch of several steps */
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
/* steps.c: after the launch of a kernel that makes several steps, the same
 * steps one by one; compares. */
enum qn_status qn__trial_steps(struct qn__trial *trial);
/* What a launch left of one array, with what the reference said last where
 * `results`; elsewhere nothing may have changed. */
void qn__trial_compare(struct qn__trial *trial, const struct qn__image *image,
                       const unsigned char *after, bool results);
void qn__trial_free(struct qn__trial *trial);

#endif
