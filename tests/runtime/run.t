#!/bin/sh
# quern-run: what it answers, what it survives, how it ends. Modules by hand
# (lib_module.c), the program as make builds it.
cd "$(dirname "$0")/../.." || exit 1
CC=${CC:-gcc}
make -s out/runtime/quern-run out/runtime/quern_device_simt.so >&2 || exit 1
run=$PWD/out/runtime/quern-run
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT PIPE TERM
count=0
failed=0

module() {
    name=$1
    shift
    $CC -std=c11 -O1 -Iruntime -fPIC -shared "$@" -o "$folder/$name.so" \
        tests/runtime/lib_module.c -lm || exit 1
}

# ok STATUS NAME: STATUS is that of the last command.
ok() {
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        sed 's/^/# /' "$folder/out"
        failed=1
    fi
}

# ask REQUEST..: the answers go to $folder/out, the exit code to $code.
ask() {
    (cd "$folder" && printf '%s\n' "$@" | "$run" > out 2> err)
    code=$?
}

# line N TEXT NAME: answer N contains TEXT.
line() {
    sed -n "$1p" "$folder/out" | grep -qF -e "$2"
    ok $? "$3"
}

module tiny -DRANK=2
module reference -DRANK=2 -DREFERENCE
module crash -DRANK=2 -DMUTANT=CRASH
module hang -DRANK=2 -DMUTANT=HANG
module short -DRANK=2 -DMUTANT=SHORT
module launch_fails -DRANK=2 -DMUTANT=LAUNCH_FAILS
module simt -DRANK=2 -DBACKEND='"simt"'

check='"do":"check","context":"cpu","reference":"reference.so","kernel":"step"'

ask "{$check,\"module\":\"tiny.so\",\"size\":[5,4]}" \
    "{$check,\"module\":\"short.so\",\"size\":[5,4]}" \
    "{$check,\"module\":\"crash.so\",\"size\":[5,4]}" \
    "" \
    "{$check,\"module\":\"tiny.so\",\"size\":[5001,4]}" \
    "{$check,\"module\":\"tiny.so\",\"size\":[5,4],\"range\":[[1,3],[0,2]]}" \
    "{$check,\"module\":\"tiny.so\",\"size\":[5,4],\"sizes\":1}" \
    "{$check,\"module\":\"tiny.so\",\"size\":[5]}" \
    "{$check,\"module\":\"tiny.so\",\"size\":[5,4],\"scalars\":{\"q\":1}}" \
    "nonsense" '{"do":"dance"}' '{"do":"list","module":"nowhere.so"}' \
    '{"do":"list","module":"tiny.so"}' \
    '{"do":"bench","context":"cpu","module":"tiny.so","kernel":"step","size":[50,40],"repeats":3}' \
    '{"do":"bench","context":"cpu","module":"tiny.so","kernel":["damp","step"],"size":[50,40],"repeats":1}' \
    '{"do":"bench","context":"cpu","module":"tiny.so","kernel":["step","jump"],"size":[50,40],"repeats":1}' \
    '{"do":"bench","context":"cpu","module":"tiny.so","kernel":[],"size":[50,40],"repeats":1}'
ok $code "every request is answered: exit 0"
test "$(wc -l < "$folder/out")" -eq 16
ok $? "one line for each request, blank lines skipped"
line 1 '"points":20,"wrong":0' "a right kernel"
line 1 '"status":"ok"' "has status ok"
line 2 '"wrong":5,' "a wrong kernel says how many points"
line 2 '"status":"wrong"' "has status wrong"
line 3 '"size":[5,4],"status":"error","problem":"the kernel crashed: Segmentation fault"' \
    "a crash is an answer"
line 4 '"status":"refused","problem":"tiny_step: x has 5001 points, the limit is 5000"' \
    "after the crash: the kernel's own refusal"
line 5 '"points":4,' "a sub-range"
line 6 "unknown key 'sizes'" "an unknown key"
line 7 "'size' must be a list of 2 whole numbers" "a size of another rank"
line 8 "tiny has no scalar 'q'" "an unknown scalar"
line 9 '"status":"error","problem":"the request is no JSON object' "no JSON"
line 10 "'dance' is nothing to do" "no such verb"
line 11 "there is no file nowhere.so" "no such file"
line 12 '"name":"tiny_damp","kernel":"damp","region":"inner"' "list: the kernels"
line 12 '"name":"m","type":"int","axes":["x","y"]' "list: the fields"
line 13 '"repeats":3,"median":' "bench: the times"
line 14 '"kernel":["damp","step"],"size":[50,40],"device":' "bench: kernels one after the other"
line 15 "jump" "bench: a kernel of several that is not there"
line 16 "'kernel' must have 1 to 64 names" "bench: no kernel"

ask "{$check,\"module\":\"launch_fails.so\",\"size\":[5,4]}" \
    "{$check,\"module\":\"tiny.so\",\"size\":[5,4]}"
test $code -eq 3
ok $? "a launch that fails: exit 3"
line 1 '"problem":"tiny_step: the launch failed with code 700"' "with its code"
line 2 '"status":"ok"' "and the next request is served"

# One step of a spike of 1 at (1, 1) with c = 0.25, m = 1: 2 - 1 there, 0.25 around.
printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' \
    > "$folder/spike"
printf '\0\0\0\0\0\0\200\076\0\0\0\0\0\0\200\076\0\0\200\077\0\0\200\076\0\0\0\0\0\0\200\076\0\0\0\0' \
    > "$folder/wanted"
data='"do":"run","context":"cpu","module":"tiny.so","size":[3,3],"fill":{"c":0.25,"m":1}'
data="$data"',"scalars":{"s":0.5,"k":0,"d":1}'
spike='"read":[{"field":"u","file":"spike"}]'
both='"write":[{"field":"u","file":"got"},{"field":"u","level":-1,"file":"old"}]'
later='"inject":[{"field":"u","point":[1,1],"values":[1]}],"steps":2'
last='"write":[{"field":"u","file":"got2"}]'
beside='"inject":[{"field":"u","point":[0.5,1],"values":[2]}],"write":[{"field":"u","file":"got3"}]'
outside='"inject":[{"field":"u","point":[0.5,2.5],"values":[2]}]'
ask "{$data,$spike,$both}" "{$data,$later,$last}" \
    "{$data,\"read\":[{\"field\":\"c\",\"file\":\"reference.so\"}]}" \
    "{$data,\"read\":[{\"field\":\"v\",\"file\":\"spike\"}]}" \
    "{$data,$beside}" "{$data,$outside}"
line 1 '"steps":1,"status":"ok"' "run: one step from a file"
cmp -s "$folder/got" "$folder/wanted"
ok $? "run: the numbers"
cmp -s "$folder/old" "$folder/spike"
ok $? "run: the level before is what was read"
cmp -s "$folder/got2" "$folder/wanted"
ok $? "run: a value injected after the first of two steps"
printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\200\077\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' \
    > "$folder/halves"
cmp -s "$folder/got3" "$folder/halves"
ok $? "run: a value injected between two points"
line 6 "place 0 of the list has y = 2.5; 'u' has places from 0 to 2" "run: a place outside"
line 3 'reference.so must have 36 bytes' "run: a file of another size"
line 4 "no field 'v'" "run: no such field"

# The device module is found beside the program, or where QUERN_RUNTIME says.
data='"do":"run","context":"simt","module":"simt.so","size":[3,3],"fill":{"c":0.25,"m":1}'
data="$data"',"scalars":{"s":0.5,"k":0,"d":1}'
rm -f "$folder/got"
ask "{$data,$spike,$both}"
line 1 '"status":"ok"' "simt: the device module is found beside quern-run"
cmp -s "$folder/got" "$folder/wanted"
ok $? "simt: the same numbers"
QUERN_RUNTIME=/nowhere
export QUERN_RUNTIME
ask "{$data,$spike,$both}"
unset QUERN_RUNTIME
line 1 "no file /nowhere/quern_device_simt.so" "simt: QUERN_RUNTIME comes first"

"$run" "{\"do\":\"list\",\"module\":\"$folder/tiny.so\"}" > "$folder/out"
line 1 '"instance":"tiny"' "a request as an argument"
"$run" --direct "{\"do\":\"list\",\"module\":\"$folder/tiny.so\"}" > "$folder/out"
line 1 '"instance":"tiny"' "without a child"
(cd "$folder" && printf '%s\n' "{$check,\"module\":\"hang.so\",\"size\":[5,4]}" \
    "{$check,\"module\":\"tiny.so\",\"size\":[5,4]}" | "$run" --timeout 1 > out)
test $? -eq 3
ok $? "a kernel that hangs: exit 3"
line 1 '"kernel":"step","size":[5,4],"status":"error","problem":"no answer within 1 s"' \
    "it is given up after the timeout"
line 2 '"status":"ok"' "and the next request is served"
"$run" "{\"do\":\"list\",\"module\":\"$folder/tiny.so\"}" 2> "$folder/out" > /dev/full
test $? -eq 3
ok $? "an answer that cannot be written: exit 3"
line 1 "an answer cannot be written" "and a sentence"
cp "$folder/tiny.so" "$folder/swap.so"
cp "$folder/short.so" "$folder/new.so"
: > "$folder/out"
(cd "$folder" && {
    swap="{$check,\"module\":\"./swap.so\",\"size\":[5,4]}"
    printf '%s\n%s\n' "$swap" "$swap"
    until [ "$(wc -l < out)" -eq 2 ]; do sleep 0.02; done
    mv new.so swap.so
    printf '%s\n' "$swap"
} | "$run" > out)
line 2 '"status":"ok"' "a module that is asked for again"
line 3 '"wrong":5,' "one whose file was replaced meanwhile is loaded anew"
"$run" --frobnicate > "$folder/out" 2>&1
test $? -eq 2
ok $? "an unknown option: exit 2"
if [ -e /dev/nvidiactl ]; then
    count=$((count + 1))
    echo "ok $count - no device: a sentence # SKIP there is one here"
else
    ask '{"do":"bench","context":"cuda","module":"tiny.so","kernel":"step","size":[5,4]}'
    line 1 '"problem":"there is no CUDA d' "no device: a sentence"
    test $code -eq 3
    ok $? "no device: exit 3"
fi
echo "1..$count"
exit $failed
