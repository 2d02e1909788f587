/* A module of fields alone, of every storage type, rank and position, written by
 * hand to runtime/abi.h: what places.c puts sources and receivers on. */
#include "abi.h"

#ifndef BACKEND
#define BACKEND "c"
#endif

enum { RANK = 4, FIELDS = 11 };

struct array {
    void *data[2];
    int64_t stride[RANK], halo[RANK];
};

struct args {
    size_t struct_size;
    int64_t n[RANK], lower[RANK], upper[RANK];
    void *workspace;
    struct array field[FIELDS];
};

#define AT(member) offsetof(struct args, member)
#define FIELD(index, label, storage, axes, ...) \
    [index] = { .name = label, .type = storage, .rank = axes, .axis = { 0, 1, 2, 3 }, \
                .oldest = -1, .buffers = 2, .level = { -1, 0 }, \
                .data = { AT(field[index].data[0]), AT(field[index].data[1]) }, \
                .stride = AT(field[index].stride), .halo = AT(field[index].halo), \
                .need = { { 2, 2 }, { 2, 2 } }, .low = -1, .high = 1, __VA_ARGS__ }
#define HERE .at = { 0 }
#define ASIDE .at = { 1, 0, -1, 0 }
#define BELOW .at = { -1, 0, 0 }

/* "w3" leaves out x = 3, 4, 5. */
static void hollow(const void *args, int64_t *limits)
{
    (void)args;
    limits[0] = 3;
    limits[1] = 6;
}

static const struct quern_field fields[FIELDS] = {
    FIELD(0, "d1", QUERN_DOUBLE, 1, HERE), FIELD(1, "d2", QUERN_DOUBLE, 2, HERE),
    FIELD(2, "d3", QUERN_DOUBLE, 3, HERE), FIELD(3, "d4", QUERN_DOUBLE, 4, HERE),
    FIELD(4, "s3", QUERN_DOUBLE, 3, ASIDE), FIELD(5, "f3", QUERN_FLOAT, 3, HERE),
    FIELD(6, "h3", QUERN_HALF, 3, ASIDE), FIELD(7, "b3", QUERN_BFLOAT16, 3, HERE),
    FIELD(8, "i3", QUERN_INT, 3, HERE), FIELD(9, "e3", QUERN_DOUBLE, 3, BELOW, .extra = { 1, 2 }),
    FIELD(10, "w3", QUERN_DOUBLE, 3, HERE, .hollow = hollow, .hollow_axis = 0)
};

extern const struct quern_module quern_module;
const struct quern_module quern_module = {
    .abi = QUERN_ABI, .spec = "places", .instance = "places", .hash = "",
    .backend = BACKEND, .arch = "", .fp = "strict", .compute = QUERN_DOUBLE,
    .axes = RANK, .axis = { "x", "y", "z", "k" },
    .args_size = sizeof(struct args), .extent = AT(n), .lower = AT(lower),
    .upper = AT(upper), .workspace = AT(workspace),
    .field_count = FIELDS, .fields = fields
};
