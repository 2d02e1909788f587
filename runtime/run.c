/* quern-run: answers requests, one JSON line each (runtime/README.md). Exit
 * code: 0, 2 for the command line, 3 when a device failed or an answer got
 * lost. */
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { FAILED = 3 };

struct asker {
    bool direct, failed;
    const char *tune;                       /* a folder, instead of requests */
    int most;
    bool replay;
    struct worker worker;
    struct session session;
};

static void ask_one(struct asker *asker, char *line)
{
    line[strcspn(line, "\n")] = 0;
    if (line[strspn(line, " \t\r")] == 0)
        return;
    bool failed;
    char *const text = asker->direct ? run_serve(&asker->session, line)
                                     : run_ask(&asker->worker, line, &failed);
    if (asker->direct)
        failed = asker->session.failed;
    printf("%s\n", text ? text : "{}");
    if (fflush(stdout) != 0) {
        fprintf(stderr, "quern-run: an answer cannot be written\n");
        failed = true;
    }
    free(text);
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
            "       quern-run --tune FOLDER [--most N] [--replay]"
            " [--timeout SECONDS]\n"
            "  REQUEST..  JSON objects; without any: one a line on stdin\n"
            "  --direct   work in this process, not in a child\n"
            "  --timeout  give up on a request after so many seconds\n"
            "  --tune     time the candidates of a folder of `quern tune`\n"
            "  --most     time at most so many of each kernel's; all: all\n"
            "  --replay   time nothing, take what was measured before\n");
    return code;
}

/* Whether name and value are an option with a value. */
static bool read_option(struct asker *asker, const char *name,
                        const char *value)
{
    const bool all = strcmp(value, "all") == 0;
    if (strcmp(name, "--timeout") == 0)
        return (asker->worker.patience = atoi(value)) > 0;
    if (strcmp(name, "--most") == 0)
        return (asker->most = all ? INT_MAX : atoi(value)) > 0;
    asker->tune = value;
    return strcmp(name, "--tune") == 0;
}

/* How many arguments are options; -1: one is none. */
static int read_options(struct asker *asker, int count, char **arguments)
{
    int i = 1;
    for (; i < count && arguments[i][0] == '-'; i++)
        if (strcmp(arguments[i], "--direct") == 0)
            asker->direct = true;
        else if (strcmp(arguments[i], "--replay") == 0)
            asker->replay = true;
        else if (i + 1 >= count
                 || !read_option(asker, arguments[i], arguments[i + 1]))
            return -1;
        else
            i++;
    if (asker->tune ? asker->direct || i < count
                    : asker->most > 0 || asker->replay)
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
    if (asker.tune)
        return run_tune(&asker.worker, asker.tune, asker.most, asker.replay);
    ask_all(&asker, count - first, arguments + first);
    return asker.failed ? FAILED : 0;
}
