% -- The header of kernels whose blocks serve requests, of this version.
#include "quern_requests.h"

#if QUERN_REQUESTS != 1
#error "quern_requests.h is of another version of Quern: regenerate with gen/quern"
#endif
