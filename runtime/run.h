/* What the files of quern-run share. */
#ifndef QUERN_RUN_H
#define QUERN_RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "quern.h"

/* A shared object that stays loaded, and the file that it came of. */
struct loaded {
    void *handle;
    struct stat file;
};

/* A context is kept for the next request: opening a device takes long. So are
 * the last shared objects: to load one takes as long as to try a few points. */
struct session {
    char name[32];
    struct qn_context *context, *host;      /* as asked for; for references */
    struct loaded module, reference;
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
/* Keeps no shared object loaded. */
void run_drop(struct session *session);
struct qn_kernel *run_kernel(struct request *request, struct qn_module *module);
bool run_settings(struct request *request, struct qn_module *module);
void run_put(struct request *request, const char *key, json_t *value);
/* A number as JSON can hold it: NaN and infinities are texts. */
json_t *run_real(double value);

/* run_mesh.c */

/* Makes the mesh that is asked for, resizes the module, n being its extents
 * where the mesh says nothing, and connects its tables. */
bool run_mesh(struct request *request, struct qn_module *module, int64_t *n);

/* The entries of tables of a mesh. */
void run_tables(struct request *request);

/* run_check.c, run_list.c, run_data.c */

void run_check(struct request *request);
void run_bench(struct request *request);
void run_device(struct request *request);
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

/* run_search.c */

/* What may be timed, and what is known of it. */
struct candidate {
    const char *name, *shape, *module;
    const json_t *params;                   /* names to texts */
    bool tried;
    double seconds;                         /* INFINITY: it cannot be had */
};

/* The candidate to try next; count: none is left. */
size_t run_search(const struct candidate *list, size_t count);
/* The fastest that was tried; count: none. */
size_t run_fastest(const struct candidate *list, size_t count);

/* run_make.c */

/* False when the candidate's module is not there and cannot be made. */
bool run_make(const struct candidate *candidate);

/* run_tune.c */

/* Times the candidates of a folder that `quern tune` prepared: at most so many
 * of each task, 0: as many as it says itself; replay: only takes what is known,
 * whatever the device. An exit code. */
int run_tune(struct worker *worker, const char *folder, int most, bool replay);

/* One answer, or NULL; the caller frees it. failed: a device failed, or nothing
 * came in time. */
char *run_ask(struct worker *worker, const char *line, bool *failed);
/* Waits for the child's end; its status as waitpid gives it. */
int run_finish(struct worker *worker);

#endif
