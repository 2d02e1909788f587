#!/bin/sh
# What `make demo` shows: two shots, one in two dimensions, one in three, on
# real models where they are at hand and on layers otherwise.
#   demo.sh [OUT]          pictures go to OUT (out/demo)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
out=${1:-$root/out/demo}
data=${QUERN_DATA:-$root/../shared/data}/velocity
build=$root/out/shot

mkdir -p "$out"
make -s -C "$here" QUERN=../../.. BUILD=../../../out/shot   # Make knows no blanks
shot() {
    echo
    echo "== $1"
    shift
    "$build/shot" --modules "$build" "$@"
}

if [ -r "$data/marmousi_vp_20m_176x851.bin" ]; then
    shot "Marmousi section, 17.0 x 3.5 km" \
        --model "$data/marmousi_vp_20m_176x851.bin" --size 176x851 --axes zx \
        --spacing 20,20 --source 6000,40 --depth 20 --time 5 --output "$out/marmousi"
else
    shot "Layers in two dimensions (no Marmousi in $data)" --layers 2 --time 3 \
        --output "$out/layers_2d"
fi
if [ -r "$data/cvlsu_vp_filled_101x91x19.dat" ]; then
    shot "Coachella Valley volume, 93 x 101 x 9 km" \
        --model "$data/cvlsu_vp_filled_101x91x19.dat" --size 101x91x19 --axes xyz \
        --spacing 925,1112,500 --source 46250,50040,1000 --time 40 \
        --output "$out/coachella"
else
    shot "Layers in three dimensions (no Coachella Valley in $data)" --layers 3 \
        --time 2 --output "$out/layers_3d"
fi
echo
echo "Pictures: $(cd "$out" && pwd)"
