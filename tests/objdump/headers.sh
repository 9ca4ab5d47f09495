# Sections, symbols, relocations and contents of an object.
pto-as headers.pto -o "$work/headers.o"
cd "$work"
pto-objdump -h -t -r -j .text -j .data -j .bss headers.o
pto-objdump -s -j .text -j .data headers.o
pto-objdump -f headers.o
pto-objdump -dr -j .text headers.o
