/* What is odd about the tables of a mesh, and how far apart neighbours are. */
#include "mesh.h"

#include <stdlib.h>

enum { GROUP = 32, SECTOR = 4 };    /* rows of a warp; doubles in 32 bytes */

static void look_at_row(const struct qn__mesh_table *table, int64_t row,
                        struct qn_mesh_look *look)
{
    const int32_t *const entries = table->entries + row * table->count;
    int64_t least = INT64_MAX, most = -1;
    for (int64_t slot = 0; slot < table->count; slot++) {
        int64_t before = 0;
        if (entries[slot] < 0) {
            if (look->missing++ == 0) {
                look->missing_row = row;
                look->missing_slot = slot;
            }
            continue;
        }
        while (before < slot && entries[before] != entries[slot])
            before++;
        if (before < slot && look->twice++ == 0) {
            look->twice_row = row;
            look->twice_slot = slot;
            look->twice_first = before;
        }
        least = entries[slot] < least ? entries[slot] : least;
        most = entries[slot] > most ? entries[slot] : most;
    }
    const int64_t width = most < 0 ? 0 : most - least;
    look->widest = width > look->widest ? width : look->widest;
    look->width += (double)width / (double)look->rows;
}

static int compare(const void *p, const void *q)
{
    const int32_t a = *(const int32_t *)p, b = *(const int32_t *)q;
    return a < b ? -1 : a > b;
}

/* The sectors that these rows read through a slot. */
static int64_t count_sectors(const struct qn__mesh_table *table, int64_t row,
                             int64_t end, int64_t slot)
{
    int32_t sectors[GROUP] = { 0 };
    int64_t found = 0, count = 0;
    for (; row < end; row++)
        if (table->entries[row * table->count + slot] >= 0)
            sectors[found++] =
                table->entries[row * table->count + slot] / SECTOR;
    qsort(sectors, (size_t)found, sizeof *sectors, compare);
    for (int64_t i = 0; i < found; i++)
        count += i == 0 || sectors[i] != sectors[i - 1];
    return count;
}

enum qn_status qn_mesh_look(const struct qn_mesh *mesh, const char *name,
                            struct qn_mesh_look *look)
{
    const struct qn__mesh_table *const table = qn__mesh_find(mesh, name);
    if (!table)
        return qn__fail(QN_NOT_FOUND, "the mesh has no table '%s'", name);
    const int64_t rows = mesh->domains[table->from].n;
    int64_t sectors = 0, groups = 0;
    *look = (struct qn_mesh_look){ .rows = rows };
    for (int64_t row = 0; row < rows; row++)
        look_at_row(table, row, look);
    for (int64_t row = 0; row + GROUP <= rows; row += GROUP)
        for (int64_t slot = 0; slot < table->count; slot++, groups++)
            sectors += count_sectors(table, row, row + GROUP, slot);
    look->sectors = groups ? (double)sectors / (double)groups : 0;
    return QN_OK;
}
