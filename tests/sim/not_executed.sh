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
        BSTART.SFU TPERMUTE, U8
        B.IOT   T#1, T#2, mask=1000
        B.IOT   T#3, mask=1000, ->M<1>
        BSTOP
END
run <<'END'
        BSTART.TMATMUL FP16
        B.FPATR NoQuant, None, 0, 0, 0, 0, 0, 0, 0, 1
        B.IOT   M#1, M#2, mask=1000, ->N<1>
        BSTOP
END
