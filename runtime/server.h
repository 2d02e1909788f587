/* What the files of the server share. */
#ifndef QUERN_SERVER_H
#define QUERN_SERVER_H

#include "internal.h"

enum { QN_LIST_KERNELS = 2 };   /* the items of a list, and their sum */

/* Memory of the context, kept from batch to batch. */
struct qn__buffer {
    void *data;
    size_t size;
};

/* A list of a request, by the names that the generator gives. */
struct qn__served {
    const char *name;
    int item, items, own;       /* axes L_item, L_items, L; -1: there is none */
    int point, request, turned, read;       /* tables L_point, L_request,
                                               L_items, L; likewise */
    const struct quern_kernel *kernel[QN_LIST_KERNELS];     /* or NULL */
};

struct qn_server {
    struct qn_module *module;
    int request;                /* the axis */
    bool distinct;
    size_t list_count, scalar_count;
    struct qn__served *lists;
    int *scalars;               /* fields */
    struct qn_record *record;
    double *values;             /* of the scalars, request by request */
    size_t room;                /* requests in values */
    struct qn__state state;     /* only args */
    struct qn__buffer *buffers;
    size_t buffer_count, next;
    void *image;                /* a scalar as it is stored */
    size_t image_size;
};

/* server_args.c */

/* The module's arguments, with the tables and fields of the record's batch, of
 * so many requests. */
enum qn_status qn__server_set(struct qn_server *server, int64_t requests);
/* Buffers that this takes at most. */
size_t qn__server_buffers(const struct qn_server *server);

#endif
