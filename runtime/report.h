/* Tables of what was done: lines of a name and numbers. */
#ifndef QUERN_REPORT_H
#define QUERN_REPORT_H

#include "internal.h"

struct qn__page {
    char *text;                 /* of `size` bytes, or NULL */
    size_t size, length;        /* length: without end, as snprintf's */
};

struct qn__page qn__page_open(char *text, size_t size);
void qn__page_put(struct qn__page *page, const char *format, ...)
    QN_PRINTF(2, 3);
void qn__page_count(struct qn__page *page, const char *what, uint64_t count);
/* In units of `unit`. */
void qn__page_spread(struct qn__page *page, const char *what, double unit,
                     const struct qn_spread *spread);
/* Two columns of numbers. */
void qn__page_two(struct qn__page *page, const char *what, double left,
                  double right);

#endif
