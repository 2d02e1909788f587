/* What every test in C prints: TAP. */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>

#include "quern.h"

extern bool hasty;                  /* end with the first that fails */

__attribute__((format(printf, 2, 3)))
void ok(bool good, const char *format, ...);
/* A step that later tests stand on. */
void must(enum qn_status status);
/* The status and part of the sentence are what was wanted. */
void fails(enum qn_status status, enum qn_status wanted, const char *sentence,
           const char *what);
int done(void);                     /* the plan; the exit code */

#endif
