#!/bin/sh
# The device kit's run script, with programs that stand in for the device: it
# succeeds only when every request has an answer and every answer is well.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT PIPE TERM
cd "$folder" || exit 1
cp "$root/tests/device/run.sh" run
printf '{"do":"check","kernel":"a"}\n{"do":"check","kernel":"a"}\n' >validate.requests
printf '{"do":"bench","kernel":"a"}\n' >bench.requests
printf '{"do":"check","kernel":"a","status":"ok"}\n' >headline_check.requests # said as it is
printf '{"do":"bench","kernel":"a"}\n{"do":"bench","kernel":["a","b"]}\n' >headline.requests
printf 'alone\t\nwhole step\t185 Gpoint/s\n' >headline.rows
number=0
is() { # name, wanted, got
    number=$((number + 1))
    [ "$2" = "$3" ] && echo "ok $number - $1" && return
    echo "not ok $number - $1"
    echo "# wanted: $2"
    echo "# got:    $3"
}
answers() { # the lines that quern-run gives
    { echo '#!/bin/sh'; echo "cat <<'END'"; cat; echo END; } >quern-run
    chmod +x quern-run
}
good='{"do":"check","kernel":"a","size":[7,13,17],"points":10,"wrong":0,"worst":0.25,"status":"ok"}'
wrong='{"do":"check","kernel":"a","size":[7,13,17],"points":10,"wrong":1,"worst":7.5,"status":"wrong","problem":"u is off"}'

printf '%s\n%s\n' "$good" "$good" | answers
is "all well" "validate: 2 of 2 well" "$(./run validate | tail -n 1)"
./run validate >said; is "is a success" 0 $?
is "with one line for each kernel" 1 "$(grep -c '^a  *2 of 2 sizes, *20 points, error/bound 0.250$' said)"
printf '%s\n%s\n' "$good" "$wrong" | answers
./run validate >said; is "a wrong answer is a failure" 1 $?
is "and is shown" 1 "$(grep -c 'u is off' said)"
is "with the worst error" 1 "$(grep -c '1 of 2 sizes.*7.500' said)"
echo "$good" | answers
./run validate >said; is "a missing answer is a failure" 1 $?
echo '{"do":"bench","kernel":"a","size":[64,64,64],"device":"GPU","median":0.0012,"spread":0.05,"points_per_second":1.5e11,"bytes_per_second":2.4e12,"stream_bytes_per_second":4.8e12,"ratio":0.5,"status":"ok"}' | answers
./run bench logs >said; is "timings are a success" 0 $?
is "in columns" "a 64,64,64 1.200 5.0% 150.00 2400.0 4800.0 50.0%" "$(tail -n 2 said | head -n 1 | tr -s ' ')"
[ -s logs/bench.log ]; is "and leave their log" 0 $?
time() { # kernel, seconds
    echo "{\"do\":\"bench\",\"kernel\":$1,\"size\":[64,64,64],\"device\":\"GPU\",\"median\":$2,\"points_per_second\":1.9e11,\"ratio\":0.5,\"status\":\"ok\"}"
}
{ echo '#!/bin/sh'; echo 'read -r first; read -r second || { echo "$first"; exit; }; cat answers'; } >quern-run
time '["a"]' 0.0012 >answers; time '["a","b"]' 0.00095 >>answers
./run headline >said; is "the headline is a success" 0 $?
is "and says what was asked for" "whole step 64,64,64 0.9500 190.0 50.0% 185 Gpoint/s" "$(tail -n 2 said | head -n 1 | tr -s ' ')"
is "after what was validated" "headline_check: 1 of 1 well" "$(head -n 1 said)"
{ echo '{"do":"bench","status":"error","problem":"lost"}'; time '["a","b"]' 0.00095; } >answers
./run headline >said; is "a row that failed is a failure" 1 $?
is "and the next has its own title" "whole step 64,64,64 0.9500" "$(grep whole said | tr -s ' ' | cut -d' ' -f1-4)"
for code in 0 1; do
    printf '#!/bin/sh\necho "sin 0.500 of 2.5 ulp, at 1 is 0.84"\nexit %s\n' $code >functions
    chmod +x functions
    ./run functions >said; is "functions that end with $code" $code $?
done
is "and the faults are shown" "functions double: WRONG" "$(tail -n 1 said)"
rm functions
./run --fast 2>/dev/null; is "an unknown option is refused" 2 $?
echo "1..$number"
