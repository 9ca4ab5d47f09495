# SPDX-License-Identifier: BSD-3-Clause
# Columns 0 to 31 of a are 0.5, the others 1; rows 0 to 31 of b are 2, the others 4: 32 * 1 + 32 * 4.
. ../npy.inc
pto-as -o "$work/w.o" windows.pto
cd "$work"
pto-ld -o w w.o
half=() a=() b=() y=()
for ((c = 0; c < 64; c++)); do
    half+=($((c < 32 ? 0x3800 : 0x3c00)))
done
for ((r = 0; r < 16; r++)); do
    a+=("${half[@]}")
    y+=("$(single 160)" "$(single 160)" "$(single 160)" "$(single 160)")
done
for ((n = 0; n < 1024; n++)); do
    b+=($((n < 512 ? 0x4000 : 0x4400)))
done
numbers a.npy '<f2' '16, 64' 2 "${a[@]}"
numbers b.npy '<f2' '64, 16' 2 "${b[@]}"
numbers y-want.npy '<f4' '16, 16' 4 "${y[@]}" "${y[@]}" "${y[@]}" "${y[@]}"
pto-sim w --arg0 a.npy --arg1 b.npy --out 2=y.npy
cmp y.npy y-want.npy
