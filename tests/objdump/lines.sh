# -l names source lines; a program's addresses are absolute and its operands name symbols.
pto-as -mno-relax program.pto -g -o "$work/p.o"
pto-ld -Ttext=10000 -Tdata=20000 "$work/p.o" -o "$work/p"
cd "$work"
pto-objdump -dl p
pto-objdump -dl p.o
