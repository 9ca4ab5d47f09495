# SPDX-License-Identifier: BSD-3-Clause
. ../npy.inc
pto-as --level=3 -o "$work/s.o" shapes_of_bytes.pto
cd "$work"
pto-ld -o s s.o
numbers x.npy '<i4' '16, 8' 4 {0..127}
for n in 0 1 3; do
    want=()
    for ((r = 0; r < 16; r++)); do
        sum=$((8 * (8 * r) + 28 + 1))
        for ((i = 0; i < n; i++)); do
            sum=$((2 * sum + 1))
        done
        want+=($sum)
    done
    numbers y-want.npy '<i4' '1, 16' 4 "${want[@]}"
    numbers z-want.npy '<i4' '16, 1' 4 "${want[@]}"
    pto-sim s --arg0 x.npy --arg3 $n --out 1=y.npy --out 2=z.npy
    cmp y.npy y-want.npy
    cmp z.npy z-want.npy
done
