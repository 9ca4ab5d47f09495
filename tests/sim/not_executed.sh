# SPDX-License-Identifier: BSD-3-Clause
# What the simulator does not execute says so, and changes nothing (docs/simulator.md).
run()
{
    { echo '.isa "0.58.5"'; cat; } >"$work/t.pto"
    pto-as -o "$work/t.o" "$work/t.pto"
    pto-ld -o "$work/t" "$work/t.o"
    pto-sim --pes=1 "$work/t" 2>&1 | grep -o 'NotImplemented.*\|condition.*' || echo "it ran"
}
run <<'END'
        BSTART.TSTORE U8
        B.DIM   zero, 4, ->LB0
        B.IOR   a0, a1
        B.IOT   T#1, mask=1000
        B.SUBVIEW 0, a2, 0, 1
        BSTOP
END
