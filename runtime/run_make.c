/* Modules that are compiled when their turn comes: a folder of `quern tune`
 * that stays where it was made has a program `make`, which is told a
 * candidate's name. */
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

static bool run_program(const char *program, const char *word)
{
    int status = -1;
    fflush(stdout);
    const pid_t process = fork();
    if (process == 0) {
        execl(program, program, word, (char *)NULL);
        _exit(127);
    }
    while (process > 0 && waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    return process > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool run_make(const struct candidate *candidate)
{
    if (access(candidate->module, F_OK) == 0 || access("make", X_OK) != 0)
        return true;
    return run_program("./make", candidate->name);
}
