# SPDX-License-Identifier: BSD-3-Clause
# --dump-tile: logical order in a .npy, the bytes as they lie with :raw, whatever the file is called.
cat >"$work/t.pto" <<'PTO'
        .text
        .globl  _start
_start:
        addtpc  %tpcrel_hi(values), ->a0
        addi    a0, %tpcrel_lo(values), ->a0
        BSTART.TLOAD U8
        B.DATR  {ND2NZ, DTYPE_NONE, Zero, EQ, Default, 0, 0}
        B.DIM   zero, 33, ->LB0
        B.DIM   zero, 2, ->LB1
        B.DIM   zero, 64, ->LB2
        B.IOR   a0, a1
        B.IOT   mask=1000, last, ->T<1KB>
        BSTOP
        BSTART.STD RET
        BSTOP
        .data
values: .byte   1, 2, 3
        .zero   29
        .byte   4
PTO
pto-as -o "$work/t.o" "$work/t.pto"
pto-ld -o "$work/t" "$work/t.o"
run() { pto-sim --pes=1 "$work/t" --undefined-byte=0xee "$@"; }

run --dump-tile "T#1=$work/logical.npy" --dump-tile "T#1=$work/bytes.npy:raw" --dump-tile "T#1=$work/bytes:raw"
# Two rows of 33 bytes behind a header of 128; the stride is zero, so both rows are the same.
head -c 6 "$work/logical.npy" | od -An -c
wc -c <"$work/logical.npy"
tail -c +129 "$work/logical.npy" | od -An -v -tu1 -w33
# 32 bytes of a row of a box, then those of its next row: column 32 is in the second box of 16 rows.
wc -c <"$work/bytes.npy"
cmp "$work/bytes.npy" "$work/bytes"
od -An -v -tx1 -w8 -N8 "$work/bytes.npy"
od -An -v -tx1 -w8 -j32 -N8 "$work/bytes.npy"
od -An -v -tx1 -w8 -j512 -N8 "$work/bytes.npy"
