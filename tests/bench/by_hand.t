#!/bin/sh
# Loops written by hand and generated kernels give the same values, and the kernels take at most
# 1.2 times as long; a limit that none can keep is not kept.
if [ -z "${QUERN_LONG:-}" ]; then
    echo "1..0 # SKIP in the long sweeps only"
    exit
fi
echo "1..2"
status=0
say() { # result, what was tried, what it printed
    [ "$1" = 0 ] && echo "ok $2" || { echo "not ok $2"; status=1; }
    echo "$3" | sed 's/^/# /'
}
table=$("${LUA:-lua5.4}" tests/bench/by_hand.lua 1 1.2 2>&1)
say $? "1 - heat, acoustic_iso and elastic agree with loops by hand, within 1.2 times their time" "$table"
table=$("${LUA:-lua5.4}" tests/bench/by_hand.lua 0.01 0.01 2>&1)
[ $? = 1 ] && echo "$table" | grep -q "largest ratio"
say $? "2 - a hundredth of their time is too little" "$table"
exit $status
