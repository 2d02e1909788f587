/* All of simt that is no kernel's own, for a module whose files are compiled
 * with SIMT_KERNELS: functions that all of them call and that the compiler's
 * instrumentation calls. It is not instrumented itself. */
#define SIMT_REST
#include "../simt.h"
