/* What n pieces of work take: a + b*n seconds, from the last few that were
 * measured. Medians (Theil and Sen): a third of them may be as wrong as they
 * like. */
#ifndef QUERN_COST_H
#define QUERN_COST_H

#include <stdbool.h>
#include <stddef.h>

enum { QN_COST_SAMPLES = 16 };

struct qn__cost {
    size_t count;               /* measured, ever */
    double n[QN_COST_SAMPLES], seconds[QN_COST_SAMPLES];    /* the last */
    double a, b;                /* of the first `fitted` */
    size_t fitted;
};

void qn__cost_add(struct qn__cost *cost, double n, double seconds);
/* 0 before anything is measured. */
double qn__cost_of(struct qn__cost *cost, double n);

/* A hundredth of all time goes into trying what is expected to take longer: it
 * may take less than it did. Is it time for that, when the best takes `least`
 * seconds and the trial so many more? */
bool qn__trial_due(double *owed, double least, double more);

#endif
