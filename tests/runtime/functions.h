/* One module, whose fields are seen as doubles whatever they store; what fails
 * ends the program with a sentence. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include <stddef.h>

/* Every field gets so many points along x, all zero. */
void resize(size_t points);
void put(const char *field, const double *values);
void get(const char *field, double *values);
void set(const char *scalar, double value);
void launch(void);
void range_of(const char *field, double *low, double *high);
int is_float(void);

/* Both print what they find and give the number of faults. */
int measure_errors(const char *bounds, size_t points);
int try_rules(void);

#endif
