# as(print(w)) = w for every word: drawn ones of every length, legal or not, in every revision.
cd "$work"
awk 'BEGIN {
    srand(1)
    split("4 4 4 6 6 8", bytes)
    split("15 5 1 14 14 15", low)
    for (n = 0; n < 6000; n++) {
        k = n % 6 + 1
        printf "\t.inst\t0x"
        for (i = 1; i < bytes[k]; i++)
            printf "%02x", int(rand() * 256)
        nibble = k < 4 ? int(rand() * 7) * 2 + 1 : low[k]
        printf "%x%x\n", int(rand() * 16), nibble
    }
    for (n = 0; n < 65536; n += 7)
        if (n % 2 == 0 && n % 16 != 14)
            printf "\t.inst\t0x%04x\n", n
}' >words.pto
for revision in 0.58.2 0.58.3 0.58.5; do
    { printf '\t.isa\t"%s"\n\t.option nobundle\n' "$revision" && cat words.pto; } >first.pto
    pto-as first.pto -o first.o
    pto-objdump -d --asm first.o >second.pto
    pto-as second.pto -o second.o
    pto-objdump -s -j .text first.o | sed 1,2d >first.hex
    pto-objdump -s -j .text second.o | sed 1,2d >second.hex
    cmp first.hex second.hex
    grep -c . first.hex >/dev/null
    grep -q '\.inst' second.pto
    grep -q 'addi' second.pto
done
