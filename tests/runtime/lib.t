#!/bin/sh
# Builds libquern with sanitizers, the hand-written modules and their mutants, in
# a folder of its own, and runs lib.c on them.
cd "$(dirname "$0")/../.." || exit 1
CC=${CC:-gcc}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT PIPE TERM

WARNINGS="-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Werror"

module() {
    name=$1
    shift
    $CC -std=c11 -O1 $WARNINGS -Iruntime -fPIC -shared "$@" \
        -o "$folder/$name.so" tests/runtime/lib_module.c -lm || exit 1
}

for rank in 1 2 3; do
    module tiny$rank -DRANK=$rank
    module tiny${rank}_simt -DRANK=$rank -DBACKEND='"simt"'
    module tiny${rank}_reference -DRANK=$rank -DREFERENCE
done
for mutant in halo short shifted not_a_number no_region input nothing no_range \
    too_far count padding own_output overrun rounded stale one_pass \
    launch_fails; do
    module $mutant -DMUTANT="$(echo $mutant | tr a-z A-Z)"
done
module abi -DABI=99
module in_place -DIN_PLACE=2
module buffer -DBUFFER=1
module passes -DLAUNCH_PASS=NULL
module cuda -DBACKEND='"cuda"'
module other_reference -DRANK=1 -DREFERENCE -DHASH='"0000"'
echo "int nothing_here;" > "$folder/empty.c"
$CC -shared -fPIC -o "$folder/empty.so" "$folder/empty.c" || exit 1
echo "not a shared object" > "$folder/text.so"

# The runtime's own kernels, as simt has them.
$CC -std=c11 -O1 $WARNINGS -fPIC -Iruntime -DQUERN_BACKEND='"simt"' -c \
    -o "$folder/device.o" runtime/device_module.c || exit 1
${CXX:-g++} -std=c++17 -O1 -fPIC -shared -fopenmp -Iruntime \
    -o "$folder/quern_device_simt.so" -x c++ runtime/device.cu -x none \
    "$folder/device.o" || exit 1

sanitized=$(tests/runtime/sanitized) || exit 1
$CC ${sanitized% *} -o "$folder/lib" tests/runtime/lib.c tests/runtime/lib_fields.c \
    tests/runtime/lib_validate.c tests/runtime/lib_tap.c "${sanitized##* }" -ldl -lm || exit 1
ulimit -S -v unlimited
OMP_NUM_THREADS=2 "$folder/lib" "$folder"
