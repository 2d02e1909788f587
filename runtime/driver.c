/* The CUDA driver, opened when a cuda context is: its functions, and words for
 * its errors and those of the modules' static cudart: the same codes. */
#define _GNU_SOURCE
#include "driver.h"

#include <dlfcn.h>
#include <string.h>

/* What cudart alone says; the driver has words for the rest. */
static const struct {
    int code;
    const char *words;
} runtime_errors[] = {
    { 3, "initialisation error" },
    { 9, "invalid configuration: a block or a grid is too large" },
    { 36, "the driver is older than the module's CUDA" },
    { 98, "invalid device function: the module was built for another "
          "architecture" }
};

static const char *words(const struct qn__cuda *cuda, int code)
{
    const char *text = NULL;
    for (size_t i = 0; i < sizeof runtime_errors / sizeof runtime_errors[0];
         i++)
        if (runtime_errors[i].code == code)
            return runtime_errors[i].words;
    if (cuda->error_string && cuda->error_string(code, &text) == 0 && text)
        return text;
    return "unknown error";
}

static enum qn_status complain(const struct qn__cuda *cuda, int code,
                               const char *what)
{
    if (code == DRIVER_STUB || code == DRIVER_TOO_OLD)
        return qn__fail(QN_NO_DEVICE,
                        "there is no CUDA driver here, or it is older"
                        " than the CUDA of the module");
    if (code == DRIVER_NO_DEVICE)
        return qn__fail(QN_NO_DEVICE, "there is no CUDA device here");
    if (code == DRIVER_NO_MEMORY)
        return qn__fail(QN_NO_MEMORY, "%s: the device is out of memory", what);
    return qn__fail(QN_DEVICE, "%s: CUDA error %d, %s", what, code,
                    words(cuda, code));
}

enum qn_status qn__driver_check(const struct qn__cuda *cuda, int code,
                                const char *what)
{
    return code == 0 ? QN_OK : complain(cuda, code, what);
}

/* A function pointer from an object pointer, as POSIX means dlsym to be used */
static bool resolve(void *library, const char *symbol, void *function,
                    size_t size)
{
    void *const found = dlsym(library, symbol);
    memcpy(function, &found, size);
    return found != NULL;
}

enum qn_status qn__driver_open(struct qn__cuda *cuda)
{
    /* The driver has threads of its own: it stays, whatever is closed. */
    cuda->library = dlopen("libcuda.so.1",
                           RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!cuda->library)
        return qn__fail(QN_NO_DEVICE, "there is no CUDA driver here"
                        " (libcuda.so.1 is not installed)");
#define RESOLVE(name, symbol, parameters) \
    if (!resolve(cuda->library, symbol, &cuda->name, sizeof cuda->name)) \
        return qn__fail(QN_NO_DEVICE, \
                        "the CUDA driver has no %s: it is too old", symbol);
    DRIVER(RESOLVE)
#undef RESOLVE
    const int code = cuda->init(0);
    if (code == 0 || qn__driver_check(cuda, code, "") == QN_NO_DEVICE)
        return code == 0 ? QN_OK : QN_NO_DEVICE;
    return qn__fail(QN_NO_DEVICE, "CUDA does not start: error %d, %s", code,
                    words(cuda, code));
}

