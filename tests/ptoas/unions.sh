# SPDX-License-Identifier: BSD-3-Clause
. ../npy.inc
pto-as -o "$work/u.o" unions.pto
cd "$work"
pto-ld -o u u.o
numbers x.npy '<i4' '4, 8' 4 {0..31}
numbers y.npy '<i4' '2, 5' 4 {1..5} -7 -8 -9 -10 -11
numbers sum-want.npy '<i4' '4, 8' 4 1 3 5 7 9 5 6 7 1 1 1 1 1 {13..31}
numbers product-want.npy '<i4' '4, 8' 4 0 2 6 12 20 5 6 7 -56 -72 -90 -110 -132 {13..31}
numbers most-want.npy '<i4' '4, 8' 4 {1..5} {5..31}
numbers least-want.npy '<i4' '4, 8' 4 {0..7} -7 -8 -9 -10 -11 {13..31}
m=2147483647
numbers filled-want.npy '<i4' '4, 8' 4 {1..5} $m $m $m -7 -8 -9 -10 -11 $m $m $m $m $m $m $m $m $m $m $m $m $m $m $m $m $m $m $m
pto-sim u --arg0 x.npy --arg1 y.npy --out 2=sum.npy --out 3=product.npy --out 4=most.npy --out 5=least.npy --out 6=filled.npy
for y in sum product most least filled; do
    cmp $y.npy $y-want.npy
done
