/* Variables of netCDF files. The library is opened when it is asked for:
 * nothing of it is needed to build or to link. */
#ifndef QUERN_NETCDF_FILE_H
#define QUERN_NETCDF_FILE_H

#include "internal.h"

struct qn__netcdf {
    void *library;
    int (*open)(const char *path, int mode, int *file);
    int (*close)(int file);
    int (*format)(int file, int *format);
    int (*count)(int file, int *variables);
    int (*variable)(int file, const char *name, int *id);
    int (*type)(int file, int variable, int *type);
    int (*size)(int file, int type, char *name, size_t *size);
    int (*rank)(int file, int variable, int *rank);
    int (*dimensions)(int file, int variable, int *ids);
    int (*length)(int file, int dimension, size_t *length);
    int (*read)(int file, int variable, double *values);
    const char *(*explain)(int code);
    int file;
    int64_t bytes;                  /* of the file */
    const char *path;
};

/* A variable of one dimension (columns 1) or two, whole numbers too. */
struct qn__variable {
    const char *name;
    int64_t rows, columns;          /* as the file has them */
    double *values;                 /* the caller's to free */
};

/* Closing is right after a failure too. */
enum qn_status qn__netcdf_open(const char *path, struct qn__netcdf *nc);
void qn__netcdf_close(struct qn__netcdf *nc);
bool qn__netcdf_has(const struct qn__netcdf *nc, const char *name);
/* Rows and columns alone, or the numbers too, of a variable that has so many
 * dimensions and is in the file as long as it says. */
enum qn_status qn__netcdf_look(const struct qn__netcdf *nc, const char *name,
                               int rank, struct qn__variable *variable);
enum qn_status qn__netcdf_read(const struct qn__netcdf *nc, const char *name,
                               int rank, struct qn__variable *variable);

#endif
