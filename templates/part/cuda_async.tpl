% -- The header of kernels that copy ahead, of this version.

#include "quern_async.h"

#if QUERN_ASYNC != 10
#error "quern_async.h is of another version of Quern: regenerate with gen/quern"
#endif
