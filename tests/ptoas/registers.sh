# SPDX-License-Identifier: BSD-3-Clause
# -7 and 2, as 64 and as 32 bits.
. ../npy.inc
pto-as -o "$work/n.o" registers.pto
cd "$work"
pto-ld -o n n.o
numbers x.npy '<i4' '2,' 4 -7 2
numbers wide-want.npy '<i8' '10,' 8 -4 -3 0x7ffffffffffffffd 0x7ffffffffffffffc 1 0x3ffffffffffffffe -7 2 2 -7
numbers narrow-want.npy '<i4' '10,' 4 -4 -3 0x7ffffffd 0x7ffffffc 1 0x3ffffffe -7 2 2 -7
# eq ne slt sle sgt sge ult ule ugt uge; the larger one, true as i32, true < false
numbers bits-want.npy '<i4' '13,' 4 0 1 1 1 0 0 0 0 1 1 2 -1 1
pto-sim n --arg0 x.npy --arg1 -7 --arg2 2 --out 3=wide.npy:i8,10 --out 4=narrow.npy:i4,10 --out 5=bits.npy:i4,13
for y in wide narrow bits; do
    cmp $y.npy $y-want.npy
done
