% -- The header that launchers share, of this version.
#include "quern_launch.h"

#if QUERN_LAUNCH != 4
#error "quern_launch.h is of another version of Quern: regenerate with gen/quern"
#endif
