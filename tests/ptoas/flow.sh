# SPDX-License-Identifier: BSD-3-Clause
# Elements 0 to 127: those below 8 become 16 to 23.
. ../npy.inc
pto-as -o "$work/flow.o" flow.pto
cd "$work"
pto-ld -o flow flow.o
sequence()
{
    npy_header '<i4' '8, 16'
    local i
    for ((i = 0; i < 128; i++)); do
        printf "\\x$(printf %02x $((i < 8 ? i + $1 : i)))\\0\\0\\0"
    done
}
sequence 0 >x.npy
sequence 16 >want.npy
pto-sim flow --arg0 x.npy --out 1=y.npy
cmp y.npy want.npy
