/* A CUDA driver whose device memory is the host's: libcuda.so.1 for cuda.c.
 * It is strict where a driver is: no call before cuInit, none without a current
 * context, no copy outside an allocation. FAKE_DEVICES is how many devices it
 * has, FAKE_FAIL="symbol code" makes one function fail. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver.h"

enum { OK, INVALID = 1, NOT_STARTED = 3, NO_CONTEXT = 201, ILLEGAL = 700, BLOCKS = 256 };

static struct { char *start; size_t size; } blocks[BLOCKS];
static bool started;
static int retained;
static _Thread_local void *current;
static int primary;                 /* its address is the context */

int fake_allocations(void);
int fake_allocations(void)
{
    int count = retained;
    for (int i = 0; i < BLOCKS; i++)
        count += blocks[i].start != NULL;
    return count;
}

static int ready(const char *symbol, bool needs_context)
{
    const char *const fail = getenv("FAKE_FAIL");
    const size_t length = strlen(symbol);
    if (fail && strncmp(fail, symbol, length) == 0 && fail[length] == ' ')
        return atoi(fail + length);
    if (!started)
        return NOT_STARTED;
    return needs_context && current != &primary ? NO_CONTEXT : OK;
}

/* A failing function returns at once. */
#define READY(symbol, needs_context) \
    do { \
        const int code_ = ready(symbol, needs_context); \
        if (code_ != OK) \
            return code_; \
    } while (0)

static bool owned(driver_address address, size_t size)
{
    const char *const start = (const char *)(uintptr_t)address;
    for (int i = 0; i < BLOCKS; i++)
        if (blocks[i].start && start >= blocks[i].start
            && start + size <= blocks[i].start + blocks[i].size)
            return true;
    return false;
}

int cuInit(unsigned flags);
int cuInit(unsigned flags)
{
    started = true;
    READY("cuInit", false);
    return flags == 0 ? OK : INVALID;
}

int cuGetErrorString(int code, const char **text);
int cuGetErrorString(int code, const char **text)
{
    static char words[32];
    snprintf(words, sizeof words, "fake words for %d", code);
    *text = words;
    return OK;
}

int cuDeviceGetCount(int *count);
int cuDeviceGetCount(int *count)
{
    READY("cuDeviceGetCount", false);
    *count = getenv("FAKE_DEVICES") ? atoi(getenv("FAKE_DEVICES")) : 1;
    return OK;
}

int cuDeviceGet(int *device, int index);
int cuDeviceGet(int *device, int index)
{
    READY("cuDeviceGet", false);
    *device = 70 + index;           /* a handle is no index */
    return OK;
}

int cuDeviceGetName(char *name, int size, int device);
int cuDeviceGetName(char *name, int size, int device)
{
    READY("cuDeviceGetName", false);
    snprintf(name, (size_t)size, "Fake GPU %d", device - 70);
    return OK;
}

int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    *value = attribute == 75 ? 9 : attribute == 76 ? 0 : -1;
    return *value < 0 ? INVALID : OK;
}

int cuDevicePrimaryCtxRetain(void **context, int device);
int cuDevicePrimaryCtxRetain(void **context, int device)
{
    READY("cuDevicePrimaryCtxRetain", false);
    (void)device;
    retained++;
    *context = &primary;
    return OK;
}

int cuDevicePrimaryCtxRelease_v2(int device);
int cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    retained--;
    return OK;
}

int cuCtxSetCurrent(void *context);
int cuCtxSetCurrent(void *context)
{
    READY("cuCtxSetCurrent", false);
    current = context;
    return context == &primary ? OK : NO_CONTEXT;
}

int cuCtxSynchronize(void);
int cuCtxSynchronize(void)
{
    READY("cuCtxSynchronize", true);
    return OK;
}

int cuMemAlloc_v2(driver_address *address, size_t size);
int cuMemAlloc_v2(driver_address *address, size_t size)
{
    READY("cuMemAlloc_v2", true);
    for (int i = 0; size > 0 && i < BLOCKS; i++)
        if (!blocks[i].start) {
            blocks[i].start = aligned_alloc(256, (size + 255) / 256 * 256);
            blocks[i].size = size;
            *address = (driver_address)(uintptr_t)blocks[i].start;
            return OK;
        }
    return INVALID;
}

int cuMemFree_v2(driver_address address);
int cuMemFree_v2(driver_address address)
{
    READY("cuMemFree_v2", true);
    for (int i = 0; i < BLOCKS; i++)
        if (blocks[i].start == (char *)(uintptr_t)address) {
            free(blocks[i].start);
            blocks[i].start = NULL;
            return OK;
        }
    return INVALID;
}

int cuMemcpyHtoD_v2(driver_address to, const void *from, size_t size);
int cuMemcpyHtoD_v2(driver_address to, const void *from, size_t size)
{
    READY("cuMemcpyHtoD_v2", true);
    if (!owned(to, size))
        return ILLEGAL;
    memcpy((void *)(uintptr_t)to, from, size);
    return OK;
}

int cuMemcpyDtoH_v2(void *to, driver_address from, size_t size);
int cuMemcpyDtoH_v2(void *to, driver_address from, size_t size)
{
    READY("cuMemcpyDtoH_v2", true);
    if (!owned(from, size))
        return ILLEGAL;
    memcpy(to, (const void *)(uintptr_t)from, size);
    return OK;
}

static void copy_rows(const struct driver_copy *copy, char *to, const char *from)
{
    for (size_t row = 0; row < copy->height; row++)
        memcpy(to + row * copy->to_pitch, from + row * copy->from_pitch, copy->width);
}

int cuMemcpy2DUnaligned_v2(const struct driver_copy *copy);
int cuMemcpy2DUnaligned_v2(const struct driver_copy *copy)
{
    READY("cuMemcpy2DUnaligned_v2", true);
    const bool up = copy->from_kind == 1 && copy->to_kind == 2;
    const bool down = copy->from_kind == 2 && copy->to_kind == 1;
    const driver_address device = up ? copy->to_device : copy->from_device;
    const size_t pitch = up ? copy->to_pitch : copy->from_pitch;
    if ((!up && !down) || copy->from_x || copy->from_y || copy->to_x || copy->to_y
        || copy->width > copy->to_pitch || copy->width > copy->from_pitch)
        return INVALID;
    if (!owned(device, pitch * (copy->height - 1) + copy->width))
        return ILLEGAL;
    copy_rows(copy, up ? (char *)(uintptr_t)device : copy->to_host,
              up ? copy->from_host : (const char *)(uintptr_t)device);
    return OK;
}

/* An event, and a stream: what was put on it is done when it is asked twice. */
struct event { struct timespec when; int asked; bool recorded; };

int cuEventCreate(void **event, unsigned flags);
int cuEventCreate(void **event, unsigned flags)
{
    READY("cuEventCreate", true);
    *event = calloc(1, sizeof(struct event));
    return flags == 0 ? OK : INVALID;
}

int cuEventDestroy_v2(void *event);
int cuEventDestroy_v2(void *event)
{
    READY("cuEventDestroy_v2", true);
    free(event);
    return OK;
}

static void *streams[BLOCKS];

static bool is_stream(const void *stream)
{
    for (int i = 0; stream && i < BLOCKS; i++)
        if (streams[i] == stream)
            return true;
    return stream == NULL;
}

int cuEventRecord(void *event, void *stream);
int cuEventRecord(void *event, void *stream)
{
    struct event *const own = event;
    READY("cuEventRecord", true);
    timespec_get(&own->when, TIME_UTC);
    own->recorded = true;
    own->asked = 0;
    return is_stream(stream) ? OK : INVALID;
}

int cuEventQuery(void *event);
int cuEventQuery(void *event)
{
    struct event *const own = event;
    READY("cuEventQuery", true);
    return own->asked++ > 0 ? OK : 600;
}

int cuEventSynchronize(void *event);
int cuEventSynchronize(void *event)
{
    (void)event;
    READY("cuEventSynchronize", true);
    return OK;
}

int cuEventElapsedTime(float *milliseconds, void *begin, void *end);
int cuEventElapsedTime(float *milliseconds, void *begin, void *end)
{
    const struct event *const a = begin, *const b = end;
    READY("cuEventElapsedTime", true);
    *milliseconds = 1e3f * (float)(b->when.tv_sec - a->when.tv_sec)
        + 1e-6f * (float)(b->when.tv_nsec - a->when.tv_nsec);
    return a->recorded && b->recorded ? OK : INVALID;
}

int cuStreamCreate(void **stream, unsigned flags);
int cuStreamCreate(void **stream, unsigned flags)
{
    READY("cuStreamCreate", true);
    for (int i = 0; flags == 0 && i < BLOCKS; i++)
        if (!streams[i]) {
            *stream = streams[i] = calloc(1, 1);
            retained++;
            return OK;
        }
    return INVALID;
}

int cuStreamDestroy_v2(void *stream);
int cuStreamDestroy_v2(void *stream)
{
    READY("cuStreamDestroy_v2", true);
    for (int i = 0; stream && i < BLOCKS; i++)
        if (streams[i] == stream) {
            free(stream);
            streams[i] = NULL;
            retained--;
            return OK;
        }
    return INVALID;
}

int cuStreamSynchronize(void *stream);
int cuStreamSynchronize(void *stream)
{
    READY("cuStreamSynchronize", true);
    return is_stream(stream) ? OK : INVALID;
}

int cuStreamWaitEvent(void *stream, void *event, unsigned flags);
int cuStreamWaitEvent(void *stream, void *event, unsigned flags)
{
    READY("cuStreamWaitEvent", true);
    return is_stream(stream) && event && flags == 0 ? OK : INVALID;
}

int cuLaunchHostFunc(void *stream, void (*function)(void *), void *self);
int cuLaunchHostFunc(void *stream, void (*function)(void *), void *self)
{
    READY("cuLaunchHostFunc", true);
    function(self);
    return is_stream(stream) ? OK : INVALID;
}

int cuMemAllocHost_v2(void **host, size_t size);
int cuMemAllocHost_v2(void **host, size_t size)
{
    READY("cuMemAllocHost_v2", true);
    *host = malloc(size);
    retained++;
    return OK;
}

int cuMemFreeHost(void *host);
int cuMemFreeHost(void *host)
{
    READY("cuMemFreeHost", true);
    free(host);
    retained--;
    return host ? OK : INVALID;
}

int cuMemcpyHtoDAsync_v2(driver_address to, const void *from, size_t size, void *stream);
int cuMemcpyHtoDAsync_v2(driver_address to, const void *from, size_t size, void *stream)
{
    READY("cuMemcpyHtoDAsync_v2", true);
    return is_stream(stream) ? cuMemcpyHtoD_v2(to, from, size) : INVALID;
}

int cuMemcpyDtoHAsync_v2(void *to, driver_address from, size_t size, void *stream);
int cuMemcpyDtoHAsync_v2(void *to, driver_address from, size_t size, void *stream)
{
    READY("cuMemcpyDtoHAsync_v2", true);
    return is_stream(stream) ? cuMemcpyDtoH_v2(to, from, size) : INVALID;
}
