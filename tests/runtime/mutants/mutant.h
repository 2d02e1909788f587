/* Kernels with one fault each, and the detector that must see it. A file of
 * mutants is one module; ../simt_mutants.c loads it and runs its table. */
#ifndef MUTANT_H
#define MUTANT_H

enum {
    MUTANT_WRONG = -1           /* no error, but the values are not the reference's */
};

struct mutant {
    const char *name;
    int (*run)(void);           /* 0, MUTANT_WRONG or the launch's error */
    int code;                   /* what run must return */
    const char *report;         /* must be part of simt_report(); "" means all of it */
};

#endif
