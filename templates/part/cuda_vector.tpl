% -- The header of kernels whose threads have several points side by side, of this version.

#include "quern_vector.h"

#if QUERN_VECTOR != 2
#error "quern_vector.h is of another version of Quern: regenerate with gen/quern"
#endif
