# SPDX-License-Identifier: BSD-3-Clause
. ../npy.inc
pto-as -o "$work/r.o" rearrange.pto
cd "$work"
pto-ld -o r r.o
numbers x.npy '<i4' '4, 16' 4 {0..63}
numbers swapped-want.npy '<i4' '4, 16' 4 {8..15} {0..7} {24..31} {16..23} {40..47} {32..39} {56..63} {48..55}
numbers window-want.npy '<i4' '2, 8' 4 {19..26} {35..42} # rows 1 and 2, from column 3
numbers patched-want.npy '<i4' '4, 16' 4 {0..31} 32 {19..26} {41..47} 48 {35..42} {57..63} # from row 2, column 1
numbers line-want.npy '<i4' '1, 16' 4 7 6 5 4 3 2 1 0 -1 -2 -3 -4 -5 -6 -7 -8
numbers triangle-want.npy '<i4' '4, 8' 4 0 1 1 1 1 1 1 1 0 0 1 1 1 1 1 1 0 0 0 1 1 1 1 1 0 0 0 0 1 1 1 1
pto-sim r --arg0 x.npy --arg1 1 --out 2=swapped.npy --out 3=window.npy --out 4=patched.npy --out 5=line.npy --out 6=triangle.npy
for y in swapped window patched line triangle; do
    cmp $y.npy $y-want.npy
done
