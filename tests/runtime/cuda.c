/* The cuda context, on a driver that is a fake (cuda_fake.c) and modules whose
 * kernels run on the host: everything of libquern's own that a GPU would see.
 * cuda.t builds it and compares driver.h with NVIDIA's header where it is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>

#include "lib.h"

/* What the driver holds for us. */
static int held(void)
{
    void *const driver = dlopen("libcuda.so.1", RTLD_NOW);
    int (*count)(void);
    void *const symbol = dlsym(driver, "fake_allocations");
    memcpy(&count, &symbol, sizeof count);
    return count();
}

static void refused(const char *name, const char *value, const char *context,
                    enum qn_status wanted, const char *sentence)
{
    struct qn_context *opened = NULL;
    char what[128];
    setenv(name, value, 1);
    snprintf(what, sizeof what, "%s=%s", name, value);
    fails(qn_context_open(context, &opened), wanted, sentence, what);
    unsetenv(name);
    qn_context_close(opened);
}

static void test_opening(void)
{
    struct qn_context *context;
    refused("FAKE_FAIL", "cuInit 34", "cuda", QN_NO_DEVICE, "there is no CUDA driver here");
    refused("FAKE_FAIL", "cuInit 35", "cuda", QN_NO_DEVICE, "there is no CUDA driver here");
    refused("FAKE_FAIL", "cuInit 100", "cuda", QN_NO_DEVICE, "there is no CUDA device here");
    refused("FAKE_FAIL", "cuInit 803", "cuda", QN_NO_DEVICE, "fake words for 803");
    refused("FAKE_FAIL", "cuEventCreate 999", "cuda", QN_DEVICE, "opening the device");
    refused("FAKE_DEVICES", "0", "cuda", QN_NO_DEVICE, "no CUDA device 0: this machine has 0");
    refused("FAKE_DEVICES", "2", "cuda:2", QN_NO_DEVICE, "no CUDA device 2");
    ok(held() == 0, "a context that does not open holds nothing");
    setenv("FAKE_DEVICES", "2", 1);
    must(qn_context_open("cuda:1", &context));
    ok(strcmp(qn_context_device(context), "Fake GPU 1") == 0, "cuda:1 is the second device");
    qn_context_close(context);
    unsetenv("FAKE_DEVICES");
}

static void test_loading(void)
{
    struct qn_context *context;
    struct qn_module *module;
    must(qn_context_open("cuda", &context));
    fails(qn_module_load(context, path_of("newer"), &module), QN_MISMATCH,
          "for sm_100, the device (Fake GPU 0) is sm_90", "a module for a later device");
    fails(qn_module_load(context, path_of("none_fits"), &module), QN_MISMATCH,
          "for sm_80a,sm_100, the device", "a module for other devices");
    ok(qn_module_load(context, path_of("several"), &module) == QN_OK,
       "a module for several devices, this one among them");
    qn_module_unload(module);
    fails(qn_module_load(context, path_of("special"), &module), QN_MISMATCH,
          "for sm_80a", "a module for one other device only");
    fails(qn_module_load(context, path_of("reference"), &module), QN_MISMATCH,
          "for backend 'reference', which a cuda context cannot launch", "a module for cpus");
    ok(qn_module_load(context, path_of("older"), &module) == QN_OK,
       "a module for an earlier device");
    qn_module_unload(module);
    qn_context_close(context);
}

static void test_work(void)
{
    const int64_t n[] = { 9, 5, 4 };
    const int64_t points[] = { 8, 4, 3, 8, 4, 3 };
    const double values[] = { 1.5, 2 };
    float sent[180], got[180];
    double sampled[2];
    struct qn_validation validation;
    struct qn_timing timing;
    struct qn_kernel *kernel;
    struct qn_field *u;
    struct pair gpu = open_pair("tiny", "reference", n);
    for (int i = 0; i < 180; i++)
        sent[i] = (float)i;
    must(qn_field_create(gpu.module, "u", &u));
    must(qn_field_write(u, 0, sent));
    must(qn_field_extend(u, 0));
    must(qn_field_read(u, 0, got));
    ok(memcmp(sent, got, sizeof got) == 0, "planes of rows, up and down");
    must(qn_field_inject(u, 0, 2, points, values));
    must(qn_field_sample(u, 0, 2, points, sampled));
    ok(sampled[0] == 182.5 && sampled[1] == 182.5, "injected and sampled");
    must(qn_module_kernel(gpu.module, "step", &kernel));
    ok(qn_kernel_validate(kernel, gpu.reference, 1, &validation) == QN_OK
       && validation.points == 180, "validated against a reference on the host");
    ok(qn_kernel_bench(kernel, 2, &timing) == QN_OK && timing.ratio > 0, "timed by events");
    close_pair(&gpu);
    ok(held() == 0, "everything is given back");
}

/* A failure in the middle is one sentence, and nothing is lost. */
static void test_failures(void)
{
    static const struct { const char *fail, *sentence; enum qn_status status; } each[] = {
        { "cuMemAlloc_v2 2", "bytes: the device is out of memory", QN_NO_MEMORY },
        { "cuMemcpyHtoD_v2 700", "copying to the device: CUDA error 700, fake words", QN_DEVICE },
        { "cuMemcpyDtoH_v2 719", "copying from the device: CUDA error 719", QN_DEVICE },
        { "cuCtxSynchronize 700", "running kernels: CUDA error 700", QN_DEVICE },
        { "cuCtxSetCurrent 201", "entering the device: CUDA error 201", QN_DEVICE }
    };
    const int64_t n[] = { 9, 5, 4 };
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        struct qn_validation validation;
        struct qn_kernel *kernel;
        struct pair gpu = open_pair("tiny", "reference", n);
        must(qn_module_kernel(gpu.module, "step", &kernel));
        setenv("FAKE_FAIL", each[i].fail, 1);
        fails(qn_kernel_validate(kernel, gpu.reference, 1, &validation), each[i].status,
              each[i].sentence, each[i].fail);
        unsetenv("FAKE_FAIL");
        close_pair(&gpu);
        ok(held() == 0, "%s: everything is given back", each[i].fail);
    }
}

static void test_launch_codes(void)
{
    const int64_t n[] = { 9, 5, 4 };
    struct qn_validation validation;
    struct qn_module *failing;
    struct qn_kernel *kernel;
    struct pair gpu = open_pair("tiny", "reference", n);
    must(qn_module_load(gpu.context, path_of("launch_fails"), &failing));
    must(qn_module_resize(failing, n));
    must(qn_module_kernel(failing, "step", &kernel));
    fails(qn_kernel_validate(kernel, gpu.reference, 1, &validation), QN_NO_DEVICE,
          "there is no CUDA driver here, or it is older than the CUDA of the module",
          "a module whose cudart answers 35");
    qn_module_unload(failing);
    close_pair(&gpu);
}

/* A context may move to another thread: the device is entered there. */
static void *elsewhere(void *argument)
{
    struct qn_field *u = NULL;
    float got[180];
    if (qn_field_create(argument, "u", &u) == QN_OK && qn_field_read(u, 0, got) == QN_OK)
        return u;
    return NULL;
}

static void test_thread(void)
{
    const int64_t n[] = { 9, 5, 4 };
    struct pair gpu = open_pair("tiny", "reference", n);
    pthread_t thread;
    void *result = NULL;
    pthread_create(&thread, NULL, elsewhere, gpu.module);
    pthread_join(thread, &result);
    ok(result != NULL, "another thread goes on with the context");
    close_pair(&gpu);
}

int main(int count, char **arguments)
{
    folder = count > 1 ? arguments[1] : ".";
    where = "cuda";
    test_opening();
    test_loading();
    test_work();
    test_failures();
    test_launch_codes();
    test_thread();
    return done();
}
