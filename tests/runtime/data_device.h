/* The memory of a device, as far as a cache knows. */
#ifndef DATA_DEVICE_H
#define DATA_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct device {
    unsigned char memory[1024];
    int uploads, downloads;
    bool failing;
    uint64_t chance;            /* not 0: one move in 40 fails */
    double clock, per_move;     /* virtual */
};

static inline enum qn_status device_move(struct device *device)
{
    bool fails = device->failing;
    device->clock += device->per_move;
    if (device->chance) {
        device->chance = device->chance * 6364136223846793005u + 1442695040888963407u;
        fails = (device->chance >> 33) % 40 == 0;
    }
    return fails ? qn__fail(QN_DEVICE, "the device failed") : QN_OK;
}

static inline enum qn_status device_upload(void *self, size_t offset, const void *host,
                                           size_t size)
{
    struct device *const device = self;
    const enum qn_status status = device_move(device);
    if (status != QN_OK) {
        memset(device->memory + offset, 0xee, size);    /* half of it, perhaps */
        return status;
    }
    device->uploads++;
    memcpy(device->memory + offset, host, size);
    return QN_OK;
}

static inline enum qn_status device_download(void *self, void *host, size_t offset,
                                             size_t size)
{
    struct device *const device = self;
    const enum qn_status status = device_move(device);
    if (status == QN_OK) {
        device->downloads++;
        memcpy(host, device->memory + offset, size);
    }
    return status;
}

static inline double device_now(void *self)
{
    return ((const struct device *)self)->clock;
}

static inline struct qn_mover device_mover(struct device *device)
{
    return (struct qn_mover){ device, device_upload, device_download, device_now };
}

#endif
