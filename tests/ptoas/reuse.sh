# SPDX-License-Identifier: BSD-3-Clause
. ../npy.inc
pto-as --level=3 -o "$work/r.o" reuse.pto
cd "$work"
pto-ld -o r r.o
numbers x.npy '<i4' '8, 16' 4 {0..127}
npy z-want.npy '<i4' '4, 32' 128 '\x05\0\0\0'
for n in 0 1 3; do
    pto-sim r --arg0 x.npy --arg3 $n --out 1=y.npy --out 2=z.npy
    eval "numbers y-want.npy '<i4' '8, 16' 4 {$n..$((127 + n))}"
    cmp y.npy y-want.npy
    cmp z.npy z-want.npy
done
