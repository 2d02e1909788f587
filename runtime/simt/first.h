/* What every kernel's file begins with, under a name of its own: gen/compile
 * has it compiled once and included before all else (-include). It changes
 * nothing: simt.h is guarded. */
#include "../simt.h"
