/* Threads that help one that has much to do: its work is in parts, and each of
 * them takes the next part that nobody has. They are not OpenMP's, whose teams
 * belong to kernels on the CPU and would wait for a processor with them. */
#ifndef QUERN_CREW_H
#define QUERN_CREW_H

#include "internal.h"

struct qn__crew;

/* So many threads beside the one that asks: 0, and all is its own work. */
enum qn_status qn__crew_open(int helpers, struct qn__crew **crew);
void qn__crew_close(struct qn__crew *crew);
int qn__crew_helpers(const struct qn__crew *crew);
/* Helpers of all other crews that there are. */
int qn__crew_others(const struct qn__crew *crew);
/* Does every part, 0 <= part < parts, once: when it returns, all are done. If
 * it works for another, who asks does them all. */
void qn__crew_do(struct qn__crew *crew, void (*what)(void *self, int part),
                 void *self, int parts);

#endif
