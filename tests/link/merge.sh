# Equal strings and constants of all inputs stand once, and everything that points at them agrees.
cd "$work"
cat >a.pto <<'PTO'
        .globl  _start, hello
_start: addtpc  %tpcrel_hi(.Lhello), ->a0
        addi    a0, %tpcrel_lo(.Lhello), ->a0
        addtpc  %tpcrel_hi(.Lworld+2), ->a1
        addi    a1, %tpcrel_lo(.Lworld+2), ->a1
        lbi     [a0, 0], ->a2
        lbi     [a1, 0], ->a3
        BSTART.STD RET
        BSTOP
        .section .rodata.str1.1,"aMS",@progbits,1
.Lworld: .asciz "world"
hello:
.Lhello: .asciz "hello"
        .section .rodata.cst4,"aM",@progbits,4
        .4byte  7, 8, 7
        .section .mine,"aw"
        .8byte  .Lhello, .Lworld+1, hello+4
PTO
cat >b.pto <<'PTO'
        .section .rodata.str1.1,"aMS",@progbits,1
.Lhello: .asciz "hello"
.Lempty: .asciz ""
        .section .rodata.str2.2,"aMS",@progbits,2
.Lwide: .2byte  'h', 'i', 0, 'h', 'i', 0
        .section .rodata.cst4,"aM",@progbits,4
        .4byte  8, 9
        .section .rodata.open,"aMS",@progbits,1
        .ascii  "not ended"
        .section .mine,"aw"
        .8byte  .Lhello, .Lempty, .Lwide+6
PTO
pto-as a.pto -o a.o
pto-as b.pto -o b.o
pto-ld -o program a.o b.o -Map=map
sed -n '/ \.rodata$/,/ \.mine$/p' map
pto-ld -o image --oformat=binary a.o b.o -Ttext=0 --section-start=.rodata=0x400 --section-start=.mine=0x500
od -An -tx1 -w16 -j0x400 -N52 image
od -An -tx8 -w8 -j0x500 -N48 image
pto-sim --pes=1 --state-json run.json program
grep -oE '"a[23]": "?[0-9a-fx]*' run.json | head -2
# -q keeps relocations, which name sections and offsets: nothing is merged then.
pto-ld -q -o program a.o b.o -Map=map
sed -n '/ \.rodata$/,/ \.mine$/p' map | grep -c 'rodata'
