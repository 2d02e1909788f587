#!/bin/sh
# The queue: its policies on a virtual clock and under many kinds of load, with
# address and undefined-behaviour sanitizers; a soak with failures at random, as it
# ships and with the thread sanitizer, without OpenMP in the process; batches that are
# cut between a device and the CPU; mistakes in all this, which the tests must find.
cd "$(dirname "$0")/../.." || exit 1
CC=${CC:-gcc}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT PIPE TERM
ulimit -S -v unlimited

FLAGS="-std=c11 -g1 -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Werror
    -Iruntime -pthread"
QUEUE="$(ls runtime/queue*.c runtime/split*.c) runtime/cost.c runtime/crew.c runtime/error.c tests/runtime/tap.c"
requests=$([ "${QUERN_LONG:-}" ] && echo 8000000 || echo 800000)

# kind NAME FLAGS: compiles the queue so, into a folder; then, with the same,
# program NAME PROGRAM TESTS..: a program of it and these tests.
kind() {
    kind_flags="$FLAGS $2"
    mkdir "$folder/$1"
    for file in $QUEUE; do
        # shellcheck disable=SC2086
        $CC $kind_flags -c -o "$folder/$1/$(basename "$file" .c).o" "$file" || exit 1
    done
}
program() {
    objects="$folder/$1/*.o"
    program=$folder/$2
    shift 2
    for test; do set -- "$@" "tests/runtime/$test.c"; shift; done
    # shellcheck disable=SC2086
    $CC $kind_flags -o "$program" $objects "$@" -lm || { echo "Bail out! $program"; exit 1; }
}
kind address "-O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined"
program address queue queue queue_virtual
program address strands queue_strands
program address soak_address queue_soak
program address split_address split
kind shipped -O2
program shipped sweep queue_sweep
program shipped soak queue_soak
program shipped split split
kind thread "$([ "${QUERN_LONG:-}" ] && echo -O1 || echo -O0) -fsanitize=thread"
program thread soak_thread queue_soak
program thread crew crew

count=0
play() {
    if ! "$folder/$1" $2 $3 >"$folder/log" 2>&1; then
        failed=1
        grep -v '^ok' "$folder/log" | head -40 | sed 's/^/# /'
        echo "not ok $((count += 1)) - $* ends well"
    fi
    grep '^ok\|^not ok' "$folder/log" >"$folder/lines"
    awk -v n="$count" '{ sub(/ok [0-9]+/, "ok " ++n) } { print }' "$folder/lines"
    count=$((count + $(wc -l <"$folder/lines")))
}
play queue
play strands
play sweep
play soak "$requests" 0
play soak $((requests / 4)) 1
play soak_address 40000 0
play soak_address 20000 1
play soak_thread 40000 0
play soak_thread 20000 1
play crew
play split
play split_address 70

for standard in c++98 c++20; do
    count=$((count + 1))
    if ${CXX:-g++} -std=$standard -Wall -Wextra -Wconversion -pedantic -Werror -Iruntime -pthread \
        -o "$folder/cpp" -x c++ tests/runtime/queue_cpp.cpp -x none "$folder"/shipped/*.o -lm && "$folder/cpp"; then
        echo "ok $count - the public header in $standard"
    else
        echo "not ok $count - the public header in $standard"
        failed=1
    fi
done

# mutant FILE TEXT OTHER WHAT: the tests (by=soak: these) must fail where FILE says OTHER.
mkdir "$folder/tests"
for file in queue queue_virtual queue_strands queue_soak split crew; do
    # shellcheck disable=SC2086
    $CC $FLAGS -c -o "$folder/tests/$file.o" "tests/runtime/$file.c" || exit 1
done
mutant() {
    count=$((count + 1))
    rm -rf "$folder/mutant" && cp -r "$folder/shipped" "$folder/mutant" || exit 1
    case ${by:-$1} in
        strands | queue_strand | queue_submit) cp "$folder/tests/queue_strands.o" "$folder/mutant/test.o" ;;
        soak) cp "$folder/tests/queue_soak.o" "$folder/mutant/test.o" ;;
        split* | cost) cp "$folder/tests/split.o" "$folder/mutant/test.o" ;;
        crew) cp "$folder/tests/crew.o" "$folder/mutant/test.o" ;;
        *) $CC -r -o "$folder/mutant/test.o" "$folder"/tests/queue.o "$folder"/tests/queue_virtual.o ;;
    esac
    awk -v a="$2" -v b="$3" '
        (i = index($0, a)) { $0 = substr($0, 1, i - 1) b substr($0, i + length(a)); n++ }
        { print }
        END { exit n != 1 }' "runtime/$1.c" >"$folder/mutant/$1.c" &&
        $CC -std=c11 -O0 -Iruntime -c -o "$folder/mutant/$1.o" "$folder/mutant/$1.c" &&
        $CC -pthread -o "$folder/wrong" "$folder"/mutant/*.o -lm ||
        { echo "Bail out! $4 is not made"; exit 1; }
    if timeout 2 "$folder/wrong" 70 1 >"$folder/log" 2>&1; then
        echo "not ok $count - refused: $4"
        failed=1
    else
        why=$(grep -m 1 '^not ok' "$folder/log" | cut -c 8-)
        echo "ok $count - refused: $4: ${why:-it does not end}"
    fi
}
# Some mistakes are like others that are tried: in the long run only.
like() {
    [ -z "${QUERN_LONG:-}" ] || "$@"
}
like mutant queue_policy 'view->now >= due' 'view->now > due' 'launched too late'
like mutant queue_policy '2 * view->longest' '1 * view->longest' 'half the pause'
mutant queue_policy 'ceil(device / 2)' 'device' 'batches that fill the device'
like mutant queue_policy 'fmin(view->flying, end)' 'end' 'a device that waits for a large batch'
like mutant queue_policy 'fmax(device / 16, each * (double)view->behind / 2)' 'device' 'many told at the end'
mutant queue_policy 'fmax(fewest, device' 'fmin(fewest, device' 'a device that waits for its tables'
like mutant queue_policy '16 * (double)blocks < device' '16 * (double)blocks < 0 * device' 'a small batch that teaches'
like mutant queue_policy 'fewest = 3' 'fewest = 2' 'two batches that fill the device'
mutant queue_poll 'queue->launched < before' 'true' "the paper's rule without its guard"
like mutant queue_poll '(size_t)flushed < view.waiting ? (size_t)flushed' 'false ? (size_t)flushed' \
    'a flush of what comes after'
mutant queue_poll 'told < untold' 'true' 'all are told before anything is launched'
mutant queue_batch '(ptrdiff_t)(at->from - done) < 0' 'false' 'places that are still in use'
mutant queue_strand 'before->next = request' 'before->next = before->next' 'requests that are not strung'
like mutant queue_strand 'queue->mask + 1 + QN_LOOSE' 'QN_LOOSE' 'strung in the first round only'
like mutant queue_strand 'queue->settings.policy == QN_OCCUPANCY' 'false' 'intervals that nobody sees'
mutant queue_submit '[well++]->state, QN_CLAIMED' '[well++]->state, 0' 'one request twice'
like mutant queue_submit '->state, QN_CLAIMED, __ATOMIC_RELAXED);' '->state, 0, __ATOMIC_RELAXED);' \
    'what was refused is stuck'
by=strands mutant queue_poll 'return state != QN_STRINGING' 'return true' 'a strand is taken while it is strung'
by=strands like mutant queue_poll 'strand->blocks > most - sight->blocks' 'false' 'more is seen than can be of use'
by=strands mutant queue_batch 'if (batch->count > 0)    ' 'if (batch->count == 0)    ' 'a batch with what was strung to it'
mutant queue_batch 'if (status == QN_BUSY)' 'if (false)' 'a busy launcher loses its batch'
mutant queue_batch 'if (request->status == QN_OK)' 'if (true)' 'one failure is forgotten'
mutant queue_batch 'batch->count,' '1,' 'a queue that fills for ever'
like mutant queue_batch 'queue->in_flight--' 'queue->in_flight -= 0' 'batches that never end'
like mutant queue_batch 'limit - batch->blocks' 'limit' 'a launch beyond the limit'
by=queue like mutant queue_submit 'queue->settings.capacity + done - at' 'queue->settings.capacity + 1 + done - at' \
    'a request more than can be'
like mutant split 'items < wanted' 'items <= wanted + 1' 'an item more for the device'
mutant cost 'more > *owed' 'more > 1e9' 'trials that cost too much'
mutant split_expect 'first == 1 ?' 'true ?' 'launching that is thought to keep both'
like mutant split 'DISTURBS * least' '0 * least' 'trials that are thought to cost nothing'
like mutant split_pace 'if (way != (int)best' 'if (false' 'ways that are never tried again'
mutant split_pace 'run->seconds += seconds' 'run->seconds += 1' 'what runs took does not count'
like mutant split_pace '        split->since = began;' '' 'a run that is blamed for a pause'
like mutant split_pace ' % QN_SIZES' ' % 1' 'ways that are the same for little work and much'
like mutant split_pace 'cost->seconds[last] / usual' '1' \
    'a CPU that has become slow and gets as much'
like mutant split_pace 'split->run->batches >= TURN' 'false' 'a run that never ends'
like mutant split_pace 'if (!run->failed)' '' 'a failure that is learnt from'
like mutant cost 'fmin(flat, steep)' 'flat' 'a line through what is nearly the same'
like mutant split_launch 'i ^ order' 'i' 'the longer launch first'
like mutant split_expect 'split->side[i].flying > 0' 'false' 'a cut as if nothing were in flight'
like mutant split_expect 'fmax(ends[0], ends[1])' 'ends[1]' 'when the device ends does not count'
like mutant split_launch '!exact && usual > 0 && seconds >= usual' 'false' \
    'what was noticed too late is learnt from'
like mutant split_launch 'device->last->next = halves' 'device->last->next = NULL; (void)halves' \
    'the second part is forgotten'
like mutant split_launch 'if (status == QN_BUSY && first)' 'if (false && first)' 'a half in flight is stuck'
mutant crew 'while (crew->busy > 0)' 'while (false)' 'work that is left while it is done'
mutant queue '    qn_queue_drain(queue);' '' 'destroyed with what waits'
mutant queue 'atomic_store(&queue->shut, 1)' '' 'what comes while it is destroyed is lost'
like mutant queue_poll 'qn__queue_enter(queue);' '' 'a launcher that waits for itself'
by=soak like mutant queue_submit 'if (atomic_load(&queue->asleep))' 'if (0)' 'a thread that sleeps on'
echo "1..$count"
exit ${failed:-0}
