#!/bin/sh
# Loops written by hand and generated kernels give the same values.
if [ -z "${QUERN_LONG:-}" ]; then
    echo "1..0 # SKIP in the long sweeps only"
    exit
fi
echo "1..1"
if "${LUA:-lua5.4}" tests/bench/by_hand.lua 0; then
    echo "ok 1 - heat, acoustic_iso and elastic agree with loops by hand"
else
    echo "not ok 1 - heat, acoustic_iso and elastic agree with loops by hand"
    exit 1
fi
