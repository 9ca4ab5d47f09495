# SPDX-License-Identifier: BSD-3-Clause
# --show-tile, --heatmap and --layout.
cat >"$work/t.pto" <<'PTO'
        .text
        .globl  _start
_start:
        addtpc  %tpcrel_hi(values), ->a0
        addi    a0, %tpcrel_lo(values), ->a0
        BSTART.TLOAD S16
        B.DIM   zero, 3, ->LB0
        B.DIM   zero, 2, ->LB1
        B.DIM   zero, 4, ->LB2
        B.IOR   a0, a1
        B.IOT   mask=1000, last, ->T<128B>
        BSTOP
        BSTART.STD RET
        BSTOP
        .data
values: .2byte  -5, 0, 5
PTO
pto-as -o "$work/t.o" "$work/t.pto"
pto-ld -o "$work/t" "$work/t.o"
run() { pto-sim --pes=1 "$work/t" "$@" 2>&1 || echo "status $?"; }

# With a stride of zero both rows are the same; the fourth column is not valid and not shown.
run --show-tile 'T#1'
run --show-tile 'T#2'

# The lowest value is dark blue, the middle green, the highest yellow.
run --heatmap "T#1=$work/h.svg"
grep -o 'fill="[^"]*"><title>[^<]*' "$work/h.svg"
run --heatmap "T#1=$work/h.png"
od -An -tx1 -N33 "$work/h.png"
wc -c <"$work/h.png"
run --heatmap "T#1=$work/h.gif"

# Boxes of 16 x 16 elements, column of boxes by column: (0, 16) is element 512, (16, 0) element 256.
pto-sim --layout NZ,f16,32x48 --svg "$work/nz.svg"
cell() { grep -o "x=\"$(($2 * 32 + 16))\" y=\"$(($1 * 32 + 44))\">[0-9]*" "$work/$3.svg" | sed 's/.*>//'; }
echo "$(cell 0 1 nz) $(cell 1 0 nz) $(cell 0 16 nz) $(cell 16 0 nz) $(cell 31 47 nz)"
# A cell of 4 rows and 8 columns, column by column; the cells of one column of cells follow each other.
pto-sim --layout n8,FP32,8x16 --svg "$work/n8.svg"
echo "$(cell 1 0 n8) $(cell 0 1 n8) $(cell 4 0 n8) $(cell 0 8 n8) $(cell 7 15 n8)"
for wrong in NZ,f16 NY,f16,32x48 NZ,f99,32x48 NZ,f16,32x0 NZ,f16,32x40 M16,f16,17x4; do
    pto-sim --layout "$wrong" --svg "$work/w.svg" 2>&1 || echo "status $?"
done
pto-sim --layout NZ,f16,32x48 2>&1 || echo "status $?"
pto-sim --layout NZ,f16,32x48 --svg "$work/w.svg" "$work/t" 2>&1 || echo "status $?"
[ ! -e "$work/w.svg" ] && echo "nothing was written"
