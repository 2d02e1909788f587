#!/bin/sh
# The cache of blocks, lists of items and costs: case by case, and against an account
# of what every block holds, while moves and batches fail; with sanitizers; then with
# mistakes, which the tests must find.
cd "$(dirname "$0")/../.." || exit 1
CC=${CC:-gcc}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT PIPE TERM
ulimit -S -v unlimited

FLAGS="-std=c11 -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Werror -Iruntime"
acts=$([ "${QUERN_LONG:-}" ] && echo 2000000 || echo 10000)

# kind NAME FLAGS: all of it compiled so, and two programs.
kind() {
    mkdir "$folder/$1"
    for file in runtime/cost runtime/items runtime/cache runtime/data runtime/lease runtime/reuse runtime/fresh \
        runtime/error tests/runtime/tap; do
        # shellcheck disable=SC2086
        $CC $FLAGS $2 -c -o "$folder/$1/$(basename $file).o" $file.c || exit 1
    done
    for test in data data_oracle; do
        # shellcheck disable=SC2086
        $CC $FLAGS $2 -c -o "$folder/$1.$test.o" tests/runtime/$test.c &&
            $CC $2 -o "$folder/$1.$test" "$folder/$1.$test.o" "$folder/$1"/*.o -lm || exit 1
    done
}
kind checked "-O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined"
kind plain ""

count=0
play() {
    if ! "$folder/checked.$1" $2 >"$folder/log" 2>&1; then
        failed=1
        grep -v '^ok' "$folder/log" | head -40 | sed 's/^/# /'
        echo "not ok $((count += 1)) - $* ends well"
    fi
    grep '^ok\|^not ok' "$folder/log" >"$folder/lines"
    awk -v n="$count" '{ sub(/ok [0-9]+/, "ok " ++n) } { print }' "$folder/lines"
    count=$((count + $(wc -l <"$folder/lines")))
}
play data
play data_oracle "$acts"

# mutant FILE TEXT OTHER WHAT: a test must fail where FILE says OTHER.
mutant() {
    count=$((count + 1))
    rm -rf "$folder/mutant" && cp -r "$folder/plain" "$folder/mutant" || exit 1
    awk -v a="$2" -v b="$3" '
        (i = index($0, a)) { $0 = substr($0, 1, i - 1) b substr($0, i + length(a)); n++ }
        { print }
        END { exit n != 1 }' "runtime/$1.c" >"$folder/mutant/$1.c" &&
        $CC -std=c11 -Iruntime -c -o "$folder/mutant/$1.o" "$folder/mutant/$1.c" ||
        { echo "Bail out! $4 is not made"; exit 1; }
    why=
    for test in data data_oracle; do
        $CC -o "$folder/wrong" "$folder/plain.$test.o" "$folder"/mutant/*.o -lm || exit 1
        if ! timeout 20 "$folder/wrong" >"$folder/log" 2>&1; then
            why=$(grep -m 1 '^not ok' "$folder/log" | cut -c 8-)
            echo "ok $count - refused: $4: ${why:-it crashes}"
            return
        fi
    done
    echo "not ok $count - refused: $4"
    failed=1
}
# Some mistakes are like others that are tried: in the long run only.
like() {
    [ -z "${QUERN_LONG:-}" ] || "$@"
}
mutant cache 'if (cache->slots[slot].state == QN_MODIFIED)' 'if (false)' 'no write-back'
like mutant cache 'link_last(cache, slot);' 'link_first(cache, slot);' 'the latest makes place'
like mutant cache 'pins++ == 0' 'pins++ < 0' 'what is in use makes place'
mutant data 'qn__slot_drop(data->cache, (size_t)data->slot[i]);' '(void)0;' \
    'what the host wrote is not noticed'
like mutant data 'cache->slots[slot].writers > 0' 'false' 'the host reads beside a batch'
like mutant lease 'slot->state = QN_MODIFIED;' 'slot->state = QN_SHARED;' 'a write is not noticed'
mutant lease 'at->older || at->writers > 0' 'at->older' 'a failure beside another write'
like mutant lease 'older = true' 'older = false' 'a failure after another write'
like mutant lease '&& cache->slots[slot].alone' '&& false' 'a copy that goes is shared'
mutant fresh 'return qn__slot_modified(cache, slot)' 'return false' 'an old copy is moved'
like mutant fresh 'status = qn__slot_download(cache, slot);' 'status = QN_OK;' 'a write does not come back'
like mutant reuse 'kept <= fresh' 'kept > fresh' 'the dearer way'
like mutant reuse 'lease->work > 0' 'false' 'leases compared by their blocks'
mutant reuse 'RUN * fabs(kept - fresh)' '0' 'trials that cost too much'
like mutant reuse 'cache->trials = 2 * RUN;' ';' 'a mind that never changes'
mutant reuse '2 * RUN' 'RUN' 'a tie that is tried for ever'
like mutant cache 'cache->stats.down += size' '(void)size' 'what comes back is not counted'
like mutant items '>> 32 <= item' '>> 32 < item' 'equal items swapped'
like mutant cost 'samples >= FEW' '1' 'a line through a few'
echo "1..$count"
exit ${failed:-0}
