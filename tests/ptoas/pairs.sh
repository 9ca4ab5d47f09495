# SPDX-License-Identifier: BSD-3-Clause
. ../npy.inc
pto-as -o "$work/p.o" pairs.pto
cd "$work"
pto-ld -o p p.o
add=() sub=() adds=() subs=() axpy=() share=() x=() y=()
for ((n = 0; n < 32; n++)); do
    x+=($n) y+=($((2 * n)))
    add+=($((n + 2 * n + 2 * n)))
    sub+=($((n - 2 * n + n)))
    adds+=($((n + 5 + 2 * n)))
    subs+=($((n - 5 + 2 * n)))
    axpy+=($((2 * n + 4 * n)))
    share+=($((64 / (n + 1))))
done
numbers x.npy '<i4' '4, 8' 4 "${x[@]}"
numbers y.npy '<i4' '4, 8' 4 "${y[@]}"
pto-sim p --arg0 x.npy --arg1 y.npy --out 2=add.npy --out 3=sub.npy --out 4=adds.npy --out 5=subs.npy --out 6=axpy.npy --out 7=share.npy
for y in add sub adds subs axpy share; do
    declare -n want=$y
    numbers want.npy '<i4' '4, 8' 4 "${want[@]}"
    cmp $y.npy want.npy
done
