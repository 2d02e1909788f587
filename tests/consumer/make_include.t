#!/bin/sh
# Another project's Makefile includes quern.mk: it builds, rebuilds after a
# change of the spec, of what it includes or of the flags, and otherwise does
# nothing.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT PIPE TERM
cd "$folder" || exit 1
number=0
is() { # name, wanted, got
    number=$((number + 1))
    if [ "$2" = "$3" ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        echo "# wanted: $2"
        echo "# got:    $3" | sed '2,$s/^/# /'
    fi
}
unset MAKEFLAGS MFLAGS MAKELEVEL

ln -s "$root" quern                    # Make knows no blanks in names
mkdir specs
cat >specs/common.lua <<'END'
precision { "double" }
END
cat >specs/mean.lua <<'END'
include "common.lua"
grid { "x" }
field { "u" }
field { "m" }
kernel { "smooth", [[ m = (u[x-1] + 2*u + u[x+1])/4 ]] }
END
cat >main.c <<'END'
#include <stdio.h>
#include "mean.h"
int main(void)
{
    double u[10] = { 0, 0, 0, 0, 4, 0, 0, 0, 0, 0 }, m[10] = { 0 };
    struct mean_args a = { .struct_size = sizeof a, .n = { 8 }, .upper = { 8 },
        .u = u + 1, .u_stride = { 1 }, .u_halo = { 1 },
        .m = m + 1, .m_stride = { 1 }, .m_halo = { 1 } };
    if (mean_smooth_launch(&a, NULL))
        return 1;
    for (int i = 1; i < 9; i++)
        printf("%g ", m[i]);
    printf("\n");
    return 0;
}
END
cat >Makefile <<END
QUERN_FLAGS = --backend c
vpath %.lua specs
include quern/quern.mk
all: main
main: main.c \$(QUERN_OUT)/mean.stamp
	\$(CC) -std=c11 -Wall -Wextra -Werror -fopenmp -I\$(QUERN_OUT)/c \\
	  -o \$@ main.c \$(QUERN_OUT)/c/mean_*.c -lm
END

make >log 2>&1; is "it builds" 0 $?
[ -x main ] || sed 's/^/# /' log
is "the kernel computes what the spec says" "0 0 1 2 1 0 0 0 " "$(./main)"
is "then there is nothing to do" "make: Nothing to be done for 'all'." "$(make 2>&1)"
sleep 1
touch specs/common.lua
make -n 2>&1 | grep -q 'gen specs/mean.lua'; is "a changed include runs the generator" 0 $?
touch -d '2001-01-01' quern-out/c/mean.h
make >log 2>&1
is "unchanged output keeps its time" 2001 "$(date -r quern-out/c/mean.h +%Y)"
QUERN_FLAGS_mean="--fp 'fast'" make >log 2>&1
grep -q "gen specs/mean.lua .*--fp 'fast'" log; is "other flags run the generator" 0 $?
is "and not again" "make: Nothing to be done for 'all'." \
  "$(QUERN_FLAGS_mean="--fp 'fast'" make 2>&1)"
make >log 2>&1
grep -q "gen specs/mean.lua --backend c *\\\\$" log; is "flags taken back as well" 0 $?
sleep 1
sed -i 's|(u\[x-1\] + 2\*u + u\[x+1\])/4|u[x-1]|' specs/mean.lua
make >log 2>&1; is "a changed spec builds again" 0 $?
is "and computes the new formula" "0 0 0 0 4 0 0 0 " "$(./main)"
sleep 1
sed -i 's|u\[x-1\]|w[x-1]|' specs/mean.lua
make >log 2>&1; is "a wrong spec fails the build" 2 $?
grep -q '^specs/mean.lua:5:' log; is "and shows the place" 0 $?
make >log 2>&1; is "and fails again, until it is right" 2 $?

# The rule that the README shows, as it is.
mkdir readme && cd readme || exit 1
sed -n '/^```make$/,/^```$/{/^```/d;s|path/to/quern|../quern|;p}' "$root/README.md" >Makefile
cp "$root/specs/heat.lua" .
cat >solver.c <<'END'
#include "heat_r1_float.h"
int main(void)
{
    struct heat_r1_float_args a = { .struct_size = sizeof a, .n = { 1, 1, 1 }, .upper = { 1, 1, 1 } };
    return heat_r1_float_step(&a, NULL) == 0;           /* no arrays: refused */
}
END
make >../log 2>&1; is "the README's rule builds" 0 $?
./solver; is "and links what it generates" 0 $?
make QUERN_FLAGS='--backend c --set radius=2' >../log 2>&1
is "with another radius the old header is not found" 2 $?
is "and the new one is there alone" heat_r2_float.h "$(cd quern-out/c && ls heat_*.h)"
sed -i 's/r1/r2/' solver.c
make QUERN_FLAGS='--backend c --set radius=2' >../log 2>&1
is "the new radius is what is built" 0 $?

# Two instances in one program. t = x^2 has a second derivative of 2, which
# either radius finds: kappa*2 + power*source = 0.5*2 + 2*3.
"$root/gen/quern" gen heat.lua --backend c -o two >../log &&
  "$root/gen/quern" gen heat.lua --backend c --set radius=2 -o two >>../log
is "two instances are generated into one folder" 0 $?
cat >two.c <<'END'
#include <stdio.h>
#include "heat_r1_float.h"
#include "heat_r2_float.h"
#define STEP(instance, r) do { \
    static float t[125], t_next[125], source[1] = { 3 }; \
    for (int i = 0; i < 125; i++) \
        t[i] = (float)((i % 5 - 2) * (i % 5 - 2)); \
    struct instance##_args a = { .struct_size = sizeof a, .n = { 1, 1, 1 }, .upper = { 1, 1, 1 }, \
        .t = t + 62, .t_next = t_next + 62, .t_stride = { 1, 5, 25 }, .t_halo = { r, r, r }, \
        .source = source, .source_stride = { 1, 1, 1 }, \
        .hx = 1, .hy = 1, .hz = 1, .dt = 1, .kappa = 0.5, .power = 2 }; \
    if (instance##_step(&a, NULL)) \
        return 1; \
    printf("%.3f ", (double)t_next[62]); \
} while (0)
int main(void)
{
    STEP(heat_r1_float, 1);
    STEP(heat_r2_float, 2);
    printf("\n");
    return 0;
}
END
${CC:-cc} -std=c11 -O1 -Wall -Wextra -Werror -fopenmp -Itwo/c -o two.out two.c two/c/*.c -lm >../log 2>&1
is "and link into one program" "0 " "$? $(cat ../log)"
is "which runs both" "7.000 7.000 " "$(./two.out)"
echo "1..$number"
