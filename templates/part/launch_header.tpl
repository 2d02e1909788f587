% -- The headers that all launchers share, and those that convert 16-bit types, of this version.
% include "part/launch_version"
% if mesh then
#include "quern_mesh.h"

#if QUERN_MESH != 2
#error "quern_mesh.h is of another version of Quern: regenerate with gen/quern"
#endif
% end
% if uses_types then
#include "quern_types.h"

#if QUERN_TYPES != 1
#error "quern_types.h is of another version of Quern: regenerate with gen/quern"
#endif
% end
