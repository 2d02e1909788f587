#!/bin/sh
# quern-run --tune: what it times, what it knows already, what it survives.
# Modules by hand (lib_module.c), a folder as `quern tune` prepares it.
cd "$(dirname "$0")/../.." || exit 1
CC=${CC:-gcc}
make -s out/runtime/quern-run >&2 || exit 1
run=$PWD/out/runtime/quern-run
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT PIPE TERM
count=0
failed=0

module() {
    name=$1
    shift
    $CC -std=c11 -O1 -Iruntime -fPIC -shared -DRANK=2 -DPREFIX="\"${name}_\"" "$@" \
        -o "$folder/$name.so" tests/runtime/lib_module.c -lm || exit 1
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

# tune [OPTION]..: what it says goes to $folder/out, the exit code to $code.
tune() {
    "$run" --tune "$folder" "$@" > "$folder/out" 2>&1
    code=$?
}

says() { # TEXT NAME
    grep -qF -e "$1" "$folder/out"
    ok $? "$2"
}

candidate() { # NAME SHAPE BLOCK
    echo "{\"name\":\"$1_step\",\"module\":\"$1.so\",\"shape\":\"$2\",\"params\":{\"block\":\"$3\"}}"
}

plan() { # ID CANDIDATE..: tune.json of those candidates
    id=$1
    shift
    echo "{\"format\":1,\"id\":\"$id\",\"context\":\"cpu\",\"reference\":\"reference.so\",
        \"size\":[300,200],\"check_size\":[7,5],\"repeats\":1,\"align\":0,\"scalars\":{\"s\":0.5},
        \"tasks\":[{\"kernel\":\"step\",\"most\":$#,\"candidates\":[$(IFS=,; echo "$*")]}]}" > "$folder/tune.json"
}

module right
module again
module reference -DREFERENCE
module crash -DMUTANT=CRASH
module hang -DMUTANT=HANG
module short -DMUTANT=SHORT

plan one "$(candidate right a 8x8)" "$(candidate crash a 8x4)" "$(candidate hang b 8x8)" "$(candidate again b 8x4)"
tune --timeout 3
ok $code "a candidate that crashes and one that hangs end nothing"
test "$(wc -l < "$folder/results.jsonl")" -eq 4
ok $? "a line for each candidate"
says "crash_step: the kernel crashed" "says which crashed"
says "hang_step: no answer within 3 s" "says which hung"
says "4 of 4 tried, the fastest: " "says which is the fastest"
says ":00 left" "says what time is left"
ok "$(grep -c -e 'fastest: crash' -e 'fastest: hang' "$folder/out")" "which is one that runs"

cp "$folder/results.jsonl" "$folder/before"
cp "$folder/out" "$folder/first"
tune
ok $code "a second run ends well"
test "$(grep -c ' known ' "$folder/out")" -eq 4
ok $? "and times nothing"
cmp -s "$folder/results.jsonl" "$folder/before"
ok $? "and writes nothing"
test "$(tail -n 1 "$folder/out")" = "$(tail -n 1 "$folder/first")"
ok $? "and comes to the same end"

# Cut at every byte of the last line: it is as if that had never been.
whole=$(head -n 3 "$folder/before" | wc -c)
all=$(wc -c < "$folder/before")
size=$whole
while [ "$size" -lt "$all" ]; do
    head -c "$size" "$folder/before" > "$folder/results.jsonl"
    "$run" --tune "$folder" --replay
    size=$((size + 1))
done > "$folder/out"
test "$(grep -c 'there is no answer' "$folder/out")" -eq $((all - whole))
ok $? "a line that is cut short, at any byte, is none"
head -c $((all - 9)) "$folder/before" > "$folder/results.jsonl"
tune
test "$(grep -c ' known ' "$folder/out")" -eq 3 && [ "$(wc -l < "$folder/results.jsonl")" -eq 4 ]
ok $? "and is measured again, in its place"

plan two "$(candidate right a 8x8)" "$(candidate short a 8x4)"
tune
test $code -eq 3
ok $? "a wrong kernel: exit 3"
test "$(grep -c ' known ' "$folder/out")" -eq 0
ok $? "what was measured of another folder counts for nothing"
says "short_step: " "says which is wrong"
says "the fastest: right_step" "and does not choose it"
ok "$(grep -c '"kernel":"short_step".*"median"' "$folder/results.jsonl")" "nor times it"

plan three "$(candidate short a 8x4)"
tune
says "step: 1 of 1 tried, none can be had" "says so where none is right"

printf '#!/bin/sh\ncp right.so made.so\necho "$1" >> asked\n' > "$folder/make"
chmod +x "$folder/make"
plan four "$(candidate right a 8x8 | sed 's/right.so/made.so/')" "$(candidate again a 8x4)"
tune
test "$code" -eq 0 && [ "$(cat "$folder/asked")" = right_step ]
ok $? "a module that is not there is asked for by its candidate's name, others are not"
printf '#!/bin/sh\nexit 1\n' > "$folder/make"
plan five "$(candidate right a 8x8 | sed 's/right.so/none.so/')" "$(candidate again a 8x4)"
tune
says "right_step: is not compiled" "what cannot be made is not tried"
says "the fastest: again_step" "but all others are"
rm "$folder/make"

# A run that hangs in its second candidate.
rm "$folder/results.jsonl"
plan six "$(candidate right a 8x8)" "$(candidate hang b 8x8)" "$(candidate again b 8x4)"
"$run" --tune "$folder" > "$folder/hanging" 2>&1 &
hanging=$!
until grep -q right_step "$folder/hanging"; do sleep 0.05; done
tune
test $code -eq 2
ok $? "two runs in one folder: exit 2"
says "another run is at work in $folder" "and a sentence"
kill -9 $hanging
wait $hanging 2>/dev/null
tune --timeout 3
test "$(grep -c ' known ' "$folder/out")" -eq 1
ok $? "after a run was killed another goes on: what was measured is known"
says "3 of 3 tried, the fastest: " "and comes to an end"

plan one "$(candidate right a 8x8)" "$(candidate again b 8x8)"
sed -i 's/"format":1/"format":2/' "$folder/tune.json"
tune
test $code -eq 2
ok $? "a folder of another version: exit 2"
says "no tune.json of this version of Quern" "and a sentence"
rm "$folder/results.jsonl"
sed -i 's/"format":2/"format":1/; s/"context":"cpu"/"context":"moon"/' "$folder/tune.json"
tune
test $code -eq 3 && [ ! -e "$folder/results.jsonl" ]
ok $? "a device that is not there: exit 3, before anything is tried"
says "moon" "and a sentence"
rm "$folder/tune.json"
tune
test $code -eq 2
ok $? "a folder that was not prepared: exit 2"
"$run" --tune "$folder" --most 0 > "$folder/out" 2>&1
test $? -eq 2
ok $? "a number that is none: exit 2"

echo "1..$count"
exit $failed
