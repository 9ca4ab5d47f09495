# Each PC-relative form with its target in another object, before and behind it, and in another section of the
# same object: the linked displacement leads to the label. Objects are 16 bytes; the label is 4 bytes into its own.
cd "$work"
printf '\t.option\tnobundle\n\t.zero\t4\n\t.globl\tto\nto:\tC.BSTOP\n\t.balign\t16\n' >target.pto
pto-as -o target.o target.pto
link()
{
    pto-ld -Ttext=10000 -e 0 -o linked "$@"
    pto-objdump -d linked | sed -n 's/^ *\(100[01]0\):.*\t/\1 /p' | grep -v 0x00000000
}
while read -r way insn; do
    printf '\t.option\tnobundle\n\t%s\n\t.balign\t16\n' "$insn" >from.pto
    pto-as -o from.o from.pto
    link from.o target.o
    [ "$way" = both ] && link target.o from.o
    { printf '\t.option\tnobundle\n\t.section\t.text.a,"ax"\n\t%s\n\t.balign\t16\n' "$insn" &&
        printf '\t.section\t.text.b,"ax"\n\t.zero\t4\nto:\tC.BSTOP\n\t.balign\t16\n'; } >one.pto
    pto-as -o one.o one.pto
    link one.o
done <<'FORMS'
both C.BSTART DIRECT, to
both BSTART.STD COND, to
both BSTART.FP DIRECT, to
both BSTART COND, to
both j to
forward c.setret to
forward setret to
forward hl.setret to
forward BSTART.CALL to, to, ->ra
forward BSTART.ICALL to, ->ra
both lw.pcr [to], ->a1
both sd.pcr a1, [to]
both hl.lhu.pcr [to], ->a1
both hl.sb.pcr a1, [to]
both addtpc %tpcrel_hi(to), ->a1
both hl.addtpc %tpcrel_hi(to), ->a1
FORMS
