#!/bin/sh
# Tries every kernel of this folder on the CUDA device here; needs no Lua.
#   run [validate] [types] [quotients] [fields] [functions] [headline] [bench] [published] [sanitize] [LOGS]
# headline: what is reached, as RESULTS.md has it. Without words: all but sanitize. Logs go to LOGS (./logs).
set -u
cd "$(dirname -- "$0")" || exit 2
LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
PATH=$PATH:/usr/local/cuda/bin
export LD_LIBRARY_PATH PATH
logs=$PWD/logs
jobs=
for word in "$@"; do
    case $word in
        validate|types|quotients|fields|functions|headline|bench|published|sanitize) jobs="$jobs $word" ;;
        -*) echo "run: unknown option $word" >&2; exit 2 ;;
        *) logs=$word ;;
    esac
done
mkdir -p "$logs" || exit 2
failed=0

# Every request must have its answer, and every answer must be well.
judge() {
    asked=$(wc -l <"$1.requests")
    well=$(grep -c '"status":"ok"' "$logs/$1.log")
    sed -n '/"status":"ok"/!s/.*"problem":"\([^"]*\)".*/\1/p' "$logs/$1.log" |
        sort | uniq -c | sort -rn | head -n 10
    head -n 3 "$logs/$1.err"
    echo "$1: $well of $asked well"
    [ "$asked" = "$well" ] || failed=1
}
validate() {
    ./quern-run <validate.requests >"$logs/validate.log" 2>"$logs/validate.err"
    awk "$json"'
    { name = text("kernel")
      if (!(name in sizes)) order[++count] = name
      sizes[name]++
      if (text("status") == "ok") well[name]++
      points[name] += number("points")
      if (number("worst") > most[name]) most[name] = number("worst") }
    END { for (i = 1; i <= count; i++) { name = order[i]
              printf "%-58s %d of %d sizes, %9d points, error/bound %.3f\n", name,
                  well[name], sizes[name], points[name], most[name] } }' "$logs/validate.log"
    judge validate
}
# Functions of awk that take a text or a number out of a line of JSON.
json='function text(key) { if (!match($0, "\"" key "\":\"[^\"]*\"")) return ""
          return substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 5) }
      function number(key) { if (!match($0, "\"" key "\":[-0-9.e+]+")) return 0
          return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0 }
      function list(key) { if (!match($0, "\"" key "\":\\[[^]]*")) return ""
          return substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4) }'
bench() {
    ./quern-run <bench.requests >"$logs/bench.log" 2>"$logs/bench.err"
    awk "$json"'
    /"status":"ok"/ {
        if (!heading++) {
            print text("device")
            printf "%-58s %-13s %9s %7s %8s %7s %7s %6s\n", "kernel", "size",
                "median ms", "spread", "Gpoint/s", "GB/s", "stream", "ratio" }
        printf "%-58s %-13s %9.3f %6.1f%% %8.2f %7.1f %7.1f %5.1f%%\n", text("kernel"), list("size"),
            1e3 * number("median"), 100 * number("spread"), number("points_per_second") / 1e9,
            number("bytes_per_second") / 1e9, number("stream_bytes_per_second") / 1e9,
            100 * number("ratio") }' "$logs/bench.log"
    judge bench
}
# What is reached: rows of a rate, its share of a stream kernel in the same run, and what is asked
# for, after their kernels have been validated.
headline() {
    ./quern-run <headline_check.requests >"$logs/headline_check.log" 2>"$logs/headline_check.err"
    judge headline_check
    ./quern-run <headline.requests >"$logs/headline.log" 2>"$logs/headline.err"
    awk "$json"'
    FNR == NR { title[FNR] = $0; next }
    /"status":"ok"/ {
        if (!heading++) {
            print text("device")
            printf "%-32s %-14s %9s %9s %10s  %s\n", "work", "size", "ms", "Gpoint/s", "of stream", "asked for" }
        split(title[FNR], row, "\t")
        printf "%-32s %-14s %9.4f %9.1f %9.1f%%  %s\n", row[1], list("size"), 1e3 * number("median"),
            number("points_per_second") / 1e9, 100 * number("ratio"), row[2] }' headline.rows "$logs/headline.log"
    judge headline
}
# min, max and norm of raw floats, against what was published.
near() { # file, min, max, norm
    od -An -v -w4 -tf4 "$1" | awk -v a="$2" -v b="$3" -v c="$4" '
    function off(found, wanted) { return (found > wanted ? found - wanted : wanted - found) \
                                         > 1e-5 * (wanted < 0 ? -wanted : wanted) }
    { if ($1 < least) least = $1; if ($1 > most) most = $1; sum += $1 * $1 }
    END { printf "min %.7g max %.7g norm %.8g\n", least, most, sqrt(sum)
          exit off(least, a) || off(most, b) || off(sqrt(sum), c) }'
}
# Every float and a double on either side of it, to 16 bits and back.
types() {
    [ -x ./types ] || { echo "types: not in this kit"; return; }
    ./types >"$logs/types.log" 2>&1 || failed=1
    echo "types: $(cat "$logs/types.log")"
}
# Pairs of floats of every kind, divided as kernels of the tensor unit do.
quotients() {
    [ -x ./quotients ] || { echo "quotients: not in this kit"; return; }
    ./quotients >"$logs/quotients.log" 2>&1 || failed=1
    echo "quotients: $(cat "$logs/quotients.log")"
}
fields() {
    [ -e modules/published_gmem.so ] || { echo "fields: not in this kit"; return; }
    ./fields cuda modules/published_gmem.so >"$logs/fields.log" 2>&1 || failed=1
    echo "fields: $(cat "$logs/fields.log")"
}
# Errors in units in the last place, and rules about NaN.
functions() {
    [ -x ./functions ] || { echo "functions: not in this kit"; return; }
    for type in float double; do
        log=$logs/functions_$type.log
        if ./functions cuda "modules/functions_$type.so" "$type.bounds" 2000000 >"$log" 2>&1 &&
            ./functions cuda "modules/rules_$type.so" >>"$log" 2>&1; then
            echo "functions $type: well; $(sed 's/ of .*//' "$log" | tr -s '\n ' '; ')"
        else
            echo "functions $type: WRONG"
            grep -e '^WRONG' -e '^functions:' "$log"
            failed=1
        fi
    done
}
published() {
    [ -e modules/published_gmem.so ] || { echo "published: not in this kit"; return; }
    first=
    for shape in gmem smem_u smem_eta_3 smem_eta_1 st_smem st_reg_shft st_reg_fixed st_tma semi; do
        wave=$logs/published_$shape.raw
        if ./published cuda . "modules/published_$shape.so" 300 "$wave" &&
            near "$wave" -267.5157 123.2804 34119.753 >"$logs/published_$shape.log"; then
            echo "published $shape: $(cat "$logs/published_$shape.log")"
        else
            echo "published $shape: WRONG"
            failed=1
        fi
        # semi adds in an order of its own.
        [ -z "$first" ] || [ $shape = semi ] || cmp "$first" "$wave" || failed=1
        first=$wave
    done
}
sanitize() {
    for tool in memcheck racecheck synccheck initcheck; do
        compute-sanitizer --tool "$tool" --error-exitcode 9 ./quern-run --direct \
            <sanitize.requests >"$logs/$tool.log" 2>&1 || failed=1
        echo "$tool: $(grep 'SUMMARY' "$logs/$tool.log" | tail -n 1)"
    done
}
for job in ${jobs:-validate types quotients fields functions published headline bench}; do "$job"; done
exit "$failed"
