#!/bin/sh
# Every detector of simt sees the faults it is for, and right kernels pass.
set -e
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT PIPE TERM
cd "$root/tests/runtime"

# TEXT NAME REST FLAGS..: the module NAME of mutants/TEXT.cu and, if any, REST.
build() {
  text=$1 name=$2 rest=$3
  shift 3
  ${CXX:-g++} -x c++ -std=c++17 -ffp-contract=off -fPIC -I ../../runtime \
    -I ../../templates "$@" -c mutants/$text.cu -o "$folder/$name.o"
  ${CXX:-g++} -shared "$folder/$name.o" $rest -o "$folder/$name.so"
}

# As gen/compile.lua has them: the detectors alone are optimised.
${CXX:-g++} -std=c++17 -O2 -ffp-contract=off -fPIC -DSIMT_DETECT -c ../../runtime/simt/rest.cpp \
  -o "$folder/rest.o"
for text in plane point ring fetch steps; do
  build $text $text "$folder/rest.o" -O0 -DSIMT_DETECT -DSIMT_KERNELS --param asan-globals=1 \
    -fsanitize=kernel-address,bounds,alignment,signed-integer-overflow
done
build point fast "" -O1
${CC:-gcc} -std=c11 -Wall -Wextra simt_mutants.c -o "$folder/run" -ldl
"$folder/run" "$folder/plane.so" "$folder/point.so" "$folder/ring.so" "$folder/fetch.so" \
  "$folder/steps.so" fast "$folder/fast.so"
