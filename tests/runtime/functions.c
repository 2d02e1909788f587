/* What functions, choices and comparisons give in the kernels of a module.
 *
 *     functions CONTEXT FUNCTIONS BOUNDS POINTS     errors, specs/functions.lua
 *     functions CONTEXT RULES                       exact rules, specs/rules.lua
 */
#include "functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runtime/abi.h"
#include "../../runtime/quern.h"

enum { MOST = 64 };

static struct qn_context *context;
static struct qn_module *module;
static struct qn_field *fields[MOST];
static size_t n;

static void must(enum qn_status status)
{
    if (status == QN_OK)
        return;
    fprintf(stderr, "functions: %s\n", qn_last_error());
    exit(1);
}

static const struct quern_module *info(void) { return qn_module_describe(module); }

int is_float(void) { return info()->fields[0].type == QUERN_FLOAT; }

static int number_of(const char *field)
{
    for (int i = 0; i < info()->field_count; i++)
        if (strcmp(info()->fields[i].name, field) == 0)
            return i;
    fprintf(stderr, "functions: no field %s\n", field);
    exit(1);
}

void range_of(const char *field, double *low, double *high)
{
    *low = info()->fields[number_of(field)].low;
    *high = info()->fields[number_of(field)].high;
}

void resize(size_t points)
{
    const int64_t extent = (int64_t)points;
    n = points;
    must(qn_module_resize(module, &extent));
    for (int i = 0; i < info()->field_count; i++)
        must(qn_field_create(module, info()->fields[i].name, &fields[i]));
}

/* Floats in the place of n doubles. */
static float *floats(void)
{
    float *const values = malloc(n * sizeof *values);
    if (!values)
        exit(2);
    return values;
}

void put(const char *field, const double *values)
{
    struct qn_field *const to = fields[number_of(field)];
    if (!is_float()) {
        must(qn_field_write(to, 0, values));
        return;
    }
    float *const narrow = floats();
    for (size_t i = 0; i < n; i++)
        narrow[i] = (float)values[i];
    must(qn_field_write(to, 0, narrow));
    free(narrow);
}

void get(const char *field, double *values)
{
    struct qn_field *const from = fields[number_of(field)];
    if (!is_float()) {
        must(qn_field_read(from, 0, values));
        return;
    }
    float *const narrow = floats();
    must(qn_field_read(from, 0, narrow));
    for (size_t i = 0; i < n; i++)
        values[i] = narrow[i];
    free(narrow);
}

void set(const char *scalar, double value) { must(qn_module_set(module, scalar, value)); }

void launch(void)
{
    struct qn_kernel *kernel;
    must(qn_module_kernel(module, info()->kernels[0].name, &kernel));
    must(qn_kernel_launch(kernel));
    must(qn_context_synchronize(context));
}

int main(int count, char **words)
{
    if (count != 3 && count != 5) {
        fputs("usage: functions CONTEXT MODULE [BOUNDS POINTS]\n", stderr);
        return 2;
    }
    must(qn_context_open(words[1], &context));
    must(qn_module_load(context, words[2], &module));
    const int faults = count == 3 ? try_rules()
                                  : measure_errors(words[3], strtoul(words[4], NULL, 10));
    qn_module_unload(module);
    qn_context_close(context);
    return faults != 0;
}
