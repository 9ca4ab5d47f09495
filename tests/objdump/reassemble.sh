# -d --asm gives text that assembles to the very same object: code, data, SEQ, relocations, symbols;
# and of a linked program to the same bytes of every section.
bytes()
{
    pto-objdump -s -j .text -j .data -j .rodata -j .seq "$1" | sed 1,2d
}
for source in listing headers; do
    pto-as $source.pto -o "$work/a.o"
    pto-objdump -d --asm "$work/a.o" >"$work/b.pto"
    pto-as "$work/b.pto" -o "$work/b.o"
    bytes "$work/a.o" >"$work/a.txt"
    bytes "$work/b.o" >"$work/b.txt"
    diff "$work/a.txt" "$work/b.txt"
    pto-objdump -r "$work/a.o" | sed 1,2d >"$work/a.txt"
    pto-objdump -r "$work/b.o" | sed 1,2d >"$work/b.txt"
    diff "$work/a.txt" "$work/b.txt"
    pto-objdump -t "$work/a.o" | sed 1,2d | sort >"$work/a.txt"
    pto-objdump -t "$work/b.o" | sed 1,2d | sort >"$work/b.txt"
    diff "$work/a.txt" "$work/b.txt"
    pto-objdump -d --asm "$work/b.o" | cmp - "$work/b.pto"
done
pto-as program.pto -g -o "$work/p.o"
pto-ld "$work/p.o" -o "$work/p"
pto-objdump -d --asm "$work/p" >"$work/q.pto"
pto-as "$work/q.pto" -o "$work/q.o"
pto-ld "$work/q.o" -o "$work/q"
bytes "$work/p" >"$work/a.txt"
bytes "$work/q" >"$work/b.txt"
diff "$work/a.txt" "$work/b.txt"
