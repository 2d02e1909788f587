#!/bin/sh
# Every detector of simt sees the faults it is for, and right kernels pass.
set -e
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$root/tests/runtime"
for name in plane point; do
  ${CXX:-g++} -x c++ -std=c++17 -g -O1 -ffp-contract=off -fPIC -I ../../runtime \
    -DSIMT_DETECT -fsanitize=kernel-address,bounds,alignment,signed-integer-overflow \
    --param asan-globals=1 -c mutants/$name.cu -o "$folder/$name.o"
  ${CXX:-g++} -shared "$folder/$name.o" -o "$folder/$name.so"
done
${CC:-gcc} -std=c11 -Wall -Wextra simt_mutants.c -o "$folder/run" -ldl
"$folder/run" "$folder/plane.so" "$folder/point.so"
