# Section groups: the first of equal COMDAT groups is linked, its sisters are not, also through -r.
cd "$work"
# one NAME VALUE: an object with NAME and its copy of the group of `shared`.
one()
{
    cat >"$1.pto" <<PTO
        .globl  $1
$1:     BSTART.STD DIRECT, shared
        BSTOP
        .section .text.shared,"axG",@progbits,shared,comdat
        .weak   shared
shared: addi    zero, $2, ->a0
        BSTART.STD RET
        BSTOP
        .section .data.shared,"awG",@progbits,shared,comdat
        .4byte  $2
        .section .about,"ao",@progbits,shared
        .byte   $2
        .section .remark,"e"
        .asciz  "not for programs"
PTO
    pto-as "$1.pto" -o "$1.o"
}
one _start 1
one second 2

# What there is of group and followers, and the word that tells the copies apart.
show()
{
    pto-ld -o program -Map=map "$@"
    sed -n '/^Discarded/,/^Entry/p' map | grep -v '^Entry\|^$' || true
    grep -oE '(text|data)\.shared\)|about\)' map | sort | uniq -c | tr -s ' '
    pto-objdump -d program | grep 'addi'
}
echo first; show _start.o second.o
echo second; show second.o _start.o
pto-ld -r -o both.o _start.o second.o
echo 'both.o'; show both.o
one third 3
pto-ld -r -o three.o both.o third.o
echo 'three.o'; show three.o
pto-objdump -h both.o | grep -c 'shared\|remark'

echo gc
cat >unused.pto <<'PTO'
        .globl  _start
_start: BSTART.STD RET
        BSTOP
        .section .text.f,"axG",@progbits,f,comdat
        .globl  f
f:      BSTART.STD RET
        BSTOP
        .section .rodata.f,"aG",@progbits,f,comdat
        .byte   1
        .section .f_info,"ao",@progbits,f
        .byte   2
PTO
pto-as unused.pto -o unused.o
pto-ld --gc-sections --print-gc-sections -o program unused.o
echo 'gc, used'
pto-ld --gc-sections --print-gc-sections -e f -o program unused.o

echo errors
cat >outside.pto <<'PTO'
        .globl  outside
outside: BSTART.STD DIRECT, inner
        BSTOP
        .section .text.shared,"axG",@progbits,shared,comdat
inner:  BSTART.STD RET
        BSTOP
PTO
pto-as -g outside.pto -o outside.o
pto-ld -o program _start.o outside.o 2>&1 || true
pto-ld -o program outside.o -e outside 2>&1
cat >wrong.pto <<'PTO'
        .section .a,"aG"
        .section .b,"aG",@progbits,g,other
        .section .c,"ao"
        .section .d,"ao",@progbits,nowhere
        .section .e,"a",@progbits,4
        .section .f,"aG",@progbits,g,comdat
        .section .f,"aG",@progbits,g
        .section .f,"aG",@progbits,h
PTO
pto-as wrong.pto -o wrong.o 2>&1 || true
