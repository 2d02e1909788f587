#!/bin/sh
# Builds the fake driver, modules for it and cuda.c, with sanitizers, in a folder
# of its own, and runs it; then compares driver.h with cuda.h where there is one.
cd "$(dirname "$0")/../.." || exit 1
CC=${CC:-gcc}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT PIPE TERM

WARNINGS="-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Werror"

module() {
    name=$1
    shift
    $CC -std=c11 -O1 $WARNINGS -Iruntime -fPIC -shared "$@" -o "$folder/$name.so" \
        tests/runtime/lib_module.c -lm || exit 1
}

module tiny -DBACKEND='"cuda"' -DARCH='"sm_90"'
module older -DBACKEND='"cuda"' -DARCH='"sm_75"'
module newer -DBACKEND='"cuda"' -DARCH='"sm_100"'
module several -DBACKEND='"cuda"' -DARCH='"sm_100,sm_90"'
module none_fits -DBACKEND='"cuda"' -DARCH='"sm_80a,sm_100"'
module special -DBACKEND='"cuda"' -DARCH='"sm_80a"'
module launch_fails -DBACKEND='"cuda"' -DARCH='"sm_90"' -DMUTANT=LAUNCH_FAILS -DCODE=35
module reference -DREFERENCE

# The runtime's own kernels for this device: those of the host.
$CC -std=c11 -O1 $WARNINGS -fopenmp -Iruntime -fPIC -shared -DQUERN_BACKEND='"cuda"' \
    -DQUERN_ARCH='"sm_90"' -o "$folder/quern_device_cuda.so" runtime/device_module.c \
    runtime/host.c -lm || exit 1
$CC -std=c11 -O1 $WARNINGS -Iruntime -fPIC -shared -o "$folder/libcuda.so.1" \
    tests/runtime/cuda_fake.c || exit 1

sanitized=$(tests/runtime/sanitized) || exit 1
$CC ${sanitized% *} -o "$folder/cuda" tests/runtime/cuda.c tests/runtime/lib_tap.c \
    "${sanitized##* }" -ldl -lm -lpthread || exit 1
ulimit -S -v unlimited
LD_LIBRARY_PATH="$folder" OMP_NUM_THREADS=2 "$folder/cuda" "$folder" > "$folder/tap"
status=$?
count=$(grep -c '^\(not \)\?ok' "$folder/tap")
grep -v '^1\.\.' "$folder/tap"

header=${CUDA_HOME:-/usr/local/cuda}/include
count=$((count + 1))
if [ ! -e "$header/cuda.h" ]; then
    echo "ok $count - driver.h agrees with cuda.h # SKIP no cuda.h"
elif $CC -std=c11 -fsyntax-only -Iruntime -isystem "$header" tests/runtime/cuda_layout.c >&2; then
    echo "ok $count - driver.h agrees with cuda.h"
else
    echo "not ok $count - driver.h agrees with cuda.h"
    status=1
fi
[ $status -ne 0 ] || echo "1..$count"
exit $status
