#!/bin/sh
# Every detector of simt sees the faults it is for, and right kernels pass.
set -e
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT PIPE TERM
cd "$root/tests/runtime"

# TEXT NAME FLAGS..: the module NAME of mutants/TEXT.cu.
build() {
  text=$1 name=$2
  shift 2
  ${CXX:-g++} -x c++ -std=c++17 -ffp-contract=off -fPIC -I ../../runtime \
    -I ../../templates "$@" -c mutants/$text.cu -o "$folder/$name.o"
  ${CXX:-g++} -shared "$folder/$name.o" -o "$folder/$name.so"
}

for text in plane point ring fetch steps; do
  build $text $text -Og -DSIMT_DETECT --param asan-globals=1 \
    -fsanitize=kernel-address,bounds,alignment,signed-integer-overflow
done
build point fast -O1
build steps fast_steps -O1
${CC:-gcc} -std=c11 -Wall -Wextra simt_mutants.c -o "$folder/run" -ldl
"$folder/run" "$folder/plane.so" "$folder/point.so" "$folder/ring.so" "$folder/fetch.so" \
  "$folder/steps.so" fast "$folder/fast.so" "$folder/fast_steps.so"
