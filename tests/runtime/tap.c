/* TAP: see tap.h. */
#include "tap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tests_run, tests_failed;
bool hasty;

void ok(bool good, const char *format, ...)
{
    va_list arguments;
    printf("%s %d - ", good ? "ok" : "not ok", ++tests_run);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    fflush(stdout);
    if (!good)
        tests_failed++;
    if (!good && hasty)
        exit(1);
}

void must(enum qn_status status)
{
    if (status == QN_OK)
        return;
    printf("Bail out! %s: %s\n", qn_status_name(status), qn_last_error());
    exit(1);
}

void fails(enum qn_status status, enum qn_status wanted, const char *sentence,
           const char *what)
{
    const bool good = status == wanted && strstr(qn_last_error(), sentence);
    ok(good, "%s: \"%s\"", what, status == QN_OK ? "" : qn_last_error());
    if (!good)
        printf("# got %s, wanted %s and \"%s\"\n", qn_status_name(status),
               qn_status_name(wanted), sentence);
}

int done(void)
{
    printf("1..%d\n", tests_run);
    return tests_failed > 0;
}
