# SPDX-License-Identifier: BSD-3-Clause
# A kept loop runs no, one and many times; tile k holds k + 1 everywhere, so the sum is n (n + 1).
. ../npy.inc
pto-as -o "$work/sum.o" kept_loop.pto
cd "$work"
pto-ld -o sum sum.o

# tiles FILE TILES FIRST STEP: tiles of 128 equal little-endian words FIRST, FIRST + STEP, …
tiles()
{
    npy_header '<i4' "$1"
    local tile word
    for ((tile = 0; tile < $2; tile++)); do
        printf -v word '\\x%02x\\x%02x\\0\\0' $((($3 + tile) & 255)) $((($3 + tile) >> 8))
        for ((i = 0; i < 128; i++)); do
            printf "$word"
        done
    done
}

tiles '20, 8, 16' 20 1 >x.npy
for n in 0 1 2 20; do
    tiles '8, 16' 1 $((n * (n + 1))) >want.npy
    pto-sim sum --arg0 x.npy --arg2 $n --out 1=y.npy
    cmp y.npy want.npy
done
