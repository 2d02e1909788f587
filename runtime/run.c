/* quern-run: answers requests, one JSON line each (runtime/README.md).
 *
 * The work is done in a child, so that a kernel that crashes costs its own
 * answer and no other: the next request gets a new child. The parent never
 * touches a device. Exit code: 0, or 3 when a device failed. */
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEVICE_FAILED = 3, KEEP = 'k', LAST = 'l' };

struct worker {
    pid_t process;                  /* 0: none */
    FILE *requests, *answers;
};

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
    return session.failed ? DEVICE_FAILED : 0;
}

static void close_pipe(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
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

/* Waits for the child's end; its status as waitpid gives it. */
static int finish(struct worker *worker)
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

static void tell_crash(const char *line, int status)
{
    struct request request = { .answer = json_object(), .well = true };
    json_t *const asked = json_loads(line, 0, NULL);
    static const char *const keys[] = { "do", "kernel", "size" };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (json_object_get(asked, keys[i]))
            json_object_set(request.answer, keys[i],
                            json_object_get(asked, keys[i]));
    run_fault(&request, "error", WIFSIGNALED(status)
              ? "the kernel crashed: %s" : "the kernel ended the program%.0s",
              WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "");
    char *const text = json_dumps(request.answer, JSON_COMPACT);
    printf("%s\n", text ? text : "{}");
    free(text);
    json_decref(asked);
    json_decref(request.answer);
}

/* Prints one answer. Returns true when a device failed. */
static bool ask(struct worker *worker, const char *line)
{
    char *answer = NULL;
    size_t size = 0;
    bool failed = false;
    if (!worker->process && !start(worker)) {
        printf("{\"status\":\"error\","
               "\"problem\":\"cannot start a process\"}\n");
        return true;
    }
    fprintf(worker->requests, "%s\n", line);
    fflush(worker->requests);
    if (getline(&answer, &size, worker->answers) > 1) {
        printf("%s", answer + 1);
        failed = answer[0] == LAST;
        if (failed)
            finish(worker);
    } else {
        tell_crash(line, finish(worker));
    }
    fflush(stdout);
    free(answer);
    return failed;
}

/* In this process, for debuggers: no child. */
static bool ask_here(struct session *session, const char *line)
{
    char *const text = run_serve(session, line);
    printf("%s\n", text ? text : "{}");
    fflush(stdout);
    free(text);
    return session->failed;
}

struct asker {
    bool direct, failed;
    struct worker worker;
    struct session session;
};

static void ask_one(struct asker *asker, char *line)
{
    line[strcspn(line, "\n")] = 0;
    if (line[strspn(line, " \t\r")] == 0)
        return;
    const bool failed = asker->direct ? ask_here(&asker->session, line)
                                      : ask(&asker->worker, line);
    asker->failed = asker->failed || failed;
}

static void ask_all(struct asker *asker, int count, char **requests)
{
    char *line = NULL;
    size_t size = 0;
    for (int i = 0; i < count; i++)
        ask_one(asker, requests[i]);
    while (count == 0 && getline(&line, &size, stdin) > 0)
        ask_one(asker, line);
    free(line);
    finish(&asker->worker);
    run_close(&asker->session);
}

int main(int count, char **arguments)
{
    struct asker asker = { 0 };
    int first = 1;
    if (count > 1 && strcmp(arguments[1], "--direct") == 0) {
        asker.direct = true;
        first = 2;
    } else if (count > 1 && arguments[1][0] == '-') {
        printf("usage: quern-run [--direct] [REQUEST].. (or requests on stdin, "
               "one JSON"
               " object a line)\n");
        return strcmp(arguments[1], "--help") == 0 ? 0 : 2;
    }
    signal(SIGPIPE, SIG_IGN);
    ask_all(&asker, count - first, arguments + first);
    return asker.failed ? DEVICE_FAILED : 0;
}
