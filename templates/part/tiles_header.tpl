% -- The header of kernels that go through tiles, of this version.
#include "quern_tiles.h"

#if QUERN_TILES != 5
#error "quern_tiles.h is of another version of Quern: regenerate with gen/quern"
#endif

