# SPDX-License-Identifier: BSD-3-Clause
# What --emit=bundles prints assembles to the same code; -o FILE takes it, and errors leave nothing behind.
for name in operations matrices flow exponents quant_vector acc_modes kept_loop; do
    march=pto0.58.3
    grep -q 'isa "0.58.5"' $name.pto && march=pto0.58.5
    pto-as -march=$march -o "$work/a.o" $name.pto
    pto-as -march=$march --emit=bundles -o "$work/text" $name.pto
    pto-as -march=$march -mno-bundle-check -o "$work/b.o" - <"$work/text"
    # The mark of the extension is in a note, which the text does not have.
    for half in a b; do
        pto-objdump -d "$work/$half.o" | sed -n 's/^ .*:\t//p' | sed 's/ *<.*//' >"$work/$half"
    done
    cmp "$work/a" "$work/b" && echo "$name"
done
cd "$work"
printf '%%l = tmov.m2l %%m : !pto.tile<mat, 16x32xf16> -> !pto.tile<left, 16x32xf16>\n.nonsense\n' |
    pto-as --emit=bundles -o none - || [ ! -e none ]
printf '%%a = tmov.v2v %%b :\n    !pto.tile<32x32xf32> ->\n    !pto.tile<32x32xf32>   // comment\n' | pto-as --emit=bundles -
printf 'addi zero, 1, ->a0\n' | pto-as --emit=bundles -
printf 'addi zero, 1, ->a0\n' | pto-as --emit=code - || echo "status $?"
