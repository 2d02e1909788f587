/* quern-run: answers requests, one JSON line each (runtime/README.md). Exit
 * code: 0, 2 for the command line, 3 when a device failed. */
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICE_FAILED = 3 };

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
                                      : run_ask(&asker->worker, line);
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
    run_finish(&asker->worker);
    run_close(&asker->session);
}

static int usage(FILE *out, int code)
{
    fprintf(out, "usage: quern-run [--direct] [--timeout SECONDS] [REQUEST]..\n"
            "  REQUEST..  JSON objects; without any: one a line on stdin\n"
            "  --direct   work in this process, not in a child\n"
            "  --timeout  give up on a request after so many seconds\n");
    return code;
}

/* How many arguments are options; -1: one is none. */
static int read_options(struct asker *asker, int count, char **arguments)
{
    int i = 1;
    for (; i < count && arguments[i][0] == '-'; i++)
        if (strcmp(arguments[i], "--direct") == 0)
            asker->direct = true;
        else if (strcmp(arguments[i], "--timeout") == 0 && i + 1 < count
                 && atoi(arguments[i + 1]) > 0)
            asker->worker.patience = atoi(arguments[++i]);
        else
            return -1;
    return i;
}

int main(int count, char **arguments)
{
    struct asker asker = { 0 };
    if (count == 2 && strcmp(arguments[1], "--help") == 0)
        return usage(stdout, 0);
    const int first = read_options(&asker, count, arguments);
    if (first < 0)
        return usage(stderr, 2);
    signal(SIGPIPE, SIG_IGN);
    ask_all(&asker, count - first, arguments + first);
    return asker.failed ? DEVICE_FAILED : 0;
}
