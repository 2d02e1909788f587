#!/bin/sh
# Tries every kernel of this folder on the CUDA device here; needs no Lua.
#   run [validate] [bench] [published] [sanitize] [LOGS]
# Without words: validate, published and bench. Logs go to LOGS (./logs).
set -u
cd "$(dirname -- "$0")" || exit 2
LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
PATH=$PATH:/usr/local/cuda/bin
export LD_LIBRARY_PATH PATH
logs=$PWD/logs
jobs=
for word in "$@"; do
    case $word in
        validate|bench|published|sanitize) jobs="$jobs $word" ;;
        -*) echo "run: unknown option $word" >&2; exit 2 ;;
        *) logs=$word ;;
    esac
done
mkdir -p "$logs" || exit 2
failed=0

# The answers of quern-run as a table: columns are the keys named after the log.
table() {
    awk -v keys="$2" '
    function value(key,    text) {
        if (!match($0, "\"" key "\": *(\\[[^]]*\\]|\"[^\"]*\"|[^,}]*)")) return ""
        text = substr($0, RSTART, RLENGTH)
        sub("^\"" key "\": *", "", text)
        gsub(/["\[\] ]/, "", text)
        return text
    }
    BEGIN { n = split(keys, key, " ")
            for (i = 1; i <= n; i++) { cell[0, i] = key[i]; width[i] = length(key[i]) } }
    /^\{/ { rows++
            for (i = 1; i <= n; i++) {
                text = value(key[i])
                if (text ~ /^-?[0-9.]+e?[-+0-9]*$/ && text ~ /[.e]/) text = sprintf("%.5g", text)
                cell[rows, i] = text
                if (length(text) > width[i]) width[i] = length(text)
            } }
    END { for (r = 0; r <= rows; r++) { line = ""
              for (i = 1; i <= n; i++) line = line sprintf("%-" width[i] "s  ", cell[r, i])
              sub(/ +$/, "", line); print line } }' "$1"
}
# Every request must have its answer, and every answer must be well.
judge() {
    asked=$(wc -l <"$1.requests")
    well=$(grep -c '"status":"ok"' "$logs/$1.log")
    echo "$1: $well of $asked well"
    [ "$asked" = "$well" ] || failed=1
}
validate() {
    ./quern-run <validate.requests >"$logs/validate.log" 2>"$logs/validate.err"
    grep -v '"status":"ok"' "$logs/validate.log"
    tail -n 3 "$logs/validate.err"
    judge validate
}
bench() {
    ./quern-run <bench.requests >"$logs/bench.log" 2>"$logs/bench.err"
    table "$logs/bench.log" "kernel size median spread points_per_second bytes_per_second stream_bytes_per_second ratio"
    judge bench
}
published() {
    [ -x ./published ] || { echo "published: not in this kit"; return; }
    ./published >"$logs/published.log" 2>&1 || failed=1
    cat "$logs/published.log"
}
sanitize() {
    for tool in memcheck racecheck synccheck initcheck; do
        compute-sanitizer --tool "$tool" --error-exitcode 9 ./quern-run \
            <sanitize.requests >"$logs/$tool.log" 2>&1 || failed=1
        echo "$tool: $(grep 'SUMMARY' "$logs/$tool.log" | tail -n 1)"
    done
}
for job in ${jobs:-validate published bench}; do "$job"; done
exit "$failed"
