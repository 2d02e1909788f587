/* What the files of quern-run share. */
#ifndef QUERN_RUN_H
#define QUERN_RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "quern.h"

/* A context is kept for the next request: opening a device takes long. */
struct session {
    char name[32];
    struct qn_context *context, *host;      /* as asked for; for references */
    bool failed;                            /* a device failed: start anew */
};

/* One request being served. The first fault fills in status and problem. */
struct request {
    struct session *session;
    json_t *asked, *answer;
    bool well;
};

/* run_request.c */

void run_fault(struct request *request, const char *status,
               const char *format, ...);
bool run_status(struct request *request, enum qn_status status);
/* The text under key, which must be there. */
const char *run_text(struct request *request, const char *key);
double run_number(struct request *request, const char *key, double otherwise);
struct qn_context *run_context(struct request *request);
/* Loaded, with the extents, sub-range and scalars of the request; or NULL. */
struct qn_module *run_module(struct request *request, const char *key,
                             struct qn_context *context);
struct qn_kernel *run_kernel(struct request *request, struct qn_module *module);
bool run_settings(struct request *request, struct qn_module *module);
void run_put(struct request *request, const char *key, json_t *value);
/* A number as JSON can hold it: NaN and infinities are texts. */
json_t *run_real(double value);

/* run_check.c, run_list.c, run_data.c */

void run_check(struct request *request);
void run_bench(struct request *request);
void run_list(struct request *request);
void run_data(struct request *request);

/* run_serve.c */

/* Answers one line; the caller frees what it gets. */
char *run_serve(struct session *session, const char *line);
/* The answer to a line whose worker is gone; the caller frees it. */
char *run_excuse(const char *line, const char *problem);
void run_close(struct session *session);

/* run_worker.c */

struct worker {
    pid_t process;                          /* 0: none */
    int patience;                           /* seconds for a request; 0: all */
    FILE *requests, *answers;
};

/* Prints one answer. True when a device failed, or nothing came in time. */
bool run_ask(struct worker *worker, const char *line);
/* Waits for the child's end; its status as waitpid gives it. */
int run_finish(struct worker *worker);

#endif
