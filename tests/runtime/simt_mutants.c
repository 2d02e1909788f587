/* Runs the tables of mutants of the modules named on the command line: TAP. Of
 * those after "fast", only what fast builds see too: right kernels, limits, and
 * threads that wait for ever. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "mutants/mutant.h"

static int tests;

static int caught(const struct mutant *m, int fast, const char *(*report)(void))
{
    const int code = m->run();
    const char *sentence = code > 0 ? report() : "";
    const int well = code == m->code && (m->report[0] == '\0'
        ? sentence[0] == '\0' : strstr(sentence, m->report) != NULL);
    printf("%sok %d - %s%s\n", well ? "" : "not ", ++tests,
           fast ? "fast: " : "", m->name);
    if (!well)
        printf("# got %d, \"%s\"\n# wanted %d, \"%s\"\n", code, sentence,
               m->code, m->report);
    return well;
}

static int seen_by_fast(const struct mutant *m)
{
    return (m->code >= 0 && m->code < 10)
        || strstr(m->report, "none can go on") != NULL;
}

static int run_module(const char *path, int fast)
{
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (module == NULL) {
        printf("not ok %d - %s\n", ++tests, dlerror());
        return 0;
    }
    const struct mutant *m = dlsym(module, "mutants");
    const char *(*report)(void);
    *(void **)&report = dlsym(module, "simt_report");
    int well = m != NULL && report != NULL;
    if (!well)
        printf("not ok %d - %s has a table and a report\n", ++tests, path);
    else
        for (; m->name != NULL; m++)
            if (!fast || seen_by_fast(m)) well &= caught(m, fast, report);
    dlclose(module);
    return well;
}

int main(int count, char **paths)
{
    int well = 1, fast = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i < count; i++) {
        if (strcmp(paths[i], "fast") == 0) fast = 1;
        else well &= run_module(paths[i], fast);
    }
    printf("1..%d\n", tests);
    return !well;
}
