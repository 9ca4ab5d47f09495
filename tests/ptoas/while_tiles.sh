# SPDX-License-Identifier: BSD-3-Clause
. ../npy.inc
pto-as -o "$work/w.o" while_tiles.pto
cd "$work"
pto-ld -o w w.o
numbers x.npy '<i4' '8, 16' 4 {0..127}
for n in 0 1 4; do
    pto-sim w --arg0 x.npy --arg2 $n --out 1=y.npy
    eval "numbers want.npy '<i4' '8, 16' 4 {$n..$((127 + n))}"
    cmp y.npy want.npy
done
