# SPDX-License-Identifier: BSD-3-Clause
# Row 0 holds -16 to 15 and is multiplied by 3, row 1 is multiplied by 100 and limited to what a byte holds.
. ../npy.inc
pto-as -o "$work/q.o" quantise.pto
cd "$work"
pto-ld -o q q.o
x=() symmetric=() asymmetric=() back=()
within() # NUMBER LEAST MOST
{
    echo $(($1 < $2 ? $2 : $1 > $3 ? $3 : $1))
}
for row in "3 -1" "100 20"; do
    set -- $row
    for ((n = -16; n < 16; n++)); do
        x+=("$(single $n)")
        q=$(within $((n * $1)) -128 127)
        symmetric+=("$q")
        asymmetric+=("$(within $((n * $1 + $2)) 0 255)")
        back+=("$(single $(((q - $2) * $1)))")
    done
done
numbers x.npy '<f4' '2, 32' 4 "${x[@]}"
numbers scale.npy '<f4' '2, 1' 4 "$(single 3)" "$(single 100)"
numbers offset.npy '<f4' '2, 1' 4 "$(single -1)" "$(single 20)"
numbers symmetric-want.npy '|i1' '2, 32' 1 "${symmetric[@]}"
numbers asymmetric-want.npy '|u1' '2, 32' 1 "${asymmetric[@]}"
numbers back-want.npy '<f4' '2, 32' 4 "${back[@]}"
pto-sim q --arg0 x.npy --arg1 scale.npy --arg2 offset.npy --out 3=symmetric.npy --out 4=asymmetric.npy --out 5=back.npy
for y in symmetric asymmetric back; do
    cmp $y.npy $y-want.npy
done
