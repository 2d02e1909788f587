/* The descriptor of the runtime's own kernels (device.h). It is compiled once
 * per backend: QUERN_BACKEND and QUERN_ARCH come from the command line. */
#include "device.h"

#ifndef QUERN_DEVICE_SYMBOL
#define QUERN_DEVICE_SYMBOL quern_module
#endif
#ifndef QUERN_BACKEND
#define QUERN_BACKEND "c"
#endif
#ifndef QUERN_ARCH
#define QUERN_ARCH ""
#endif

#define KERNEL(verb) \
    { .name = #verb, .kernel = #verb, .region = "", .shape = "", .step = -1, \
      .launch = quern_##verb##_launch }

static const struct quern_kernel kernels[] = {
    KERNEL(fill), KERNEL(random), KERNEL(inject),
    KERNEL(sample), KERNEL(spread), KERNEL(interpolate),
    KERNEL(extend), KERNEL(stream)
};

extern const struct quern_module QUERN_DEVICE_SYMBOL;
const struct quern_module QUERN_DEVICE_SYMBOL = {
    .abi = QUERN_ABI,
    .spec = "device", .instance = "device", .hash = "",
    .backend = QUERN_BACKEND, .arch = QUERN_ARCH, .fp = "strict",
    .compute = QUERN_DOUBLE,
    .args_size = sizeof(struct device_args),
    .extent = offsetof(struct device_args, n),
    .lower = offsetof(struct device_args, lower),
    .upper = offsetof(struct device_args, upper),
    .workspace = offsetof(struct device_args, workspace),
    .kernel_count = sizeof kernels / sizeof kernels[0],
    .kernels = kernels
};
