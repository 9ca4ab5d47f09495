# SPDX-License-Identifier: BSD-3-Clause
. ../npy.inc
pto-as -o "$work/k.o" kept_flow.pto
cd "$work"
pto-ld -o k k.o
numbers x.npy '<i4' '8, 16' 4 {0..127}
for n in 0 1 2 5 6; do
    want=() count=0 reached=1 left=3 right=5
    for ((i = 0; i < 128; i++)); do
        want+=($((i + n + (n & 1 ? 1100 : -100))))
    done
    while ((reached < n)); do
        count=$((count + 1)) reached=$((2 * reached))
    done
    if ((n & 1)); then
        left=5 right=3
    fi
    numbers y-want.npy '<i4' '8, 16' 4 "${want[@]}"
    numbers z-want.npy '<i8' '5,' 8 $((1 << n)) $left $right $count $reached
    pto-sim k --arg0 x.npy --arg3 $n --out 1=y.npy --out 2=z.npy:i8,5
    cmp y.npy y-want.npy
    cmp z.npy z-want.npy
done
