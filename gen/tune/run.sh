#!/bin/sh
# Validates and times the candidates of this folder on the device here; needs no
# Lua. Goes on where it stopped. --most N: so many of each kernel's, or all.
cd "$(dirname -- "$0")" || exit 2
LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
exec ./quern-run --tune . "$@"
