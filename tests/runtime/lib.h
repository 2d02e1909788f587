/* What the tests of the library share: pairs of hand-written modules. */
#ifndef LIB_H
#define LIB_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "tap.h"

extern const char *folder;          /* of the modules */
extern const char *where;           /* the context of open_pair: cpu, simt */

/* lib_tap.c */

const char *path_of(const char *name);

struct pair {
    struct qn_context *context, *host;
    struct qn_module *module, *reference;
};

struct pair open_pair(const char *name, const char *reference, const int64_t *n);
void close_pair(struct pair *pair);
struct qn_kernel *kernel_of(struct qn_module *module, const char *name);
struct qn_field *field_of(struct qn_module *module, const char *name);

/* lib_fields.c, lib_validate.c */

void test_fields(void);             /* in the context named by where */
void test_device_module(void);
void test_validating(void);
void test_validation(void);         /* in the context named by where */

#endif
