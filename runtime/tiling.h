/* What the files share that cut a mesh into tiles: the points of a mesh in an
 * order of which tiles are pieces, and the lists of one tile. */
#ifndef QN_TILING_H
#define QN_TILING_H

#include "internal.h"

#include "../templates/quern_mesh.h"
#include "../templates/quern_tiles.h"

/* What tiles are made from. */
struct qn__tiling {
    const struct quern_tile_form *form;
    const struct quern_mesh_table *tables;  /* the module's, dense */
    const int64_t *points;      /* of each of the module's axes */
    struct quern_room room;     /* that the device has */
};

/* The points that a tile has of one stage or list. */
struct qn__places {
    int32_t *list;              /* ascending */
    int64_t count, most;
    int threads, pitch;         /* if not 0, place n is told as
                                   n % threads * pitch + n / threads */
    int64_t *tile;              /* of each point of the domain: who had it */
    int32_t *place;             /* and where it is */
    int32_t *centres;           /* of a fan's threads; -1: none */
};

/* Which points of a mesh read the same neighbours. */
struct qn__kin {
    const struct qn__tiling *tiling;
    const struct quern_tile_way *way;   /* to them; NULL: there are none */
    int64_t points, neighbours;
    int64_t entries;            /* neighbours of a point */
    int64_t unit;               /* points that make a fan */
    int64_t *start;             /* where the points of a neighbour begin */
    int32_t *of;
};

/* Tiles in the making. */
struct qn__work {
    const struct qn__tiling *tiling;
    struct qn__kin kin;
    struct qn__halves *halves;  /* NULL: they are not asked for */
    struct qn__growth *growth;
    struct qn__places *stages, *lists;
    int64_t tile;               /* number of the present one */
    int32_t *points;            /* of a tile, before it has its place */
    int32_t *words;             /* of all tiles */
    int64_t count, room;
    struct qn_tiles made;       /* what becomes of it */
};

/* tiling.c */

/* Into ascending order. */
void qn__points_sort(int32_t *points, int64_t count);
int64_t qn__way_entries(const struct quern_tile_way *way);
/* The neighbour of a row that is the entry-th along a way; -1: none. */
int64_t qn__way_follow(const struct qn__tiling *tiling,
                       const struct quern_tile_way *way, int64_t row,
                       int64_t entry);
/* Words of a thread for each point of a way's stage. */
int64_t qn__way_words(const struct quern_tile_form *form,
                      const struct quern_tile_way *way);
/* All tiles, the words of one after those of the other; what they are. */
enum qn_status qn__tiling_make(const struct qn__tiling *tiling,
                               int32_t **words, struct qn_tiles *made);

/* What a way leads to. */
struct qn__places *qn__way_goal(const struct qn__work *work,
                                const struct quern_tile_way *way);
/* Gives the present tile these points and all that they need; false where it
 * has no room for them. */
bool qn__tile_gather(struct qn__work *work, const int32_t *points,
                     int64_t count);
/* Bytes that a level of the present tile moves, in whole sectors. */
int64_t qn__tile_cost(const struct qn__work *work);
/* One more tile of these points, or two of half of them, where there is no
 * room. */
enum qn_status qn__tile_add(struct qn__work *work, const int32_t *points,
                            int64_t count);

/* tile_work.c */

/* The memory of tiles in the making; false: there is none. */
bool qn__work_make(struct qn__work *work);
void qn__work_free(struct qn__work *work);

/* tile_words.c */

/* Writes the present tile; its words are 0 before. */
void qn__tile_write(const struct qn__work *work, int32_t *words);

/* cut.c */

/* Adds all tiles of a mesh. */
enum qn_status qn__cut(struct qn__work *work);

/* fan.c */

/* Gives the points of a stage places that suit its fan; false where threads do
 * not suffice. */
bool qn__fan_arrange(const struct qn__tiling *tiling,
                     const struct quern_tile_stage *stage,
                     struct qn__places *places);

/* spread.c */

/* Moves the points of a list apart, as far as there is room, so that threads
 * that read at once read different banks of shared memory. */
void qn__spread(const struct qn__tiling *tiling,
                const struct qn__places *stages, int index,
                struct qn__places *list);

/* kin.c */

/* The kin among the target points of a tiling; false: no memory. */
bool qn__kin_find(const struct qn__tiling *tiling, struct qn__kin *kin);
void qn__kin_free(struct qn__kin *kin);
/* The neighbour of a point that is the entry-th; -1: none. */
int64_t qn__kin_follow(const struct qn__kin *kin, int64_t point,
                       int64_t entry);
/* Have two points a neighbour in common? */
bool qn__kin_share(const struct qn__kin *kin, int64_t left, int64_t right);

/* halve.c */

struct qn__halves;

enum qn_status qn__halves_make(const struct qn__kin *kin,
                               struct qn__halves **halves);
void qn__halves_free(struct qn__halves *halves);
/* Cuts all points into so many parts, which differ by a few points. */
void qn__halves_start(struct qn__halves *halves, int64_t parts);
/* The points of the next part, at most `most`, ascending; how many, 0: there
 * is none. What of a part is left is a part. */
int64_t qn__halves_take(struct qn__halves *halves, int64_t most,
                        int32_t *points);

/* grow.c */

struct qn__growth;

/* The target points of a tiling, none taken. */
enum qn_status qn__growth_make(const struct qn__kin *kin,
                               struct qn__growth **growth);
void qn__growth_free(struct qn__growth *growth);
/* Have the points rows, as those of a lattice, which can be cut as strips? */
bool qn__growth_has_strips(const struct qn__growth *growth);
/* Begins anew, with pieces of strips of so many rows, one after the other.. */
void qn__growth_start_strips(struct qn__growth *growth, int64_t rows);
/* .. or with runs of about so many points that lie side by side. */
void qn__growth_start(struct qn__growth *growth, int64_t run);
/* Takes at most `most` points that lie close to each other, ascending; how
 * many: 0 when all have been taken. */
int64_t qn__growth_take(struct qn__growth *growth, int64_t most,
                        int32_t *points);

#endif
