/* What the applications have in common: a clock, bounds that are told, and numbers in commands. */
#ifndef CHECKS_H
#define CHECKS_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Tells what was found, and whether it is within its bound. */
static inline bool line(const char *what, double found, double bound)
{
    const bool well = found <= bound;           /* no NaN is */
    printf("%-52s %9.1e  (at most %.0e) %s\n", what, found, bound, well ? "ok" : "WRONG");
    return well;
}

/* The exit code: 3 where something is wrong, or what was told has got lost. */
static inline int verdict(bool well)
{
    const bool told = fflush(stdout) == 0 && !ferror(stdout);
    if (!told)
        fprintf(stderr, "what was found cannot be written\n");
    return well && told ? 0 : 3;
}

/* The larger of two, and NaN where one is: fmax forgets those. */
static inline double larger(double a, double b)
{
    return b > a || isnan(b) ? b : a;
}

/* Is all of a word a number from 0 to 10^9? */
static inline bool read_count(const char *word, int *count)
{
    char *end;
    const long found = strtol(word, &end, 10);
    *count = found < 0 || found > 1000000000 ? -1 : (int)found;
    return end != word && *end == '\0' && *count >= 0;
}

/* Is all of a word a finite number, from 0 on? */
static inline bool read_number(const char *word, double *number)
{
    char *end;
    *number = strtod(word, &end);
    return end != word && *end == '\0' && *number >= 0 && isfinite(*number);
}

#endif
