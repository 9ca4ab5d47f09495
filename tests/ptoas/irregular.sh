# SPDX-License-Identifier: BSD-3-Clause
. ../npy.inc
pto-as -o "$work/i.o" irregular.pto
cd "$work"
pto-ld -o i i.o
numbers x.npy '<i4' '8, 1' 4 {10..17}
numbers i.npy '<i4' '4, 1' 4 7 0 2 5
# High bytes are 0 to 3 in the first row, and 1 in the second; low bytes are 4 k.
numbers h.npy '<u2' '2, 16' 2 0x000 0x004 0x008 0x00c 0x110 0x114 0x118 0x11c 0x220 0x224 0x228 0x22c 0x330 0x334 0x338 0x33c \
    0x100 0x104 0x108 0x10c 0x110 0x114 0x118 0x11c 0x120 0x124 0x128 0x12c 0x130 0x134 0x138 0x13c
numbers filter.npy '|u1' '2, 1' 1 0 1
numbers gathered-want.npy '<i4' '4, 1' 4 17 10 12 15
numbers scattered-want.npy '<i4' '8, 1' 4 10 0 12 0 0 15 0 17
# Counts of the values up to each number: row 0 has 0, 4, 8, 12 behind the filter, row 1 all sixteen.
low=() high=()
for ((n = 0; n < 256; n++)); do
    low+=($((n < 12 ? n / 4 + 1 : 4)))
    high+=($((n < 3 ? 4 * n + 4 : 16)))
done
for ((n = 0; n < 256; n++)); do
    low+=($((n < 60 ? n / 4 + 1 : 16)))
    high+=($((n < 1 ? 0 : 16)))
done
numbers low-want.npy '<u4' '2, 256' 4 "${low[@]}"
numbers high-want.npy '<u4' '2, 256' 4 "${high[@]}"
pto-sim i --arg0 x.npy --arg1 i.npy --arg2 h.npy --arg3 filter.npy --out 4=gathered.npy --out 5=scattered.npy --out 6=low.npy --out 7=high.npy
for y in gathered scattered low high; do
    cmp $y.npy $y-want.npy
done
