#!/bin/sh
# Builds places.c with sanitizers, its module of fields and the runtime's own
# kernels with the detectors of simt, in a folder of its own; then with mistakes
# in the runtime, which it must find.
cd "$(dirname "$0")/../.." || exit 1
CC=${CC:-gcc}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT PIPE TERM

make -s all || exit 1
WARNINGS="-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Werror"
TEST="places places_sums places_bits lib_tap"
LIBRARY="out/runtime/libquern.a -fopenmp -ldl -lm"

for backend in c simt; do
    $CC -std=c11 -O1 $WARNINGS -Iruntime -fPIC -shared -DBACKEND="\"$backend\"" \
        -o "$folder/$backend.so" tests/runtime/places_module.c || exit 1
done
mv "$folder/c.so" "$folder/places.so"
mv "$folder/simt.so" "$folder/places_simt.so"
cp out/runtime/quern_device_simt.so "$folder"

mkdir "$folder/detect"
${CXX:-g++} -std=c++17 -O1 -march=native -ffp-contract=off -fPIC -Iruntime -DSIMT_DETECT \
    -fsanitize=kernel-address,bounds,alignment,signed-integer-overflow \
    --param asan-globals=1 -c -o "$folder/detect.o" -x c++ runtime/device.cu || exit 1
${CXX:-g++} -shared -fopenmp -o "$folder/detect/quern_device_simt.so" "$folder/detect.o" \
    out/runtime/device_simt.o || exit 1

sources=""
for file in $TEST; do
    sources="$sources tests/runtime/$file.c"
done
for file in taps places shares field state host; do
    sources="$sources runtime/$file.c"
done
$CC -std=c11 -O1 -g1 $WARNINGS -fopenmp -fno-omit-frame-pointer -Iruntime \
    -fsanitize=address,undefined -fno-sanitize-recover=undefined -o "$folder/places" \
    $sources $LIBRARY || exit 1
ulimit -S -v unlimited
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
"$folder/places" "$folder" >"$folder/log" || failed=1
# What the detectors know of arrays is theirs to the end: no leak of ours.
ASAN_OPTIONS=detect_leaks=0 "$folder/places" "$folder" detectors >>"$folder/log" || failed=1
grep -v '^1\.\.' "$folder/log" | awk '/^(not )?ok/ { sub(/ok [0-9]+/, "ok " ++n) } { print }'
count=$(grep -c '^ok\|^not ok' "$folder/log")

# mutant FILE SOURCES TEXT OTHER WHAT: the tests must fail where FILE says OTHER,
# which SOURCES are compiled with.
mutant() {
    count=$((count + 1))
    rm -rf "$folder/mutant" && mkdir "$folder/mutant" || exit 1
    for file in $2; do
        cp "runtime/$file.c" "$folder/mutant" || exit 1
    done
    cp runtime/*.h "$folder/mutant" || exit 1
    awk -v a="$3" -v b="$4" '
        (i = index($0, a)) { $0 = substr($0, 1, i - 1) b substr($0, i + length(a)); n++ }
        { print }
        END { exit n != 1 }' "runtime/$1" >"$folder/mutant/$1" &&
        $CC -std=c11 -O0 -fopenmp -I"$folder/mutant" -o "$folder/wrong" "$folder"/*.o \
            "$folder"/mutant/*.c $LIBRARY || { echo "Bail out! $5 is not made"; exit 1; }
    if "$folder/wrong" "$folder" cpu >"$folder/log" 2>&1; then
        echo "not ok $count - refused: $5"
        failed=1
    else
        why=$(grep -m 1 '^not ok' "$folder/log" | cut -c 8-)
        echo "ok $count - refused: $5: ${why:-it crashes}"
    fi
}
rm "$folder/detect.o"
mkdir "$folder/templates"
cp templates/*.h "$folder/templates"
for file in $TEST; do
    $CC -std=c11 -O1 -Iruntime -c -o "$folder/$file.o" tests/runtime/$file.c || exit 1
done
# Some mistakes are like others that are tried: in the long run only.
like() {
    [ -z "${QUERN_LONG:-}" ] || "$@"
}
mutant taps.c taps '/ bessel(b);' ';' 'a window that is not normalised'
like mutant taps.c taps 'step % 2 == 0 ? -1' 'step % 2 != 0 ? -1' 'the other sign'
like mutant taps.c taps 'part < 0.5 ? part : 1 - part' 'part < 0.5 ? 1 - part : part * 1.0000001' \
    'a sine that cancels'
like mutant taps.c taps 'step == 0 ? 1 - part : part' 'step == 0 ? part : 1 - part' 'ends that are swapped'
like mutant taps.c taps 'point < 0 ||' 'point < -1 ||' 'a point of the halo that takes part'
mutant places.c places 'coordinate - at;' 'coordinate;' 'staggered fields half a cell off'
mutant places.c places 'i >= layout->hollow[0]' 'i > layout->hollow[0]' 'a point that is not there'
mutant shares.c shares 'a->share.place < b->share.place ? -1' \
    'a->share.place < b->share.place ? 1 : a->share.place > b->share.place ? -1' 'another order'
like mutant shares.c shares 'sorted->first[points++] = (int64_t)s;' \
    'sorted->first[points++] = (int64_t)s + (points == 3);' 'the first of a point is lost'
mutant element.h 'host shares' 's < args->first[i + 1]' 's <= args->first[i]' 'a duplicate is lost'
like mutant element.h 'host shares' 'row /= count[axis]' 'row /= count[0]' 'a row for another'
echo "1..$count"
exit ${failed:-0}
