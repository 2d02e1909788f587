/* What a run of `quern tune` measured: results.jsonl, a line for each. */
#ifndef QUERN_RUN_RESULTS_H
#define QUERN_RUN_RESULTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct results {
    const char *id;                         /* whose lines count, and of */
    char device[128];                       /* which device; "": the first's */
    json_t *lines;                          /* by the candidate's name */
    FILE *file;                             /* locked while it is open */
};

/* Opens the file in this folder and reads it. NULL, or what is wrong, a format
 * for the folder's name. */
const char *results_open(struct results *results, const char *id,
                         const char *device);
/* The line about a candidate, the caller's own, or NULL. */
json_t *results_find(const struct results *results, const char *name);
/* Adds a line to the file. False when it cannot be written. */
bool results_add(struct results *results, json_t *line);
void results_close(struct results *results);

#endif
