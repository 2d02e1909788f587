/* The child that does the work, so that a kernel that crashes or hangs costs
 * its own answer and no other: the next request gets a new child. The parent
 * never touches a device. */
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

enum { KEEP = 'k', LAST = 'l' };

/* The child: each answer is preceded by KEEP, or by LAST when it then ends. */
static int work(FILE *requests, FILE *answers)
{
    struct session session = { 0 };
    char *line = NULL;
    size_t size = 0;
    while (!session.failed && getline(&line, &size, requests) > 0) {
        char *const text = run_serve(&session, line);
        fprintf(answers, "%c%s\n", session.failed ? LAST : KEEP,
                text ? text : "{}");
        fflush(answers);
        free(text);
    }
    free(line);
    if (!session.failed)
        run_close(&session);
    return 0;
}

static void close_pipe(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

/* A kernel that hangs would go on for ever. */
static void die_with_parent(void)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

static bool start(struct worker *worker)
{
    int down[2], up[2];
    if (pipe(down) != 0)
        return false;
    if (pipe(up) != 0) {
        close_pipe(down);
        return false;
    }
    fflush(stdout);
    worker->process = fork();
    if (worker->process == 0) {
        die_with_parent();
        close(down[1]);
        close(up[0]);
        _exit(work(fdopen(down[0], "r"), fdopen(up[1], "w")));
    }
    if (worker->process < 0) {
        worker->process = 0;
        close_pipe(down);
        close_pipe(up);
        return false;
    }
    close(down[0]);
    close(up[1]);
    worker->requests = fdopen(down[1], "w");
    worker->answers = fdopen(up[0], "r");
    return worker->requests && worker->answers;
}

int run_finish(struct worker *worker)
{
    int status = 0;
    if (!worker->process)
        return 0;
    fclose(worker->requests);
    fclose(worker->answers);
    while (waitpid(worker->process, &status, 0) < 0 && errno == EINTR)
        continue;
    worker->process = 0;
    return status;
}

/* Why there is no answer. */
static const char *ending(const struct worker *worker, bool late, int status,
                          char *text, size_t size)
{
    if (late)
        snprintf(text, size, "no answer within %d s", worker->patience);
    else if (WIFSIGNALED(status))
        snprintf(text, size, "the kernel crashed: %s",
                 strsignal(WTERMSIG(status)));
    else
        snprintf(text, size, "the kernel ended the program");
    return text;
}

/* False when the child gives nothing in time. */
static bool wait_for(const struct worker *worker)
{
    struct pollfd answers = { .fd = fileno(worker->answers), .events = POLLIN };
    const int limit = worker->patience > 0 ? 1000 * worker->patience : -1;
    int ready;
    do
        ready = poll(&answers, 1, limit);
    while (ready < 0 && errno == EINTR);
    return ready != 0;
}

/* The answer in place of a child that gave none; the child is gone. */
static char *bury(struct worker *worker, const char *line, bool late)
{
    char text[128];
    if (late)
        kill(worker->process, SIGKILL);
    const int status = run_finish(worker);
    return run_excuse(line, ending(worker, late, status, text, sizeof text));
}

char *run_ask(struct worker *worker, const char *line, bool *failed)
{
    char *answer = NULL;
    size_t size = 0;
    *failed = true;
    if (!worker->process && !start(worker))
        return run_excuse(line, "cannot start a process");
    fprintf(worker->requests, "%s\n", line);
    fflush(worker->requests);
    const bool late = !wait_for(worker);
    if (late || getline(&answer, &size, worker->answers) <= 1) {
        free(answer);
        *failed = late;
        return bury(worker, line, late);
    }
    *failed = answer[0] == LAST;
    if (*failed)
        run_finish(worker);
    answer[strcspn(answer, "\n")] = 0;
    memmove(answer, answer + 1, strlen(answer));
    return answer;
}
