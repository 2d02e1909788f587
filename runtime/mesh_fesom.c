/* Triangular meshes of FESOM: a folder with nod2d.out and elem2d.out, text.
 * What is wrong with one of them is said with its line. */
#include "mesh.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct text {
    FILE *file;
    char path[4096];
    long long line;
};

static enum qn_status open_in(const char *folder, const char *name,
                              struct text *text)
{
    const int length = snprintf(text->path, sizeof text->path, "%s/%s", folder,
                                name);
    text->line = 1;
    text->file = length < (int)sizeof text->path ? fopen(text->path, "r")
                                                 : NULL;
    return text->file ? QN_OK
        : qn__fail(QN_NOT_FOUND, "there is no file %s", text->path);
}

/* The next word, "" at the end of the file; in one that has no room, or a byte
 * of 0, there is a '?', so that it is no number. */
static void next(struct text *text, char *word, size_t size)
{
    size_t length = 0;
    int c = fgetc(text->file);
    while (c == ' ' || (c >= '\t' && c <= '\r')) {
        text->line += c == '\n';
        c = fgetc(text->file);
    }
    for (; c != EOF && c != ' ' && (c < '\t' || c > '\r');
         c = fgetc(text->file))
        if (length < size - 1)
            word[length++] = (char)(c ? c : '?');
        else
            word[0] = '?';
    word[length] = 0;
    ungetc(c, text->file);
}

static enum qn_status refuse(const struct text *text, const char *word,
                             const char *wanted)
{
    for (const char *c = word; *c; c++)
        if (*c < ' ' || *c > '~')
            word = "what is no text";
    return qn__fail(QN_INVALID, "%s:%lld: found %s, wanted %s", text->path,
                    text->line, word[0] ? word : "the end of the file",
                    wanted);
}

/* A whole number from `least` to `most`. */
static enum qn_status whole(struct text *text, long long least, long long most,
                            const char *what, long long *value)
{
    char word[64], wanted[120], *end;
    next(text, word, sizeof word);
    errno = 0;
    *value = strtoll(word, &end, 10);
    if (end != word && *end == 0 && errno == 0 && *value >= least
        && *value <= most)
        return QN_OK;
    snprintf(wanted, sizeof wanted, "%s, %lld%s", what, least,
             most == least ? "" : " to ");
    if (most != least)
        snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted),
                 "%lld", most);
    return refuse(text, word, wanted);
}

static enum qn_status degrees(struct text *text, double most, const char *what,
                              double *value)
{
    char word[64], wanted[120], *end;
    next(text, word, sizeof word);
    *value = strtod(word, &end);
    if (end != word && *end == 0 && fabs(*value) <= most)
        return QN_OK;
    snprintf(wanted, sizeof wanted, "%s in degrees, %g at most", what, most);
    return refuse(text, word, wanted);
}

/* How many lines follow, each of so many bytes at least. */
static enum qn_status count(struct text *text, long long bytes,
                            const char *what, long long *n)
{
    struct stat found = { 0 };
    fstat(fileno(text->file), &found);
    return whole(text, 0, found.st_size / bytes, what, n);
}

static enum qn_status finish(struct text *text)
{
    char word[64];
    next(text, word, sizeof word);
    return word[0] ? refuse(text, word, "the end of the file") : QN_OK;
}

/* nod2d.out: how many nodes, then of each its number, degrees of longitude and
 * latitude, a flag. */
static enum qn_status read_nodes(struct text *text, int64_t *nodes,
                                 double **angles)
{
    long long n, flag;
    enum qn_status status = count(text, 8, "the number of nodes", &n);
    if (status == QN_OK && !(*angles = malloc((size_t)(2 * n + 1)
                                              * sizeof **angles)))
        status = qn__fail(QN_NO_MEMORY, "no memory for a mesh");
    for (long long i = 0; i < n && status == QN_OK; i++) {
        status = whole(text, i + 1, i + 1, "the number of a node", &flag);
        if (status == QN_OK)
            status = degrees(text, 360, "a longitude", *angles + 2 * i);
        if (status == QN_OK)
            status = degrees(text, 90, "a latitude", *angles + 2 * i + 1);
        if (status == QN_OK)
            status = whole(text, INT32_MIN, INT32_MAX, "a flag", &flag);
    }
    *nodes = n;
    return status == QN_OK ? finish(text) : status;
}

/* elem2d.out: how many triangles, then the three nodes of each, from 1. */
static enum qn_status read_corners(struct text *text, int64_t nodes,
                                   int64_t *cells, int32_t **corners)
{
    long long n, node;
    enum qn_status status = count(text, 6, "the number of triangles", &n);
    if (status == QN_OK && !(*corners = malloc((size_t)(3 * n + 1)
                                               * sizeof **corners)))
        status = qn__fail(QN_NO_MEMORY, "no memory for a mesh");
    for (long long i = 0; i < 3 * n && status == QN_OK; i++) {
        status = whole(text, 1, nodes, "a node of a triangle", &node);
        (*corners)[i] = (int32_t)(node - 1);
    }
    *cells = n;
    return status == QN_OK ? finish(text) : status;
}

/* The sentence is about the file. */
static enum qn_status make(const char *path, int64_t nodes, int64_t cells,
                           const int32_t *corners, struct qn_mesh **mesh)
{
    char why[512];
    const enum qn_status status = qn__mesh_from_cells(nodes, cells, corners,
                                                      mesh);
    if (status == QN_OK)
        return QN_OK;
    snprintf(why, sizeof why, "%s", qn_last_error());
    return qn__fail(status, "%s: %s", path, why);
}

static enum qn_status put_places(struct qn_mesh *mesh, int64_t nodes,
                                 const double *angles)
{
    const double degree = 0.017453292519943295;
    double *const places = qn__mesh_add_places(mesh);
    for (int64_t i = 0; places && i < nodes; i++)
        qn__mesh_put(places, i, angles[2 * i] * degree,
                     angles[2 * i + 1] * degree);
    return places ? QN_OK : QN_NO_MEMORY;
}

enum qn_status qn__mesh_read_fesom(const char *folder, struct qn_mesh **mesh)
{
    struct text node_text = { 0 }, cell_text = { 0 };
    int64_t nodes = 0, cells = 0;
    double *angles = NULL;
    int32_t *corners = NULL;
    *mesh = NULL;
    enum qn_status status = open_in(folder, "nod2d.out", &node_text);
    if (status == QN_OK)
        status = open_in(folder, "elem2d.out", &cell_text);
    if (status == QN_OK)
        status = read_nodes(&node_text, &nodes, &angles);
    if (status == QN_OK)
        status = read_corners(&cell_text, nodes, &cells, &corners);
    if (status == QN_OK)
        status = make(cell_text.path, nodes, cells, corners, mesh);
    if (status == QN_OK)
        status = put_places(*mesh, nodes, angles);
    if (node_text.file)
        fclose(node_text.file);
    if (cell_text.file)
        fclose(cell_text.file);
    free(angles);
    free(corners);
    if (status != QN_OK) {
        qn_mesh_free(*mesh);
        *mesh = NULL;
    }
    return status;
}
