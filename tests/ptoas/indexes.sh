# SPDX-License-Identifier: BSD-3-Clause
. ../npy.inc
pto-as -o "$work/i.o" indexes.pto
cd "$work"
pto-ld -o i i.o
numbers x.npy '<i4' '4, 8' 4 0 1 2 3 4 5 6 7 7 6 5 4 3 2 1 0 -1 -2 -3 99 -5 -6 -99 -8 5 5 5 5 5 5 5 5
numbers rmax-want.npy '<i4' '4, 1' 4 7 0 3 0 # the first of equal ones
numbers rmin-want.npy '<i4' '4, 1' 4 0 7 6 0
numbers cmax-want.npy '<i4' '1, 8' 4 1 1 1 2 3 0 0 0
numbers cmin-want.npy '<i4' '1, 8' 4 2 2 2 0 2 2 2 2
cp rmax-want.npy umax-want.npy
pto-sim i --arg0 x.npy --out 1=rmax.npy --out 2=rmin.npy --out 3=cmax.npy --out 4=cmin.npy --out 5=umax.npy
for y in rmax rmin cmax cmin; do
    cmp $y.npy $y-want.npy
done
tail -c 16 umax.npy | cmp - <(tail -c 16 rmax.npy)
