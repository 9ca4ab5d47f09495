# SPDX-License-Identifier: BSD-3-Clause
# TTRANS is there up to 0.58.3.
pto-as -march=pto0.58.5 -o "$work/none.o" transpose.pto 2>&1 | grep error || [ ! -e "$work/none.o" ]
pto-as --emit=bundles transpose.pto | grep -A6 TTRANS
pto-as -o "$work/t.o" transpose.pto
cd "$work"
pto-ld -o t t.o
# words ROWS COLUMNS STEP_R STEP_C: element (r, c) is r * STEP_R + c * STEP_C.
words()
{
    printf '\x93NUMPY\x01\x00\x76\x00'
    printf '%-117s\n' "{'descr': '<i4', 'fortran_order': False, 'shape': ($1, $2), }"
    local r c
    for ((r = 0; r < $1; r++)); do
        for ((c = 0; c < $2; c++)); do
            printf "\\x$(printf %02x $((r * $3 + c * $4)))\\0\\0\\0"
        done
    done
}
words 8 16 16 1 >x.npy
words 16 8 1 16 >want.npy
pto-sim t --arg0 x.npy --out 1=y.npy
cmp y.npy want.npy
