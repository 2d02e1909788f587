/* The .npy files of NumPy: float32 arrays, versions 1 and 2 of the format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shot.h"

int npy_is(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".npy") == 0;
}

/* Reads magic, version and the dictionary's text, `size` bytes at most. */
static int header_text(FILE *in, const char *path, char *text, size_t size,
                       struct failure *failure)
{
    unsigned char head[12];
    size_t length;

    if (fread(head, 1, 10, in) != 10 || memcmp(head, "\x93NUMPY", 6) != 0)
        return fail(failure, "%s: not a .npy file", path);
    length = head[8] | (size_t)head[9] << 8;
    if (head[6] > 1) {
        if (fread(head + 10, 1, 2, in) != 2)
            return fail(failure, "%s: the header is cut short", path);
        length |= (size_t)head[10] << 16 | (size_t)head[11] << 24;
    }
    if (length >= size || fread(text, 1, length, in) != length)
        return fail(failure, "%s: the header is cut short", path);
    text[length] = '\0';
    return 0;
}

/* The numbers of "'shape': (851, 176)"; returns how many, 4 for too many. */
static int header_shape(const char *text, int64_t shape[3])
{
    const char *at = strstr(text, "'shape'");
    int rank = 0;

    at = at ? strchr(at, '(') : NULL;
    while (at && *at != ')' && rank < 4) {
        char *end;
        const long long extent = strtoll(++at, &end, 10);
        if (end == at)
            break;
        if (rank < 3)
            shape[rank] = extent;
        rank++;
        at = strpbrk(end, ",)");
    }
    return rank;
}

int npy_header(FILE *in, struct model_file *file, struct failure *failure)
{
    char text[4096];
    int64_t shape[3];

    if (header_text(in, file->path, text, sizeof text, failure))
        return -1;
    if (!strstr(text, "'<f4'"))
        return fail(failure, "%s: wanted little-endian float32 ('<f4')", file->path);
    const int rank = header_shape(text, shape);
    if (rank < 2 || rank > 3)
        return fail(failure, "%s: wanted 2 or 3 axes", file->path);
    const int fortran = strstr(text, "'fortran_order': True") != NULL;
    for (int a = 0; a < rank; a++)
        file->size[a] = shape[fortran ? a : rank - 1 - a];
    file->axes = rank;
    return 0;
}

int npy_write(const char *path, const float *values, int64_t rows, int64_t columns,
              struct failure *failure)
{
    char text[128], beside[1100];
    const size_t count = (size_t)(rows * columns);
    /* magic, version and length take 10 bytes; the header ends on 64 of them */
    const int length = 128 - 10;

    const int used = snprintf(text, sizeof text,
        "{'descr': '<f4', 'fortran_order': False, 'shape': (%lld, %lld), }",
        (long long)rows, (long long)columns);
    memset(text + used, ' ', (size_t)(length - used));
    text[length - 1] = '\n';
    snprintf(beside, sizeof beside, "%s.part", path);
    FILE *out = fopen(beside, "wb");
    if (!out)
        return fail(failure, "%s cannot be written", path);
    int good = fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, out) == 10
               && fwrite(text, 1, (size_t)length, out) == (size_t)length
               && fwrite(values, sizeof *values, count, out) == count;
    good = fclose(out) == 0 && good;
    if (good && rename(beside, path) == 0)
        return 0;
    remove(beside);
    return fail(failure, "%s cannot be written", path);
}
