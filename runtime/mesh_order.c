/* Other numbers for the points of a mesh. */
#include "mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* order[i]: which point is the i-th of a domain, NULL: not known yet. */
struct orders { int32_t *of[QN_MESH_DOMAINS]; };

static enum qn_status no_memory(void)
{
    return qn__fail(QN_NO_MEMORY, "no memory for the order of a mesh");
}

static int32_t *inverse(const int32_t *order, int64_t n)
{
    int32_t *const made = malloc((size_t)(n + 1) * sizeof *made);
    for (int64_t i = 0; made && i < n; i++)
        made[order[i]] = (int32_t)i;
    return made;
}

/* A permutation that is always the same. */
static void shuffle(int32_t *order, int64_t n)
{
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    for (int64_t i = 0; i < n; i++)
        order[i] = (int32_t)i;
    for (int64_t i = n - 1; i > 0; i--) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        const int64_t k = (int64_t)((state >> 33) % (uint64_t)(i + 1));
        const int32_t kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
}

struct follower {
    double mean;                    /* of the numbers of whom it follows */
    int32_t point;
};

static int compare(const void *p, const void *q)
{
    const struct follower *const a = p, *const b = q;
    if (a->mean != b->mean)
        return a->mean < b->mean ? -1 : 1;
    return a->point < b->point ? -1 : a->point > b->point;
}

/* Points in the order of the mean number of those that they are at; who is at
 * none comes last. */
static void sort(const struct qn__links *links, const int32_t *number,
                 int64_t n, struct follower *list)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t first = links->start[i], end = links->start[i + 1];
        double sum = 0;
        for (int64_t k = first; k < end; k++)
            sum += number[links->to[k]];
        list[i].mean = end > first ? sum / (double)(end - first) : INFINITY;
        list[i].point = (int32_t)i;
    }
    qsort(list, (size_t)n, sizeof *list, compare);
}

/* The order of a domain behind that of another. */
static enum qn_status follow(const struct qn_mesh *mesh, int domain, int first,
                             struct orders *orders)
{
    const int64_t n = mesh->domains[domain].n;
    struct qn__links links;
    enum qn_status status = qn__mesh_links(mesh, domain, first, &links);
    if (status != QN_OK)
        return status;
    int32_t *const number = inverse(orders->of[first],
                                    mesh->domains[first].n);
    struct follower *const list = malloc((size_t)(n + 1) * sizeof *list);
    int32_t *const order = malloc((size_t)(n + 1) * sizeof *order);
    if (number && list && order) {
        sort(&links, number, n, list);
        for (int64_t i = 0; i < n; i++)
            order[i] = list[i].point;
        orders->of[domain] = order;
    } else {
        free(order);
        status = no_memory();
    }
    qn__links_free(&links);
    free(number);
    free(list);
    return status;
}

static bool are_joined(const struct qn_mesh *mesh, int a, int b)
{
    for (int t = 0; t < mesh->table_count; t++) {
        const struct qn__mesh_table *const table = &mesh->tables[t];
        if ((table->from == a && table->to == b)
            || (table->from == b && table->to == a))
            return true;
    }
    return false;
}

/* All domains but ecv follow those whose order is known. */
static enum qn_status follow_all(const struct qn_mesh *mesh,
                                 struct orders *orders)
{
    enum qn_status status = QN_OK;
    for (int round = 0; round < ECV; round++)
        for (int d = 0; d < ECV; d++)
            for (int first = 0; first < ECV && status == QN_OK; first++)
                if (!orders->of[d] && orders->of[first]
                    && are_joined(mesh, d, first))
                    status = follow(mesh, d, first, orders);
    return status;
}

/* Slot s of edge e is s * edges + e before and after. */
static enum qn_status follow_edges(const struct qn_mesh *mesh,
                                   struct orders *orders)
{
    const int64_t edges = mesh->domains[EDGE].n;
    int32_t *const order = malloc((size_t)(4 * edges + 1) * sizeof *order);
    if (!order)
        return no_memory();
    for (int64_t i = 0; i < 4 * edges; i++)
        order[i] = (int32_t)(i / edges * edges
            + (orders->of[EDGE] ? orders->of[EDGE][i % edges] : i % edges));
    orders->of[ECV] = order;
    return QN_OK;
}

/* The rows of a table in their order, its entries by their new numbers. */
static enum qn_status renumber(const struct qn_mesh *mesh,
                               struct qn__mesh_table *table,
                               const struct orders *orders)
{
    const int64_t rows = mesh->domains[table->from].n, count = table->count;
    const int64_t targets = mesh->domains[table->to].n;
    const int32_t *const from = orders->of[table->from];
    int32_t *const number = inverse(orders->of[table->to], targets);
    int32_t *const made = malloc((size_t)(rows * count + 1) * sizeof *made);
    if (!number || !made) {
        free(number);
        free(made);
        return no_memory();
    }
    for (int64_t i = 0; i < rows * count; i++) {
        const int32_t entry = table->entries[from[i / count] * count
                                             + i % count];
        made[i] = entry < 0 ? entry : number[entry];
    }
    memcpy(table->entries, made, (size_t)(rows * count) * sizeof *made);
    free(number);
    free(made);
    return QN_OK;
}

static enum qn_status permute_places(struct qn_mesh *mesh,
                                     const int32_t *order)
{
    const int64_t n = mesh->domains[VERTEX].n;
    double *const made = malloc((size_t)(3 * n + 1) * sizeof *made);
    if (!made)
        return no_memory();
    for (int64_t i = 0; i < 3 * n; i++)
        made[i] = mesh->places[3 * order[i / 3] + i % 3];
    memcpy(mesh->places, made, (size_t)(3 * n) * sizeof *made);
    free(made);
    return QN_OK;
}

/* Domains that are joined to no other stay as they are. */
static enum qn_status identity(const struct qn_mesh *mesh,
                               struct orders *orders)
{
    for (int d = 0; d < mesh->domain_count; d++) {
        const int64_t n = mesh->domains[d].n;
        if (orders->of[d])
            continue;
        orders->of[d] = malloc((size_t)(n + 1) * sizeof *orders->of[d]);
        if (!orders->of[d])
            return no_memory();
        for (int64_t i = 0; i < n; i++)
            orders->of[d][i] = (int32_t)i;
    }
    return QN_OK;
}

/* From then on the mesh has the orders, in the arrays that it had. */
static enum qn_status apply(struct qn_mesh *mesh, struct orders *orders)
{
    enum qn_status status = identity(mesh, orders);
    for (int t = 0; status == QN_OK && t < mesh->table_count; t++)
        status = renumber(mesh, &mesh->tables[t], orders);
    if (status == QN_OK && mesh->places)
        status = permute_places(mesh, orders->of[VERTEX]);
    for (int d = 0; status == QN_OK && d < mesh->domain_count; d++) {
        struct qn__mesh_domain *const domain = &mesh->domains[d];
        for (int64_t i = 0; domain->old && i < domain->n; i++)
            orders->of[d][i] = domain->old[orders->of[d][i]];
        if (domain->old) {
            memcpy(domain->old, orders->of[d],
                   (size_t)domain->n * sizeof *domain->old);
        } else {
            domain->old = orders->of[d];
            orders->of[d] = NULL;
        }
    }
    return status;
}

static enum qn_status order_one(const struct qn_mesh *mesh, int domain,
                                const char *how, struct orders *orders)
{
    const int64_t n = mesh->domains[domain].n;
    int32_t *const order = malloc((size_t)(n + 1) * sizeof *order);
    orders->of[domain] = order;
    if (!order)
        return no_memory();
    if (strcmp(how, "rcm") == 0)
        return qn__mesh_rcm(mesh, domain, order);
    if (strcmp(how, "curve") == 0)
        return qn__mesh_curve(mesh, domain, order);
    shuffle(order, n);
    return QN_OK;
}

/* The first domain, or all where nothing follows. */
static enum qn_status order_first(const struct qn_mesh *mesh, int domain,
                                  const char *how, struct orders *orders)
{
    const bool random = strcmp(how, "random") == 0;
    enum qn_status status = QN_OK;
    if (strcmp(how, "near") == 0)
        how = mesh->places ? "curve" : "rcm";
    if (!random && strcmp(how, "rcm") != 0 && strcmp(how, "curve") != 0)
        return qn__fail(QN_INVALID, "no order '%s': near, rcm, curve or random",
                        how);
    for (int d = 0; status == QN_OK && d < ECV; d++)
        if (random || d == domain)
            status = order_one(mesh, d, how, orders);
    return status;
}

static int find(const struct qn_mesh *mesh, const char *name)
{
    for (int d = 0; d < mesh->domain_count; d++)
        if (strcmp(mesh->domains[d].name, name) == 0)
            return d;
    return -1;
}

enum qn_status qn_mesh_reorder(struct qn_mesh *mesh, const char *how,
                               const char *domain)
{
    const int first = find(mesh, domain);
    struct orders orders = { { NULL } };
    if (first < 0 || first == ECV)
        return qn__fail(QN_INVALID, "a mesh is ordered by vertex, edge or"
                        " cell, not by '%s'", domain);
    enum qn_status status = order_first(mesh, first, how, &orders);
    if (status == QN_OK)
        status = follow_all(mesh, &orders);
    if (status == QN_OK)
        status = follow_edges(mesh, &orders);
    if (status == QN_OK)
        status = apply(mesh, &orders);
    for (int d = 0; d < QN_MESH_DOMAINS; d++)
        free(orders.of[d]);
    return status;
}
