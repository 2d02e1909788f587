/* A crew: every part is done once and is done when it returns, round after round;
 * one that asks while it works for another does all itself. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "crew.h"
#include "tap.h"

enum { HELPERS = 3, MOST = 40, ROUNDS = 2000 };

struct work {
    int times[MOST];            /* that each part was done: nobody else writes it */
    int round;
};

static void do_part(void *self, int part)
{
    struct work *const work = self;
    /* Who asks has the first, and is done long before who has the sixth. */
    const int wait = work->round % 500 > 0 ? 0 : part == 0 ? 10 : part == 5 ? 40 : 0;
    if (wait > 0)
        nanosleep(&(struct timespec){ .tv_nsec = wait * 1000000L }, NULL);
    work->times[part] += work->round;
}

static int wrong_rounds(struct qn__crew *crew, int rounds)
{
    int wrong = 0;
    for (int round = 1; round <= rounds; round++) {
        const int parts = round % (MOST + 1);
        struct work work = { .round = round };
        qn__crew_do(crew, do_part, &work, parts);
        for (int part = 0; part < MOST; part++)
            wrong += work.times[part] != (part < parts ? round : 0);
        memset(&work, 255, sizeof work);        /* nobody has it any more */
    }
    return wrong;
}

static void *ask_too(void *crew)
{
    static int wrong;
    wrong = wrong_rounds(crew, ROUNDS);
    return &wrong;
}

int main(void)
{
    struct qn__crew *crew;
    pthread_t other;
    void *wrong;
    must(qn__crew_open(0, &crew));
    ok(wrong_rounds(crew, MOST) == 0, "without helpers all is done by who asks");
    qn__crew_close(crew);
    must(qn__crew_open(HELPERS, &crew));
    ok(qn__crew_helpers(crew) == HELPERS && wrong_rounds(crew, ROUNDS) == 0,
       "%d helpers: every part is done once, in %d rounds", (int)HELPERS, (int)ROUNDS);
    if (pthread_create(&other, NULL, ask_too, crew) == 0) {
        const int own = wrong_rounds(crew, ROUNDS);
        pthread_join(other, &wrong);
        ok(own == 0 && *(int *)wrong == 0, "two that ask at once");
    }
    qn__crew_close(crew);
    qn__crew_close(NULL);
    return done();
}
