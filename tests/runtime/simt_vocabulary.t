#!/bin/sh
# Hand-written kernels in the style of what is emitted give the bits of a plain
# loop however they are compiled, and nvcc takes the same text.
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT PIPE TERM
cd "$root/tests/runtime" || exit 1
tests=0

# NAME FLAGS..: compiled with these flags, linked with $LINK, run in the environment $RUN.
compare() {
  name=$1
  shift
  tests=$((tests + 1))
  if ${CXX:-g++} -x c++ -std=c++17 -ffp-contract=off -fPIC -Wall -Wextra -Wshadow -Wno-unknown-pragmas \
      -I ../../runtime -I . "$@" -c simt_vocabulary.cu -o "$folder/v.o" 2>"$folder/errors" &&
      [ ! -s "$folder/errors" ] &&
      ${CXX:-g++} -shared $LINK "$folder/v.o" -o "$folder/v.so" 2>"$folder/errors" &&
      env $RUN "$folder/run" "$folder/v.so" 2>"$folder/errors"
  then echo "ok $tests - $name"
  else echo "not ok $tests - $name"; sed 's/^/# /' "$folder/errors"
  fi
}

detect="-DSIMT_DETECT -fsanitize=kernel-address,bounds,alignment,signed-integer-overflow
  --param asan-globals=1"

# The runner keeps libgomp: unloaded with the last module, it would leave its threads
# without code.
${CC:-gcc} -std=c11 -O1 -ffp-contract=off -Wall -Wextra simt_vocabulary.c -o "$folder/run" \
  -Wl,--no-as-needed -fopenmp -ldl -lm || exit 1
# Optimised, all of them in the long run only.
high=$([ "$QUERN_LONG" ] && echo -O2 || echo -O0)
compare "fast, on one core" -O2
LINK=-fopenmp compare "fast, on all cores" $high -march=native -fopenmp
compare "fast, not optimised" -O0
compare "fast, with ucontext" $high -DSIMT_UCONTEXT
compare "detectors" -Og -march=native $detect
compare "detectors, with ucontext" $high -DSIMT_UCONTEXT $detect
LINK=-fsanitize=address,undefined \
RUN="LD_PRELOAD=$(${CC:-gcc} -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0" \
  compare "under the real AddressSanitizer" $high -fsanitize=address,undefined

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
for text in simt_vocabulary mutants/point; do
  tests=$((tests + 1))
  if ! [ -x "$nvcc" ]; then echo "ok $tests - nvcc takes $text # SKIP there is no nvcc"
  elif "$nvcc" -std=c++17 -arch=sm_90 -Werror all-warnings -I . -c $text.cu -o "$folder/n.o" \
      >"$folder/errors" 2>&1
  then echo "ok $tests - nvcc takes $text"
  else echo "not ok $tests - nvcc takes $text"; sed 's/^/# /' "$folder/errors"
  fi
done
echo "1..$tests"
