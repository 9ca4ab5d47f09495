# SPDX-License-Identifier: BSD-3-Clause
# One name is an input and an output: --tile gives the first, --dump-tile shows the second.
head -c 1024 /dev/zero >"$work/zeros"
head -c 1024 /dev/zero | tr '\0' '\1' >"$work/ones"
pto-as in_place.pto -o "$work/a.o"
pto-ld "$work/a.o" -o "$work/a"
pto-sim "$work/a" --tile "a=$work/zeros:raw" --tile "b=$work/ones:raw" \
    --dump-tile "a=$work/out:raw" --dump-tile "c=$work/copy:raw"
cmp "$work/ones" "$work/out"
cmp "$work/zeros" "$work/copy"
