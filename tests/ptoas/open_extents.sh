# SPDX-License-Identifier: BSD-3-Clause
# Elements outside the valid ones stay 0.
. ../npy.inc
pto-as -o "$work/o.o" open_extents.pto
cd "$work"
pto-ld -o o o.o
numbers x.npy '<i4' '8, 16' 4 {0..127}
for extents in "8 16 16" "3 5 2" "1 1 1"; do
    set -- $extents
    y=() s=() z=()
    for ((r = 0; r < 8; r++)); do
        sum=0
        for ((c = 0; c < 16; c++)); do
            v=$((r < $1 && c < $2 ? 16 * r + c + 1 : 0))
            sum=$((sum + v))
            y+=($v) z+=($((c < $3 ? v : 0)))
        done
        s+=($sum)
    done
    numbers y-want.npy '<i4' '8, 16' 4 "${y[@]}"
    numbers s-want.npy '<i4' '8, 1' 4 "${s[@]}"
    numbers z-want.npy '<i4' '8, 16' 4 "${z[@]}"
    pto-sim o --arg0 x.npy --out 1=y.npy --out 2=s.npy --out 3=z.npy --arg4 $1 --arg5 $2 --arg6 $3
    for n in y s z; do
        cmp $n.npy $n-want.npy
    done
done
