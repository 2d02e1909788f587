/* What ends a program that cannot go on, with exit code 3. Before it is included PROGRAM is
 * defined: its name. */
#ifndef MUST_H
#define MUST_H

#include <stdio.h>
#include <stdlib.h>

#include "quern.h"

static inline void must(enum qn_status status)
{
    if (status == QN_OK)
        return;
    fprintf(stderr, PROGRAM ": %s\n", qn_last_error());
    exit(3);
}

/* Memory for so many, all 0; never NULL. */
static inline void *room(size_t count, size_t size)
{
    void *const made = calloc(count ? count : 1, size);
    if (made)
        return made;
    fprintf(stderr, PROGRAM ": no memory for %zu elements\n", count);
    exit(3);
}

#endif
