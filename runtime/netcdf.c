/* Variables of netCDF files, of which nothing is believed before it is known to
 * be there: libnetcdf reads zeros where a file of the classic format ends too
 * early, and a damaged number of points may ask for any amount of memory. */
#include "netcdf.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CLASSIC = 1, OFFSETS_64 = 2, DATA_64 = 5,    /* nothing compressed */
       MOST_PACKED = 2048 };        /* numbers of 8 bytes that a byte holds */

/* Once there it stays: HDF5 leaves keys of threads behind when it is closed,
 * and the thousandth file would find none left. */
#ifdef RTLD_NODELETE
enum { STAYS = RTLD_NODELETE };
#else
enum { STAYS = 0 };
#endif

/* A function pointer from an object pointer, as POSIX means dlsym. */
static bool resolve(void *library, const char *symbol, void *function)
{
    void *const found = dlsym(library, symbol);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static enum qn_status open_library(struct qn__netcdf *nc)
{
    static const char *const names[] = { "libnetcdf.so", "libnetcdf.so.22",
        "libnetcdf.so.19", "libnetcdf.so.18", "libnetcdf.so.15" };
    for (size_t i = 0; !nc->library && i < sizeof names / sizeof *names; i++)
        nc->library = dlopen(names[i], STAYS | RTLD_NOW | RTLD_LOCAL);
    if (!nc->library)
        return qn__fail(QN_NOT_FOUND, "libnetcdf is not installed; on Debian:"
                        " apt-get install libnetcdf19");
    if (resolve(nc->library, "nc_open", &nc->open)
        && resolve(nc->library, "nc_close", &nc->close)
        && resolve(nc->library, "nc_inq_format", &nc->format)
        && resolve(nc->library, "nc_inq_nvars", &nc->count)
        && resolve(nc->library, "nc_inq_varid", &nc->variable)
        && resolve(nc->library, "nc_inq_vartype", &nc->type)
        && resolve(nc->library, "nc_inq_type", &nc->size)
        && resolve(nc->library, "nc_inq_varndims", &nc->rank)
        && resolve(nc->library, "nc_inq_vardimid", &nc->dimensions)
        && resolve(nc->library, "nc_inq_dimlen", &nc->length)
        && resolve(nc->library, "nc_get_var_double", &nc->read)
        && resolve(nc->library, "nc_strerror", &nc->explain))
        return QN_OK;
    return qn__fail(QN_MISMATCH, "libnetcdf lacks a function that is needed");
}

/* The bytes of a variable where nothing is compressed; more than any file has
 * if they cannot be told. */
static int64_t bytes_of(const struct qn__netcdf *nc, int id)
{
    enum { MOST = 1024 };           /* dimensions, as netCDF has it */
    char name[257];
    int rank, type, dimensions[MOST];
    size_t size, length;
    if (nc->rank(nc->file, id, &rank) || rank < 0 || rank > MOST
        || nc->dimensions(nc->file, id, dimensions)
        || nc->type(nc->file, id, &type)
        || nc->size(nc->file, type, name, &size))
        return INT64_MAX;
    int64_t bytes = (int64_t)size;
    for (int i = 0; i < rank; i++)
        if (nc->length(nc->file, dimensions[i], &length) || length > INT64_MAX
            || __builtin_mul_overflow(bytes, (int64_t)length, &bytes))
            return INT64_MAX;
    return bytes;
}

/* A file of the classic format is as long as its variables together. */
static enum qn_status look_at_length(const struct qn__netcdf *nc)
{
    int format = 0, count = 0;
    int64_t bytes = 0;
    if (nc->format(nc->file, &format) || nc->count(nc->file, &count))
        return qn__fail(QN_INVALID, "%s cannot be read", nc->path);
    if (format != CLASSIC && format != OFFSETS_64 && format != DATA_64)
        return QN_OK;
    for (int id = 0; id < count; id++)
        if (__builtin_add_overflow(bytes, bytes_of(nc, id), &bytes))
            bytes = INT64_MAX;
    return bytes < nc->bytes ? QN_OK
        : qn__fail(QN_INVALID, "%s has %lld bytes, too few for its variables:"
                   " it is cut off or damaged", nc->path,
                   (long long)nc->bytes);
}

enum qn_status qn__netcdf_open(const char *path, struct qn__netcdf *nc)
{
    struct stat found = { 0 };
    *nc = (struct qn__netcdf){ .path = path, .file = -1 };
    const enum qn_status status = open_library(nc);
    if (status != QN_OK)
        return status;
    const int code = nc->open(path, 0, &nc->file);
    if (code != 0 || stat(path, &found) != 0) {
        nc->file = code ? -1 : nc->file;
        return qn__fail(QN_INVALID, "%s: %s", path, nc->explain(code));
    }
    nc->bytes = found.st_size;
    return look_at_length(nc);
}

void qn__netcdf_close(struct qn__netcdf *nc)
{
    if (nc->file >= 0)
        nc->close(nc->file);
    if (nc->library)
        dlclose(nc->library);
}

bool qn__netcdf_has(const struct qn__netcdf *nc, const char *name)
{
    int id;
    return nc->variable(nc->file, name, &id) == 0;
}

static enum qn_status refuse(const struct qn__netcdf *nc, const char *name,
                             int code)
{
    return qn__fail(QN_INVALID, "%s: '%s': %s", nc->path, name,
                    nc->explain(code));
}

enum qn_status qn__netcdf_look(const struct qn__netcdf *nc, const char *name,
                               int rank, struct qn__variable *variable)
{
    int id, found, dimensions[2];
    size_t length[2] = { 1, 1 };
    *variable = (struct qn__variable){ .name = name };
    int code = nc->variable(nc->file, name, &id);
    if (code == 0)
        code = nc->rank(nc->file, id, &found);
    if (code == 0 && found != rank)
        return qn__fail(QN_INVALID, "%s: '%s' has %d dimensions, wanted %d",
                        nc->path, name, found, rank);
    if (code == 0)
        code = nc->dimensions(nc->file, id, dimensions);
    for (int i = 0; code == 0 && i < rank; i++)
        code = nc->length(nc->file, dimensions[i], &length[i]);
    if (code != 0)
        return refuse(nc, name, code);
    if (length[0] > INT32_MAX || length[1] > INT32_MAX
        || length[0] * length[1] / MOST_PACKED > (size_t)nc->bytes)
        return qn__fail(QN_INVALID, "%s: '%s' has %zu by %zu numbers, and the"
                        " file %lld bytes", nc->path, name, length[0],
                        length[1], (long long)nc->bytes);
    variable->rows = (int64_t)length[0];
    variable->columns = (int64_t)length[1];
    return QN_OK;
}

enum qn_status qn__netcdf_read(const struct qn__netcdf *nc, const char *name,
                               int rank, struct qn__variable *variable)
{
    int id;
    const enum qn_status status = qn__netcdf_look(nc, name, rank, variable);
    if (status != QN_OK)
        return status;
    variable->values = malloc((size_t)(variable->rows * variable->columns + 1)
                              * sizeof *variable->values);
    if (!variable->values)
        return qn__fail(QN_NO_MEMORY, "no memory for a mesh");
    int code = nc->variable(nc->file, name, &id);
    if (code == 0)
        code = nc->read(nc->file, id, variable->values);
    return code == 0 ? QN_OK : refuse(nc, name, code);
}
