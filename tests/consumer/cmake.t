#!/bin/sh
# The CMake lines that the README shows, as they are: they build, build again
# after a change of the specification, and leave nothing old in use.
command -v cmake >/dev/null 2>&1 || {
    echo "1..0 # SKIP no cmake"
    exit 0
}
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT PIPE TERM
unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$folder" || exit 1
number=0
is() { # name, wanted, got
    number=$((number + 1))
    if [ "$2" = "$3" ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        sed 's/^/# /' log
    fi
}
ln -s "$root" quern
cp "$root/specs/heat.lua" .
sed -n '/^```cmake$/,/^```$/{/^```/d;s|path/to/quern|./quern|;p}' "$root/README.md" >CMakeLists.txt
cat >solver.c <<'END'
#include "heat_r1_float.h"
int main(void)
{
    struct heat_r1_float_args a = { .struct_size = sizeof a, .n = { 1, 1, 1 }, .upper = { 1, 1, 1 } };
    return heat_r1_float_step(&a, 0) == 0;              /* no arrays: refused */
}
END
{ cmake -S . -B built && cmake --build built; } >log 2>&1; is "the README's lines build" 0 $?
built/solver; is "and link what they generate" 0 $?
cmake --build built >log 2>&1
is "then nothing is compiled" 0 "$(grep -c Building log)"
sleep 1
sed -i 's/"radius", default = 1/"radius", default = 2/' heat.lua
cmake --build built >log 2>&1
is "after a change of the radius the old header is not found" 1 "$(grep -c 'fatal error: heat_r1_float.h' log)"
sed -i 's/r1/r2/' solver.c
cmake --build built >log 2>&1; is "and the new one is" 0 $?
echo "1..$number"
