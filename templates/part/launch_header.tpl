% -- The headers that all launchers share, and those that convert 16-bit types, of this version.
#include "quern_launch.h"

#if QUERN_LAUNCH != 2
#error "quern_launch.h is of another version of Quern: regenerate with gen/quern"
#endif
% if uses_types then
#include "quern_types.h"

#if QUERN_TYPES != 1
#error "quern_types.h is of another version of Quern: regenerate with gen/quern"
#endif
% end
