#!/bin/sh
# An installed Quern works without its repository, in a place that it cannot
# write to, found through PATH.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT PIPE TERM
unset MAKEFLAGS MFLAGS MAKELEVEL
number=0
is() { # name, status
    number=$((number + 1))
    if [ "$2" = 0 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        sed 's/^/# /' "$folder/log"
    fi
}
make -C "$root" install PREFIX="$folder/usr" >"$folder/log" 2>&1
is "make install succeeds" $?
chmod -R a-w "$folder/usr"
mkdir "$folder/work" && cd "$folder/work" || exit 1
PATH=$folder/usr/bin:$PATH
cp "$root/specs/laplace.lua" .
find "$folder/usr" -newer laplace.lua -type f | sort >"$folder/before"
quern check laplace.lua --size 9,8,7 >"$folder/log" 2>&1
is "an installed quern checks a specification" $?
quern check laplace.lua --backend simt --size 9,8,7 >"$folder/log" 2>&1
is "also on simt" $?
find "$folder/usr" -newer laplace.lua -type f | sort | cmp - "$folder/before" >"$folder/log"
is "and writes nothing where it is installed" $?
cat >try.c <<'END'
#include <quern.h>
int main(void)
{
    struct qn_context *context;
    if (qn_context_open("cpu", &context) != QN_OK)
        return 1;
    qn_context_close(context);
    return 0;
}
END
{ gcc -I"$folder/usr/include" -o try try.c "$folder/usr/lib/libquern.a" -fopenmp -ldl -lm && ./try
} >"$folder/log" 2>&1
is "a program links the installed library" $?
echo "1..$number"
