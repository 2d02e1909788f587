/* A crew: see crew.h. */
#define _POSIX_C_SOURCE 200809L
#include "crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Times that one looks before it sleeps, some 20 us: work often comes in
 * rounds, one behind the other. */
enum { LOOKS = 500 };

struct qn__crew {
    int helpers;
    pthread_t *threads;
    atomic_int next;            /* part that nobody has taken */
    atomic_uint round;          /* works asked for; changes under the lock, as
                                   all that follows */
    atomic_int busy;            /* helpers that may take a part */
    void (*what)(void *self, int part);
    void *self;
    int parts;
    int asleep;
    bool stopping;
    pthread_mutex_t asking;     /* whose work it is that is done */
    pthread_mutex_t lock;
    pthread_cond_t called, idle;
};

static atomic_int helping;      /* helpers of all crews */

int qn__crew_others(const struct qn__crew *crew)
{
    return atomic_load(&helping) - crew->helpers;
}

int qn__crew_helpers(const struct qn__crew *crew)
{
    return crew->helpers;
}

/* Parts, till there are none. */
static void work(struct qn__crew *crew)
{
    int part;
    while ((part = atomic_fetch_add(&crew->next, 1)) < crew->parts)
        crew->what(crew->self, part);
}

static void breathe(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Under the lock, when there is work that it has not seen, or will be none. */
static void wait_for_call(struct qn__crew *crew, unsigned seen)
{
    for (int look = 0; look < LOOKS && atomic_load(&crew->round) == seen;
         look++)
        breathe();
    pthread_mutex_lock(&crew->lock);
    crew->asleep++;
    while (atomic_load(&crew->round) == seen && !crew->stopping)
        pthread_cond_wait(&crew->called, &crew->lock);
    crew->asleep--;
}

static void *help(void *self)
{
    struct qn__crew *const crew = self;
    unsigned seen = 0;
    for (;;) {
        wait_for_call(crew, seen);
        seen = atomic_load(&crew->round);
        const bool stops = crew->stopping;
        crew->busy += !stops;
        pthread_mutex_unlock(&crew->lock);
        if (stops)
            return NULL;
        work(crew);
        pthread_mutex_lock(&crew->lock);
        if (--crew->busy == 0)
            pthread_cond_signal(&crew->idle);
        pthread_mutex_unlock(&crew->lock);
    }
}

/* No helper has a part, nor looks for one: those that come later find none. */
static void wait_for_helpers(struct qn__crew *crew)
{
    for (int look = 0; look < LOOKS && atomic_load(&crew->busy) > 0; look++)
        breathe();
    pthread_mutex_lock(&crew->lock);
    while (crew->busy > 0)
        pthread_cond_wait(&crew->idle, &crew->lock);
}

static void call(struct qn__crew *crew, void (*what)(void *self, int part),
                 void *self, int parts)
{
    wait_for_helpers(crew);
    crew->what = what;
    crew->self = self;
    crew->parts = parts;
    atomic_store(&crew->next, 0);
    atomic_fetch_add(&crew->round, 1);
    if (crew->asleep > 0)
        pthread_cond_broadcast(&crew->called);
    pthread_mutex_unlock(&crew->lock);
}

void qn__crew_do(struct qn__crew *crew, void (*what)(void *self, int part),
                 void *self, int parts)
{
    if (crew->helpers == 0 || parts == 1
        || pthread_mutex_trylock(&crew->asking) != 0) {
        for (int part = 0; part < parts; part++)
            what(self, part);
        return;
    }
    call(crew, what, self, parts);
    work(crew);
    wait_for_helpers(crew);
    pthread_mutex_unlock(&crew->lock);
    pthread_mutex_unlock(&crew->asking);
}

enum qn_status qn__crew_open(int helpers, struct qn__crew **crew)
{
    struct qn__crew *const made = calloc(1, sizeof *made);
    *crew = made;
    if (!made)
        return qn__fail(QN_NO_MEMORY, "no memory for threads that help");
    pthread_mutex_init(&made->asking, NULL);
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->called, NULL);
    pthread_cond_init(&made->idle, NULL);
    made->threads = calloc((size_t)helpers + 1, sizeof *made->threads);
    while (made->threads && made->helpers < helpers
           && pthread_create(&made->threads[made->helpers], NULL, help, made)
                  == 0)
        made->helpers++;
    atomic_fetch_add(&helping, made->helpers);
    return made->threads && made->helpers == helpers ? QN_OK
         : qn__fail(QN_NO_MEMORY, "no threads that help");
}

void qn__crew_close(struct qn__crew *crew)
{
    if (!crew)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->stopping = true;
    pthread_cond_broadcast(&crew->called);
    pthread_mutex_unlock(&crew->lock);
    for (int i = 0; i < crew->helpers; i++)
        pthread_join(crew->threads[i], NULL);
    atomic_fetch_sub(&helping, crew->helpers);
    pthread_cond_destroy(&crew->idle);
    pthread_cond_destroy(&crew->called);
    pthread_mutex_destroy(&crew->lock);
    pthread_mutex_destroy(&crew->asking);
    free(crew->threads);
    free(crew);
}
